"""Pictures of a board as if it were folded in four and did not lie flat, for ``vision.measuring.changes``."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.boards import Board
from vision.frames import Picture
from vision.geometry import Floats, HeightField, Lens, Pose, find_pose
from vision.grid import board_corners_mm, lean, smooth_map

MOST_MM = 8.0
"""So high a folded board may lie at its corners, at the ends of its folds, and where they cross."""
BESIDE_MM = 25.0
"""So far from the board the picture is as it was."""


def with_bend(
    picture: Picture, lens: Lens, board: Board, corners_px: Sequence[Sequence[float]] | Floats, seed: int
) -> Picture:
    """The picture as if the board lay up to ``MOST_MM`` higher in nine places that are drawn from the seed, and what
    stands on it as well.

    corners_px: the printed board's four corners in the picture, that at A1 first. The same seed bends a board alike.
    Raises ValueError for corners that no camera sees so.
    """
    found = find_pose(lens, board_corners_mm(board), np.asarray(corners_px, np.float64))
    if found is None:
        raise ValueError("no camera above a board sees its corners there")
    surface = HeightField(board.size_mm, np.random.default_rng(seed).uniform(0, MOST_MM, (3, 3)))
    return bent(picture, lens, found[0], surface)


def bent(picture: Picture, lens: Lens, pose: Pose, surface: HeightField) -> Picture:
    """The picture of a flat board as if that had such a surface. pose: the camera's."""

    def place(points_px: Floats) -> Floats:
        seen = pose.on_plane(lens, points_px)
        points = seen.copy()
        # What is seen there is a little nearer to the point below the camera, by the height that it has itself.
        for _ in range(6):
            points -= lean(pose.eye, points, _heights(surface, points)[:, None]) - seen
        return pose.project(lens, points)

    height, width = picture.shape[:2]
    map_x, map_y = smooth_map((width, height), place)
    moved = cv2.remap(picture, map_x, map_y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


def _heights(surface: HeightField, points_mm: Floats) -> Floats:
    """The heights of points on the board, and beside it: there they fall to nothing, so that nothing tears."""
    half = np.array(surface.size_mm) / 2
    aside = (np.abs(points_mm - half) - half).max(axis=1)
    return np.asarray(surface.at(points_mm) * np.clip(1 - aside / BESIDE_MM, 0, 1))
