"""The pieces of Pacal's Rocket as solids, and what of them the camera sees on the straightened picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass, fields

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.geometry import Floats
from vision.grid import Canvas, lean

Mask = NDArray[np.uint8]

STONE_MM2 = 75.0
STONE_HEIGHT_MM = 4.0

BODY, RIM, OPENING = 1, 2, 3
"""Values in the mask of a ship."""

_SHIFT = 4
_CIRCLE = np.column_stack([f(np.linspace(0, 2 * np.pi, 40, endpoint=False)) for f in (np.cos, np.sin)])
_SQUARE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2


@dataclass(frozen=True)
class Sizes:
    """How large a set's pieces are, in mm; the defaults are those of the rendered reference pieces.

    base: side of a pyramid's lowest floor. step: how much narrower each floor is than the one below. floor: its height.
    ship_radius, ship_height: outside. ship_wall: how thick the tube is at its upper end.
    """

    base: float = 25.0
    step: float = 5.05
    floor: float = 5.6
    ship_radius: float = 14.2
    ship_height: float = 36.0
    ship_wall: float = 1.8

    def to_arrays(self) -> dict[str, NDArray[np.float32]]:
        """The form in which a table keeps it."""
        return {"sizes": np.array(astuple(self), np.float32)}

    @staticmethod
    def from_arrays(arrays: Mapping[str, NDArray[np.float32]]) -> Sizes:
        """The inverse of ``to_arrays``. Raises KeyError or ValueError when the array is missing or of another shape."""
        return Sizes(*(float(size) for size in arrays["sizes"].reshape(len(fields(Sizes)))))


@dataclass(frozen=True)
class Window:
    """A rectangle of the canvas in which a piece is looked for."""

    canvas: Canvas
    rows: slice
    columns: slice

    @staticmethod
    def about(canvas: Canvas, points_mm: Floats, margin_mm: float) -> Window:
        """The window that takes in all points (N x 2, mm), with a margin."""
        (left, top), (right, bottom) = canvas.to_px(
            [points_mm.min(axis=0) - margin_mm, points_mm.max(axis=0) + margin_mm]
        )
        return Window(
            canvas,
            slice(max(0, int(top)), min(canvas.size[1], int(bottom) + 2)),
            slice(max(0, int(left)), min(canvas.size[0], int(right) + 2)),
        )

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

    def corners(self, points_mm: Floats) -> NDArray[np.int32]:
        """Points on the board plane (… x 2, mm) as ``fill_corners`` wants them."""
        points = self.canvas.to_px(points_mm) - (self.columns.start, self.rows.start)
        return np.asarray(np.round(points * (1 << _SHIFT)), np.int32)

    def fill(self, mask: Mask, outline_mm: Floats, value: int) -> None:
        """Fill a convex outline on the board plane (N x 2, mm)."""
        fill_corners(mask, self.corners(outline_mm), value)


def fill_corners(mask: Mask, corners: NDArray[np.int32], value: int) -> None:
    """Fill a convex outline given by ``Window.corners``."""
    cv2.fillConvexPoly(mask, corners, value, cv2.LINE_8, _SHIFT)


def ring_of(mask: Mask) -> NDArray[np.bool_]:
    """The pixels round a mask, 1.5 to 4 mm away from it."""
    inner = cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7)))
    outer = cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (17, 17)))
    return np.asarray((outer > 0) & (inner == 0))


def hull(points: Floats) -> Floats:
    return np.asarray(cv2.convexHull(points.astype(np.float32))[:, 0], np.float64)


def floor_squares(sizes: Sizes, centre_mm: ArrayLike, floors: int, turn: float) -> Floats:
    """Outlines of the floors as they stand, the lowest first: floors x 4 x 2 mm; turn in radians."""
    cos, sin = np.cos(turn), np.sin(turn)
    sides = sizes.base - sizes.step * np.arange(floors)
    return np.asarray(centre_mm + sides[:, None, None] * (_SQUARE @ np.array([[cos, sin], [-sin, cos]])), np.float64)


def pyramid_outline(sizes: Sizes, eye: Floats, centre_mm: ArrayLike, floors: int, turn: float) -> Floats:
    """What a pyramid covers on the straightened picture: a convex outline in mm."""
    squares = floor_squares(sizes, centre_mm, floors, turn)
    heights = sizes.floor * np.arange(1, floors + 1)[:, None, None]
    return hull(np.concatenate([squares[0], lean(eye, squares, heights).reshape(-1, 2)]))


def ship_mask(sizes: Sizes, window: Window, eye: Floats, centre_mm: ArrayLike) -> Mask:
    """BODY, RIM and OPENING of a ship on the straightened picture, 0 elsewhere."""
    mask = window.blank()
    foot = ship_ring(sizes, centre_mm, 0.0)
    top = lean(eye, foot, sizes.ship_height)
    window.fill(mask, hull(np.concatenate([foot, top])), BODY)
    window.fill(mask, top, RIM)
    window.fill(mask, lean(eye, ship_ring(sizes, centre_mm, -sizes.ship_wall), sizes.ship_height), OPENING)
    return mask


def ship_ring(sizes: Sizes, centre_mm: ArrayLike, margin_mm: float) -> Floats:
    """The ship's outer rim as it stands, N x 2 mm; margin_mm makes it wider."""
    return np.asarray(np.asarray(centre_mm, np.float64) + (sizes.ship_radius + margin_mm) * _CIRCLE)
