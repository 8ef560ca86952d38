"""How the camera sees a die beside the board."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.geometry import HALF_FIELD, Floats, Lens, Pose, find_pose
from vision.reading.die_templates import EDGE_MM, SQUARE, Grey, Grid, turned

BOARD_THICKNESS_MM = 3.0
TOP_MM = EDGE_MM - BOARD_THICKNESS_MM
"""How high a die's upper face is above the board's."""


@dataclass(frozen=True)
class DieCamera:
    """The camera, and the plane of the upper face of a die beside the board."""

    lens: Lens
    pose: Pose

    @classmethod
    def of(cls, picture: Picture, corners_px: Floats, board_mm: tuple[float, float]) -> DieCamera | None:
        """None where the board's corners (4 x 2) can be those of no board of this size (mm)."""
        height, width = picture.shape[:2]
        # A lens bends by some pixels at most, which shifts the die but hardly changes its shape.
        lens = Lens((width, height), width / 2 / np.tan(HALF_FIELD), 0.0)
        found = find_pose(lens, (SQUARE + 0.5) * board_mm, np.asarray(corners_px, np.float64))
        return None if found is None else cls(lens, found[0])

    def point(self, px: tuple[float, float], height_mm: float) -> Floats:
        """Where (x, y on the board, mm) a pixel looks at the plane so high above the board."""
        ray = self.pose.rotation.T @ np.append(self.lens.ideal([px])[0], 1.0)
        eye = self.pose.eye
        return np.asarray(eye[:2] + ray[:2] * (eye[2] - height_mm) / ray[2])

    def px(self, points_mm: Floats) -> Floats:
        """Px (N x 2) of points (N x 2, mm) on the plane of the die's upper face."""
        return self.pose.project(self.lens, np.column_stack([points_mm, np.full(len(points_mm), TOP_MM)]))

    def sees(self, picture: Picture, side_mm: float, centre_mm: Floats, turn: float) -> bool:
        """Whether all of a square on the plane of the die's upper face is in the picture."""
        height, width = picture.shape[:2]
        corners = self.px(centre_mm + turned(side_mm * SQUARE, turn))
        return bool(np.all(corners > -1) and np.all(corners < (width, height)))

    def drop(self, point_mm: Floats) -> Floats:
        """How far (mm, on the plane of the upper face) a die's lower face appears from the upper one."""
        eye = self.pose.eye
        return np.asarray((eye[:2] - point_mm) * EDGE_MM / (eye[2] + BOARD_THICKNESS_MM))

    def from_above(self, picture: NDArray[np.uint8], centre_mm: Floats, side: int, step_mm: float) -> NDArray[np.uint8]:
        """What lies around a point of the upper face's plane: side x side pixels of step_mm, along the board's axes.

        picture: the whole picture, or a layer of it at another size.
        """
        scale = max(picture.shape[:2]) / max(self.lens.size)
        corners = (self.px(centre_mm + side * step_mm * SQUARE) + 0.5) * scale - 0.5
        square = (side * (SQUARE + 0.5) - 0.5).astype(np.float32)
        to_px = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(
            cv2.warpPerspective(picture, to_px, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )

    def grey_patch(self, picture: Picture, centre_mm: Floats, grid: Grid) -> Grey:
        """The same in grey, as much as a grid's templates need."""
        patch = self.from_above(picture, centre_mm, grid.side + 2 * grid.reach, grid.step_mm)
        return np.asarray(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), np.uint8)
