"""How well a picture shows a board's print, and that a view is moved to where it does."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.boards import Board
from vision.geometry import Floats, Lens
from vision.simulated.printed import printed_board
from vision.simulated.scene import Renderer, SceneState
from vision.simulated.setup import corners_px
from vision.simulated.view import View as Camera
from vision.teaching.corners.printed import Logs, Probes, logs_of, ridges
from vision.teaching.corners.view import View

CAMERA = Camera(size=(1152, 648), tilt_deg=22, k1=0.03)


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(printed_board("pacal", "reference"))


@pytest.fixture(scope="module")
def board(renderer: Renderer) -> Board:
    return renderer.printed.board


@pytest.fixture(scope="module")
def logs(renderer: Renderer) -> Logs:
    return logs_of(renderer.render(SceneState(), CAMERA))


@pytest.fixture(scope="module")
def corners(renderer: Renderer) -> Floats:
    return np.array(corners_px(renderer, CAMERA))


@pytest.fixture(scope="module")
def view(board: Board, corners: Floats) -> View:
    """The true one."""
    lens = Lens(CAMERA.size, CAMERA.focal_px, CAMERA.k1)
    return View.of(board, lens, lens.ideal(corners))


def moved(view: View, right_mm: float, down_mm: float) -> View:
    """The view of a board that lies further to its right and below."""
    return replace(view, homography=view.homography @ np.array([[1, 0, right_mm], [0, 1, down_mm], [0, 0, 1]]))


def test_print_is_shown_where_the_board_lies_and_nowhere_else(board: Board, logs: Logs, view: View) -> None:
    probes = Probes.of(board)
    there = probes.look(logs, view.project)
    assert there.lines > 0.6
    assert min(there.edges) == 1.0
    width, height = board.square_mm
    for away in (moved(view, width, 0), moved(view, 0, -height), moved(view, width / 2, height / 2)):
        shown = probes.look(logs, away.project)
        assert min(shown.edges) <= 0.5
        assert shown.score < there.score - 0.12


def test_a_board_off_by_a_square_has_its_lines_but_not_its_edges(board: Board, logs: Logs, view: View) -> None:
    probes = Probes.of(board)
    there, away = probes.look(logs, view.project), probes.look(logs, moved(view, board.square_mm[0], 0).project)
    assert away.lines > 0.8 * there.lines
    assert away.edges[1] < 0.3, "its right edge would lie on the table"
    assert min(away.edges[2:4]) > 0.8, "its upper and lower edges are only longer"


@pytest.mark.parametrize("off", [(3.0, -2.0), (-4.0, 4.0)])
def test_a_view_is_moved_to_where_the_lines_are(
    board: Board, logs: Logs, view: View, corners: Floats, off: tuple[float, float]
) -> None:
    away = moved(view, *off)
    assert np.linalg.norm(away.corners_px(board) - corners, axis=1).min() > 3
    fitted = away.fitted(board, logs, (5.0, 3.0, 2.0, 1.5), bends=False)
    assert np.linalg.norm(fitted.corners_px(board) - corners, axis=1).max() < 0.7
    assert fitted.lens == view.lens


def test_the_bend_of_the_lens_is_found_too(board: Board, logs: Logs, corners: Floats) -> None:
    straight = Lens(CAMERA.size, CAMERA.focal_px, 0.0)
    view = View.of(board, straight, straight.ideal(corners))
    fitted = view.fitted(board, logs, (3.0, 2.0, 1.5), bends=True)
    assert fitted.lens.k1 == pytest.approx(CAMERA.k1, abs=0.02)
    assert np.linalg.norm(fitted.corners_px(board) - corners, axis=1).max() < 1.5


def test_where_nothing_is_seen_a_view_stays_as_it_is(board: Board, view: View) -> None:
    nothing = np.full((648, 1152), 4.0, np.float32)
    fitted = view.fitted(board, nothing, (3.0,), bends=True)
    assert np.allclose(fitted.corners_px(board), view.corners_px(board), atol=1e-6)
    assert Probes.of(board).look(nothing, view.project).score == 0


def test_a_thin_line_is_a_ridge_and_an_edge_is_none() -> None:
    profile = np.full((3, 21), 4.0)
    profile[0, 10] -= 0.5
    profile[1, 10] += 0.5
    profile[2, 10:] += 0.5
    dark, bright, edge = ridges(profile, 1.0)
    assert (dark.argmax(), dark.max()) == (10, 0.5)
    assert (bright.argmax(), bright.max()) == (10, 0.5)
    assert edge.max() == 0
    assert np.all(ridges(np.full((1, 21), np.nan), 1.0) == 0)


def test_a_board_without_lines_is_fitted_by_its_edges_and_those_of_its_districts(
    board: Board, view: View, corners: Floats
) -> None:
    """Two districts, one of them an L, on paper, on a dark table; nothing else is printed."""
    across = [round(2 * x) for x in np.linspace(board.grid_mm[0], board.grid_mm[2], board.columns + 1)]
    down = [round(2 * y) for y in np.linspace(board.grid_mm[1], board.grid_mm[3], board.rows + 1)]
    straight = np.full((960, 960), 200, np.uint8)
    straight[down[0] : down[-1], across[0] : across[-1]] = 120
    straight[down[0] : down[5], across[0] : across[4]] = 80
    straight[down[0] : down[2], across[0] : across[8]] = 80
    # Through the lens that bends: from each of the picture's pixels to the board.
    rays = np.column_stack([view.lens.ideal(np.indices(CAMERA.size).reshape(2, -1).T), np.ones(np.prod(CAMERA.size))])
    places = rays @ np.linalg.inv(view.homography).T
    mm = (places[:, :2] / places[:, 2:]).astype(np.float32).reshape(*CAMERA.size, 2).transpose(1, 0, 2)
    x, y = 2 * mm[..., 0] - 0.5, 2 * mm[..., 1] - 0.5
    shades = cv2.remap(straight, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(40,))
    logs = logs_of(np.repeat(np.asarray(shades, np.uint8)[..., None], 3, axis=2))
    fitted = moved(view, 2.0, -3.0).fitted(board, logs, (5.0, 4.0, 3.0, 2.0, 1.5), bends=False)
    assert np.linalg.norm(fitted.corners_px(board) - corners, axis=1).max() < 0.7
