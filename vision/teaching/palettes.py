"""Teaching that checks itself: the palettes are read back, and pieces that are not as their JSON says are found.

A wrong piece must not spoil what is learned: squares that disagree with what all others say are left out, the table is
learned again, and only what still disagrees then is called wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

from companion.errors import BadSetup
from companion.games.pacal.pieces import Piece, Pyramid, Stones, squares_from_json
from companion.observation import Content, Odds, Reading, likeliest
from companion.squares import Square, reading_order
from vision.reader import Reader
from vision.table import Table
from vision.teaching.progress import Progress, unheard
from vision.teaching.setup_folder import Setup
from vision.teaching.teach import teach

SURE = 0.9
"""From this probability on a square counts as read for sure."""
LIGHTS = (1.0, 0.96, 0.8)
"""Where at least such a share of the pieces is read back for sure boards are read well, mostly well, and badly."""
AT_HOME = 0.5
"""A palette of which a smaller share of the pieces is where its JSON says was taken of something else."""

Place: TypeAlias = tuple[str, Square]
"""A palette's name and a square."""


class Look(NamedTuple):
    """A table, and how it reads the palettes that it was learned from, by their names."""

    table: Table
    readings: Mapping[str, Reading]


Looking: TypeAlias = Callable[[Setup, Progress], Look]
"""Learns a set-up and reads its palettes back. Raises BadSetup when there is too little to learn from."""


class Against(NamedTuple):
    """What it takes for a picture to contradict what was expected on a square.

    expected: at most so likely is it, and so likely at least is what is seen instead. floors, stones: the same where
    only the number of floors, or only some of the stones, are other than expected: readings err most there.
    """

    expected: float
    seen: float
    floors: tuple[float, float]
    stones: tuple[float, float]


SUSPECT = Against(0.5, 0.3, (0.05, 0.7), (0.1, 0.7))
"""Enough to leave a square out and look again: what was learned may itself be spoiled by wrong pieces."""
WRONG = Against(0.05, 0.75, (0.01, 0.975), (0.03, 0.93))
"""Enough to say that a piece is wrong."""

MANY = 0.1
"""With a larger share of suspects, wrong pieces have spoiled a colour, and its right ones are among them."""
MOST_LOOKS = 3
"""So often is learned again without the suspects of the look before; mostly they are the same after one."""


class Match(NamedTuple):
    """What a palette's JSON says of a square, and how likely each thing is there in its picture."""

    palette: str
    square: Square
    expected: Piece | None
    odds: Odds

    @property
    def place(self) -> Place:
        return self.palette, self.square

    @property
    def seen(self) -> Content | None:
        """What most likely is there."""
        return likeliest(self.odds)

    @property
    def sure(self) -> bool:
        """Whether just what was expected is seen for sure."""
        return self.odds.get(self.expected, 0.0) >= SURE

    def contradicts(self, limits: Against) -> bool:
        """Whether something else than expected is there, by these limits."""
        if self.seen == self.expected:
            return False
        if _alike(self.seen, self.expected):
            most, least = limits.floors if isinstance(self.expected, Pyramid) else limits.stones
            return self.odds.get(self.expected, 0.0) <= most and self.odds[self.seen] >= least
        expected = sum(p for content, p in self.odds.items() if _alike(content, self.expected))
        seen = sum(p for content, p in self.odds.items() if _alike(content, self.seen))
        return expected <= limits.expected and seen >= limits.seen


class ReadBack(NamedTuple):
    """How many pieces the palettes should show, and how many of them are read back for sure."""

    pieces: int
    sure: int

    @staticmethod
    def of(matches: Iterable[Match]) -> ReadBack:
        sure = [match.sure for match in matches if match.expected is not None]
        return ReadBack(len(sure), sum(sure))

    @property
    def share(self) -> float:
        """Of the pieces; 1 where there are none."""
        return self.sure / self.pieces if self.pieces else 1.0


