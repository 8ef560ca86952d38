"""Where a simulated camera stands and how its lens draws what it sees.

Written on its own, not with the geometry that the reader uses: a twin that shared its mistakes could not show them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class View:
    """A fixed camera above a board.

    height_mm: of the lens above the board. tilt_deg: from straight down. azimuth_deg: from where it looks, as on a
    map of the board (270: from below its last row, 0: from its right side). aim_mm: the point of the board in the
    picture's middle. turn_deg: the camera's roll. field_deg: horizontal field of view. k1: radial distortion, with
    offsets in focal lengths undistorted = distorted * (1 + k1 * distorted²). size: of the picture in px.
    """

    size: tuple[int, int] = (1536, 864)
    height_mm: float = 780.0
    tilt_deg: float = 14.0
    azimuth_deg: float = 266.0
    aim_mm: tuple[float, float] = (240.0, 240.0)
    turn_deg: float = 0.0
    field_deg: float = 66.0
    k1: float = 0.02

    @property
    def focal_px(self) -> float:
        """Focal length in px."""
        return self.size[0] / 2 / math.tan(math.radians(self.field_deg / 2))

    @property
    def middle_px(self) -> Floats:
        """The picture's middle; (0, 0) is the centre of the top left pixel."""
        return np.array([(self.size[0] - 1) / 2, (self.size[1] - 1) / 2])

    @cached_property
    def axes(self) -> Floats:
        """Right, down and forward of the camera as rows, in board axes whose third points into the table."""
        tilt, azimuth, turn = (math.radians(a) for a in (self.tilt_deg, self.azimuth_deg, self.turn_deg))
        away = np.array([-math.cos(azimuth), math.sin(azimuth), 0.0])
        forward = math.sin(tilt) * away + math.cos(tilt) * np.array([0.0, 0.0, 1.0])
        down = -(away - (away @ forward) * forward)
        down /= np.linalg.norm(down)
        right = np.cross(down, forward)
        turned = math.cos(turn) * right + math.sin(turn) * down, math.cos(turn) * down - math.sin(turn) * right
        return np.array([*turned, forward])

    @cached_property
    def eye(self) -> Floats:
        """The lens: x, y in board mm and minus its height."""
        forward = self.axes[2]
        return np.asarray(np.array([*self.aim_mm, 0.0]) - forward * (self.height_mm / forward[2]))

    def project(self, points_mm: ArrayLike) -> Floats:
        """Px (N x 2) of points (N x 3: x, y on the board and height above it, in mm)."""
        points = np.asarray(points_mm, np.float64).reshape(-1, 3) * (1.0, 1.0, -1.0)
        seen = (points - self.eye) @ self.axes.T
        offsets = seen[:, :2] / np.maximum(seen[:, 2:], 1.0)
        radius = np.linalg.norm(offsets, axis=1, keepdims=True)
        bent = radius.copy()
        for _ in range(5):
            bent -= (bent * (1 + self.k1 * bent**2) - radius) / (1 + 3 * self.k1 * bent**2)
        return np.asarray(self.middle_px + self.focal_px * offsets * bent / np.maximum(radius, 1e-9))

    def on_plane(self, pixels: ArrayLike, height_mm: float = 0.0) -> Floats:
        """Board mm (N x 2) that pixels (N x 2) show on a plane at some height above the board."""
        bent = (np.asarray(pixels, np.float64).reshape(-1, 2) - self.middle_px) / self.focal_px
        offsets = bent * (1 + self.k1 * np.sum(bent**2, axis=1, keepdims=True))
        rays = np.column_stack([offsets, np.ones(len(offsets))]) @ self.axes
        reach = (-height_mm - self.eye[2]) / np.maximum(rays[:, 2], 1e-6)
        return np.asarray(self.eye[:2] + rays[:, :2] * reach[:, None])

    def bumped(self, shift_mm: tuple[float, float], turn_deg: float) -> View:
        """The view after somebody knocked the camera's stand."""
        aim = (self.aim_mm[0] + shift_mm[0], self.aim_mm[1] + shift_mm[1])
        return replace(self, aim_mm=aim, turn_deg=self.turn_deg + turn_deg)
