"""Where the board is in the picture of it is found without being told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.boards import Board
from companion.cli.teach import board_of
from companion.errors import BadSetup
from vision.frames import Picture
from vision.geometry import Floats
from vision.simulated.light import Light
from vision.simulated.printed import printed_board
from vision.simulated.scene import Renderer, SceneState
from vision.simulated.setup import corners_px
from vision.simulated.view import View
from vision.teaching.corners.finding import find_corners, find_ways
from vision.teaching.setup_folder import Setup

SIZE = (1152, 648)

CORNERS = np.array([[301, 40], [830, 95], [905, 600], [215, 548]])
DISTRICTS = {
    (0, 0, 5, 4): (190, 120, 160),
    (5, 0, 13, 6): (120, 180, 150),
    (0, 4, 3, 9): (90, 150, 220),
    (3, 7, 9, 13): (90, 110, 170),
    (10, 6, 13, 11): (200, 160, 110),
}
"""The first and the last columns and rows of some, and their colours."""


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(printed_board("pacal", "reference"))


def furthest_px(corners: Floats, truth: Floats) -> float:
    """How far off the corner is that is furthest off."""
    return float(np.linalg.norm(corners - truth, axis=1).max())


def nearest(ways: list[Floats], truth: Floats) -> float:
    return min(furthest_px(corners, truth) for corners in ways)


def test_the_corners_of_a_real_setup_are_found(setup: Setup) -> None:
    palettes = [(palette.picture, palette.squares) for palette in setup.palettes]
    assert furthest_px(find_corners(setup.board, setup.empty, palettes), setup.corners_px) < 1.0


@pytest.mark.parametrize(
    "view",
    [
        View(size=SIZE, tilt_deg=0, azimuth_deg=0),
        View(size=SIZE, tilt_deg=20, azimuth_deg=100, turn_deg=45, height_mm=1000),
        View(size=SIZE, tilt_deg=35, azimuth_deg=45, height_mm=950, k1=-0.05),
        View(size=SIZE, tilt_deg=33, azimuth_deg=200, height_mm=700, field_deg=80),
        View(size=SIZE, tilt_deg=30, azimuth_deg=275, height_mm=470, field_deg=99, k1=0.04),
        View(size=SIZE, tilt_deg=35, azimuth_deg=275, height_mm=430, field_deg=102, k1=-0.1),
        View(size=SIZE[::-1], tilt_deg=25, azimuth_deg=100, height_mm=950, field_deg=40.1),
    ],
    ids=[
        "from above",
        "askew",
        "at a slant",
        "by a wide lens",
        "by the widest",
        "by one that bends outwards",
        "by a camera that stands upright",
    ],
)
def test_it_is_found_from_any_side(renderer: Renderer, view: View) -> None:
    """It has as many columns as rows: where A1 is a picture without pieces cannot tell."""
    ways = find_ways(renderer.printed.board, renderer.render(SceneState(), view))[:4]
    assert len({tuple(np.round(corners.mean(axis=0))) for corners in ways}) == 1, "four ways to lie in one place"
    assert nearest(ways, np.array(corners_px(renderer, view))) < 1.0


def test_it_is_found_in_hardly_any_light(renderer: Renderer) -> None:
    view = View(size=SIZE, tilt_deg=25, azimuth_deg=60, height_mm=900)
    picture = renderer.render(SceneState(light=Light(level=0.2)), view)
    assert nearest(find_ways(renderer.printed.board, picture), np.array(corners_px(renderer, view))) < 1.5


@pytest.mark.parametrize("shade", [0, 128, 255])
def test_where_there_is_nothing_there_is_no_board(board: Board, shade: int) -> None:
    with pytest.raises(BadSetup, match="no board"):
        find_ways(board, np.full((648, 1152, 3), shade, np.uint8))


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (1, 4), (2, 2)])
def test_a_board_with_hardly_any_lines_is_not_looked_for_in_vain(setup: Setup, columns: int, rows: int) -> None:
    board = replace(setup.board, columns=columns, rows=rows, squares=frozenset({"A1"}))
    with pytest.raises(BadSetup):
        find_corners(board, np.full_like(setup.empty, 100), [(setup.empty, {"A1"})])


def test_a_board_without_lines_is_found_by_its_own_edges(board: Board) -> None:
    assert nearest(find_ways(board, on_a_table(board, DISTRICTS)), CORNERS) < 2.0


def test_a_sheet_of_paper_is_no_board(board: Board) -> None:
    """Its own edges are as plain."""
    with pytest.raises(BadSetup, match="no board"):
        find_ways(board, on_a_table(board, {}))


def test_a_checked_cloth_is_no_board(setup: Setup) -> None:
    """Its lines may be taken for those of one, but there are no pieces where the palettes have some."""
    tiles = np.kron(np.indices((11, 19)).sum(axis=0) % 2 * 200 + 20, np.ones((60, 61)))
    cloth = np.repeat(tiles[:648, :1152, None], 3, axis=2).astype(np.uint8)
    with pytest.raises(BadSetup):
        find_corners(setup.board, cloth, [(cloth, palette.squares) for palette in setup.palettes])


def test_another_game_s_board_is_not_found_in_this_one(setup: Setup) -> None:
    """Nine of its thirteen columns and rows are as far from each other."""
    palettes = [(palette.picture, {"A1", "C5", "E2", "H8", "I3"}) for palette in setup.palettes]
    with pytest.raises(BadSetup):
        find_corners(board_of("pacru", "reference"), setup.empty, palettes)


def test_who_measures_a_layout_to_a_millimetre_is_not_refused(setup: Setup) -> None:
    """The lines count, not the edges: a square further on these may fit better, but not the palettes."""
    left, top, right, bottom = setup.board.grid_mm
    board = replace(setup.board, grid_mm=(left + 1, top - 0.5, right + 1, bottom - 0.5))
    palettes = [(palette.picture, palette.squares) for palette in setup.palettes]
    assert furthest_px(find_corners(board, setup.empty, palettes), setup.corners_px) < 3.0


def on_a_table(board: Board, districts: Mapping[tuple[int, int, int, int], tuple[int, int, int]]) -> Picture:
    """A picture of a pale board on a dark table, its corners at ``CORNERS``: nothing is printed on it but these."""
    px_per_mm = 2.0
    width, height = (round(side * px_per_mm) for side in board.size_mm)
    printed = np.full((height, width, 3), (150, 190, 200), np.uint8)
    grid, square = np.array(board.grid_mm[:2]), np.array(board.square_mm)
    for (*first, right, bottom), colour in districts.items():
        start, end = ((grid + at * square) * px_per_mm for at in (np.array(first), np.array([right, bottom])))
        cv2.rectangle(printed, np.rint(start).astype(int), np.rint(end).astype(int) - 1, colour, -1)
    edges = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    table = np.full((SIZE[1], SIZE[0], 3), (60, 62, 66), np.uint8)
    there = cv2.getPerspectiveTransform(edges, CORNERS.astype(np.float32))
    cv2.warpPerspective(printed, there, SIZE, dst=table, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT)
    return np.asarray(cv2.GaussianBlur(table, (0, 0), 0.7), np.uint8)


@pytest.fixture
def board(setup: Setup) -> Board:
    return setup.board