@dataclass(frozen=True)
class Lesson:
    """What teaching came to.

    table: what was learned without the wrong squares and palettes; None when too little is left to learn from.
    matches: each square of the palettes that holds a piece or should, as that table reads it; none of palettes that are
    strangers or unreadable. wrong: those whose picture shows something else. strangers: palettes whose pieces are
    nowhere where their JSON says. unreadable: why a palette's picture cannot be read, by its name.
    """

    table: Table | None
    matches: tuple[Match, ...] = ()
    wrong: tuple[Match, ...] = ()
    strangers: tuple[str, ...] = ()
    unreadable: Mapping[str, str] = field(default_factory=dict)

    @property
    def flawless(self) -> bool:
        """Whether all palettes show what their JSON says."""
        return not (self.wrong or self.strangers or self.unreadable)

    @property
    def unsure(self) -> tuple[Match, ...]:
        """Squares that are not wrong but are not read back for sure either, the least sure first."""
        doubtful = [match for match in self._right if not match.sure]
        return tuple(sorted(doubtful, key=lambda match: match.odds.get(match.expected, 0.0)))

    @property
    def read_back(self) -> ReadBack:
        """How well the table reads its own palettes, but for what is wrong there: boards are read about as well."""
        return ReadBack.of(self._right)

    @property
    def _right(self) -> list[Match]:
        accused = {match.place for match in self.wrong}
        return [match for match in self.matches if match.place not in accused]


def learn_and_look(setup: Setup, progress: Progress) -> Look:
    """What a set-up teaches, read back. Raises BadSetup as ``teach`` does."""
    table = teach(setup, progress)
    progress("reading the palettes back")
    # Palettes show every sort of pyramid as often, whatever players have.
    reader = Reader(table, supplied=False)
    return Look(table, {palette.name: reader.read(palette.picture) for palette in setup.palettes})


def learn(setup: Setup, progress: Progress | None = None, look: Looking = learn_and_look) -> Lesson:
    """The table that a set-up shows, learned without what is wrong in its palettes, and what that is.

    progress: is told what is being done, in words. look: learns a set-up and reads it back.
    Raises BadSetup as ``teach`` does.
    """
    say = progress or unheard
    first = look(setup, say)
    unreadable = {
        name: reading.reason or "it cannot be read" for name, reading in first.readings.items() if not reading.usable
    }
    strangers: tuple[str, ...] = ()
    if any(share < AT_HOME for share in at_home(matches_of(setup, first)).values()):
        say("many pieces are not where they should be: learning from each palette alone")
        strangers = _strangers(setup, first, look)
    if strangers:
        # Little is left to compare the other palettes with, and the stranger has to be put right first anyway.
        kept = _only(setup, {palette.name for palette in setup.palettes} - set(strangers))
        rest = _look_again(kept, look) if kept.palettes else None
        if rest is None:
            return Lesson(None, strangers=strangers, unreadable=unreadable)
        return Lesson(rest.table, tuple(matches_of(kept, rest)), strangers=strangers, unreadable=unreadable)
    table, matches, wrong = _without_wrong(setup, first, look, say)
    return Lesson(table, tuple(matches), tuple(wrong), unreadable=unreadable)


def matches_of(setup: Setup, look: Look) -> list[Match]:
    """The squares of all palettes that hold something or should, row by row; of those that can be read."""
    found = []
    for palette in setup.palettes:
        reading = look.readings[palette.name]
        if reading.usable:
            expected = squares_from_json(palette.squares)
            names = sorted({*expected, *reading.seen()}, key=reading_order)
            found += [Match(palette.name, name, expected.get(name), reading.squares[name]) for name in names]
    return found


def at_home(matches: Iterable[Match]) -> dict[str, float]:
    """The share of a palette's pieces that are of the kind and colour that was expected, by the palette's name."""
    hits: dict[str, list[bool]] = {}
    for match in matches:
        if match.expected is not None:
            hits.setdefault(match.palette, []).append(_alike(match.seen, match.expected))
    return {name: sum(found) / len(found) for name, found in hits.items()}


