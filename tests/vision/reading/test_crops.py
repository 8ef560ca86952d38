from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.boards import Board
from vision.grid import SHRINK, Canvas
from vision.light.appearance import Looks
from vision.reading.candidates import candidates
from vision.reading.crops import (
    AT_ONCE,
    COARSE,
    NEAR,
    WHOLE,
    Asked,
    Cutter,
    Layer,
    Planes,
    Way,
    Window,
    square_plane,
    way_of,
    within,
)
from vision.reading.evidence import Scene, usual_shades
from vision.reading.places import Places

OFFSETS = [(30.0, 10.0), (10.0, 30.0), (-30.0, 10.0), (-10.0, 30.0), (30.0, -10.0), (10.0, -30.0), (-30.0, -10.0)]
WINDOWS = [WHOLE, NEAR]
SQUARES = frozenset(f"{column}{row}" for column in "ABCDEFGHI" for row in range(1, 10))


def cut(cutter: Cutter, wanted: list[Asked], window: Window, aside: tuple[int, int] = (0, 0)) -> Planes:
    return np.stack(list(cutter.cut(wanted, window, aside)))


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("offset", OFFSETS)
def test_what_leans_away_from_the_camera_leans_to_the_right_of_a_crop(
    offset: tuple[float, float], window: Window
) -> None:
    way = Way.of(*offset)
    rows, columns = way.window(100, 100, window)
    plane = np.zeros((200, 200), np.float32)
    plane[round(100 + offset[1] / 2), round(100 + offset[0] / 2)] = 1
    ((y, x),) = np.argwhere(way.turn(plane[rows, columns]))
    assert (x - window.before, y - window.before) == (15, 5)


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("offset", OFFSETS)
def test_the_middle_of_the_square_is_always_at_the_same_place(offset: tuple[float, float], window: Window) -> None:
    way = Way.of(*offset)
    rows, columns = way.window(60, 70, window)
    plane = np.zeros((150, 150), np.float32)
    plane[70, 60] = 1
    turned = way.turn(plane[rows, columns])
    assert turned.shape == window.shape
    assert turned[window.before, window.before] == 1


@pytest.mark.parametrize("offset", OFFSETS)
def test_the_four_parts_of_each_pixel_are_turned_with_it(offset: tuple[float, float]) -> None:
    way = Way.of(*offset)
    side = WHOLE.side
    fine = np.arange(4 * side**2, dtype=np.float32).reshape(2 * side, 2 * side)
    parts = np.stack([fine[row::2, column::2] for row in (0, 1) for column in (0, 1)])
    turned = way.turn(parts)[way.parts]
    whole = way.turn(fine)
    assert all(
        np.array_equal(turned[2 * row + column], whole[row::2, column::2]) for row in (0, 1) for column in (0, 1)
    )


