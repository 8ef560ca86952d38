"""What the page and every answer behind it hold, and what they never hold."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from web import WebSettings, create_app


def test_the_page_is_there(client: FlaskClient) -> None:
    answer = client.get("/")
    assert answer.status_code == 200
    assert "<title>Table 1</title>" in answer.text
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_title_is_text_and_never_markup(desk: Any) -> None:
    app = create_app(desk, WebSettings(operator_key="sun-pyramid-42", title="<script>x</script>"))
    assert "<script>x" not in app.test_client().get("/").text


def test_the_page_needs_nothing_inline(client: FlaskClient) -> None:
    for path in ("/", "/operator"):
        text = client.get(path).text
        assert "style=" not in text
        assert "<style" not in text
        assert " on" + "click" not in text
        assert "http:" not in text.replace("http://www.w3.org", "")
        assert "https:" not in text


def test_the_snapshot_is_sent_as_it_is_and_nothing_is_added(client: FlaskClient, desk: Any) -> None:
    assert client.get("/snapshot.json").get_json() == desk.snapshot()


def test_what_lies_under_a_ship_is_in_no_answer(client: FlaskClient, desk: Any, flying: Any) -> None:
    """The session cuts hidden stones out; the web has no other source, and shows none."""
    ships = set(flying["view"]["ships"].values())
    assert not ships & set(flying["view"]["stones"])
    for path in ("/", "/snapshot.json", "/right", "/operator", "/nowhere"):
        answer = client.get(path)
        if answer.is_json and "view" in answer.get_json():
            assert not ships & set(answer.get_json()["view"]["stones"])
        else:
            assert "stones" not in answer.text


def test_an_unchanged_snapshot_is_not_sent_again(client: FlaskClient, flying: Any) -> None:
    answer = client.get(f"/snapshot.json?version={flying['version']}")
    assert (answer.status_code, answer.data) == (204, b"")
    assert client.get("/snapshot.json?version=0").status_code == 200
    assert client.get("/snapshot.json?version=old").status_code == 200


def test_the_picture_is_shown_and_its_absence_said(client: FlaskClient, desk: Any) -> None:
    answer = client.get("/picture.jpg")
    assert (answer.mimetype, answer.data) == ("image/jpeg", desk.jpeg)
    assert answer.headers["Cache-Control"] == "no-store"
    desk.jpeg = None
    answer = client.get("/picture.jpg")
    assert (answer.status_code, answer.get_json()) == (404, {"error": "there is no picture yet"})


@pytest.mark.parametrize(
    "path",
    [
        "/static/../settings.py",
        "/static/%2e%2e/settings.py",
        "/static/..%2fsettings.py",
        "/static//etc/passwd",
        "/static/none.js",
    ],
)
def test_no_path_reaches_the_file_system(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code in (308, 404)
    assert "operator_key" not in answer.text


def test_a_file_that_has_not_changed_is_not_sent_again(client: FlaskClient) -> None:
    first = client.get("/static/page.js")
    assert first.mimetype == "text/javascript"
    again = client.get("/static/page.js", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_an_unexpected_error_is_one_sentence_and_a_line_in_the_log(
    app: Flask, desk: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> None:
        raise RuntimeError("the inmost secret")

    monkeypatch.setattr(desk, "picture", broken)
    with caplog.at_level(logging.ERROR):
        answer = app.test_client().get("/picture.jpg")
    assert answer.status_code == 500
    assert json.loads(answer.data) == {
        "error": "something went wrong in the companion; the game is safe, and its log says more"
    }
    assert "the inmost secret" in caplog.text


def test_a_wrong_method_is_a_sentence(client: FlaskClient) -> None:
    answer = client.post("/snapshot.json", headers={"Sec-Fetch-Site": "same-origin"})
    assert answer.status_code == 405
    assert answer.is_json


def test_every_module_of_the_page_is_small_and_self_contained(client: FlaskClient) -> None:
    from importlib import resources

    for file in (resources.files("web") / "static").iterdir():
        text = file.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 250, file.name
        assert "innerHTML" not in text, file.name
        assert "https://" not in text, file.name
