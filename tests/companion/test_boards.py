"""The printed board as geometry."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.boards import Board, check_geometry, name_of, read_layout, to_keep
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


def test_the_margins_of_a_board_and_the_sides_of_its_squares_may_differ() -> None:
    board = Board("pacal", "odd", (400.0, 300.0), (20.0, 10.0, 380.0, 250.0), 6, 8, frozenset({"A1", "F8"}))
    assert board.square_mm == (60, 30)
    assert board.centre_mm("A1") == (50, 25)
    assert board.centre_mm("F8") == (350, 235)


@pytest.mark.parametrize(
    "change",
    [
        {"board_mm": [0, 300]},
        {"board_mm": [300]},
        {"board_mm": "300"},
        {"board_mm": [300, True]},
        {"board_mm": [300, "300"]},
        {"grid_mm": [0, 0, 301, 300]},
        {"grid_mm": [10, 0, 10, 300]},
        {"grid_mm": [-1, 0, 300, 300]},
        {"grid_mm": [0, 0, 300, 301]},
        {"grid_mm": [0, 10, 300, 10]},
        {"grid_mm": [0, -1, 300, 300]},
        {"grid_mm": None},
    ],
)
def test_a_grid_that_does_not_lie_on_the_board_is_refused(change: dict[str, Any]) -> None:
    good = {"board_mm": [300, 300], "grid_mm": [0, 0, 300, 300]}
    assert check_geometry("layout", good) == ((300, 300), (0, 0, 300, 300))
    with pytest.raises(BadLayout, match=next(iter(change))):
        check_geometry("layout", good | change)


def test_a_grid_may_fill_a_board_that_is_no_square() -> None:
    for size in ([400, 300], [300, 400]):
        grid = [0, 0, *size]
        assert check_geometry("layout", {"board_mm": size, "grid_mm": grid}) == (tuple(size), tuple(grid))


def test_a_board_is_kept_so_that_its_file_is_needed_no_more(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('format = 1\ngame = "pacal"\nname = "attic"', encoding="utf-8")
    kept = to_keep(str(path))
    path.unlink()
    assert read_layout("pacal", kept)[1]["name"] == "attic"
    assert to_keep(kept) == kept
    assert name_of(kept) == "attic"
    assert to_keep("reference") == name_of("reference") == "reference"
    with pytest.raises(BadLayout, match=r"mine\.toml: cannot be read \(No such file"):
        to_keep(str(path))


def test_a_built_in_layout_is_found_by_its_name() -> None:
    where, data = read_layout("pacal", "reference")
    assert where == "layout 'reference'" and data["name"] == "reference"
