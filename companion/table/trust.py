"""Squares on which people know better than the picture: it is misread there until it shows something else."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from companion.journal.replay import Wrong
from companion.observation import Content, Place, Reading, Seen
from companion.referee.weigh import MARGIN, SQUARE_MISFIT
from companion.squares import reading_order

WRONG = 1 / (1 + math.exp((MARGIN + SQUARE_MISFIT) / 2))
"""The probability of what a picture is known to show wrongly: too small to be taken for happened by itself, and yet
possible when the rest of the board says so."""


def misread(reading: Reading, known: Seen) -> Wrong:
    """What is wrong with a reading where people say that the board is as known."""
    shown = reading.seen()
    squares = tuple(name for name in reading.squares if shown.get(name) != known.get(name))
    return Wrong(squares, {name: shown[name] for name in squares if name in shown}, known)


class Trust:
    """Which squares are kept against the picture, and what it wrongly shows there.

    A reading may waver, so what was wrong once stays wrong as long as the square is known to hold the same.
    """

    def __init__(self, said: Iterable[Wrong] = ()) -> None:
        """said: what people said before."""
        self._misread: dict[Place, tuple[Content | None, set[Content | None]]] = {}
        self._kept: tuple[Place, ...] = ()
        for wrong in said:
            self.keep(wrong)

    @property
    def squares(self) -> tuple[Place, ...]:
        """The squares that are kept against the last picture."""
        return self._kept

    def keep(self, wrong: Wrong) -> None:
        """People say that the picture is wrong there."""
        self.know(wrong.known)
        for name in wrong.squares:
            _, contents = self._misread.setdefault(name, (wrong.known.get(name), set()))
            contents.add(wrong.shown.get(name))

    def believed(self, reading: Reading, known: Seen) -> Reading:
        """The reading, set right where it shows what it was known to be wrong about.

        A square that shows something else is believed, and so is one that is known to hold something else by now.
        """
        self.know(known)
        shown = reading.seen()
        doubted = {
            name: {shown.get(name): WRONG, content: 1 - WRONG}
            for name, (content, wrong) in self._misread.items()
            if name in reading.squares and shown.get(name) in wrong
        }
        self._kept = tuple(sorted(doubted, key=reading_order))
        return replace(reading, squares={**reading.squares, **doubted})

    def forget(self) -> None:
        """Believe the picture everywhere again."""
        self._misread, self._kept = {}, ()

    def know(self, known: Seen) -> None:
        """What the board is known to hold now: of what holds something else by now the picture may be right."""
        self._misread = {name: kept for name, kept in self._misread.items() if kept[0] == known.get(name)}
