"""The printed board as geometry."""

from __future__ import annotations

from typing import Any

import pytest

from companion.boards import check_geometry, read_layout
from companion.errors import BadLayout
from companion.games.pacal import GAME


def test_squares_lie_on_the_board_in_millimetres() -> None:
    board = GAME.board("reference")
    assert board is not None
    assert (board.columns, board.rows, len(board.squares)) == (13, 13, 162)
    width, height = board.square_mm
    assert (width, height) == pytest.approx((420 / 13, 420 / 13))
    assert board.centre_mm("A1") == pytest.approx((30 + width / 2, 30 + height / 2))
    assert board.centre_mm("M13") == pytest.approx((450 - width / 2, 450 - height / 2))


@pytest.mark.parametrize(
    "change",
    [
        {"board_mm": [0, 300]},
        {"board_mm": [300]},
        {"board_mm": "300"},
        {"board_mm": [300, True]},
        {"grid_mm": [0, 0, 301, 300]},
        {"grid_mm": [10, 0, 10, 300]},
        {"grid_mm": [-1, 0, 300, 300]},
        {"grid_mm": None},
    ],
)
def test_a_grid_that_does_not_lie_on_the_board_is_refused(change: dict[str, Any]) -> None:
    good = {"board_mm": [300, 300], "grid_mm": [0, 0, 300, 300]}
    assert check_geometry("layout", good) == ((300, 300), (0, 0, 300, 300))
    with pytest.raises(BadLayout, match=next(iter(change))):
        check_geometry("layout", good | change)


def test_a_built_in_layout_is_found_by_its_name() -> None:
    where, data = read_layout("pacal", "reference")
    assert where == "layout 'reference'" and data["name"] == "reference"
