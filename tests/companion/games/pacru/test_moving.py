"""Where a chevron can go: direction, power, landing, jumps and pincers (PACRU-MOVE-1 to PACRU-MOVE-5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.games.pacru import GAME
from companion.games.pacru.pieces import Chevron
from companion.games.pacru.state import State

Make = Callable[..., State]
Moves = Callable[..., list[str]]
Refused = Callable[..., str]


def go(start: str, to: str, **extras: Any) -> dict[str, Any]:
    return {"type": "move", "from": start, "to": to, **extras}


@pytest.mark.parametrize(
    ("heading", "reached"),
    [
        ("N", ["D4", "E4", "F4"]),
        ("NE", ["E4", "F4", "F5"]),
        ("E", ["F4", "F5", "F6"]),
        ("SE", ["E6", "F5", "F6"]),
        ("S", ["D6", "E6", "F6"]),
        ("SW", ["D5", "D6", "E6"]),
        ("W", ["D4", "D5", "D6"]),
        ("NW", ["D4", "D5", "E4"]),
    ],
)
def test_a_chevron_goes_straight_on_or_half_right_or_half_left(
    position: Make, moves: Moves, heading: str, reached: list[str]
) -> None:
    assert moves(position({"E5": f"red {heading}"}), "E5") == reached


def test_after_a_move_the_chevron_heads_where_it_went(position: Make, move: Callable[..., State]) -> None:
    after = move(position({"E5": "red N"}), "E5", "F4")
    assert after.chevrons["F4"] == Chevron("red", "NE") and "E5" not in after.chevrons


def test_the_edge_of_the_board_is_the_end(position: Make, moves: Moves) -> None:
    assert moves(position({"A1": "red E"}), "A1") == ["B1", "B2"]
    assert moves(position({"A1": "red W", "E5": "red N"}), "A1") == []


def ends(told: list[str]) -> list[str]:
    """The fields where moves end, whatever extras they have."""
    return sorted({text.split()[0] for text in told})


def test_power_is_the_number_of_own_fields_in_the_borderland(position: Make, moves: Moves) -> None:
    state = position({"A2": "red E"}, red="A2 B1 C1 D9", yellow="A3 C3")
    assert ends(moves(state, "A2")) == ["B1", "B2", "B3", "C2", "C4", "D2", "D5"]


def test_without_own_fields_the_power_is_one(position: Make, moves: Moves) -> None:
    assert moves(position({"B2": "red E"}, red="D1 D2", yellow="A1"), "B2") == ["C1", "C2", "C3"]


def test_what_is_beyond_the_power_is_refused(position: Make, refused: Refused) -> None:
    message = refused(position({"A2": "red E"}, red="A2 B1"), go("A2", "D2"))
    assert message == "PACRU-MOVE-2: the chevron on A2 has a power of 2 fields, and D2 is 3 fields away"


@pytest.mark.parametrize("to", ["D5", "C4", "E5", "E7", "G6", "E6"])
def test_other_directions_are_refused(position: Make, refused: Refused, to: str) -> None:
    assert refused(position({"E5": "red N"}, red="D4 E4 F4"), go("E5", to)).startswith("PACRU-MOVE-1")


def test_a_move_ends_on_neutral_and_own_fields_not_on_those_of_others(
    position: Make, moves: Moves, refused: Refused
) -> None:
    state = position({"B5": "red E"}, red="B5 C4 A6", yellow="C5")
    assert ends(moves(state, "B5")) == ["C4", "C6", "D3", "D5", "D7", "E2", "E5", "E8"]
    assert refused(state, go("B5", "C5")).startswith("PACRU-MOVE-3: C5 has a marker of yellow")


def test_a_move_does_not_end_on_an_own_chevron(position: Make, refused: Refused) -> None:
    state = position({"B5": "red E", "C5": "red S"}, red="C5")
    assert refused(state, go("B5", "C5")).startswith("PACRU-MOVE-3: on C5 is an own chevron")


def test_chevrons_on_the_way_block_a_move(position: Make, moves: Moves, refused: Refused) -> None:
    state = position({"A5": "red E", "B5": "red N", "B6": "yellow N", "I9": "yellow NW"}, red="A5 A6 C4")
    assert ends(moves(state, "A5")) == ["B4", "C3", "D2"]
    assert refused(state, go("A5", "C5")).startswith("PACRU-MOVE-4: a chevron is on B5")


@pytest.mark.parametrize(
    ("red", "blocked_by"), [("A5 A6 A4", "C5 is not own"), ("C5 A6 A4", "A5 is not own"), ("A4 A6", "A5 is not own")]
)
def test_only_between_two_own_fields_can_a_move_jump(
    position: Make, refused: Refused, red: str, blocked_by: str
) -> None:
    state = position({"A5": "red E", "B5": "yellow N"}, red=red)
    message = refused(state, go("A5", "C5"))
    assert message.startswith("PACRU-MOVE-4") and message.endswith(blocked_by)


def test_a_jump_goes_over_any_number_of_any_colour_and_leaves_them(position: Make, move: Callable[..., State]) -> None:
    state = position({"A5": "red E", "B5": "yellow N", "C5": "red N"}, red="A5 D5 A6 A4", yellow="B5")
    after = move(state, "A5", "D5")
    assert after.chevrons.keys() == {"D5", "B5", "C5"} and after.markers == state.markers


def pincer(position: Make, **fields: Any) -> State:
    """Yellow's chevron on E5 is attacked from D4 and from D5."""
    return position({"D4": "red SE", "D5": "red E", "E5": "yellow N", "I9": "yellow NW"}, **fields)


