"""The operator's right."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.exceptions import Forbidden, TooManyRequests

from companion.errors import BadConfig
from web import WebSettings, create_app
from web.operator import ADDRESSES, COOKIE, TRIES, TRIES_SECONDS, OperatorRight, Tries

KEY = "sun-pyramid-42"


def test_nobody_has_the_right_to_begin_with(client: FlaskClient) -> None:
    assert client.get("/right").get_json() == {"operator": False}
    answer = client.post("/do", json={"do": "undo"})
    assert answer.status_code == 403
    assert "operator" in answer.get_json()["error"]


def test_the_link_gives_the_right_and_leads_to_the_page(client: FlaskClient) -> None:
    answer = client.get(f"/operator?key={KEY}")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert KEY not in cookie
    assert client.get("/right").get_json() == {"operator": True}


def test_the_form_gives_the_right(client: FlaskClient) -> None:
    assert client.get("/operator").status_code == 200
    assert client.post("/operator", data={"key": f" {KEY} "}).status_code == 303
    assert client.get("/right").get_json() == {"operator": True}


def test_a_wrong_key_gets_the_form_again_with_a_sentence(client: FlaskClient) -> None:
    answer = client.post("/operator", data={"key": "<b>guess</b>"})
    assert answer.status_code == 403
    assert "not the operator key" in answer.text
    assert "guess" not in answer.text
    assert client.get("/right").get_json() == {"operator": False}


def test_a_wrong_link_gives_nothing(client: FlaskClient) -> None:
    answer = client.get("/operator?key=guess")
    assert answer.status_code == 403
    assert "Set-Cookie" not in answer.headers


def test_too_many_wrong_keys_must_wait_even_with_the_right_one(client: FlaskClient) -> None:
    for _ in range(TRIES):
        assert client.get("/operator?key=guess").status_code == 403
    answer = client.get(f"/operator?key={KEY}")
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) <= TRIES_SECONDS + 1
    assert "try again in" in answer.text


def test_one_may_try_again_after_a_while() -> None:
    now = 0.0
    right = OperatorRight(KEY, clock=lambda: now)
    for _ in range(TRIES):
        with pytest.raises(Forbidden):
            right.check("guess", "10.0.0.1")
    with pytest.raises(TooManyRequests):
        right.check(KEY, "10.0.0.1")
    right.check(KEY, "10.0.0.2")
    now = TRIES_SECONDS + 0.1
    right.check(KEY, "10.0.0.1")


def test_wrong_keys_from_ever_new_addresses_do_not_fill_the_memory() -> None:
    tries = Tries(lambda: 0.0)
    for number in range(3 * ADDRESSES):
        tries.failed(f"address {number}")
    assert len(tries._failures) == ADDRESSES


@pytest.mark.parametrize("value", ["", "operator", "Im9wZXJhdG9yIg.aaaa.bbbb", "\u00e9"])
def test_a_made_up_cookie_gives_nothing(client: FlaskClient, value: str) -> None:
    client.set_cookie(COOKIE, value)
    assert client.get("/right").get_json() == {"operator": False}


def test_a_new_key_takes_the_old_right_away(operator: FlaskClient, desk: Any) -> None:
    cookie = operator.get_cookie(COOKIE)
    assert cookie is not None
    other: Flask = create_app(desk, WebSettings(operator_key="another-key-9"))
    client = other.test_client()
    client.set_cookie(COOKIE, cookie.value)
    assert client.get("/right").get_json() == {"operator": False}


@pytest.mark.parametrize("key", ["", "short", " with-blank-9"])
def test_a_weak_key_is_refused(key: str) -> None:
    with pytest.raises(BadConfig, match="operator key"):
        WebSettings(operator_key=key)


def test_the_key_does_not_show_when_settings_are_printed() -> None:
    assert KEY not in repr(WebSettings(operator_key=KEY))
