"""How well a reader bears changed pictures: each reading of one is compared with that of the clean picture."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields

from companion.observation import Reading, Seen
from companion.squares import Square
from vision.measuring.evaluate import Miss

SURE = 0.9
"""A square that is said with less is unsure."""


@dataclass(frozen=True)
class Borne:
    """Counts over changed pictures; they add up.

    alike: every square was read like in the clean picture. unusable: the reading says so; reasons: with these words.
    unsure: usable, and each square that was read otherwise was said with less than ``SURE``. The others were read
    otherwise and surely. misses: squares that are wrong and sure. others: those read otherwise than in the clean
    picture, wrong or right. other_die: usable readings that say another face of the die, or none, or one where the
    clean picture's said none.
    """

    pictures: int = 0
    alike: int = 0
    unusable: int = 0
    unsure: int = 0
    reasons: tuple[str, ...] = ()
    misses: tuple[Miss, ...] = ()
    others: tuple[Miss, ...] = ()
    other_die: int = 0

    @property
    def otherwise(self) -> int:
        return self.pictures - self.alike - self.unusable - self.unsure

    def __add__(self, other: Borne) -> Borne:
        return Borne(**{one.name: getattr(self, one.name) + getattr(other, one.name) for one in fields(Borne)})


def compare(clean: Reading, changed: Reading, truth: Seen, covered: Collection[Square] = ()) -> Borne:
    """How one changed picture was borne.

    truth: what was on each square that held something. covered: squares of which less can be seen than in the clean
    picture; they count only where they are wrong and sure. Where there are any the die may be covered too, so that none
    is no other one.
    """
    misses = tuple(sure_misses(changed, truth))
    if not changed.usable:
        return Borne(1, alike=int(not clean.usable), unusable=int(clean.usable), reasons=(str(changed.reason),))
    seen, before, confidence = changed.seen(), clean.seen(), changed.confidence()
    wrong = {miss.square for miss in misses}
    other = {name for name in confidence if seen.get(name) != before.get(name)}
    other -= set(covered) - wrong
    other_die = int(clean.usable and changed.die != clean.die and not (covered and changed.die is None))
    if not other and clean.usable:
        return Borne(1, alike=1, misses=misses, other_die=other_die)
    unsure = clean.usable and all(confidence[name] < SURE for name in other)
    others = tuple(Miss(name, seen.get(name), truth.get(name), confidence[name]) for name in sorted(other))
    return Borne(1, unsure=int(unsure), misses=misses, others=others, other_die=other_die)


def sure_misses(reading: Reading, truth: Seen) -> Iterable[Miss]:
    """The squares of a reading that are wrong though sure."""
    seen = reading.seen()
    for name, confidence in reading.confidence().items():
        if confidence >= SURE and seen.get(name) != truth.get(name):
            yield Miss(name, seen.get(name), truth.get(name), confidence)
