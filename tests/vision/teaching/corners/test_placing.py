"""Which way a board lies, and where, is found from its lines alone, wherever the camera is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.boards import Board
from vision.geometry import Floats, Lens
from vision.simulated.view import View as Camera
from vision.teaching.corners.directions import Bits, find_directions, find_lines, without_grain
from vision.teaching.corners.placing import find_places

SQUARE = Board("pacal", "square", (480.0, 480.0), (30.0, 30.0, 450.0, 450.0), 13, 13, frozenset({"A1"}))
OBLONG = Board("pacal", "oblong", (500.0, 400.0), (20.0, 30.0, 490.0, 380.0), 14, 10, frozenset({"A1"}))

cameras = st.builds(
    Camera,
    tilt_deg=st.floats(0, 40),
    azimuth_deg=st.floats(0, 360),
    height_mm=st.floats(700, 1100),
    k1=st.just(0.0),
)


def lens_of(camera: Camera) -> Lens:
    return Lens(camera.size, camera.focal_px, 0.0)


def seen(camera: Camera, points_mm: Floats) -> Floats:
    """Ideal offsets of points on the board, N x 2."""
    return lens_of(camera).ideal(camera.project(np.column_stack([points_mm, np.zeros(len(points_mm))])))


def is_way(turn: Floats, camera: Camera) -> bool:
    """Whether these are the directions of the board's columns and rows, in any order, and down."""
    across, _, down = camera.axes.T
    return bool(np.abs(turn[:, 2] - down).max() < 0.01 and np.abs(turn.T @ across).max() > 0.9999)


def bits_of(camera: Camera, board: Board) -> Bits:
    """A board's lines and edges, each whole."""
    left, top, right, bottom = board.grid_mm
    width, height = board.size_mm
    lines = [((x, top), (x, bottom)) for x in np.linspace(left, right, board.columns + 1)]
    lines += [((left, y), (right, y)) for y in np.linspace(top, bottom, board.rows + 1)]
    round_it = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
    lines += zip(round_it, [*round_it[1:], round_it[0]], strict=True)
    start, end = (
        np.column_stack([seen(camera, np.array(ends)), np.ones(len(ends))]) for ends in zip(*lines, strict=True)
    )
    return Bits(start, end)


@settings(max_examples=25, deadline=None)
@given(camera=cameras, board=st.sampled_from([SQUARE, OBLONG]), seed=st.integers(0, 99))
def test_a_board_is_found_from_its_lines(camera: Camera, board: Board, seed: int) -> None:
    bits = bits_of(camera, board)
    turn = find_directions(bits, np.random.default_rng(seed))[0]
    assert is_way(turn, camera)
    width, height = board.size_mm
    corners = seen(camera, np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64))
    # Off by a square most of its lines fit too; what the picture shows of them decides between the first few.
    quarters = range(0, 4, 1 if board is SQUARE else 2)
    places = find_places(bits, turn, board)[:5]
    assert min(np.abs(np.roll(corners, k, axis=0) - place).max() for k in quarters for place in places) < 0.008


def test_lines_of_a_cloth_are_another_way_to_lie() -> None:
    camera = Camera(k1=0.0, tilt_deg=20)
    beside = replace(camera, azimuth_deg=camera.azimuth_deg + 25)
    board, cloth = bits_of(camera, SQUARE), bits_of(beside, OBLONG)
    both = Bits(np.concatenate([board.start, cloth.start]), np.concatenate([board.end, cloth.end]))
    ways = find_directions(both, np.random.default_rng(0))
    assert any(is_way(way, camera) for way in ways[:3])
    assert any(is_way(way, beside) for way in ways[:3])


def test_planks_do_not_hide_which_way_a_board_lies() -> None:
    """They have many more lines than a board that has few, but all of them in one direction."""
    camera = Camera(k1=0.0, tilt_deg=28)
    board = bits_of(camera, replace(SQUARE, columns=2, rows=2))
    grain = np.array([np.cos(0.5), np.sin(0.5)])
    middles = np.random.default_rng(1).uniform(-100, 580, (1500, 1, 2))
    ends = seen(camera, (middles + np.array([[-80.0], [80.0]]) * grain).reshape(-1, 2)).reshape(-1, 2, 2)
    planks = np.dstack([ends, np.ones(ends.shape[:2])])
    both = Bits(np.concatenate([board.start, planks[:, 0]]), np.concatenate([board.end, planks[:, 1]]))
    assert not any(is_way(way, camera) for way in find_directions(both, np.random.default_rng(0)))
    others = without_grain(both, np.random.default_rng(0))
    assert len(others.start) == len(board.start)
    assert is_way(find_directions(others, np.random.default_rng(0))[0], camera)


def test_bits_of_one_line_point_nowhere() -> None:
    middles = np.linspace(-0.5, 0.5, 4)[:, None]
    start, end = middles * [1.0, 0.2] - [0.1, 0.02], middles * [1.0, 0.2] + [0.1, 0.02]
    bits = Bits(*(np.column_stack([part, np.ones(len(part))]) for part in (start, end)))
    assert find_directions(bits, np.random.default_rng(0)) == []
    assert len(without_grain(bits, np.random.default_rng(0)).start) == len(bits.start)


def test_places_are_looked_for_though_all_lines_go_down_the_board() -> None:
    camera = Camera(k1=0.0, tilt_deg=20)
    bits = bits_of(camera, SQUARE)
    turn = find_directions(bits, np.random.default_rng(0))[0]
    along = np.abs((bits.end - bits.start) @ turn)
    upright = along[:, 1] > along[:, 0]
    assert find_places(Bits(bits.start[upright], bits.end[upright]), turn, SQUARE)


def test_without_lines_a_board_lies_no_way() -> None:
    lens = Lens((640, 360), 500.0, 0.0)
    bits = Bits.of(find_lines(np.full((360, 640), 90, np.uint8)), lens)
    assert len(bits.start) == 0
    assert find_directions(bits, np.random.default_rng(0)) == []
    assert len(without_grain(bits, np.random.default_rng(0)).start) == 0


def test_bits_of_lines_are_rays_of_what_the_picture_shows() -> None:
    shades = np.full((360, 640), 40, np.uint8)
    shades[100:, :] = 200
    lens = Lens((640, 360), 500.0, 0.0)
    bits = Bits.of(find_lines(shades), lens)
    [(start, end)] = zip(*(part[:, :2] for part in (bits.start, bits.end)), strict=True)
    assert start[1] * 500 + 179.5 == pytest.approx(99.5, abs=0.6)
    assert end[1] == pytest.approx(start[1], abs=1e-3)
    assert abs(end[0] - start[0]) * 500 == pytest.approx(640, abs=20)
