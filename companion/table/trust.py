"""Squares on which people know better than the picture: it is misread there until it shows something else."""

from __future__ import annotations

import math
from dataclasses import replace

from companion.observation import Content, Place, Reading, Seen
from companion.referee.weigh import MARGIN, SQUARE_MISFIT
from companion.squares import reading_order

WRONG = 1 / (1 + math.exp((MARGIN + SQUARE_MISFIT) / 2))
"""The probability of what a picture is known to show wrongly: too small to be taken for happened by itself, and yet
possible when the rest of the board says so."""


class Trust:
    """Which squares are kept against the picture, and what it wrongly shows there."""

    def __init__(self) -> None:
        self._misread: dict[Place, Content | None] = {}

    @property
    def squares(self) -> tuple[Place, ...]:
        """The squares that are kept against the picture."""
        return tuple(sorted(self._misread, key=reading_order))

    def keep(self, reading: Reading, known: Seen) -> None:
        """People say that the board is as known: wherever the reading shows something else, it is wrong."""
        shown = reading.seen()
        self._misread = {name: shown.get(name) for name in reading.squares if shown.get(name) != known.get(name)}

    def believed(self, reading: Reading, known: Seen) -> Reading:
        """The reading, set right where it still shows what it was known to be wrong about.

        A square that shows something else now is believed again, and so is one that agrees with what is known.
        """
        shown = reading.seen()
        self._misread = {
            name: wrong
            for name, wrong in self._misread.items()
            if name in reading.squares and shown.get(name) == wrong != known.get(name)
        }
        doubted = {name: {wrong: WRONG, known.get(name): 1 - WRONG} for name, wrong in self._misread.items()}
        return replace(reading, squares={**reading.squares, **doubted})

    def forget(self) -> None:
        """Believe the picture everywhere again."""
        self._misread = {}
