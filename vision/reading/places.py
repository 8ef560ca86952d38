"""Where squares are on the maps of a picture, and what lies there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board
from companion.squares import Square
from vision.frames import Part
from vision.geometry import Floats
from vision.grid import MM_PER_PX, SHRINK, Canvas, lean


@dataclass(frozen=True)
class Places:
    """Where the squares are.

    names. centres_mm: their middles (N x 2). middles: the same on the maps, in px. edges: the left, top, right and
    bottom ones of each there (4 x N, px). part: the rows and columns of the maps that show all of them. corners: those
    of each square in that part, as ``_corners`` says.
    """

    names: tuple[Square, ...]
    centres_mm: Floats
    middles: Floats
    edges: NDArray[np.int64]
    part: Part
    corners: NDArray[np.int64]

    @staticmethod
    def of(board: Board, canvas: Canvas) -> Places:
        names = tuple(sorted(board.squares))
        centres = np.array([board.centre_mm(name) for name in names], np.float64).reshape(-1, 2)
        middles = to_map(canvas, centres)
        half = np.array(board.square_mm) / MM_PER_PX / 2
        edges = np.column_stack([middles - half, middles + half]).round().astype(np.int64).T
        (left, top), (right, bottom) = edges[:2].min(axis=1).tolist(), edges[2:].max(axis=1).tolist()
        within = edges - np.array([left, top, left, top])[:, None]
        part = slice(top, bottom), slice(left, right)
        return Places(names, centres, middles, edges, part, _corners(within, right - left))

    @property
    def areas(self) -> Floats:
        """How many pixels each square has."""
        left, top, right, bottom = self.edges
        return np.asarray((right - left) * (bottom - top), np.float64)

    @property
    def around(self) -> Part:
        """The rows and columns of the maps that show all squares, and a pixel more to each side."""
        rows, columns = (slice(part.start - 1, part.stop + 1) for part in self.part)
        return rows, columns

    def window(self, index: int) -> Part:
        """The rows and columns of a map that show a square."""
        return _window(self.edges[:, index])

    def window_above(self, index: int, eye: Floats, height_mm: float) -> Part:
        """The same if the square were raised so high. eye: see ``Pose``."""
        return _window(np.maximum(self._raised(eye, height_mm)[:, index], 0))

    def sums(self, layer: NDArray[Any]) -> Floats:
        """The sum of a map's pixels over each square."""
        return np.asarray(_sums([layer[self.part]], self.corners)[0], np.float64)

    def counts(self, masks: NDArray[np.bool_]) -> Floats:
        """How many pixels of each square show each mask of the part of the maps that shows all squares (M x height x
        width): squares x M."""
        return _sums(masks.view(np.uint8), self.corners).T

    def leans(self, eye: Floats, height_mm: float) -> Floats:
        """How far from each square's middle (N x 2, px of the maps) its middle is seen if it is raised so high."""
        return np.asarray((lean(eye, self.centres_mm, height_mm) - self.centres_mm) / MM_PER_PX)

    def sums_above(self, layer: NDArray[Any], eye: Floats, height_mm: float) -> Floats:
        """The sum of a map's pixels over where each square would be seen if it were raised so high. eye: see
        ``Pose``."""
        height, width = layer.shape
        limits = np.array([[width], [height], [width], [height]])
        corners = _corners(np.clip(self._raised(eye, height_mm), 0, limits), width)
        return np.asarray(_sums([layer], corners)[0], np.float64)

    def _raised(self, eye: Floats, height_mm: float) -> NDArray[np.int64]:
        """The edges of the squares if they were raised so high; they may lie outside the maps."""
        return self.edges + np.tile(self.leans(eye, height_mm).T, (2, 1)).round().astype(np.int64)


def cut(layer: NDArray[Any], middle: Floats, side: int, kind: int = -1) -> NDArray[Any]:
    """A square of a map or picture round a place (x and y, px) that may lie between its pixels.

    kind: OpenCV's type of its values, -1 for the layer's own.
    """
    return np.asarray(cv2.getRectSubPix(layer, (side, side), (float(middle[0]), float(middle[1])), patchType=kind))


def sampled(layer: NDArray[Any], places: Floats) -> NDArray[Any]:
    """What a map or picture shows at some places (rows x columns x 2, px), between its pixels too."""
    x, y = np.moveaxis(places.astype(np.float32), -1, 0)
    return np.asarray(cv2.remap(layer, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def on_canvas(middle: Floats) -> Floats:
    """Where a place of the maps is on the canvas, both in px: a pixel of the maps is four of the canvas."""
    return np.asarray((middle + 0.5) * SHRINK - 0.5, np.float64)


def to_map(canvas: Canvas, points_mm: Floats) -> Floats:
    """Where points of the board (N x 2, mm) are on the maps, in px."""
    return np.asarray((points_mm - (canvas.left, canvas.top)) / MM_PER_PX - 0.5, np.float64)


def _corners(edges: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    """Where in the integral of a map of such a width, row after row, the corners of parts with such edges (left, top,
    right and bottom; 4 x N) are: those at the bottom right, top right, bottom left and top left (4 x N)."""
    left, top, right, bottom = edges
    return np.stack([row * (width + 1) + column for column in (right, left) for row in (bottom, top)])


def _sums(layers: Iterable[NDArray[Any]], corners: NDArray[np.int64]) -> Floats:
    """The sums of maps over parts of them with such ``_corners``: maps x N."""
    bottom_right, top_right, bottom_left, top_left = np.stack(
        [cv2.integral(layer).ravel().take(corners) for layer in layers], axis=1
    )
    return np.asarray(bottom_right - top_right - bottom_left + top_left, np.float64)


def _window(edges: NDArray[np.int64]) -> Part:
    left, top, right, bottom = edges.tolist()
    return slice(top, bottom), slice(left, right)