def test_two_attackers_may_catch_a_chevron(position: Make, move: Callable[..., State]) -> None:
    state = pincer(position)
    for start, heading in (("D4", "SE"), ("D5", "E")):
        after = move(state, start, "E5")
        assert after.chevrons["E5"] == Chevron("red", heading)  # type: ignore[arg-type]
        assert after.markers == {"E5": "red"} and after.supply == {"red": 41, "yellow": 42}
        assert len(after.chevrons) == 3


def test_the_marker_under_a_caught_chevron_goes_back(position: Make, move: Callable[..., State]) -> None:
    after = move(pincer(position, yellow="E5 A1"), "D4", "E5")
    assert after.markers == {"E5": "red", "A1": "yellow"} and after.supply == {"red": 41, "yellow": 41}


def test_one_attacker_is_not_enough(position: Make, moves: Moves, refused: Refused) -> None:
    state = position({"D5": "red E", "E5": "yellow N"})
    assert ends(moves(state, "D5")) == ["E4", "E6"]
    assert refused(state, go("D5", "E5")).startswith("PACRU-MOVE-5: a pincer needs two own chevrons")


def test_an_attacker_needs_the_power_and_the_direction(position: Make, refused: Refused) -> None:
    too_far = position({"C5": "red E", "E4": "red S", "E5": "yellow N"})
    away = position({"D5": "red E", "E4": "red N", "E5": "yellow N"})
    assert refused(too_far, go("E4", "E5")).startswith("PACRU-MOVE-5")
    assert refused(away, go("D5", "E5")).startswith("PACRU-MOVE-5")


def test_an_attack_does_not_jump_not_even_from_an_own_field(position: Make, refused: Refused, moves: Moves) -> None:
    state = position({"C5": "red E", "D5": "red E", "E4": "red S", "E5": "yellow N"}, red="C5 B5 A5", yellow="E5")
    assert refused(state, go("C5", "E5")).startswith("PACRU-MOVE-5: a pincer never jumps")
    assert "E5" in moves(state, "D5") and "E5" in moves(state, "E4")


def test_own_chevrons_are_not_attacked(position: Make, refused: Refused) -> None:
    state = position({"D4": "red SE", "D5": "red E", "E5": "red N"})
    assert refused(state, go("D4", "E5")).startswith("PACRU-MOVE-3")


def test_only_own_chevrons_are_moved(position: Make, refused: Refused) -> None:
    state = position({"D4": "red SE", "A2": "red E"})
    assert refused(state, go("I9", "H8")) == (
        "PACRU-TURN-1: a chevron of yellow is on I9; red moves or rotates one of those on A2 and D4"
    )
    assert refused(state, go("C3", "C4")).startswith("PACRU-TURN-1: no chevron is on C3")


def test_a_move_that_is_listed_can_be_applied_and_changes_the_turn(position: Make) -> None:
    state = position({"D4": "red SE", "A2": "red E"})
    for action in GAME.legal(state):
        after = GAME.apply(state, action).state
        assert (after.turn, after.to_act) == (21, "yellow")
