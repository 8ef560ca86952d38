from __future__ import annotations

from companion.boards import Board
from companion.games.pacal.pieces import Piece, Pyramid, Ship, Stones
from companion.observation import Content, Reading
from companion.selftest.marks import mark, result
from companion.selftest.plan import Step
from companion.selftest.words import drawing, instruction, report, summary

SQUARES = frozenset({"A1", "B1", "C1", "A2", "C2"})
BOARD = Board("pacal", "small", (90.0, 60.0), (0.0, 0.0, 90.0, 60.0), 3, 2, SQUARES)
STANDING: dict[str, Piece] = {"A1": Ship("red"), "C1": Stones(("blue", "green")), "C2": Pyramid("purple", 4)}


def reading(**changes: dict[Content | None, float]) -> Reading:
    squares: dict[str, dict[Content | None, float]] = {name: {STANDING.get(name): 0.99} for name in SQUARES}
    return Reading("pacal", "small", squares | changes)


def test_the_drawing_shows_the_grid_its_pieces_and_what_is_new() -> None:
    assert drawing(BOARD, STANDING, ["C2"]).splitlines() == [
        "    A   B   C",
        " 1  R^  .   bg",
        " 2  .      [P4]",
    ]


def test_an_instruction_says_what_to_take_and_what_to_put_where() -> None:
    step = Step(("B1",), {"C2": Pyramid("purple", 4), "A1": Ship("red")}, STANDING)
    text = instruction(BOARD, step, 3)
    assert "Step 3 of 12" in text
    assert "Take off  what is on B1" in text
    assert "Put       a purple pyramid of 4 floors on C2\n            the red ship on A1" in text
    assert text.count("[") == 2


def test_the_first_instruction_takes_nothing_off() -> None:
    assert "Take off" not in instruction(BOARD, Step((), {"A1": Ship("red")}, STANDING), 1)


def test_a_perfect_placement_is_one_line() -> None:
    assert report(mark(reading(), STANDING, 5)) == "  All 3 pieces right."


def test_a_report_names_each_square_that_was_not_right_or_not_sure() -> None:
    marks = mark(reading(C2={Pyramid("purple", 3): 0.8}, B1={Ship("red"): 0.7}, A1={Ship("red"): 0.6}), STANDING, 5)
    assert report(marks).splitlines() == [
        "  2 of 3 pieces right, 1 of them not for sure.",
        "  C2: a purple pyramid of 4 floors expected, a purple pyramid of 3 floors seen (0.80)",
        "  B1: nothing expected, the red ship seen (0.70)",
        "  A1: the red ship: right, but not for sure (0.60)",
    ]


def test_a_picture_that_cannot_be_read_says_why() -> None:
    dark = Reading("pacal", "small", usable=False, reason="the picture is too dark")
    assert report(mark(dark, STANDING, 5)) == "  The picture cannot be read: the picture is too dark"


def test_the_summary_counts_and_says_what_it_means() -> None:
    assert summary(result([mark(reading(), STANDING, 5)])).splitlines() == [
        "3 of 3 squares with pieces were right; on none of 2 bare squares something was seen.",
        "Good enough to play.",
    ]
    blurred = Reading("pacal", "small", usable=False, reason="the picture is blurred")
    assert summary(result([mark(blurred, STANDING, 5)])).endswith("\nChange the light: the picture is blurred.")
