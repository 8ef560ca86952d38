"""What is known of a picture in which a die is looked for."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.frames import Picture, grey
from vision.geometry import Floats
from vision.logarithms import BURNT
from vision.noise import noise_of
from vision.reading.die.camera import TOP_MM, DieCamera
from vision.reading.die.changed import Region
from vision.reading.die.places import Whiteness
from vision.reading.die.sight import DieSight
from vision.reading.die.taught import TaughtTable
from vision.reading.die.templates import Grey, Grid

SOFT, NOISY = 1 / 1024, 8.0
"""Pictures are sharpened against a blur of this share of their width (standard deviation), unless they have more noise
than so many grey levels (``vision.noise.noise_of``)."""

LEAST_SPOT = 10
"""Grey levels by which something on a die is darker than what is round it. Of 470 dice on 29 tables, plain and in other
light, the faintest have spots of 32, and in noise of 23; of places beside boards two thirds have none of 10."""
SPOT_MM, MOST_SPOTS = 6.0, 16
"""Of what is so near to a spot it is known whether it is as it was taught; and of so many spots it is asked."""


@dataclass(frozen=True, eq=False)
class DieView:
    """A picture, or a region of one, where it is how white, the camera as it stood for it, the networks that see dice,
    and the table as it was taught, None where that is not known. sharp: the picture with pips as dark as they are,
    though the camera may be a little out of focus; if it is noisy it is not sharpened."""

    picture: Picture
    sharp: Picture
    white: Whiteness
    camera: DieCamera
    sight: DieSight
    taught: TaughtTable | None = None
    noisy: bool = False

    @classmethod
    def of(
        cls,
        picture: Picture,
        corners_px: Floats,
        board_mm: tuple[float, float],
        taught: TaughtTable | None = None,
        sight: DieSight | None = None,
    ) -> DieView | None:
        """The view of a picture, through the lens with which the table was taught; None where the corners can be those
        of no board, as in ``DieCamera.of``."""
        camera = DieCamera.of(picture, corners_px, board_mm, None if taught is None else taught.camera.lens)
        if camera is None:
            return None
        noisy = noise_of(picture) > NOISY
        sharp = picture if noisy else _sharpened(picture, picture.shape[1])
        white = Whiteness.of(sharp, corners_px, board_mm)
        return cls(picture, sharp, white, camera, sight or DieSight(), taught, noisy)

    def of_region(self, picture: Picture, corners_px: Floats, region: Region) -> DieView:
        """The view of a region of another picture, of the same camera in the same place and the same light."""
        shown = np.ascontiguousarray(picture[region.part])
        sharp = shown if self.noisy else _sharpened(shown, picture.shape[1])
        white = self.white.of_region(sharp, corners_px, region)
        return replace(self, picture=shown, sharp=sharp, white=white, camera=replace(self.camera, part=region.part))

    @property
    def is_blank(self) -> bool:
        """Whether no die can be where one is looked for, as nothing there has dark spots but what was taught."""
        there = (~self.white.outside).astype(np.uint8)
        shown = cv2.resize(there, self.picture.shape[1::-1], interpolation=cv2.INTER_NEAREST)
        # Where a die is burnt out its pips are faint.
        if cv2.minMaxLoc(grey(self.picture), shown)[1] >= BURNT:
            return False
        spots = cv2.copyTo(self.white.spots, there)
        for _ in range(MOST_SPOTS):
            _, darkest, _, (x, y) = cv2.minMaxLoc(spots)
            if darkest < LEAST_SPOT:
                return True
            if self.as_taught(self.camera.point(self.white.place_px(x, y), TOP_MM)) < 1:
                return False
            cv2.circle(spots, (x, y), round(SPOT_MM * self.white.px_per_mm), 0, -1)
        return False

    def evened(self) -> DieView:
        """The same view, in grey as if no shadow's edge fell over it."""
        return replace(self, camera=replace(self.camera, evened=True))

    def grey_patch(self, centre_mm: Floats, grid: Grid) -> Grey:
        """What lies around a point on the plane of a die's upper face, as in ``DieCamera.grey_patch``."""
        return self.camera.grey_patch(self.sharp, centre_mm, grid)

    def as_taught(self, centre_mm: Floats) -> float:
        """How much what lies about such a point is what lay there when the table was taught, from 0 to 1; 0 where that
        is not known."""
        return 0.0 if self.taught is None else self.taught.alike(self.sharp, self.camera, centre_mm)


def _sharpened(picture: Picture, width: int) -> Picture:
    """A picture that is so wide, or a part of it, with pips as dark as they are, though the camera may be a little out
    of focus. Nothing is brighter than what is round it: no die has white rings round its pips."""
    sigma = SOFT * width
    soft = cv2.GaussianBlur(picture, (2 * round(2 * sigma) + 1,) * 2, sigma)
    # Written over what it is made of: new memory takes as long as the sharpening.
    sharp = cv2.addWeighted(picture, 2, soft, -1, 0, dst=soft)
    return np.asarray(cv2.min(sharp, cv2.dilate(picture, np.ones((3, 3), np.uint8)), dst=sharp), np.uint8)
