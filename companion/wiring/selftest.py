"""Where a self-test gets its pictures: the table's camera, a folder, or the simulated table."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

from companion.config import read_settings
from companion.errors import BadPicture
from companion.selftest.plan import STEPS, Step
from companion.wiring.demo import BOARD, GAME, VIEW, teach_simulated
from hardware.camera import LIGHT_PICTURES, PiCamera
from vision.frames import Picture
from vision.simulated.camera import SimulatedCamera
from vision.simulated.printed import printed_board
from vision.simulated.scene import Renderer
from vision.simulated.setup import standing
from vision.simulated.view import View
from vision.sources import folder
from vision.table import Table

Take: TypeAlias = Callable[[Step], Picture | None]
"""Takes the picture of a placement; None when there are no more pictures."""


@contextlib.contextmanager
def from_camera(table_dir: Path) -> Iterator[Take]:
    """Pictures of the camera above a table, with its settings. Raises BadConfig or HardwareError."""
    eye = read_settings(table_dir).camera
    camera = PiCamera(
        eye.size, focus_mm=eye.focus_mm, hold_light=eye.hold_light, timeout=eye.timeout_s, number=eye.number
    )
    with contextlib.closing(camera):
        # As in a game: exposure and white balance have come to rest, or are held from here on.
        for _ in range(LIGHT_PICTURES):
            camera.capture()
        yield lambda step: camera.capture()


def from_folder(path: Path) -> Take:
    """The pictures of a folder in the order of their names, one a step. Raises BadPicture; so does what it returns."""
    files = folder(path)
    if len(files) > STEPS:
        raise BadPicture(f"{path}: has {len(files)} pictures, but the self-test has {STEPS} steps; one picture a step")

    def take(step: Step) -> Picture | None:
        frame = files.read()
        return None if frame is None else frame.picture

    return take


def simulated(say: Callable[[str], None], view: View = VIEW) -> tuple[Table, Take]:
    """A simulated table, and its camera; what a step asks for is put on the table before its picture is taken.

    say: told what takes a while. view: of the camera.
    """
    renderer = Renderer(printed_board(GAME, BOARD))
    table = teach_simulated(renderer, view, say)
    taken = 0
    camera = SimulatedCamera(renderer, lambda: float(taken), view)

    def take(step: Step) -> Picture:
        nonlocal taken
        taken += 1
        for name in camera.scene().squares:
            if name not in step.standing:
                camera.remove(name)
        for name, piece in step.standing.items():
            camera.place(name, standing(piece))
        return camera.capture()

    return table, take
