"""Actions come back from their JSON form, and what is no action is refused."""

from __future__ import annotations

from typing import Any

import pytest

from companion.errors import IllegalAction
from companion.games.pacru import GAME
from companion.games.pacru.actions import Move, Rotate

MOVE = {"type": "move", "from": "G1", "to": "G4"}
ROTATE = {"type": "rotate", "field": "G1", "heading": "SW", "remove": ["A1", "B2"]}


@pytest.mark.parametrize(
    "data",
    [
        MOVE,
        {**MOVE, "mark": "F5"},
        {**MOVE, "connect": True, "meet": "E5"},
        {**MOVE, "mark": "F5", "meet": "E5"},
        ROTATE,
        {**ROTATE, "remove": {"choose": 2, "from": ["A1", "B2", "C3"]}},
        {**ROTATE, "remove": []},
    ],
)
def test_an_action_comes_back_from_json(data: dict[str, Any]) -> None:
    assert GAME.action_to_json(GAME.action_from_json(data)) == data


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "pass",
        {},
        {"type": "pass"},
        {"type": "move"},
        {"type": ["move"], "from": "G1", "to": "G4"},
        {"type": "move", "from": "G1"},
        {**MOVE, "connect": False},
        {**MOVE, "connect": 1},
        {**MOVE, "connect": None},
        {**MOVE, "mark": None},
        {**MOVE, "meet": None},
        {**MOVE, "mark": ["F5"]},
        {**MOVE, "mark": True},
        {**MOVE, "capture": "G4"},
        {**MOVE, "heading": "S"},
        {**MOVE, "from": "J1"},
        {**MOVE, "to": "A10"},
        {**MOVE, "to": "a1"},
        {**MOVE, "to": 7},
        {**MOVE, "to": {}},
        {**ROTATE, "heading": "south"},
        {**ROTATE, "heading": ["SW"]},
        {**ROTATE, "field": None},
        {**ROTATE, "remove": None},
        {**ROTATE, "remove": "A1"},
        {**ROTATE, "remove": ["A1", 2]},
        {**ROTATE, "remove": ["A1", "Z9"]},
        {**ROTATE, "remove": {"choose": 2}},
        {**ROTATE, "remove": {"choose": "2", "from": []}},
        {**ROTATE, "remove": {"choose": 2, "from": [[]]}},
        {**ROTATE, "remove": {"choose": 2, "from": [], "more": 1}},
        {**ROTATE, "to": "A1"},
        {key: value for key, value in ROTATE.items() if key != "remove"},
    ],
    ids=str,
)
def test_what_is_no_action_is_refused(data: Any) -> None:
    with pytest.raises(IllegalAction, match="PACRU-TURN-1: a turn is a move or a rotation"):
        GAME.action_from_json(data)


def test_a_refusal_quotes_no_more_than_people_read() -> None:
    with pytest.raises(IllegalAction) as error:
        GAME.action_from_json({**MOVE, "more": "x" * 10_000})
    assert len(str(error.value)) < 350


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Move("G1", "G4"), "red moves from G1 to G4"),
        (
            Move("G1", "G4", "F5", False, "E5"),
            "red moves from G1 to G4, marks F5 for the border, marks E5 for the meeting",
        ),
        (Move("G1", "G4", None, True), "red moves from G1 to G4, marks all fields between"),
        (
            Rotate("G1", "SW", ("A1", "B2")),
            "red turns the chevron on G1 to the south-west, and takes the markers off A1 and B2",
        ),
        (
            GAME.action_from_json({**ROTATE, "remove": {"choose": 4, "from": []}}),
            "red turns the chevron on G1 to the south-west, and takes 4 markers off the board",
        ),
    ],
)
def test_an_action_is_described_in_words(action: Any, words: str) -> None:
    assert GAME.describe(action, "red") == words
