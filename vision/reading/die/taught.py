"""The table as it was taught, beside the board: what looks the same there now is hardly a die."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2

from vision.frames import Picture
from vision.geometry import Floats, Lens
from vision.reading.die.camera import DieCamera
from vision.reading.die.templates import Grid

UNLIKE, ALIKE = 0.5, 0.8
"""By how much a place correlates with itself as it was taught where something has come, at most, and where nothing has.
Of 310 dice on 122 tables none comes to more than 0.39, in other light and noise to more than 0.41; gaps and grain of
wood that had looked like arrows come to 0.95 and more."""

_GRID = Grid(step_mm=0.5, side=25, reach=3, turns=())
"""What is compared: a die's face, up to 1.5 mm beside its place, as a bumped camera sees what lies lower there."""


@dataclass(frozen=True, eq=False)
class TaughtTable:
    """The empty board's picture, and the camera as it stood for it."""

    picture: Picture
    camera: DieCamera

    @staticmethod
    def of(
        picture: Picture, corners_px: Floats, board_mm: tuple[float, float], lens: Lens | None = None
    ) -> TaughtTable | None:
        """The table of the empty board's picture.

        corners_px: the board's in it, 4 x 2; None where they can be those of no board. lens: as in ``DieCamera.of``.
        """
        camera = DieCamera.of(picture, corners_px, board_mm, lens)
        return None if camera is None else TaughtTable(picture, camera)

    def alike(self, picture: Picture, camera: DieCamera, centre_mm: Floats) -> float:
        """How much what lies about a place is what lay there, from 0 to 1, in whatever light.

        centre_mm: of a die's upper face, on its plane.
        """
        then = replace(self.camera, evened=camera.evened).grey_patch(self.picture, centre_mm, _GRID)
        now = camera.grey_patch(picture, centre_mm, replace(_GRID, reach=0))
        likeness = float(cv2.matchTemplate(then, now, cv2.TM_CCOEFF_NORMED).max())
        return min(max((likeness - UNLIKE) / (ALIKE - UNLIKE), 0.0), 1.0)
