"""What the operator's page may ask."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.errors import (
    BadCommand,
    BadState,
    CompanionError,
    HardwareError,
    IllegalAction,
    JournalError,
    NoGame,
    NotAllowed,
)
from companion.table.outside import Act, Choose, Correct, NewGame, Pressed, Undo
from web.commands import read_command

FLIGHT = {"type": "fly", "mode": "straight", "to": "C4"}


@pytest.mark.parametrize(
    ("asked", "command"),
    [
        ({"do": "act", "action": FLIGHT, "version": 7}, Act(FLIGHT, 7)),
        ({"do": "choose", "choice": "a", "version": 7}, Choose("a", 7)),
        ({"do": "undo"}, Undo()),
        ({"do": "undo", "version": 7}, Undo(7)),
        ({"do": "press", "button": "undo"}, Undo()),
        (
            {"do": "new", "game": "pacal", "players": ["red", "blue"], "options": {"master": True}},
            NewGame("pacal", ["red", "blue"], options={"master": True}),
        ),
        ({"do": "new", "game": "pacal", "players": ["red"]}, NewGame("pacal", ["red"])),
    ],
)
def test_a_command_reaches_the_desk(operator: FlaskClient, desk: Any, asked: dict[str, Any], command: Any) -> None:
    answer = operator.post("/do", json=asked)
    assert answer.status_code == 200
    assert answer.get_json() == desk.snapshot()
    assert desk.asked == [command]


@pytest.mark.parametrize("button", ["red", "god", "done"])
def test_a_button_can_be_pressed_on_the_page(operator: FlaskClient, desk: Any, button: str) -> None:
    assert operator.post("/do", json={"do": "press", "button": button}).status_code == 200
    (pressed,) = desk.asked
    assert isinstance(pressed, Pressed)
    assert pressed.button == button


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "truncated"),
        (b"{", "truncated"),
        (b"[]", "Expected `object`"),
        (b"\xff\xfe", "malformed"),
        (b'"\xff"', ""),
        (b"{}", "do"),
        (b'{"do": "dance"}', "dance"),
        (b'{"do": "undo", "all": true}', "all"),
        (b'{"do": "act", "action": {}}', "version"),
        (b'{"do": "act", "action": [], "version": 1}', "$.action"),
        (b'{"do": "act", "action": {}, "version": true}', "$.version"),
        (b'{"do": "act", "action": {}, "version": -1}', "$.version"),
        (b'{"do": "press", "button": "../red"}', "$.button"),
        (b'{"do": "new", "game": "../pacal", "players": ["red"]}', "$.game"),
        (b'{"do": "new", "game": "pacal", "players": []}', "$.players"),
        (b'{"do": "new", "game": "pacal", "players": ["red"], "board": "/etc/passwd"}', "board"),
        (b'{"do": "act", "version": 1, "action": ' + b'{"a":' * 10500 + b"1" + b"}" * 10500 + b"}", "deeply"),
    ],
)
def test_what_is_no_command_gets_a_sentence(operator: FlaskClient, desk: Any, body: bytes, said: str) -> None:
    answer = operator.post("/do", data=body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.get_json()["error"].startswith("this is not a command: ")
    assert said in answer.get_json()["error"]
    assert desk.asked == []


def test_a_form_is_no_command(operator: FlaskClient, desk: Any) -> None:
    answer = operator.post("/do", data={"do": "undo"})
    assert answer.status_code == 400
    assert "application/json" in answer.get_json()["error"]
    assert desk.asked == []


def test_a_body_that_is_too_large_gets_a_sentence(operator: FlaskClient) -> None:
    answer = operator.post("/do", data=b" " * 70_000, content_type="application/json")
    assert answer.status_code == 413
    assert "too large" in answer.get_json()["error"]


def test_a_correction_of_the_game_in_play_reaches_the_desk(operator: FlaskClient, desk: Any, flying: Any) -> None:
    state = {**flying["view"], "round": 3}
    assert operator.post("/do", json={"do": "correct", "state": state}).status_code == 200
    assert desk.asked == [Correct(state)]


@pytest.mark.parametrize("board", ["/etc/passwd", "../other.toml", None, "another"])
def test_a_correction_cannot_name_another_board(operator: FlaskClient, desk: Any, flying: Any, board: Any) -> None:
    answer = operator.post("/do", json={"do": "correct", "state": {**flying["view"], "board": board}})
    assert answer.status_code == 400
    assert "board in play" in answer.get_json()["error"]
    assert desk.asked == []


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (IllegalAction("FLY-3", "a pyramid is in the way"), 409),
        (NotAllowed("the table has moved on; look again"), 409),
        (NoGame("there is no game yet"), 409),
        (BadCommand("a player is missing"), 400),
        (BadState("eleven stones"), 400),
        (JournalError("the disk is full"), 503),
        (HardwareError("no lamp answers"), 422),
    ],
)
def test_what_the_desk_refuses_is_answered_with_its_sentence(
    operator: FlaskClient, desk: Any, error: CompanionError, status: int
) -> None:
    desk.refuse = error
    answer = operator.post("/do", json={"do": "undo"})
    assert answer.status_code == status
    assert answer.get_json() == {"error": str(error)}


def test_a_command_is_read_without_a_server() -> None:
    assert read_command(b'{"do":"undo"}') == Undo()
