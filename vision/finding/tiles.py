"""Whether a board is seen in its own squares, and not a square beside them.

The lines between squares are everywhere the same, so that what is told by them may be a square off. The colours of
squares are not.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board
from vision.frames import Picture
from vision.grid import MM_PER_PX
from vision.logarithms import logarithms
from vision.quantiles import medians

OTHER_HUE = 0.3
"""A quarter of a square whose hue (logarithms) differs by more is another one, or something stands there."""
LEAST_APART = 0.02
"""If the empty board, moved by a square, differs from itself by less on average, its hues tell nothing."""
_PLACES = ((2, 2), *((down, across) for down in (0, 2, 4) for across in (0, 2, 4) if (down, across) != (2, 2)))
"""Where the board's middle is in its tiles: here, then a square to each side."""


class Tiles:
    """The hues of the empty board's quarters of squares."""

    def __init__(self, board: Board, small: Picture) -> None:
        """small: the straightened empty picture in the size of the maps (``vision.grid.shrink``)."""
        self._board = board
        self._hues = self._hues_of(small)
        self._telling = bool(self._apart(self._hues)[1:].min() > LEAST_APART)

    def in_place(self, small: Picture) -> bool:
        """Whether a straightened picture of that size fits as it is better than a square to any side.

        True, too, for a board whose squares all have one hue.
        """
        if not self._telling:
            return True
        apart = self._apart(self._hues_of(small))
        return bool(apart[0] < apart[1:].min())

    def _apart(self, hues: NDArray[np.float32]) -> NDArray[np.float32]:
        """By how much hues differ from the empty board's: as they are, then moved by a square to each side."""
        rows, columns = hues.shape[0] - 4, hues.shape[1] - 4
        moved = np.stack([hues[down : down + rows, across : across + columns] for down, across in _PLACES])
        differences = (moved - self._hues[2:-2, 2:-2]).reshape(len(moved), -1, 2)
        differences -= medians(differences[0])
        return np.asarray(np.minimum(np.abs(differences), OTHER_HUE).mean(axis=(1, 2)), np.float32)

    def _hues_of(self, small: Picture) -> NDArray[np.float32]:
        """The hue (blue - green and red - green, logarithms) of each quarter of a square."""
        width, height = (2 * small.shape[1 - i] * MM_PER_PX / self._board.square_mm[i] for i in (0, 1))
        # Every other row tells as much.
        tiles = cv2.resize(small[::2], (round(width), round(height)), interpolation=cv2.INTER_AREA)
        return logarithms(np.asarray(tiles, np.uint8))[..., :2]
