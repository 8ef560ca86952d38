"""What a self-test's readings are worth: each placement's squares, and what all together mean for an evening."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from companion.games.pacal.pieces import Piece, Pyramid, Ship, Stones
from companion.games.phrases import listed
from companion.observation import Content, Reading
from companion.squares import Square, reading_order

SURE = 0.9
"""From this probability on a square counts as read for sure."""

GOOD_RIGHT, GOOD_SURE = 0.99, 0.9
"""The shares of squares with pieces that must be right, and right for sure, for an evening without many questions."""
WORKS_RIGHT = 0.93
"""With fewer right than this, Companion would ask more than it helps."""


class Mark(NamedTuple):
    """One square of one placement.

    expected, seen: what should be and what most likely is on it; None is nothing. confidence: how likely what is seen
    is.
    """

    square: Square
    expected: Piece | None
    seen: Content | None
    confidence: float

    @property
    def right(self) -> bool:
        return self.seen == self.expected

    @property
    def sure(self) -> bool:
        return self.confidence >= SURE

    def to_json(self) -> dict[str, Any]:
        return {
            "expected": None if self.expected is None else self.expected.to_json(),
            "seen": None if self.seen is None else self.seen.to_json(),
            "confidence": round(self.confidence, 4),
            "right": self.right,
        }


@dataclass(frozen=True)
class Marks:
    """What a reading made of one placement.

    pieces: the squares that should hold something. extra: bare squares on which something is seen. bare: how many
    squares should be bare. unusable: why the picture could not be read, None when it was; all its pieces count as
    missed then.
    """

    pieces: tuple[Mark, ...]
    extra: tuple[Mark, ...]
    bare: int
    unusable: str | None = None

    @property
    def wrong(self) -> tuple[Mark, ...]:
        """The squares that are other than they should be."""
        return (*(mark for mark in self.pieces if not mark.right), *self.extra)

    @property
    def unsure(self) -> tuple[Mark, ...]:
        """The squares with pieces that are right, but not for sure."""
        return tuple(mark for mark in self.pieces if mark.right and not mark.sure)

    def to_json(self) -> dict[str, Any]:
        marks = sorted((*self.pieces, *self.extra), key=lambda mark: reading_order(mark.square))
        return {
            "usable": self.unusable is None,
            **({"reason": self.unusable} if self.unusable is not None else {}),
            "squares": {mark.square: mark.to_json() for mark in marks},
        }


def mark(reading: Reading, standing: Mapping[Square, Piece], squares: int) -> Marks:
    """The marks of a reading.

    standing: what is on the board. squares: how many squares the board has.
    """
    bare = squares - len(standing)
    if not reading.usable:
        missed = tuple(Mark(name, standing[name], None, 0.0) for name in sorted(standing, key=reading_order))
        return Marks(missed, (), bare, reading.reason or "the picture cannot be read")
    seen, confidence = reading.seen(), reading.confidence()
    pieces = tuple(
        Mark(name, standing[name], seen.get(name), confidence[name]) for name in sorted(standing, key=reading_order)
    )
    extra = tuple(
        Mark(name, None, seen[name], confidence[name])
        for name in sorted(seen.keys() - standing.keys(), key=reading_order)
    )
    return Marks(pieces, extra, bare)


class Verdict(StrEnum):
    """What a self-test means for an evening."""

    GOOD = "good"
    WORKS = "works"
    CHANGE = "change"


@dataclass(frozen=True)
class Result:
    """All placements together.

    steps: how many there were. pieces: squares that held pieces, over all placements. right: how many of them were read
    right, and unsure: how many of those not for sure. bare: squares that were bare. extra: how many of those on which
    something was seen. reason: what went wrong most often, for people; None when nothing did.
    """

    steps: int
    pieces: int
    right: int
    unsure: int
    bare: int
    extra: int
    verdict: Verdict
    reason: str | None

    def to_json(self) -> dict[str, Any]:
        return {
            "steps": self.steps,
            "pieces": self.pieces,
            "right": self.right,
            "unsure": self.unsure,
            "bare": self.bare,
            "extra": self.extra,
            "verdict": self.verdict.value,
            "reason": self.reason,
        }


def result(all_marks: Sequence[Marks]) -> Result:
    """What the marks of one or more placements mean together."""
    pieces = [mark for marks in all_marks for mark in marks.pieces]
    right = sum(mark.right for mark in pieces)
    unsure = sum(len(marks.unsure) for marks in all_marks)
    extra = sum(len(marks.extra) for marks in all_marks)
    # A piece that is seen where there is none misleads as much as one that is missed.
    share = (right - extra) / len(pieces)
    if share >= GOOD_RIGHT and (right - extra - unsure) / len(pieces) >= GOOD_SURE:
        verdict = Verdict.GOOD
    else:
        verdict = Verdict.WORKS if share >= WORKS_RIGHT else Verdict.CHANGE
    bare = sum(marks.bare for marks in all_marks)
    return Result(len(all_marks), len(pieces), right, unsure, bare, extra, verdict, _reason(all_marks))


def _reason(all_marks: Sequence[Marks]) -> str | None:
    """Why most of the squares were wrong or unsure, in words; None when none was."""
    reasons: Counter[str] = Counter()
    for marks in all_marks:
        if marks.unusable is not None:
            reasons[marks.unusable] += len(marks.pieces)
        else:
            reasons.update(_mistake(mark) for mark in (*marks.wrong, *marks.unsure))
    return reasons.most_common(1)[0][0] if reasons else None


def _mistake(mark: Mark) -> str:
    match mark.expected, mark.seen:
        case (expected, seen) if expected == seen:
            return _doubtful(expected)
        case None, _:
            return "things are seen on bare squares: look for reflections, hard shadows and loose things on the board"
        case _, None:
            return "pieces are not seen: it may be too dark there, or a lamp is mirrored in the board"
        case Pyramid(colour, _), Pyramid(other, _) if colour == other:
            return "the floors of pyramids are miscounted: light from one side shows their steps better"
        case Stones(colours), Stones(others) if set(colours) & set(others):
            return "some stones are not seen: it may be too dark, or the stones lie on one another"
    return f"{_colour(mark.expected)} is taken for other things: the light has another colour than when it was taught"


def _doubtful(piece: Content | None) -> str:
    if isinstance(piece, Pyramid):
        return "the floors of pyramids are hard to tell: light from one side shows their steps better"
    return f"{_colour(piece)} is hard to tell: more light, or light as when it was taught, would help"


def _colour(piece: Content | None) -> str:
    match piece:
        case Ship(colour) | Pyramid(colour, _):
            return colour
        case Stones(colours):
            return listed(colours)
    return "a bare square"
