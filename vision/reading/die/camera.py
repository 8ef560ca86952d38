"""How the camera sees a die beside the board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Part, Picture
from vision.geometry import Floats, Lens, Pose, find_pose
from vision.grid import in_picture
from vision.reading.die.templates import EDGE_MM, SQUARE, Grey, Grid, turned

BOARD_THICKNESS_MM = 3.0
TOP_MM = EDGE_MM - BOARD_THICKNESS_MM
"""How high a die's upper face is above the board's."""
LARGEST_SPOT_MM, EVEN_MM, DARKEST = 4.0, 1.0, 20
"""Dark spots that are no larger are drawings; what is left without them, blurred by the second, is the light, but no
darker than so many grey levels."""
LEAST_FACING = 0.12
"""The cosine of the angle from which a side is seen, at least, for its drawing to be made out."""
_WAYS = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]], float)
_ASIDE = np.roll(_WAYS, -1, axis=0)
"""Where the sides of a die look that is not turned, and the ways along them."""


@dataclass(frozen=True)
class DieCamera:
    """The camera, and the plane of the upper face of a die beside the board."""

    lens: Lens
    pose: Pose
    evened: bool = False
    """Whether what is seen in grey is shown as if no shadow's edge fell over it."""
    part: Part | None = None
    """What of the picture there is to look at, None for all. Places are those in the whole picture, whose edges these
    are not."""

    @classmethod
    def of(
        cls, picture: Picture, corners_px: Floats, board_mm: tuple[float, float], lens: Lens | None = None
    ) -> DieCamera | None:
        """None where the board's corners (4 x 2) can be those of no board of this size (mm). lens: the camera's; None
        where it is not known, for one that sees as usual and does not bend."""
        height, width = picture.shape[:2]
        lens = lens or Lens.straight((width, height))
        found = find_pose(lens, (SQUARE + 0.5) * board_mm, np.asarray(corners_px, np.float64))
        return None if found is None else cls(lens, found[0])

    def point(self, px: tuple[float, float], height_mm: float) -> Floats:
        """Where (x, y on the board, mm) a pixel looks at the plane so high above the board."""
        ray = self.pose.rotation.T @ np.append(self.lens.ideal([px])[0], 1.0)
        eye = self.pose.eye
        return np.asarray(eye[:2] + ray[:2] * (eye[2] - height_mm) / ray[2])

    def px(self, points_mm: Floats) -> Floats:
        """Px (N x 2) of points (N x 2, mm) on the plane of the die's upper face."""
        points = np.full((len(points_mm), 3), TOP_MM)
        points[:, :2] = points_mm
        return self.pose.project(self.lens, points)

    def sees(self, side_mm: float, centre_mm: Floats, turn: float) -> bool:
        """Whether all of a square on the plane of the die's upper face is in the picture."""
        return self.corners_seen(side_mm, centre_mm, turn) == 4

    def corners_seen(self, side_mm: float, centre_mm: Floats, turn: float) -> int:
        """How many corners of such a square are."""
        corners = self.px(centre_mm + turned(side_mm * SQUARE, turn))
        return int(np.count_nonzero(np.all((corners > -1) & (corners < self.lens.size), axis=1)))

    def drop(self, point_mm: Floats) -> Floats:
        """How far (mm, on the plane of the upper face) a die's lower face appears from the upper one."""
        eye = self.pose.eye
        return np.asarray((eye[:2] - point_mm) * EDGE_MM / (eye[2] + BOARD_THICKNESS_MM))

    def from_above(self, picture: NDArray[np.uint8], centre_mm: Floats, side: int, step_mm: float) -> NDArray[np.uint8]:
        """What lies around a point of the upper face's plane: side x side pixels of step_mm, along the board's axes.

        picture: the picture, or as much of it as there is (``part``); or a layer of that at another size.
        """
        return self._straight(picture, self.px(centre_mm + side * step_mm * SQUARE), side)

    def upright(self, picture: Picture, centres_mm: Floats, side: int, step_mm: float) -> NDArray[np.uint8]:
        """What lies around such points (N x 2), turned so that what stands on the table leans up: N x side x side x 3,
        pixels of step_mm."""
        corners = self.px(self.upright_mm(centres_mm, side * step_mm * SQUARE).reshape(-1, 2))
        shown = [self._straight(picture, four, side) for four in corners.reshape(-1, 4, 2)]
        return np.array(shown, np.uint8).reshape(-1, side, side, 3)

    def upright_mm(self, centres_mm: Floats, offsets_mm: Floats) -> Floats:
        """Where on the plane of the upper face offsets (M x 2, mm) from points (N x 2) lead if the second of them goes
        along the way in which a die there appears below its upper face: N x M x 2."""
        drops = self.drop(centres_mm)
        far = np.hypot(*drops.T)[:, None]
        down = np.where(far > 0, drops / np.maximum(far, 1e-12), (0.0, 1.0))
        aside = down[:, ::-1] * (1, -1)
        return np.asarray(
            centres_mm[:, None] + offsets_mm[:, :1] * aside[:, None] + offsets_mm[:, 1:] * down[:, None], np.float64
        )

    def shown(self, centre_mm: Floats, side: int, step_mm: float) -> NDArray[np.bool_]:
        """Which of these pixels are in the picture."""
        return self._shown(self.px(centre_mm + side * step_mm * SQUARE), side)

    def grey_patch(self, picture: Picture, centre_mm: Floats, grid: Grid) -> Grey:
        """What lies around such a point in grey, as much as a grid's templates need."""
        return self._grey(self.from_above(picture, centre_mm, grid.side + 2 * grid.reach, grid.step_mm), grid)

    def sides(
        self, picture: Picture, centre_mm: Floats, turn: float, grid: Grid
    ) -> Iterator[tuple[Grey, NDArray[np.bool_]]]:
        """The sides of a die that are seen, in grey, as much as a grid's templates need, each straightened; and which
        of their pixels are in the picture.

        centre_mm: of its upper face; turn: radians.
        """
        many = grid.side + 2 * grid.reach
        ways, aside = turned(_WAYS, turn), turned(_ASIDE, turn)
        middles = np.column_stack([centre_mm + ways * EDGE_MM / 2, np.full(4, TOP_MM - EDGE_MM / 2)])
        towards = self.pose.eye - middles
        facing = np.sum(ways * towards[:, :2], axis=1) >= LEAST_FACING * np.linalg.norm(towards, axis=1)
        for middle, along in zip(middles[facing], aside[facing], strict=True):
            axes = np.array([(*along, 0), (0, 0, -1)])
            corners = self.pose.project(self.lens, middle + many * grid.step_mm * SQUARE @ axes)
            yield self._grey(self._straight(picture, corners, many), grid), self._shown(corners, many)

    def _grey(self, patch: NDArray[np.uint8], grid: Grid) -> Grey:
        grey = np.asarray(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), np.uint8)
        return _evened(grey, grid.step_mm) if self.evened else grey

    def _shown(self, corners_px: Floats, side: int) -> NDArray[np.bool_]:
        """Which of side x side pixels between four points are in the picture."""
        if in_picture(self.lens, *corners_px.T).all():
            return np.ones((side, side), bool)
        steps = (np.arange(side) + 0.5) / side
        to_px = cv2.getPerspectiveTransform((SQUARE + 0.5).astype(np.float32), corners_px.astype(np.float32))
        places = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(1, -1, 2)
        return in_picture(self.lens, *cv2.perspectiveTransform(places, to_px)[0].T).reshape(side, side)

    def _straight(self, picture: NDArray[np.uint8], corners_px: Floats, side: int) -> NDArray[np.uint8]:
        """What lies between four points of the picture as side x side pixels."""
        width, height = self.lens.size
        rows, columns = self.part or (slice(0, height), slice(0, width))
        scale = max(picture.shape[:2]) / max(columns.stop - columns.start, rows.stop - rows.start)
        corners = ((corners_px - (columns.start, rows.start) + 0.5) * scale - 0.5).astype(np.float32)
        square = (side * (SQUARE + 0.5) - 0.5).astype(np.float32)
        to_px = cv2.getPerspectiveTransform(square, corners)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(
            cv2.warpPerspective(picture, to_px, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )


def _evened(grey: Grey, step_mm: float) -> Grey:
    """The same as bright everywhere but for what is dark and small."""
    side = int(LARGEST_SPOT_MM / step_mm) | 1
    filled = np.asarray(cv2.morphologyEx(grey, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8)), np.uint8)
    light = np.maximum(cv2.GaussianBlur(filled, (0, 0), EVEN_MM / step_mm), DARKEST)
    return np.asarray(np.clip(grey * (np.median(filled) / light), 0, 255), np.uint8)
