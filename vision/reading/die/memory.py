"""The die is looked for again only when something has changed beside the board: it rests for most of a turn. And where
something has, it is looked for before the table has settled."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frames import Picture
from vision.geometry import Floats
from vision.reading.die.reading import DieReading, read_die
from vision.reading.die.sight import DieSight
from vision.reading.die.taught import TaughtTable

CELL_PX = 8
CHANGED = 8
"""Grey levels by which a cell must differ: a pip that comes or goes changes its cell by more, noise by less."""
MOVED_PX = 0.5
SURE = 0.95
"""What is less sure before the table has settled is looked at again: what is read then has less noise."""


class DieMemory:
    """Reads the die, and remembers what it read for as long as nothing changes."""

    def __init__(self, taught: TaughtTable | None = None) -> None:
        """taught: the table as it was taught, None where that is not known."""
        self._taught, self._sight = taught, DieSight()
        self._last: tuple[Picture, Floats, DieReading] | None = None

    def read(self, picture: Picture, corners_px: Floats, board_mm: tuple[float, float]) -> DieReading:
        """As ``read_die``."""
        height, width = picture.shape[:2]
        # Every other row tells as much, for half of the time; and the mean of two by two first takes a quarter less.
        half = cv2.resize(picture[::2], (width // 2, height // 4), interpolation=cv2.INTER_AREA)
        cells = cv2.resize(half, (width // CELL_PX, height // CELL_PX), interpolation=cv2.INTER_AREA)
        # What happens on the board does not matter; there are no dice on it.
        cv2.fillConvexPoly(cells, np.round(corners_px / CELL_PX).astype(np.int32), (0, 0, 0))
        if self._last is not None:
            before, corners, found = self._last
            moved = float(np.abs(corners - corners_px).max())
            if before.shape == cells.shape and moved < MOVED_PX and cv2.absdiff(before, cells).max() < CHANGED:
                return found
        found = read_die(picture, corners_px, board_mm, self._taught, self._sight)
        self._last = np.asarray(cells, np.uint8), corners_px, found
        return found

    def expect(self, picture: Picture, corners_px: Floats, board_mm: tuple[float, float]) -> None:
        """The same in a picture in which the table may not have settled: what is sure of it is remembered."""
        before = self._last
        found = self.read(picture, corners_px, board_mm)
        if found.odds[found.die] < SURE:
            self._last = before
