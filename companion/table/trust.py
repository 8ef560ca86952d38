"""Squares on which people know better than the picture: it is misread there until it shows something else."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import replace

from companion.journal.replay import Wrong
from companion.observation import Place, Reading, Seen
from companion.referee.weigh import MARGIN, SQUARE_MISFIT
from companion.squares import reading_order

WRONG = 1 / (1 + math.exp((MARGIN + SQUARE_MISFIT) / 2))
"""The probability of what a picture is known to show wrongly: too small to be taken for happened by itself, and yet
possible when the rest of the board says so."""


def misread(reading: Reading, known: Seen, asked: Collection[Place] = ()) -> Wrong:
    """What is wrong with a reading where people say that the board is as known. asked: the squares they were asked of:
    there it is as known, for sure, also where the reading only doubts that."""
    shown = reading.seen()
    squares = tuple(name for name in reading.squares if name in asked or shown.get(name) != known.get(name))
    return Wrong(squares, {name: shown[name] for name in squares if name in shown}, known)


class Trust:
    """Which squares are kept against the picture.

    A reading may waver, so what was wrong once stays wrong as long as the square is known to hold the same.
    """

    def __init__(self) -> None:
        self._kept: tuple[Place, ...] = ()

    @property
    def squares(self) -> tuple[Place, ...]:
        """The squares that are kept against the last picture."""
        return self._kept

    def believed(self, reading: Reading, said: Iterable[Wrong]) -> Reading:
        """The reading, set right where it shows what people said is wrong (``Course.wrong``).

        A square that shows something else is believed.
        """
        shown = reading.seen()
        doubted = {
            name: {shown.get(name): WRONG, wrong.known.get(name): 1 - WRONG}
            for wrong in said
            for name in wrong.squares
            if name in reading.squares and shown.get(name) == wrong.shown.get(name)
        }
        self._kept = tuple(sorted(doubted, key=reading_order))
        return replace(reading, squares={**reading.squares, **doubted})

    def forget(self) -> None:
        """No picture has been looked at since the state was set."""
        self._kept = ()
