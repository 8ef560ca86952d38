"""The self-test in words and small drawings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion import games
from companion.boards import Board
from companion.games.pacal.pieces import Piece, Pyramid, Ship, Stones
from companion.selftest.marks import Mark, Marks, Result, Verdict
from companion.selftest.plan import STEPS, Step
from companion.squares import Square, square

_PACAL = games.get("pacal")

SYMBOLS = """\
In the drawings:  R red, Y yellow, G green, B blue, P purple
                  R^ a ship, R3 a pyramid of 3 floors, r a stone, rb two stones, . a bare square"""
LEGEND = f"""\
Begin with an empty board. What is put on it stays until a step takes it off.
{SYMBOLS}
                  what is new stands in [brackets]"""

MEANING = {
    Verdict.GOOD: "good enough to play",
    Verdict.WORKS: "works, expect questions",
    Verdict.CHANGE: "change the light",
}


def drawing(board: Board, standing: Mapping[Square, Piece], new: Iterable[Square] = ()) -> str:
    """The board as lines of text: the grid, what is on it, and in brackets what is new."""
    fresh = set(new)
    lines = ["   " + "".join(f" {square(column, 0)[0]}  " for column in range(board.columns)).rstrip()]
    for row in range(board.rows):
        cells = ""
        for column in range(board.columns):
            name = square(column, row)
            mark = _mark(standing[name]) if name in standing else "." if name in board.squares else " "
            cells += f"[{mark:<2}]" if name in fresh else f" {mark:<2} "
        lines.append(f"{row + 1:>2} {cells}".rstrip())
    return "\n".join(lines)


def instruction(board: Board, step: Step, number: int) -> str:
    """What an owner is to do for one placement, counted from 1."""
    todo = [f"{_PACAL.name_content(piece)} on {name}" for name, piece in step.put.items()]
    lines = [f"======== Step {number} of {STEPS} ========", ""]
    if step.take:
        lines.append(f"  Take off  what is on {', '.join(step.take)}")
    lines += [f"  {'Put' if not i else '':<9} {text}" for i, text in enumerate(todo)]
    return "\n".join([*lines, "", drawing(board, step.standing, step.put), ""])


def report(marks: Marks) -> str:
    """What was read of one placement, in a line, and each square that was not right or not sure."""
    if marks.unusable is not None:
        return f"  The picture cannot be read: {marks.unusable}"
    count = len(marks.pieces)
    right = sum(mark.right for mark in marks.pieces)
    doubt = f", {len(marks.unsure)} of them not for sure" if marks.unsure else ""
    lines = [f"  {f'All {count}' if right == count else f'{right} of {count}'} pieces right{doubt}."]
    lines += [f"  {_mistaken(mark)}" for mark in marks.wrong]
    lines += [
        f"  {mark.square}: {_PACAL.name_content(mark.expected)}: right, but not for sure ({mark.confidence:.2f})"
        for mark in marks.unsure
    ]
    return "\n".join(lines)


def summary(result: Result) -> str:
    """The end of a self-test: how much was right, and what that means for an evening."""
    doubt = f", {result.unsure} of them not for sure" if result.unsure else ""
    extra = "on none" if not result.extra else f"on {result.extra}"
    why = f": {result.reason}" if result.reason is not None and result.verdict is not Verdict.GOOD else ""
    return (
        f"{result.right} of {result.pieces} squares with pieces were right{doubt}; "
        f"{extra} of {result.bare} bare squares something was seen.\n{MEANING[result.verdict].capitalize()}{why}."
    )


def _mistaken(mark: Mark) -> str:
    return (
        f"{mark.square}: {_PACAL.name_content(mark.expected)} expected, "
        f"{_PACAL.name_content(mark.seen)} seen ({mark.confidence:.2f})"
    )


def _mark(piece: Piece) -> str:
    match piece:
        case Ship(colour):
            return f"{colour[0].upper()}^"
        case Pyramid(colour, floors):
            return f"{colour[0].upper()}{floors}"
        case Stones(colours):
            return "".join(colour[0] for colour in colours)
