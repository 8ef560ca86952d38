"""Where a self-test gets its pictures: the table's camera, a folder, or the simulated table."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

from companion.errors import BadPicture
from companion.selftest.plan import STEPS, Step
from companion.wiring import photographs
from companion.wiring.demo import BOARD, GAME, VIEW, teach_simulated
from vision.frames import Picture
from vision.simulated.printed import printed_board
from vision.simulated.scene import Renderer
from vision.simulated.view import View
from vision.sources import folder
from vision.table import Table

Take: TypeAlias = Callable[[Step], Picture | None]
"""Takes the picture of a placement; None when there are no more pictures."""


@contextlib.contextmanager
def from_camera(table_dir: Path) -> Iterator[Take]:
    """Pictures of the camera above a table; see ``photographs.from_camera``."""
    with photographs.from_camera(table_dir) as photograph:
        yield lambda step: photograph(step.standing)


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
    photograph = photographs.simulated(renderer, view)
    return table, lambda step: photograph(step.standing)
