"""What is known of a picture in which a die is looked for."""

from __future__ import annotations

from dataclasses import dataclass, replace

from vision.frames import Picture
from vision.geometry import Floats
from vision.reading.die_camera import DieCamera
from vision.reading.die_places import Whiteness
from vision.reading.die_taught import TaughtTable
from vision.reading.die_templates import Grey, Grid


@dataclass(frozen=True, eq=False)
class DieView:
    """A picture, where it is how white, the camera as it stood for it, and the table as it was taught, None where that
    is not known."""

    picture: Picture
    white: Whiteness
    camera: DieCamera
    taught: TaughtTable | None = None

    @classmethod
    def of(
        cls, picture: Picture, corners_px: Floats, board_mm: tuple[float, float], taught: TaughtTable | None = None
    ) -> DieView | None:
        """The view of a picture; None where the corners can be those of no board, as in ``DieCamera.of``."""
        camera = DieCamera.of(picture, corners_px, board_mm)
        return None if camera is None else cls(picture, Whiteness.of(picture, corners_px, board_mm), camera, taught)

    def evened(self) -> DieView:
        """The same view, in grey as if no shadow's edge fell over it."""
        return replace(self, camera=replace(self.camera, evened=True))

    def grey_patch(self, centre_mm: Floats, grid: Grid) -> Grey:
        """What lies around a point on the plane of a die's upper face, as in ``DieCamera.grey_patch``."""
        return self.camera.grey_patch(self.picture, centre_mm, grid)

    def as_taught(self, centre_mm: Floats) -> float:
        """How much what lies about such a point is what lay there when the table was taught, from 0 to 1; 0 where that
        is not known."""
        return 0.0 if self.taught is None else self.taught.alike(self.picture, self.camera, centre_mm)