def without(setup: Setup, left_out: Iterable[Place]) -> Setup:
    """The set-up, to be learned without some squares of its palettes."""
    places = set(left_out)
    return replace(
        setup,
        palettes=tuple(
            replace(palette, left_out=palette.left_out | {square for name, square in places if name == palette.name})
            for palette in setup.palettes
        ),
    )


def _without_wrong(
    setup: Setup, first: Look, look: Looking, say: Progress
) -> tuple[Table | None, list[Match], list[Match]]:
    """The table learned without the wrong squares, what it reads, and which they are."""
    matches = matches_of(setup, first)
    last, left_out = first, set[Place]()
    if len(_suspects(setup, first)) > MANY * len(matches):
        say("much is not as it should be: learning from parts of the palettes")
        last = _least_spoiled(setup, first, look)
    suspects = _suspects(setup, last)
    for _ in range(MOST_LOOKS):
        if suspects == left_out:
            break
        say(f"looking again without {', '.join(f'{square} of {name}' for name, square in sorted(suspects))}")
        again = _look_again(without(setup, suspects), look)
        if again is None:
            # So much is left out that too little remains: what was seen before has to do.
            return None, matches, [match for match in matches_of(setup, last) if match.contradicts(WRONG)]
        last, left_out = again, suspects
        suspects = _suspects(setup, last)
    wrong = [match for match in matches_of(setup, last) if match.contradicts(WRONG)]
    if not wrong:
        return first.table, matches, []
    places = {match.place for match in wrong}
    if places != left_out:
        again = _look_again(without(setup, places), look)
        if again is None:
            return None, matches, wrong
        last = again
    return last.table, matches_of(setup, last), wrong


def _least_spoiled(setup: Setup, first: Look, look: Looking) -> Look:
    """Of the first look and those of parts of the set-up, the one with the fewest suspects."""
    rest = without(setup, {match.place for match in matches_of(setup, first) if match.contradicts(WRONG)})
    parts = [_look_again(part, look) for part in (rest, *_each_alone(rest))]
    looks = [first, *(found for found in parts if found is not None)]
    return min(looks, key=lambda found: len(_suspects(setup, found)))


def _suspects(setup: Setup, look: Look) -> set[Place]:
    return {match.place for match in matches_of(setup, look) if match.contradicts(SUSPECT)}


def _each_alone(setup: Setup) -> Iterator[Setup]:
    """The set-up, to be learned from one palette alone, each in turn; the others are only read."""
    for palette in setup.palettes if len(setup.palettes) > 1 else ():
        others = [other.name for other in setup.palettes if other is not palette]
        yield without(setup, {(name, square) for name in others for square in setup.board.squares})


def _strangers(setup: Setup, first: Look, look: Looking) -> tuple[str, ...]:
    """The palettes that do not even fit what is learned from each of them alone."""
    shares = at_home(matches_of(setup, first))
    for palette in setup.palettes:
        alone = _only(setup, {palette.name})
        found = _look_again(alone, look)
        if found is not None:
            shares |= at_home(matches_of(alone, found))
    return tuple(name for name, share in shares.items() if share < AT_HOME)


def _look_again(setup: Setup, look: Looking) -> Look | None:
    """What a part of a set-up teaches; None when that is too little to learn from."""
    try:
        return look(setup, unheard)
    except BadSetup:
        return None


def _only(setup: Setup, names: set[str]) -> Setup:
    return replace(setup, palettes=tuple(palette for palette in setup.palettes if palette.name in names))


def _alike(content: Content | None, other: Content | None) -> bool:
    """Whether two contents are the same but for a pyramid's floors, or are stones that share a colour."""
    match content, other:
        case Pyramid(colour, _), Pyramid(another, _):
            return colour == another
        case Stones(colours), Stones(others):
            return not set(colours).isdisjoint(others)
    return content == other
