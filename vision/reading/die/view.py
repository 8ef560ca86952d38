"""What is known of a picture in which a die is looked for."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.frames import Picture
from vision.geometry import Floats
from vision.noise import noise_of
from vision.reading.die.camera import DieCamera
from vision.reading.die.places import Whiteness
from vision.reading.die.sight import DieSight
from vision.reading.die.taught import TaughtTable
from vision.reading.die.templates import Grey, Grid

SOFT, NOISY = 1 / 1024, 8.0
"""Pictures are sharpened against a blur of this share of their width (standard deviation), unless they have more noise
than so many grey levels (``vision.noise.noise_of``)."""


@dataclass(frozen=True, eq=False)
class DieView:
    """A picture, where it is how white, the camera as it stood for it, the networks that see dice, and the table as it
    was taught, None where that is not known. sharp: the picture with pips as dark as they are, though the camera may be
    a little out of focus."""

    picture: Picture
    sharp: Picture
    white: Whiteness
    camera: DieCamera
    sight: DieSight
    taught: TaughtTable | None = None

    @classmethod
    def of(
        cls,
        picture: Picture,
        corners_px: Floats,
        board_mm: tuple[float, float],
        taught: TaughtTable | None = None,
        sight: DieSight | None = None,
    ) -> DieView | None:
        """The view of a picture; None where the corners can be those of no board, as in ``DieCamera.of``."""
        camera = DieCamera.of(picture, corners_px, board_mm)
        if camera is None:
            return None
        sharp = _sharpened(picture)
        return cls(picture, sharp, Whiteness.of(sharp, corners_px, board_mm), camera, sight or DieSight(), taught)

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


def _sharpened(picture: Picture) -> Picture:
    """The picture with pips as dark as they are, though the camera may be a little out of focus; a noisy one as it
    is. Nothing is brighter than what is round it: no die has white rings round its pips."""
    if noise_of(picture) > NOISY:
        return picture
    sigma = SOFT * picture.shape[1]
    soft = cv2.GaussianBlur(picture, (2 * round(2 * sigma) + 1,) * 2, sigma)
    # Written over what it is made of: new memory takes as long as the sharpening.
    sharp = cv2.addWeighted(picture, 2, soft, -1, 0, dst=soft)
    return np.asarray(cv2.min(sharp, cv2.dilate(picture, np.ones((3, 3), np.uint8)), dst=sharp), np.uint8)
