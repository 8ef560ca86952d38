"""Turning a chevron where it stands, and what it costs (PACRU-ROT, PACRU-TURN-2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.games.pacru import GAME
from companion.games.pacru.pieces import Chevron
from companion.games.pacru.state import State

Make = Callable[..., State]
Refused = Callable[..., str]


def turn(heading: str, *remove: str, field: str = "E5") -> dict[str, Any]:
    return {"type": "rotate", "field": field, "heading": heading, "remove": list(remove)}


def rotations(state: State) -> list[dict[str, Any]]:
    return [data for action in GAME.legal(state) if (data := GAME.action_to_json(action))["type"] == "rotate"]


def test_a_rotation_is_listed_once_for_each_heading_with_its_markers_left_open(position: Make) -> None:
    state = position({"E5": "red N"}, red="B2 A9 A3 E5")
    assert rotations(state) == [
        {"type": "rotate", "field": "E5", "heading": heading, "remove": {"choose": 2, "from": ["A3", "A9", "B2"]}}
        for heading in ("NE", "NW")
    ]


def test_with_four_markers_every_chevron_can_turn_by_90_degrees_too(position: Make) -> None:
    state = position({"E5": "red N", "A1": "red SE"}, red="A9 B9 C9 D9")
    assert [(data["field"], data["heading"], data["remove"]["choose"]) for data in rotations(state)] == [
        ("A1", "E", 2),
        ("A1", "NE", 4),
        ("A1", "S", 2),
        ("A1", "SW", 4),
        ("E5", "E", 4),
        ("E5", "NE", 2),
        ("E5", "NW", 2),
        ("E5", "W", 4),
    ]


def test_the_markers_chosen_go_back_to_the_supply(position: Make, rotate: Callable[..., State]) -> None:
    state = position({"E5": "red N"}, red="A9 B9 C9 D9 E9")
    for remove, heading in (("B9 A9", "NE"), ("A9 E9 B9 D9", "W")):
        after = rotate(state, "E5", heading, remove)
        assert after.chevrons["E5"] == Chevron("red", heading)  # type: ignore[arg-type]
        assert after.markers.keys() == {"A9", "B9", "C9", "D9", "E9"} - set(remove.split())
        assert after.supply["red"] == 37 + len(remove.split())
        assert (after.turn, after.to_act) == (21, "yellow")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (turn("N", "A9", "B9"), "PACRU-ROT-1: the chevron on E5 heads north"),
        (turn("SE", "A9", "B9"), "PACRU-ROT-1: the chevron on E5 heads north"),
        (turn("S", "A9", "B9", "C9", "D9"), "PACRU-ROT-1: the chevron on E5 heads north"),
        (turn("NE", "A9"), "PACRU-ROT-1: this rotation costs 2 markers, not 1"),
        (turn("E", "A9", "B9"), "PACRU-ROT-1: this rotation costs 4 markers, not 2"),
        (turn("NE", "A9", "A9"), "PACRU-ROT-2: A9 is named more than once"),
        (turn("NE", "A9", "I1"), "PACRU-ROT-2: red has no marker on I1"),
        (turn("NE", "A9", "H1"), "PACRU-ROT-2: red has no marker on H1"),
        (turn("NE", "A9", "E5"), "R-ROT-WHICH: a chevron is on E5"),
        (turn("N", "A9", "B9", field="I9"), "PACRU-TURN-1: a chevron of yellow is on I9"),
        (turn("N", "A9", "B9", field="A9"), "PACRU-TURN-1: no chevron is on A9"),
    ],
)
def test_other_rotations_are_refused(position: Make, refused: Refused, data: dict[str, Any], message: str) -> None:
    state = position({"E5": "red N"}, red="A9 B9 C9 D9 E5", yellow="H1")
    assert refused(state, data).startswith(message)


def test_the_open_form_of_a_rotation_stands_for_others_and_is_refused(position: Make, refused: Refused) -> None:
    state = position({"E5": "red N"}, red="A9 B9 C9")
    for data in rotations(state):
        assert refused(state, data).startswith("PACRU-ROT-2: remove must name the 2 fields")


def test_markers_under_chevrons_do_not_pay(position: Make, refused: Refused) -> None:
    state = position({"E5": "red N", "B2": "red S"}, red="E5 B2 A9")
    assert rotations(state) == []
    assert refused(state, turn("NE", "A9", "E5")) == (
        "PACRU-ROT-2: this rotation costs 2 markers, and red can take off only 1"
    )


def test_with_the_option_they_do_and_leave_the_chevron_on_a_neutral_field(
    position: Make, rotate: Callable[..., State]
) -> None:
    state = position({"E5": "red N", "B2": "red S"}, red="E5 B2 A9", options={"rotation_markers": "any"})
    assert rotations(state)[0]["remove"]["from"] == ["A9", "B2", "E5"]
    after = rotate(state, "E5", "NE", "B2 E5")
    assert after.markers == {"A9": "red"} and after.chevrons["B2"] == Chevron("red", "S")


def test_who_cannot_move_may_not_rotate(position: Make, refused: Refused) -> None:
    state = position({"A1": "red NW"}, red="A9 B9 C9 D9")
    assert GAME.legal(state) == []
    assert refused(state, turn("N", "A9", "B9", field="A1")).startswith("PACRU-TURN-2: red cannot move any chevron")


def test_a_rotation_marks_nothing_for_a_meeting(position: Make, rotate: Callable[..., State]) -> None:
    state = position({"E5": "red SE", "F5": "red W"}, red="A9 B9 C9")
    assert rotate(state, "E5", "E", "A9 B9").markers == {"C9": "red"}
