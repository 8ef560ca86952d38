from __future__ import annotations

import pytest

from vision.appearance import Looks
from vision.frames import Picture
from vision.grid import SHRINK, Canvas
from vision.reading.evidence import EmptyBoard, Scene, shrink
from vision.reading.learning import MATERIALS
from vision.table import Table


@pytest.fixture(scope="session")
def scene(table: Table, still: Picture) -> Scene:
    canvas = Canvas.to_read(table.board)
    taught = canvas.straighten(table.empty, table.lens, table.pose)
    reached = canvas.reached(table.lens, table.pose)[::SHRINK, ::SHRINK]
    straight = canvas.straighten(still, table.lens, table.pose)
    looks = Looks.from_arrays(MATERIALS, table.learned)
    return EmptyBoard(table.board, canvas, taught).look(straight, shrink(straight), looks, table.pose.eye, reached)
