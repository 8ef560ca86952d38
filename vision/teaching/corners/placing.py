"""Where on the table a board may lie, once it is known which way it lies: its lines fit like a key.

Seen from straight above, the lines of a picture are at certain places across and down. A board's are at known
distances; so it is moved over them, and made larger and smaller, until many of its lines lie on theirs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board
from vision.geometry import Floats
from vision.teaching.corners.directions import Bits

BIN = 0.001
"""How exactly places are told: about a pixel, in offsets as of ``Lens.ideal``."""
BLUR_BINS = 1.5
WIDEST = 3.0
"""Nothing is looked for further out than that."""
HORIZON = 1e-3
"""What is seen in no direction that leads down to the table by more than this does not lie on it."""
PARALLEL = math.sin(math.radians(1.5))
NEAREST_MM, FURTHEST_MM, STEP = 350.0, 1800.0, 1.006
"""How far the camera is from the table: from, to, and by what factor each is larger than the one before."""
ENOUGH = 0.35
"""Of a line so much has to be seen to count in full: more of them are worth more than longer ones."""
PLACES, AROUND_BINS = 3, 8
"""So many places are looked at across, and down, at each distance; they are at least so far apart."""
KEPT = 40
NEAR, NEAR_SHARE = 0.006, 0.01
"""Places and distances that differ by less are taken for the same."""


_Seen: TypeAlias = NDArray[np.float32]
"""How much of lines is seen at each place across, or down, in bins."""
_Way: TypeAlias = tuple[Floats, Floats]
"""Where a board's lines and edges are across and down, in mm from the first."""


class _Place(NamedTuple):
    """A board, turned by so many quarters, that may lie there; x and y are of its upper left corner, as seen from
    straight above and from so far away."""

    fit: float
    quarter: int
    distance: float
    x: float
    y: float

    def is_like(self, other: _Place) -> bool:
        near = max(abs(self.x - other.x), abs(self.y - other.y)) < NEAR
        return self.quarter == other.quarter and abs(self.distance / other.distance - 1) < NEAR_SHARE and near

    def corners(self, board: Board, turn: Floats) -> Floats:
        width, height = board.size_mm if self.quarter % 2 == 0 else board.size_mm[::-1]
        right, bottom = self.x + width / self.distance, self.y + height / self.distance
        flat = np.array([[self.x, self.y, 1], [right, self.y, 1], [right, bottom, 1], [self.x, bottom, 1]])
        seen = np.roll(flat, -self.quarter, axis=0) @ turn.T
        return np.asarray(seen[:, :2] / seen[:, 2:], np.float64)


def find_places(bits: Bits, turn: Floats, board: Board) -> list[Floats]:
    """Where a board that lies turned so may be, the best first, at most ``KEPT``: ideal offsets (``Lens.ideal``, 4 x 2)
    of the printed board's corners, the one at A1 first, or another where the board looks the same from there.

    turn: as of ``find_directions``.
    """
    across, down, low = _lines(bits, turn)
    found: list[_Place] = []
    for quarter, (columns, rows) in _ways(board):
        for distance in NEAREST_MM * STEP ** np.arange(math.log(FURTHEST_MM / NEAREST_MM) / math.log(STEP)):
            both = _slide(columns / distance, across), _slide(rows / distance, down)
            for (fit_x, x), (fit_y, y) in product(*both):
                fit = math.sqrt(fit_x * fit_y)
                found.append(_Place(fit, quarter, float(distance), low + x * BIN, low + y * BIN))
    found.sort(key=lambda place: -place.fit)
    kept: list[_Place] = []
    for place in found:
        if not any(place.is_like(other) for other in kept):
            kept.append(place)
        if len(kept) == KEPT:
            break
    return [place.corners(board, turn) for place in kept]


def _lines(bits: Bits, turn: Floats) -> tuple[_Seen, _Seen, float]:
    """How much of lines is seen at each place across, and down; and where the first bin is."""
    start, end = bits.start @ turn, bits.end @ turn
    ahead = np.minimum(start[:, 2], end[:, 2]) > HORIZON
    if not ahead.any():
        return np.zeros(1, np.float32), np.zeros(1, np.float32), 0.0
    start, end = start[ahead, :2] / start[ahead, 2:], end[ahead, :2] / end[ahead, 2:]
    length = np.linalg.norm(end - start, axis=1)
    askew = np.abs(end - start) / np.maximum(length, 1e-9)[:, None]
    low = max(float(min(start.min(), end.min())), -WIDEST)
    bins = int((min(float(max(start.max(), end.max())), WIDEST) - low) / BIN) + 1
    sums = []
    for axis in (0, 1):
        upright = askew[:, axis] < PARALLEL
        at = np.round(((start + end)[upright, axis] / 2 - low) / BIN).astype(int)
        inside = (at >= 0) & (at < bins)
        counted = np.bincount(at[inside], length[upright][inside], bins).astype(np.float64)
        smooth = cv2.GaussianBlur(counted.reshape(1, -1), (0, 0), BLUR_BINS).ravel()
        # A line that lies in one bin counts with all its length there.
        sums.append(np.asarray(smooth * BLUR_BINS * math.sqrt(2 * math.pi), np.float32))
    return sums[0], sums[1], low


def _ways(board: Board) -> Iterator[tuple[int, _Way]]:
    """The ways in which a board can be turned by quarters; those that look the same are told once."""
    left, top, right, bottom = board.grid_mm
    width, height = board.size_mm
    columns = np.array([0, *np.linspace(left, right, board.columns + 1), width])
    rows = np.array([0, *np.linspace(top, bottom, board.rows + 1), height])
    ways = [
        (columns, rows),
        (height - rows[::-1], columns),
        (width - columns[::-1], height - rows[::-1]),
        (rows, width - columns[::-1]),
    ]
    for quarter, way in enumerate(ways):
        if not any(_equal(way, other) for other in ways[:quarter]):
            yield quarter, way


def _equal(way: _Way, other: _Way) -> bool:
    return all(len(one) == len(two) and np.allclose(one, two) for one, two in zip(way, other, strict=True))


def _slide(lines: Floats, seen: _Seen) -> list[tuple[float, int]]:
    """How well lines fit those that are seen at the places where they fit best, and the bins where they begin there."""
    at = np.round(lines / BIN).astype(int)
    room = len(seen) - int(at[-1])
    if room <= 0:
        return []
    enough = ENOUGH * float(lines[-1])
    counted = np.minimum(seen, enough) / np.float32(enough)
    fits = np.zeros(room, np.float32)
    for k in at.tolist():
        fits += counted[k : k + room]
    fits /= len(at)
    found = []
    for _ in range(PLACES):
        best = int(fits.argmax())
        found.append((float(fits[best]), best))
        fits[max(0, best - AROUND_BINS) : best + AROUND_BINS + 1] = 0
    return found
