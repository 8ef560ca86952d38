"""How well a reader reads: counts over pictures whose truth is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from companion.observation import Content, Reading, Seen
from companion.squares import Square

BINS = (0.0, 0.5, 0.7, 0.9, 0.95, 0.99, 0.999, 1.0)
"""Edges of the reliability table, in confidence; each bin holds its upper edge."""


@dataclass(frozen=True)
class Miss:
    """A square that was read wrongly. confidence: how sure the reader was of what it saw."""

    square: Square
    saw: Content | None
    truth: Content | None
    confidence: float


@dataclass(frozen=True)
class Score:
    """Counts over pictures; scores add up.

    occupied, bare: squares that in truth hold something, or nothing. occupied_right: the content was read exactly.
    bare_wrong: bare squares taken for occupied. exact: pictures with every square right. bins: for each bin of ``BINS``
    the squares whose confidence is in it, those of them that were right, and the sum of their confidences.
    """

    pictures: int = 0
    unusable: int = 0
    exact: int = 0
    occupied: int = 0
    occupied_right: int = 0
    bare: int = 0
    bare_wrong: int = 0
    seconds: float = 0.0
    bins: tuple[tuple[int, int, float], ...] = ((0, 0, 0.0),) * (len(BINS) - 1)
    misses: tuple[Miss, ...] = field(default=(), compare=False)

    @property
    def squares(self) -> int:
        return self.occupied + self.bare

    @property
    def squares_right(self) -> int:
        return self.occupied_right + self.bare - self.bare_wrong


def score(reading: Reading, truth: Seen, squares: Iterable[Square], seconds: float = 0.0) -> Score:
    """What one reading is worth.

    truth: what was on each square that held something. squares: all of the board. An unusable reading has every
    occupied square wrong, and no bare one: it says nothing.
    """
    names = sorted(squares)
    if not reading.usable:
        return Score(pictures=1, unusable=1, occupied=len(truth), bare=len(names) - len(truth), seconds=seconds)
    seen, confidence = reading.seen(), reading.confidence()
    bins = [[0, 0, 0.0] for _ in BINS[1:]]
    misses = []
    occupied_right = bare_wrong = 0
    for name in names:
        right = seen.get(name) == truth.get(name)
        sure = confidence.get(name, 0.0)
        place = bins[_bin(sure)]
        place[0], place[1], place[2] = place[0] + 1, place[1] + right, place[2] + sure
        occupied_right += right and name in truth
        bare_wrong += not right and name not in truth
        if not right:
            misses.append(Miss(name, seen.get(name), truth.get(name), sure))
    return Score(
        pictures=1,
        exact=int(not misses),
        occupied=len(truth),
        occupied_right=occupied_right,
        bare=len(names) - len(truth),
        bare_wrong=bare_wrong,
        seconds=seconds,
        bins=tuple((int(count), int(hits), float(sure)) for count, hits, sure in bins),
        misses=tuple(misses),
    )


def total(scores: Iterable[Score]) -> Score:
    """The sum of scores."""
    result = Score()
    for one in scores:
        result = Score(
            **{name: getattr(result, name) + getattr(one, name) for name in _COUNTS},
            bins=tuple((a + d, b + e, c + f) for (a, b, c), (d, e, f) in zip(result.bins, one.bins, strict=True)),
            misses=result.misses + one.misses,
        )
    return result


_COUNTS = ("pictures", "unusable", "exact", "occupied", "occupied_right", "bare", "bare_wrong", "seconds")


def report(scores: Mapping[str, Score]) -> list[str]:
    """Lines of text: one for each named score, their total, and the total's reliability table."""
    whole = total(scores.values())
    lines = [f"{'':12}{'occupied right':>22}{'bare taken for occupied':>26}{'read exactly':>14}{'s a picture':>13}"]
    lines += [_line(name, one) for name, one in {**scores, "all": whole}.items()]
    lines += ["", f"{'confidence':>16}{'squares':>9}{'said':>9}{'was':>9}"]
    for low, high, (count, right, sure) in zip(BINS, BINS[1:], whole.bins, strict=False):
        if count:
            lines.append(f"{f'{low:g} to {high:g}':>16}{count:>9}{sure / count:>9.4f}{right / count:>9.4f}")
    return lines


def _line(name: str, one: Score) -> str:
    occupied = f"{one.occupied_right}/{one.occupied} {one.occupied_right / max(one.occupied, 1):.2%}"
    bare = f"{one.bare_wrong}/{one.bare}"
    exact = f"{one.exact}/{one.pictures}"
    return f"{name:12}{occupied:>22}{bare:>26}{exact:>14}{one.seconds / max(one.pictures, 1):>13.2f}"


def _bin(confidence: float) -> int:
    for index, high in enumerate(BINS[1:]):
        if confidence <= high:
            return index
    return len(BINS) - 2
