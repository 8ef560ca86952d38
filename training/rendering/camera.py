"""The camera over the table: its lens, where it stands, and how it is bumped."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.geometry import Lens, Pose

Floats = NDArray[np.float64]

SIZE = (1536, 864)
LOWEST_MM = 640.0
"""How low over the table a camera hangs; and how near to the middle of the board one of the usual sort."""
FIELDS_DEG, OTHERS_LOWEST_MM = (50, 56, 62, 74, 80, 88, 102), 480.0
"""The fields of view of other cameras than the usual one, and how low these hang."""
TILT, STEEP = 35.0, 8.0
"""How far from straight above a camera looks down, at most (degrees); and one that sees little of ships' walls."""


@dataclass(frozen=True)
class Camera:
    """A camera over a board of ``size_mm``; tilt and azimuth in degrees as they were drawn."""

    lens: Lens
    pose: Pose
    size_mm: tuple[float, float]
    tilt: float
    azimuth: float

    def corners_px(self) -> Floats:
        """The printed board's corners in the picture, 4 x 2."""
        width, height = self.size_mm
        return self.pose.project(self.lens, np.array([[0, 0], [width, 0], [width, height], [0, height]]))

    def fits(self, margin_px: float) -> bool:
        """Whether the whole board is in the picture."""
        return self._has(self.corners_px(), margin_px)

    def sees(self, points_mm: Floats) -> bool:
        """Whether points (N x 3: x, y and height in mm) are all in the picture."""
        return self._has(self.pose.project(self.lens, points_mm), 0)

    def sees_some(self, points_mm: Floats) -> bool:
        """Whether any is, but for how the lens bends it: that would bring far ones in again."""
        return bool(np.any(self._inside(self.pose.project(replace(self.lens, k1=0.0), points_mm), 0)))

    def _has(self, px: Floats, margin_px: float) -> bool:
        return bool(np.all(self._inside(px, margin_px)))

    def _inside(self, px: Floats, margin_px: float) -> NDArray[np.bool_]:
        """Which of some px (N x 2) are in the picture, and so far from its edges."""
        return np.asarray(np.all((px > margin_px) & (px < np.array(self.lens.size) - 1 - margin_px), axis=1))


def draw_camera(
    rng: Generator, size_mm: tuple[float, float], usual: bool, most_tilt: float = TILT, others: bool = False
) -> Camera:
    """A camera that sees the whole board, about as large as the picture lets it. usual: see ``LOWEST_MM``. most_tilt:
    degrees. others: with a lens of ``FIELDS_DEG``, that may bend more."""
    lowest, most_bent = (OTHERS_LOWEST_MM, -0.12) if others else (LOWEST_MM, -0.06)
    field = np.radians(rng.choice(FIELDS_DEG) if others else 66 + np.clip(rng.normal(0, 1.3), -3, 3))
    lens = Lens(SIZE, SIZE[0] / 2 / np.tan(field / 2), float(rng.uniform(most_bent, 0.06)))
    tilt, azimuth = float(rng.uniform(0, most_tilt)), float(rng.uniform(0, 360))
    if rng.random() < 0.8:
        # Most people put the board squarely before the camera, which also shows it larger.
        azimuth = float((90 * rng.integers(4) + rng.normal(0, 8)) % 360)
    roll = float(rng.normal(0, 5))
    margin = float(rng.uniform(15, 60))
    aim, distance = np.array(size_mm) / 2, 800.0
    for _ in range(40):
        camera = Camera(lens, _pose(aim, tilt, azimuth, roll, distance), size_mm, tilt, azimuth)
        corners = camera.corners_px()
        low, high = corners.min(axis=0), corners.max(axis=0)
        distance *= 1 + 0.7 * (np.max((high - low) / (np.array(SIZE) - 2 * margin)) - 1)
        # Aim at what is now in the middle of the board's outline in the picture.
        off = np.append(lens.ideal([(low + high) / 2])[0], 1.0)
        ray = camera.pose.rotation.T @ off
        eye = -camera.pose.rotation.T @ camera.pose.shift
        hit = eye - ray * eye[2] / ray[2]
        aim = aim + 0.7 * (hit[:2] - aim)
    distance = max(distance, lowest / (1.0 if usual else np.cos(np.radians(tilt))))
    camera = replace(camera, pose=_pose(aim, tilt, azimuth, roll, distance))
    # Things beside the board are cut off in different places, as the camera does not look at its middle.
    wanted = replace(camera, pose=_pose(aim + rng.uniform(-12, 12, 2), tilt, azimuth, roll, distance * 1.02))
    return wanted if wanted.fits(4) else camera


def bump(rng: Generator, camera: Camera) -> Camera:
    """The camera after it was moved 5 to 30 mm and turned 1 to 3 degrees, the board still in the picture."""
    for _ in range(2000):
        axis = rng.standard_normal(3) * [0.5, 0.5, 1.0]
        turn = cv2.Rodrigues(axis / np.linalg.norm(axis) * np.radians(rng.uniform(1, 3)))[0]
        way = rng.standard_normal(3)
        eye = -camera.pose.rotation.T @ camera.pose.shift + way / np.linalg.norm(way) * rng.uniform(5, 30)
        rotation = turn @ camera.pose.rotation
        moved = replace(camera, pose=Pose(np.asarray(rotation, np.float64), np.asarray(-rotation @ eye, np.float64)))
        if moved.fits(3):
            return moved
    return camera


def _pose(aim: Floats, tilt: float, azimuth: float, roll: float, distance: float) -> Pose:
    """A camera looking at a point of the board, from the side that azimuth names: 270 is from below the last row."""
    lean, turn = np.radians(tilt), np.radians(azimuth)
    # In board coordinates (y down the board, z into the table); azimuth counts against the clock seen from above.
    side = np.array([np.cos(turn), -np.sin(turn), 0.0])
    eye = np.append(aim, 0.0) + distance * (np.sin(lean) * side + np.cos(lean) * np.array([0, 0, -1.0]))
    forward = (np.append(aim, 0.0) - eye) / distance
    right = np.cross(side, [0, 0, 1.0])
    down = np.cross(forward, right)
    cos, sin = np.cos(np.radians(roll)), np.sin(np.radians(roll))
    rotation = np.array([cos * right + sin * down, cos * down - sin * right, forward])
    return Pose(rotation, -rotation @ eye)
