"""Two chevrons of a colour that face each other (PACRU-MEET-1), and the rulings on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.games.pacru.pieces import FIELDS
from companion.games.pacru.state import State

Make = Callable[..., State]
Moves = Callable[..., list[str]]
Refused = Callable[..., str]
Play = Callable[..., State]

FACING = {"A4": "red E", "C4": "red W", "I9": "yellow NW"}


def go(**extras: Any) -> dict[str, Any]:
    return {"type": "move", "from": "A4", "to": "B4", **extras}


def met(told: list[str], to: str = "B4") -> set[str]:
    """The fields that a meeting could mark."""
    return {text.split("meet ")[1] for text in told if text.startswith(to) and "meet" in text}


def test_a_meeting_marks_any_neutral_field_without_chevron(position: Make, moves: Moves, move: Play) -> None:
    state = position(FACING, red="F9", yellow="A9 I9")
    assert met(moves(state, "A4")) == set(FIELDS) - {"B4", "C4", "I9", "F9", "A9"}
    assert "B4" in moves(state, "A4")
    after = move(state, "A4", "B4", meet="A4")
    assert after.markers["A4"] == "red" and after.supply["red"] == 40


@pytest.mark.parametrize(("field", "heading"), [("C4", "NW"), ("C4", "E"), ("D4", "W"), ("B3", "S"), ("C3", "SW")])
def test_only_a_chevron_next_ahead_that_faces_back_exactly_is_met(
    position: Make, moves: Moves, refused: Refused, field: str, heading: str
) -> None:
    state = position({"A4": "red E", field: f"red {heading}"})
    assert met(moves(state, "A4")) == set()
    assert refused(state, go(meet="E5")).startswith("PACRU-MEET-1: no own chevron is next to")


def test_an_opposing_chevron_is_not_met(position: Make, moves: Moves) -> None:
    assert met(moves(position({"A4": "red E", "C4": "yellow W"}), "A4")) == set()


def test_a_meeting_goes_by_the_new_heading(position: Make, moves: Moves) -> None:
    state = position({"B5": "red E", "D3": "red SW"})
    assert "E5" in met(moves(state, "B5"), "C4")
    assert met(moves(state, "B5"), "C5") == set()


@pytest.mark.parametrize(
    ("meet", "message"),
    [
        ("F9", "PACRU-MEET-1: F9 is an own field already"),
        ("A9", "R-MEET-TARGET: A9 has a marker of yellow"),
        ("B4", "R-CHEVRON: a chevron is on B4"),
        ("C4", "R-CHEVRON: a chevron is on C4"),
        ("I9", "R-CHEVRON: a chevron is on I9"),
    ],
)
def test_other_fields_are_not_marked_for_a_meeting(position: Make, refused: Refused, meet: str, message: str) -> None:
    assert refused(position(FACING, red="F9", yellow="A9"), go(meet=meet)).startswith(message)


def test_with_any_target_fields_of_others_are_changed_too(position: Make, moves: Moves, move: Play) -> None:
    state = position(FACING, red="F9", yellow="A9 I9", options={"meeting_target": "any"})
    assert met(moves(state, "A4")) == set(FIELDS) - {"B4", "C4", "I9", "F9"}
    after = move(state, "A4", "B4", meet="A9")
    assert after.markers["A9"] == "red" and after.supply == {"red": 40, "yellow": 41}


def test_on_markers_both_must_stand_on_own_ones(position: Make, moves: Moves, refused: Refused) -> None:
    options = {"meeting_on_markers": True}
    assert met(moves(position(FACING, red="B4 C4", options=options), "A4"))
    for red, lacking in (("B4", "C4"), ("C4", "B4")):
        state = position(FACING, red=red, options=options)
        assert met(moves(state, "A4")) == set()
        assert refused(state, go(meet="E5")).startswith("R-MEET-OWN") and lacking in refused(state, go(meet="E5"))


def test_a_marker_that_the_move_has_just_put_there_counts(position: Make, moves: Moves) -> None:
    state = position({"C5": "red E", "E5": "red W"}, red="E5", options={"meeting_on_markers": True})
    with_meeting = {text.split(" meet")[0] for text in moves(state, "C5") if "meet" in text}
    assert with_meeting == {"D5 mark D5"}


@pytest.mark.parametrize(("count", "counts"), [(2, False), (3, True), (4, True)])
def test_with_a_threshold_some_other_player_needs_so_many_markers(
    position: Make, moves: Moves, refused: Refused, count: int, counts: bool
) -> None:
    yellow = " ".join(["E1", "E2", "E3", "E4"][:count])
    state = position(FACING, yellow=yellow, options={"meeting_threshold": 3})
    assert bool(met(moves(state, "A4"))) == counts
    if not counts:
        assert refused(state, go(meet="E9")).startswith("R-MEET-NINE")


def test_the_threshold_is_for_one_player_not_for_all_together_and_counts_who_is_out(
    position: Make, moves: Moves
) -> None:
    fields: dict[str, Any] = {"players": ["red", "yellow", "green"], "options": {"meeting_threshold": 3}}
    chevrons = {"A4": "red E", "C4": "red W", "I9": "yellow NW"}
    together = position(chevrons, yellow="E1 E2", green="E3 E4", out=["green"], **fields)
    alone = position(chevrons, yellow="E1", green="E2 E3 E4", out=["green"], **fields)
    assert not met(moves(together, "A4")) and met(moves(alone, "A4"))


def test_the_threshold_is_looked_at_after_the_second_step(position: Make, moves: Moves) -> None:
    state = position(
        {"A4": "red E", "E4": "red W"}, red="A4 D4 A5 A6", yellow="B4 E1 E2", options={"meeting_threshold": 3}
    )
    told = [text for text in moves(state, "A4") if text.startswith("D4")]
    assert any("mark" in text and "meet" in text for text in told)
    assert [text for text in told if "connect" in text] == ["D4 connect"]


def test_the_mark_for_the_border_is_put_before_that_for_the_meeting(position: Make, moves: Moves, move: Play) -> None:
    state = position({"C5": "red E", "E5": "red W"})
    told = moves(state, "C5")
    assert "D5 mark D4 meet D6" in told and "D5 mark D4 meet D4" not in told and "D5 mark D5 meet C5" in told
    assert move(state, "C5", "D5", mark="D4", meet="D6").markers == {"D4": "red", "D6": "red"}


def test_a_pincer_can_meet(position: Make, moves: Moves) -> None:
    state = position({"C5": "red E", "D4": "red S", "D5": "yellow N", "E5": "red W", "I9": "yellow NW"})
    assert "D5 meet C5" in moves(state, "C5") and "D5 mark E4 meet C5" in moves(state, "C5")
    assert not any("meet D5" in text for text in moves(state, "C5"))


def test_a_mandatory_meeting_cannot_be_declined(position: Make, moves: Moves, refused: Refused) -> None:
    state = position(FACING, options={"bonuses": "mandatory"})
    assert "B4" not in moves(state, "A4") and met(moves(state, "A4"))
    assert refused(state, go()).startswith("R-BONUS: the mark for the meeting")
