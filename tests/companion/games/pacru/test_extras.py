"""Marks for borders and connections (PACRU-CROSS, PACRU-CONN), their order and limit, and the rulings on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.games.pacru.state import State

Make = Callable[..., State]
Moves = Callable[..., list[str]]
Refused = Callable[..., str]
Play = Callable[..., State]

CENTRE = ("D4", "D5", "D6", "E4", "E5", "E6", "F4", "F5", "F6")
"""The borderland that C5 E enters."""


def go(start: str, to: str, **extras: Any) -> dict[str, Any]:
    return {"type": "move", "from": start, "to": to, **extras}


def marks(told: list[str], to: str) -> list[str]:
    """What is told of the moves that end on a field."""
    return [text.removeprefix(to).strip() for text in told if text.startswith(to)]


def test_over_a_border_one_neutral_field_of_the_new_borderland_may_be_marked(position: Make, moves: Moves) -> None:
    state = position({"C5": "red E", "E5": "yellow N"}, red="F4", yellow="D4")
    assert marks(moves(state, "C5"), "D5") == ["", "mark D5", "mark D6", "mark E4", "mark E6", "mark F5", "mark F6"]


def test_inside_a_borderland_there_is_no_mark(position: Make, moves: Moves, refused: Refused) -> None:
    state = position({"B5": "red E"})
    assert moves(state, "B5") == ["C4", "C5", "C6"]
    assert refused(state, go("B5", "C5", mark="C4")).startswith("PACRU-CROSS-1: from B5 to C5 no border is crossed")


def test_the_mark_is_put_from_the_supply_also_under_the_chevron_itself(position: Make, move: Play) -> None:
    after = move(position({"C5": "red E"}), "C5", "D5", mark="D5")
    assert after.markers == {"D5": "red"} and after.supply == {"red": 41, "yellow": 42}


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        ("C5", "PACRU-CROSS-1: the mark goes into the borderland entered, D4 to F6, not on C5"),
        ("F4", "PACRU-CROSS-1: F4 is an own field already"),
        ("E5", "R-CHEVRON: a chevron is on E5"),
        ("D4", "PACRU-CROSS-2: D4 has a marker of yellow, and the borderland entered still has D5, D6"),
    ],
)
def test_other_fields_are_not_marked_for_a_border(position: Make, refused: Refused, mark: str, message: str) -> None:
    state = position({"C5": "red E", "E5": "yellow N"}, red="F4", yellow="D4")
    assert refused(state, go("C5", "D5", mark=mark)).startswith(message)


def test_the_landing_field_is_not_marked_when_the_option_is_off(position: Make, moves: Moves, refused: Refused) -> None:
    state = position({"C5": "red E"}, options={"landing_field": False})
    assert "mark D5" not in marks(moves(state, "C5"), "D5") and "mark D4" in marks(moves(state, "C5"), "D5")
    assert refused(state, go("C5", "D5", mark="D5")).startswith("R-LANDING")


def test_in_a_filled_borderland_one_field_of_another_player_may_be_changed(
    position: Make, moves: Moves, move: Play
) -> None:
    state = position({"C5": "red E", "E5": "yellow N"}, red="D5 D6", yellow="D4 E4 E5 E6 F4 F5 F6")
    assert marks(moves(state, "C5"), "D5") == ["", *(f"mark {name}" for name in ("D4", "E4", "E6", "F4", "F5", "F6"))]
    after = move(state, "C5", "D5", mark="F6")
    assert after.markers["F6"] == "red" and after.supply == {"red": 39, "yellow": 36}


def test_a_neutral_field_under_a_chevron_leaves_no_mark_at_all(position: Make, moves: Moves, refused: Refused) -> None:
    fields: dict[str, Any] = {"red": "D5 D6", "yellow": "D4 E4 E6 F4 F5 F6"}
    chevrons = {"C5": "red E", "E5": "yellow N"}
    state = position(chevrons, **fields)
    assert marks(moves(state, "C5"), "D5") == [""]
    assert refused(state, go("C5", "D5", mark="F6")).startswith("PACRU-CROSS-2")
    occupied = position(chevrons, options={"filled_borderland": "occupied"}, **fields)
    assert "mark F6" in marks(moves(occupied, "C5"), "D5") and "mark E5" not in marks(moves(occupied, "C5"), "D5")


def test_a_pincer_over_a_border_fills_the_borderland_first(position: Make, moves: Moves) -> None:
    state = position(
        {"C5": "red E", "E4": "red SW", "D5": "yellow N", "A1": "yellow E"}, red="E4", yellow="D4 D6 E5 E6 F4 F5 F6"
    )
    assert marks(moves(state, "C5"), "D5") == [
        "",
        *(f"mark {name}" for name in ("D4", "D6", "E5", "E6", "F4", "F5", "F6")),
    ]


def test_a_connection_changes_all_fields_between(position: Make, moves: Moves, move: Play) -> None:
    state = position({"A5": "red E"}, red="A5 D5 A4 A6", yellow="C5")
    assert "connect" in marks(moves(state, "A5"), "D5")
    after = move(state, "A5", "D5", connect=True)
    assert {name for name, owner in after.markers.items() if owner == "red"} == {"A4", "A5", "A6", "B5", "C5", "D5"}
    assert after.supply == {"red": 36, "yellow": 42}


def test_the_connection_or_the_border_or_neither(position: Make, moves: Moves, refused: Refused) -> None:
    state = position({"A5": "red E"}, red="A5 D5 A4 A6")
    offered = marks(moves(state, "A5"), "D5")
    assert offered == ["", "connect", *(f"mark {name}" for name in CENTRE if name != "D5")]
    assert refused(state, go("A5", "D5", connect=True, mark="E5")).startswith("PACRU-MOVE-6")


@pytest.mark.parametrize(
    ("red", "to", "message"),
    [
        ("A5 A4 C5", "B5", "PACRU-CONN-1: the move is one field long"),
        ("A4 A6 C5", "C5", "PACRU-CONN-1: a connection leads from an own field to an own one, A5 is not own"),
        ("A5 A4 A6", "C5", "PACRU-CONN-1: a connection leads from an own field to an own one, C5 is not own"),
        ("A5 B5 C5", "C5", "R-CONN-EMPTY"),
    ],
)
def test_other_moves_are_no_connections(position: Make, refused: Refused, red: str, to: str, message: str) -> None:
    assert refused(position({"A5": "red E"}, red=red), go("A5", to, connect=True)).startswith(message)


def test_a_jump_is_no_connection(position: Make, refused: Refused) -> None:
    state = position({"A5": "red E", "B5": "yellow N"}, red="A5 A4 D5 A6")
    message = refused(state, go("A5", "D5", connect=True))
    assert message.startswith("PACRU-CONN-1: the move jumps")


def test_a_pincer_is_no_connection(position: Make, refused: Refused) -> None:
    state = position({"A5": "red E", "C4": "red S", "C5": "yellow N", "I9": "yellow NW"}, red="A5 A4 A6")
    assert refused(state, go("A5", "C5", connect=True)).startswith("R-CONN-PINCER")


def test_mandatory_bonuses_cannot_be_declined(position: Make, moves: Moves, refused: Refused) -> None:
    state = position({"A5": "red E"}, red="A5 D5 A4 A6", options={"bonuses": "mandatory"})
    assert marks(moves(state, "A5"), "D5") == ["connect", *(f"mark {name}" for name in CENTRE if name != "D5")]
    assert refused(state, go("A5", "D5")).startswith("R-BONUS")
    assert "B5" in moves(state, "A5")


FULL = " ".join(f"{column}{row}" for column in "GHI" for row in range(1, 9)) + " A1 A2 A3 B1 B2 B3 C1 C2 C3"
"""33 fields, neither near the middle nor I9."""


def nearly_done(position: Make, chevrons: dict[str, str], red: str, left: int, **fields: Any) -> State:
    """A state in which red has so many markers left; those of ``red`` and enough others are on the board."""
    others = [name for name in FULL.split() if name not in red.split()]
    return position(chevrons, red=" ".join([*red.split(), *others[: 42 - left - len(red.split())]]), **fields)


def test_the_game_ends_with_the_last_marker_of_a_connection(position: Make, move: Play) -> None:
    state = nearly_done(position, {"A5": "red E"}, "A5 A4 A6 B6 B4 D5 D6 E9 F9", 1, yellow="C5")
    after = move(state, "A5", "D5", connect=True)
    assert (after.phase, after.winner, after.ending, after.to_act) == ("over", "red", "markers", "red")
    assert (after.markers["B5"], after.markers["C5"], after.supply["red"]) == ("red", "yellow", 0)


def test_own_fields_between_take_no_marker(position: Make, move: Play) -> None:
    state = nearly_done(position, {"A5": "red E"}, "A5 A4 A6 B5 B4 D5 D6 E9 F9", 1, yellow="C5")
    assert move(state, "A5", "D5", connect=True).markers["C5"] == "red"


def test_after_the_last_marker_no_more_extras_are_named(position: Make, moves: Moves, refused: Refused) -> None:
    chevrons = {"C5": "red E", "E5": "red W"}
    state = nearly_done(position, chevrons, "D9 D8 E9 E8 F9 F8 D1 E1", 1)
    offered = marks(moves(state, "C5"), "D5")
    assert (
        "mark D4" in offered and "meet D4" in offered and not any("mark" in text and "meet" in text for text in offered)
    )
    assert refused(state, go("C5", "D5", mark="D4", meet="D6")).startswith("PACRU-MOVE-7")


def test_the_marker_under_a_caught_chevron_can_be_the_last(
    position: Make, moves: Moves, refused: Refused, move: Play
) -> None:
    chevrons = {"C5": "red E", "D4": "red S", "D5": "yellow N", "I9": "yellow NW"}
    state = nearly_done(position, chevrons, "D9 D8 E9 E8 F9 F8 D1 E1", 1)
    assert marks(moves(state, "C5"), "D5") == [""]
    assert refused(state, go("C5", "D5", mark="E5")).startswith("PACRU-MOVE-7")
    assert move(state, "C5", "D5").ending == "markers"
