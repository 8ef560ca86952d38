"""How large the pieces of Pacal's Rocket usually are, and their outlines, for what need not be exact."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.geometry import Floats
from vision.grid import lean

BASE_MM, STEP_MM, FLOOR_MM = 25.0, 5.05, 5.6
"""The side of a pyramid's lowest floor, how much narrower each floor is than the one below, and its height."""
SHIP_RADIUS_MM, SHIP_MM = 14.2, 36.0
"""A ship's radius and height."""
STONE_MM, STONE_HIGH_MM = 13.0, 4.5
"""The sides of a stone, a triangle, and its height."""

_FRACTION = 4
"""Outlines are drawn to so many bits of a pixel."""
_CIRCLE = np.column_stack([f(np.linspace(0, 2 * np.pi, 40, endpoint=False)) for f in (np.cos, np.sin)])
_SQUARE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2


@dataclass(frozen=True)
class PyramidSize:
    """The side of a pyramid's lowest floor, how much narrower each floor is than the one below, and its height (mm)."""

    base: float = BASE_MM
    step: float = STEP_MM
    floor: float = FLOOR_MM

    def times(self, factor: float) -> PyramidSize:
        return PyramidSize(self.base * factor, self.step * factor, self.floor * factor)


USUAL_PYRAMID = PyramidSize()


def floor_squares(centre_mm: tuple[float, float], floors: int, size: PyramidSize = USUAL_PYRAMID) -> Floats:
    """Outlines of a pyramid's floors as they stand, the lowest first: floors x 4 x 2 mm."""
    sides = size.base - size.step * np.arange(floors)
    return np.asarray(np.array(centre_mm) + sides[:, None, None] * _SQUARE, np.float64)


def ship_ring(centre_mm: ArrayLike, margin_mm: float = 0.0) -> Floats:
    """A ship's outer rim as it stands, N x 2 mm; margin_mm makes it wider."""
    return np.asarray(np.asarray(centre_mm, np.float64) + (SHIP_RADIUS_MM + margin_mm) * _CIRCLE)


def hidden_by_ship(eye: Floats, margin_mm: float = 0.0) -> Floats:
    """The outline of all that a ship hides of the board: N x 2 mm from the middle of its foot.

    eye: the camera from there (x, y and height; mm). margin_mm makes the ship wider.
    """
    foot = ship_ring((0.0, 0.0), margin_mm)
    both = np.concatenate([foot, lean(eye, foot, SHIP_MM)])
    return np.asarray(cv2.convexHull(both.astype(np.float32))[:, 0], np.float64)


def fill(mask: NDArray[np.uint8], outline_px: Floats) -> None:
    """Set the pixels within a convex outline (N x 2) to 1, those that it crosses too."""
    cv2.fillConvexPoly(mask, (outline_px * 2**_FRACTION).round().astype(np.int32), 1, shift=_FRACTION)
