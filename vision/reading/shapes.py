"""The pieces of Pacal's Rocket as solids, and what of them the camera sees on the straightened picture.

Sizes in mm, as measured on the rendered reference pieces.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.geometry import Floats
from vision.grid import Canvas, lean

Mask = NDArray[np.uint8]

BASE_MM = 25.0
STEP_MM = 5.05
"""How much narrower each floor is than the one below."""
FLOOR_MM = 5.6
SHIP_RADIUS_MM = 14.2
SHIP_HEIGHT_MM = 36.0
SHIP_WALL_MM = 1.8
STONE_MM2 = 75.0
STONE_HEIGHT_MM = 4.0

BODY, RIM, OPENING = 1, 2, 3
"""Values in the mask of a ship."""

_SHIFT = 4
_CIRCLE = np.column_stack([f(np.linspace(0, 2 * np.pi, 40, endpoint=False)) for f in (np.cos, np.sin)])
_SQUARE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2


@dataclass(frozen=True)
class Window:
    """A rectangle of the canvas in which a piece is looked for."""

    canvas: Canvas
    rows: slice
    columns: slice

    @staticmethod
    def round(canvas: Canvas, centre_mm: tuple[float, float], half_mm: float) -> Window:
        rows, columns = canvas.window(centre_mm, half_mm)
        return Window(canvas, rows, columns)

    @property
    def key(self) -> tuple[slice, slice]:
        """Indexes a canvas map."""
        return self.rows, self.columns

    def blank(self) -> Mask:
        return np.zeros((self.rows.stop - self.rows.start, self.columns.stop - self.columns.start), np.uint8)

    def fill(self, mask: Mask, outline_mm: Floats, value: int) -> None:
        """Fill a convex outline on the board plane (N x 2, mm)."""
        points = self.canvas.to_px(outline_mm) - (self.columns.start, self.rows.start)
        cv2.fillConvexPoly(mask, np.round(points * (1 << _SHIFT)).astype(np.int32), value, cv2.LINE_8, _SHIFT)


def hull(points: Floats) -> Floats:
    return np.asarray(cv2.convexHull(points.astype(np.float32))[:, 0], np.float64)


def floor_square(centre_mm: ArrayLike, floor: int, turn: float) -> Floats:
    """Outline of a floor (0 is the lowest) as it stands, 4 x 2 mm; turn in radians."""
    cos, sin = np.cos(turn), np.sin(turn)
    side = BASE_MM - floor * STEP_MM
    return np.asarray(centre_mm + side * _SQUARE @ np.array([[cos, sin], [-sin, cos]]), np.float64)


def pyramid_outline(eye: Floats, centre_mm: ArrayLike, floors: int, turn: float) -> Floats:
    """What a pyramid covers on the straightened picture: a convex outline in mm."""
    points = []
    for floor in range(floors):
        square = floor_square(centre_mm, floor, turn)
        points += [lean(eye, square, floor * FLOOR_MM), lean(eye, square, (floor + 1) * FLOOR_MM)]
    return hull(np.concatenate(points))


def ship_mask(window: Window, eye: Floats, centre_mm: ArrayLike) -> Mask:
    """BODY, RIM and OPENING of a ship on the straightened picture, 0 elsewhere."""
    mask = window.blank()
    foot = np.asarray(centre_mm, np.float64) + SHIP_RADIUS_MM * _CIRCLE
    top = lean(eye, foot, SHIP_HEIGHT_MM)
    window.fill(mask, hull(np.concatenate([foot, top])), BODY)
    window.fill(mask, top, RIM)
    window.fill(mask, ship_opening(eye, centre_mm), OPENING)
    return mask


def ship_opening(eye: Floats, centre_mm: ArrayLike, margin_mm: float = 0.0) -> Floats:
    """Outline of a ship's opening on the straightened picture, in mm; margin_mm makes it wider."""
    ring = np.asarray(centre_mm, np.float64) + (SHIP_RADIUS_MM - SHIP_WALL_MM + margin_mm) * _CIRCLE
    return lean(eye, ring, SHIP_HEIGHT_MM)