@given(
    left=st.floats(0, 40),
    top=st.floats(0, 40),
    sides=st.tuples(st.floats(20, 100), st.floats(20, 100)),
    eye=st.tuples(st.floats(-1, 2), st.floats(-1, 2)),
)
def test_every_crop_of_every_square_lies_within_the_maps(
    left: float, top: float, sides: tuple[float, float], eye: tuple[float, float]
) -> None:
    width, height = 9 * sides[0], 9 * sides[1]
    board = Board("pacal", "any", (500.0, 500.0), (left, top, left + width, top + height), 9, 9, SQUARES)
    canvas = Canvas.to_read(board)
    across, down = (px // SHRINK for px in canvas.size)
    places = Places.of(board, canvas)
    # The squares' own pixels have neighbours, too.
    for part, side in zip(places.around, (down, across), strict=True):
        assert part.start >= 0 and part.stop <= side
    for (x_mm, y_mm), (x, y) in zip(places.centres_mm, places.middles.round().astype(int).tolist(), strict=True):
        way = Way.of(x_mm - left - eye[0] * width, y_mm - top - eye[1] * height)
        for window in (WHOLE, COARSE, NEAR):
            rows, columns = way.window(x, y, window)
            assert rows.start >= 0 and rows.stop <= down // window.step
            assert columns.start >= 0 and columns.stop <= across // window.step


@pytest.mark.parametrize("window", [WHOLE, COARSE, NEAR])
def test_a_square_that_is_wider_than_high_is_so_in_its_crop_unless_that_is_turned(window: Window) -> None:
    lying = square_plane((36.0, 30.0), False, window)
    assert lying.any(axis=0).sum() > lying.any(axis=1).sum()
    assert np.array_equal(square_plane((36.0, 30.0), True, window), lying.T)


def test_each_crop_asks_after_its_own_colour_whatever_is_cut_with_it(cutter: Cutter, scene: Scene) -> None:
    wanted = [(name, colour) for name, colours in candidates(scene).items() for colour in colours]
    assert len(wanted) > AT_ONCE
    together = cut(cutter, wanted, WHOLE)
    assert len(together) == len(wanted)
    for pair, crop in zip(wanted, together, strict=True):
        assert np.array_equal(cut(cutter, [pair], WHOLE)[0], crop)


def test_a_near_crop_is_the_part_of_a_whole_one_round_its_square(cutter: Cutter, scene: Scene) -> None:
    wanted = [(name, 2) for name in scene.places.names]
    begin = WHOLE.before - NEAR.before
    part = slice(begin, begin + NEAR.side)
    assert np.array_equal(cut(cutter, wanted, NEAR), cut(cutter, wanted, WHOLE)[:, :, part, part])


@pytest.mark.parametrize("aside", [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_a_crop_aside_shows_what_lies_there_of_the_same_square(
    cutter: Cutter, scene: Scene, aside: tuple[int, int]
) -> None:
    wanted = [(name, 2) for name in scene.places.names]
    told = 3
    plain, beside = cut(cutter, wanted, NEAR), cut(cutter, wanted, NEAR, aside)
    assert np.array_equal(beside[:, -told:], plain[:, -told:])
    inner = slice(1, -1)
    for (name, _), one, other in zip(wanted, plain, beside, strict=True):
        way, _ = way_of(scene, name)
        across, down = aside[0] * (-1) ** way.across, aside[1] * (-1) ** way.down
        moved = (across, down) if way.swapped else (down, across)
        expected = np.roll(one[:-told], [-step for step in moved], axis=(1, 2))
        assert np.array_equal(other[:-told, inner, inner], expected[:, inner, inner])


@given(start=st.integers(-5, 60), side=st.integers(1, 40), length=st.integers(40, 60))
def test_a_crop_that_would_reach_out_of_a_map_is_the_nearest_within(start: int, side: int, length: int) -> None:
    part = slice(start, start + side)
    for found in within(part, part, (length, length)):
        assert found.stop - found.start == side
        assert 0 <= found.start <= found.stop <= length
        assert found.start == start or (found.start == 0 > start) or (found.stop == length < part.stop)


def test_a_coarse_crop_shows_what_a_whole_one_shows_a_pixel_aside_at_most(cutter: Cutter, scene: Scene) -> None:
    wanted = [(name, 2) for name in scene.places.names]
    shade = 8
    for coarse, whole in zip(cut(cutter, wanted, COARSE), cut(cutter, wanted, WHOLE), strict=True):
        around = np.pad(whole[shade], 1, mode="edge")
        aside = [
            around[y : y + WHOLE.side, x : x + WHOLE.side].reshape(24, 2, 24, 2).mean(axis=(1, 3))[1:-1, 1:-1]
            for y in range(3)
            for x in range(3)
        ]
        assert min(float(np.abs(coarse[shade, 1:-1, 1:-1] - one).max()) for one in aside) < 1e-4


def test_coarse_crops_that_are_cut_at_once_are_those_cut_one_by_one(
    cutter: Cutter, scene: Scene, looks: Looks, wanted: list[Asked]
) -> None:
    layer = Layer.of_scene(scene, usual_shades(looks)).halved()
    middles = dict(zip(scene.places.names, scene.places.middles.round().astype(int).tolist(), strict=True))
    told = -3
    for (name, colour), crop in zip(wanted, cut(cutter, wanted, COARSE), strict=True):
        (x, y), (way, _) = middles[name], way_of(scene, name)
        alone = np.empty((1, *crop.shape), np.float32)
        layer.fill(alone, way, within(*way.window(x, y, COARSE), layer.shape), [colour])
        assert np.array_equal(crop[:told], alone[0, :told])


def test_ships_lean_more_the_further_from_the_camera_they_stand(scene: Scene) -> None:
    names = sorted(scene.board.squares)
    away = [float(np.hypot(*(np.array(scene.board.centre_mm(name)) - scene.eye[:2]))) for name in names]
    leans = [float(np.hypot(*way_of(scene, name)[1])) for name in names]
    assert np.allclose(np.array(leans) / away, leans[0] / away[0])
    for name in names:
        across, down = way_of(scene, name)[1]
        assert across >= down >= 0


@pytest.mark.parametrize(("mm", "shown"), [(30.0, 20), (63.0, 42), (69.0, 44)])
def test_a_square_that_reaches_out_of_the_window_is_shown_as_far_as_that_shows_it(mm: float, shown: int) -> None:
    plane = square_plane((mm, 30.0), False, WHOLE)
    assert plane.any(axis=0).sum() == shown
    assert plane.any(axis=1).sum() == 20
