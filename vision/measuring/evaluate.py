"""How well a reader reads: counts over pictures whose truth is known."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, fields
from typing import TypeAlias

from companion.games.pacal.pieces import Pyramid, Ship, Stones
from companion.observation import Content, Die, Reading, Seen
from companion.squares import Square

BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999, 1.0)
"""Edges of the reliability table, in confidence; each bin holds its lower edge, the last one 1 too."""

CERTAIN = 0.99
"""No square may be wrong that is said with as much, or more."""

Bins: TypeAlias = tuple[tuple[int, int, float], ...]
NO_BINS: Bins = ((0, 0, 0.0),) * (len(BINS) - 1)


@dataclass(frozen=True)
class Miss:
    """A square that was read wrongly. confidence: how sure the reader was of what it saw."""

    square: Square
    saw: Content | None
    truth: Content | None
    confidence: float

    @property
    def mistake(self) -> str:
        """What was confused with what, in words that are the same for all mistakes of a kind."""
        match self.truth, self.saw:
            case None, saw:
                return f"{_kind(saw)} on a bare square"
            case truth, None:
                return f"{_kind(truth)} not seen"
            case Pyramid(colour, _), Pyramid(other, _):
                return "a pyramid's floors" if colour == other else "a pyramid's colour"
            case Ship(), Ship():
                return "a ship's colour"
            case Stones(colours), Stones(others) if set(colours) < set(others):
                return "a stone too many"
            case Stones(colours), Stones(others) if set(colours) > set(others):
                return "a stone too few"
            case Stones(), Stones():
                return "stones' colours"
        return f"{_kind(self.truth)} taken for {_kind(self.saw)}"

    def text(self) -> str:
        """For people: ``C4: saw None (0.987), was {'ship': 'red'}``."""
        saw, was = (piece.to_json() if piece else None for piece in (self.saw, self.truth))
        return f"{self.square}: saw {saw} ({self.confidence:.3f}), was {was}"


def _kind(content: Content | None) -> str:
    match content:
        case Ship():
            return "a ship"
        case Pyramid():
            return "a pyramid"
        case Stones():
            return "stones"
    return "something"


@dataclass(frozen=True)
class Score:
    """Counts over pictures; scores add up.

    occupied, bare: squares that in truth hold something, or nothing. occupied_right: the content was read exactly.
    bare_wrong: bare squares taken for occupied. exact: pictures with every square right; exact_in_sight: but for those
    with a piece of which less than half can be seen. known: pictures that whoever knows what stands there takes for
    nothing else. die_right, die_wrong, die_missed: of the pictures that show a die, those whose reading says its face,
    another, or none. die_none, die_made_up: of the pictures without one, those whose reading says so, or a face. bins:
    for each bin of ``BINS`` the squares whose confidence is in it, those of them that were right, and the sum of their
    confidences; occupied_bins: the same of the squares that were said to hold something. seconds: that reading took.
    """

    pictures: int = 0
    unusable: int = 0
    exact: int = 0
    exact_in_sight: int = 0
    known: int = 0
    occupied: int = 0
    occupied_right: int = 0
    bare: int = 0
    bare_wrong: int = 0
    die_right: int = 0
    die_wrong: int = 0
    die_missed: int = 0
    die_none: int = 0
    die_made_up: int = 0
    seconds: float = 0.0
    bins: Bins = NO_BINS
    occupied_bins: Bins = NO_BINS
    misses: tuple[Miss, ...] = field(default=(), compare=False)

    @property
    def squares(self) -> int:
        return self.occupied + self.bare

    @property
    def squares_right(self) -> int:
        """Of an unusable picture none, though its bare squares were not taken for anything else either."""
        return sum(right for _, right, _ in self.bins)

    @property
    def certain_wrong(self) -> int:
        """Squares that are wrong though said with ``CERTAIN`` or more."""
        return sum(miss.confidence >= CERTAIN for miss in self.misses)


def score(
    reading: Reading,
    truth: Seen,
    squares: Iterable[Square],
    seconds: float = 0.0,
    hidden: Collection[Square] = (),
) -> Score:
    """What one reading of the squares is worth.

    truth: what was on each square that held something. squares: all of the board. hidden: those with a piece of which
    less than half can be seen. An unusable reading has every occupied square wrong, and no bare one: it says nothing.
    """
    names = sorted(squares)
    if not reading.usable:
        return Score(pictures=1, unusable=1, occupied=len(truth), bare=len(names) - len(truth), seconds=seconds)
    seen, confidence = reading.seen(), reading.confidence()
    right = {name: seen.get(name) == truth.get(name) for name in names}
    misses = tuple(
        Miss(name, seen.get(name), truth.get(name), confidence.get(name, 0.0)) for name in names if not right[name]
    )
    return Score(
        pictures=1,
        exact=int(not misses),
        exact_in_sight=int(all(miss.square in hidden for miss in misses)),
        occupied=len(truth),
        occupied_right=sum(right[name] for name in names if name in truth),
        bare=len(names) - len(truth),
        bare_wrong=sum(not right[name] for name in names if name not in truth),
        seconds=seconds,
        bins=_bins((confidence.get(name, 0.0), right[name]) for name in names),
        occupied_bins=_bins((confidence.get(name, 0.0), right[name]) for name in names if name in seen),
        misses=misses,
    )


def score_die(reading: Reading, die: Die | None, hidden: bool = False) -> Score:
    """What one reading of the die is worth. die: what it showed, None when there was none. hidden: most of it could not
    be seen, so that to miss it does not count."""
    said = reading.die if reading.usable else None
    if die is None:
        return Score(die_none=1) if said is None else Score(die_made_up=1)
    if said is None:
        return Score(die_missed=int(not hidden))
    return Score(die_right=1) if said == die else Score(die_wrong=1)


def total(scores: Iterable[Score]) -> Score:
    """The sum of scores."""
    result = Score()
    for one in scores:
        result = Score(
            **{name: getattr(result, name) + getattr(one, name) for name in _COUNTS},
            bins=_sum(result.bins, one.bins),
            occupied_bins=_sum(result.occupied_bins, one.occupied_bins),
            misses=result.misses + one.misses,
        )
    return result


_COUNTS = tuple(one.name for one in fields(Score) if one.name not in ("bins", "occupied_bins", "misses"))


def _bins(squares: Iterable[tuple[float, bool]]) -> Bins:
    """The reliability table of squares, each with its confidence and whether it was right."""
    counted = [[0, 0, 0.0] for _ in BINS[1:]]
    for confidence, right in squares:
        place = counted[_bin(confidence)]
        place[0], place[1], place[2] = place[0] + 1, place[1] + right, place[2] + confidence
    return tuple((int(count), int(right), float(said)) for count, right, said in counted)


def _sum(first: Bins, second: Bins) -> Bins:
    return tuple((a + d, b + e, c + f) for (a, b, c), (d, e, f) in zip(first, second, strict=True))


def _bin(confidence: float) -> int:
    return min(bisect_right(BINS, confidence), len(BINS) - 1) - 1
