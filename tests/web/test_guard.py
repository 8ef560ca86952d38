"""Who is let in."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from flask.testing import FlaskClient

from web import WebSettings, create_app
from web.guard import allowed_host, own_names

UNDO = {"do": "undo"}


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000", "LOCALHOST", socket.gethostname()],
)
def test_the_machines_own_names_and_addresses_are_let_in(host: str) -> None:
    assert allowed_host(host, own_names())


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "8.8.8.8",
        "0.0.0.0",
        "[::]",
        "[::1",
        "224.0.0.1",
        "",
        "127.0.0.1.evil.example",
    ],
)
def test_other_names_and_addresses_are_not(host: str) -> None:
    assert not allowed_host(host, own_names())


def test_the_machines_name_on_the_local_network_is_let_in() -> None:
    assert f"{socket.gethostname().split('.')[0].lower()}.local" in own_names()


@pytest.mark.parametrize("path", ["/", "/stream", "/snapshot.json", "/picture.jpg", "/static/page.js", "/operator"])
def test_a_foreign_host_gets_a_sentence_and_nothing_else(client: FlaskClient, path: str) -> None:
    answer = client.get(path, headers={"Host": "evil.example"})
    assert answer.status_code == 400
    assert "machine's own name" in answer.get_json()["error"]


def test_a_command_from_another_page_is_refused_even_with_the_right(operator: FlaskClient) -> None:
    for headers in (
        {"Origin": "http://evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ):
        answer = operator.post("/do", json=UNDO, headers=headers)
        assert answer.status_code == 403
        assert "another web page" in answer.get_json()["error"]


def test_a_command_from_the_own_page_is_taken(operator: FlaskClient) -> None:
    headers = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    assert operator.post("/do", json=UNDO, headers=headers).status_code == 200


@pytest.mark.parametrize("path", ["/", "/snapshot.json", "/static/page.css", "/nowhere"])
def test_every_answer_is_secured(client: FlaskClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


def test_a_name_that_the_settings_allow_is_let_in(desk: Any) -> None:
    app = create_app(desk, WebSettings(operator_key="sun-pyramid-42", hosts=frozenset({"Table.Fritz.Box"})))
    assert app.test_client().get("/", headers={"Host": "table.fritz.box:8000"}).status_code == 200
