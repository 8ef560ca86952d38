"""Who takes the pictures from which a table is taught: the camera above it, or the simulated one."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from companion.config import read_settings
from companion.games.pacal.pieces import Piece
from companion.squares import Square
from companion.wiring.camera import open_camera
from companion.wiring.demo import BOARD, GAME, VIEW
from hardware.camera import LIGHT_PICTURES
from vision.frames import Picture
from vision.simulated.camera import SimulatedCamera
from vision.simulated.printed import printed_board
from vision.simulated.scene import Renderer
from vision.simulated.setup import standing
from vision.simulated.view import View

Photograph: TypeAlias = Callable[[Mapping[Square, Piece]], Picture]
"""Takes a picture of the board, on which these pieces stand."""


@contextlib.contextmanager
def from_camera(table_dir: Path) -> Iterator[Photograph]:
    """Pictures of the camera above a table, with its settings. Raises BadConfig or HardwareError."""
    camera = open_camera(read_settings(table_dir).camera)
    with contextlib.closing(camera):
        # As in a game: exposure and white balance have come to rest, or are held from here on.
        for _ in range(LIGHT_PICTURES):
            camera.capture()
        yield lambda laid: camera.capture()


def simulated(renderer: Renderer | None = None, view: View = VIEW) -> Photograph:
    """Pictures of the simulated table, on which the pieces are put before.

    renderer: of the demo table's board, None to make one. view: of the camera.
    """
    taken = 0
    camera = SimulatedCamera(renderer or Renderer(printed_board(GAME, BOARD)), lambda: float(taken), view)

    def photograph(laid: Mapping[Square, Piece]) -> Picture:
        nonlocal taken
        taken += 1
        for name in camera.scene().squares:
            if name not in laid:
                camera.remove(name)
        for name, piece in laid.items():
            camera.place(name, standing(piece))
        return camera.capture()

    return photograph
