"""The straightened picture: the board seen from straight above, at a fixed number of pixels a millimetre.

What stands up from the board leans outwards in it, away from the point below the camera: that is a plain scaling
(``lean``), which is why silhouettes are worked out here and not in the picture itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.boards import Board
from vision.frames import Picture
from vision.geometry import Floats, Lens, Pose

PX_PER_MM = 2.0
READ_PX_PER_MM = 4 / 3
"""Of the canvas from which pieces are read: about what the camera itself resolves."""
SHRINK = 2
"""Colours are looked at on one pixel for so many of that canvas: cameras and JPEG smooth them anyway."""
MM_PER_PX = SHRINK / READ_PX_PER_MM
"""Of the maps that are made so."""
MARGIN_MM = 40.0
"""How far the canvas reaches beyond the grid of squares: tall pieces of the outermost squares lean that far."""
REACH_MM = 40.5
"""How far from the middle of a square the canvas from which pieces are read must show what is on it, ..."""
AROUND_MM = 2 * MM_PER_PX
"""... and how far beyond the grid, whatever the squares' size: pixels are seen with their neighbours."""

_MAP_STEP = 8
"""Maps between pictures are worked out every so many px and are smooth in between (from canvas to picture under 0.02 px
off)."""


@dataclass(frozen=True)
class Canvas:
    """Where the straightened picture's pixels lie on the board.

    left, top: board mm of the canvas' top left edge. size: width and height in px.
    """

    left: float
    top: float
    size: tuple[int, int]
    px_per_mm: float = PX_PER_MM

    @staticmethod
    def of(
        board: Board, px_per_mm: float = PX_PER_MM, multiple: int = 8, margin: tuple[float, float] = (MARGIN_MM,) * 2
    ) -> Canvas:
        """The canvas that takes in a board's grid and so many mm to its sides and above and below; its own sides are
        multiples of so many px."""
        left, top, right, bottom = board.grid_mm
        width = int(np.ceil((right - left + 2 * margin[0]) * px_per_mm / multiple)) * multiple
        height = int(np.ceil((bottom - top + 2 * margin[1]) * px_per_mm / multiple)) * multiple
        return Canvas(left - margin[0], top - margin[1], (width, height), px_per_mm)

    @staticmethod
    def to_read(board: Board) -> Canvas:
        """The coarser canvas from which pieces are read."""
        across, down = (max(REACH_MM - side / 2, AROUND_MM) for side in board.square_mm)
        return Canvas.of(board, READ_PX_PER_MM, 12, (across, down))

    def to_px(self, points_mm: ArrayLike) -> Floats:
        """Canvas px (N x 2, (0, 0) the centre of the top left pixel) of board mm."""
        return np.asarray((np.asarray(points_mm, np.float64) - (self.left, self.top)) * self.px_per_mm - 0.5)

    def to_mm(self, points_px: ArrayLike) -> Floats:
        """Board mm of canvas px, N x 2."""
        return np.asarray((np.asarray(points_px, np.float64) + 0.5) / self.px_per_mm + (self.left, self.top))

    def picture_map(self, lens: Lens, pose: Pose) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """For every canvas pixel the x and the y of its place in the picture."""
        return smooth_map(self.size, lambda points_px: pose.project(lens, self.to_mm(points_px)))

    def straighten(self, picture: Picture, lens: Lens, pose: Pose) -> Picture:
        """The board seen from straight above, BGR, ``size`` px; black where the picture does not reach."""
        map_x, map_y = self.picture_map(lens, pose)
        return np.asarray(cv2.remap(picture, map_x, map_y, cv2.INTER_LINEAR), np.uint8)

    def reached(self, lens: Lens, pose: Pose) -> NDArray[np.bool_]:
        """The canvas pixels that a picture taken from there shows."""
        return in_picture(lens, *self.picture_map(lens, pose))


def smooth_map(
    size: tuple[int, int], place: Callable[[Floats], Floats]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """For every pixel of a picture of this width and height the x and the y of its ``place`` in another one, which is
    asked for some of them only (N x 2, px)."""
    width, height = size
    # Enlarged so often, each of these is where the middle of as many pixels will be; the outermost lie outside.
    columns, rows = (np.arange(-1, side // _MAP_STEP + 2) * _MAP_STEP + (_MAP_STEP - 1) / 2 for side in size)
    coarse = place(np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2)).astype(np.float32)
    enlarged = (_MAP_STEP * len(columns), _MAP_STEP * len(rows))
    part = slice(_MAP_STEP, _MAP_STEP + height), slice(_MAP_STEP, _MAP_STEP + width)
    x, y = (
        cv2.resize(np.ascontiguousarray(plane), enlarged, interpolation=cv2.INTER_LINEAR)[part]
        for plane in coarse.T.reshape(2, len(rows), len(columns))
    )
    return np.ascontiguousarray(x), np.ascontiguousarray(y)


def shrink(straight: Picture) -> Picture:
    """A straightened picture in the size of the maps."""
    height, width = straight.shape[:2]
    return np.asarray(cv2.resize(straight, (width // SHRINK, height // SHRINK), interpolation=cv2.INTER_AREA), np.uint8)


def in_picture(lens: Lens, x: NDArray[np.float32], y: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which places (px) a picture shows."""
    width, height = lens.size
    return np.asarray((x >= 0) & (x <= width - 1) & (y >= 0) & (y <= height - 1))


def tilt(eye: Floats) -> float:
    """How far from straight above the camera looks down on the place from which ``eye`` is measured, degrees."""
    return float(np.degrees(np.arctan2(np.hypot(eye[0], eye[1]), eye[2])))


def lean(eye: Floats, points_mm: Floats, height_mm: ArrayLike) -> Floats:
    """Where on the board plane points (… x 2, mm) at a height above it appear to the camera at ``eye``."""
    foot = eye[:2]
    return np.asarray(foot + (points_mm - foot) * (eye[2] / (eye[2] - np.asarray(height_mm))))


def board_corners_mm(board: Board) -> Floats:
    """The printed board's corners in mm: the one at A1, then clockwise as seen from above; 4 x 2."""
    width, height = board.size_mm
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
