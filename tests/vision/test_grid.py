from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from companion.boards import Board
from vision.grid import MARGIN_MM, PX_PER_MM, Canvas
from vision.table import Table
from vision.teaching.setup_folder import Setup


def test_canvas_pixels_and_millimetres_go_both_ways(setup: Setup) -> None:
    canvas = Canvas.of(setup.board)
    points = np.array([[30.0, 30.0], [123.4, 432.1]])
    assert canvas.to_mm(canvas.to_px(points)) == pytest.approx(points)


def test_the_canvas_takes_in_the_grid_and_a_margin(setup: Setup) -> None:
    canvas = Canvas.of(setup.board)
    left, top, right, bottom = setup.board.grid_mm
    assert canvas.size[0] >= (right - left + 2 * MARGIN_MM) * PX_PER_MM
    assert canvas.size[1] >= (bottom - top + 2 * MARGIN_MM) * PX_PER_MM


@pytest.mark.parametrize("make", [Canvas.of, Canvas.to_read])
def test_the_coarse_map_agrees_with_the_exact_one(table: Table, make: Callable[[Board], Canvas]) -> None:
    canvas = make(table.board)
    map_x, map_y = canvas.picture_map(table.lens, table.pose)
    places = np.array([[3, 5], [211, 407], [540, 77], [canvas.size[0] - 2, canvas.size[1] - 2]])
    exact = table.pose.project(table.lens, canvas.to_mm(places))
    rough = np.array([[map_x[y, x], map_y[y, x]] for x, y in places])
    assert rough == pytest.approx(exact, abs=0.02)
