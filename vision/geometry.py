"""The camera above the board: where it is, how its lens bends, and where things with a height appear.

Board coordinates are those of ``companion.boards``, in mm, with heights above the board as a third number. Pixel (0, 0)
is the centre of the top left pixel. The lens: with offsets from the picture's middle divided by the focal length,
``ideal = distorted * (1 + k1 * |distorted|²)``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

HALF_FIELD = math.radians(33)
"""Half the field of view along a picture's longer side that is assumed (Raspberry Pi Camera Module 3)."""


@dataclass(frozen=True)
class Lens:
    """What stays the same however the camera is moved.

    size: width and height of the pictures in px. focal: in px. k1: radial distortion, see the module.
    """

    size: tuple[int, int]
    focal: float
    k1: float

    @staticmethod
    def straight(size: tuple[int, int], half_field: float = HALF_FIELD) -> Lens:
        """One that does not bend, and sees so far (radians) to both sides along the pictures' longer side: a camera may
        stand upright."""
        return Lens(size, max(size) / 2 / math.tan(half_field), 0.0)

    @property
    def middle(self) -> Floats:
        """The picture's middle, in px."""
        return np.array([(self.size[0] - 1) / 2, (self.size[1] - 1) / 2])

    def ideal(self, points_px: ArrayLike) -> Floats:
        """Offsets from the middle, divided by the focal length, of a lens that does not bend; N x 2."""
        bent = (np.asarray(points_px, np.float64).reshape(-1, 2) - self.middle) / self.focal
        return np.asarray(bent * (1 + self.k1 * np.sum(bent**2, axis=1, keepdims=True)))

    def bend(self, offsets: Floats) -> Floats:
        """The inverse of ``ideal``: px of ideal offsets, N x 2."""
        if self.k1 == 0:
            return np.asarray(self.middle + self.focal * offsets)
        # Column by column, as numpy is slow at rows of two. Newton's method, on what each offset is multiplied with.
        across, down = offsets.T
        bending = self.k1 * (across**2 + down**2)
        scale = np.ones(len(offsets))
        for _ in range(4):
            bent = bending * scale**2
            scale -= (scale * (1 + bent) - 1) / (1 + 3 * bent)
        scale *= self.focal
        x, y = self.middle.tolist()
        return np.column_stack([x + scale * across, y + scale * down])

    def scaled(self, size: tuple[int, int]) -> Lens:
        """The same lens for pictures of another size with the same sides' ratio."""
        return replace(self, size=size, focal=self.focal * size[0] / self.size[0])


@dataclass(frozen=True)
class HeightField:
    """How high a board lies above a plane: even from one knot to the next (bilinear), and beyond its edges as at them.

    size_mm: the board's. heights: rows x columns of knots, mm; the first and the last are at its edges.
    """

    size_mm: tuple[float, float]
    heights: Floats

    def at(self, points_mm: Floats) -> Floats:
        """The heights (N, mm) of points (N x 2, mm)."""
        return np.asarray(self.shares(points_mm) @ self.heights.ravel())

    def shares(self, points_mm: Floats) -> Floats:
        """How much each knot tells of points (N x 2, mm): N x knots, row by row."""
        across, down = (
            np.maximum(1 - np.abs(np.clip(places / side, 0, 1)[:, None] * (many - 1) - np.arange(many)), 0)
            for side, many, places in zip(self.size_mm, self.heights.shape[::-1], points_mm.T, strict=True)
        )
        return np.asarray((down[:, :, None] * across[:, None, :]).reshape(len(points_mm), -1))


@dataclass(frozen=True)
class Pose:
    """Where the camera stands: ``rotation`` (3 x 3) and ``shift`` (3) from board mm to camera mm.

    surface: how high the board lies above its plane, None where it is flat.
    """

    rotation: Floats
    shift: Floats
    surface: HeightField | None = None

    @cached_property
    def eye(self) -> Floats:
        """The camera's place over the board: x, y and height above it, in mm."""
        x, y, depth = -self.rotation.T @ self.shift
        return np.array([x, y, -depth])

    def project(self, lens: Lens, points_mm: ArrayLike) -> Floats:
        """Px (N x 2) of points on the board (N x 2, mm) or above it (N x 3, the third a height in mm)."""
        points = np.asarray(points_mm, np.float64)
        # The board's x and y, as seen from above, need a third axis that points down into the table.
        places = np.zeros((len(points), 3))
        places[:, : points.shape[1]] = points
        if self.surface is not None:
            places[:, 2] += self.surface.at(places[:, :2])
        places[:, 2] *= -1
        seen = places @ self.rotation.T + self.shift
        return lens.bend(seen[:, :2] / seen[:, 2:])

    def on_plane(self, lens: Lens, points_px: ArrayLike) -> Floats:
        """Where on the board's plane (N x 2, mm) px are seen."""
        seen = lens.ideal(points_px)
        places = np.column_stack([seen, np.ones(len(seen))]) @ np.linalg.inv(self.homography()).T
        return np.asarray(places[:, :2] / places[:, 2:])

    def homography(self) -> Floats:
        """From board mm to ideal offsets (``Lens.ideal``), 3 x 3."""
        return np.column_stack([self.rotation[:, 0], self.rotation[:, 1], self.shift])


def find_pose(lens: Lens, points_mm: Floats, points_px: Floats) -> tuple[Pose, float] | None:
    """The pose from points of the board (N x 2 mm, at least four) and where they are in a picture (N x 2 px).

    Returns it with its error (root mean square, px), or None when there is no camera above the board that sees them so.
    """
    flat = np.column_stack([points_mm, np.zeros(len(points_mm))])
    try:
        found, turn, shift = cv2.solvePnP(flat, lens.ideal(points_px), np.eye(3), None, flags=cv2.SOLVEPNP_ITERATIVE)
    except cv2.error:
        return None
    if not found or not np.all(np.isfinite(turn)) or not np.all(np.isfinite(shift)):
        return None
    pose = Pose(np.asarray(cv2.Rodrigues(turn)[0], np.float64), np.asarray(shift, np.float64).ravel())
    if pose.eye[2] <= 0 or pose.shift[2] <= 0:
        return None
    error = pose.project(lens, points_mm) - points_px
    return pose, float(np.sqrt(np.mean(np.sum(error**2, axis=1))))
