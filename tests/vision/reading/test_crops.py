from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from companion.games.pacal.pieces import COLOURS
from companion.observation import Seen
from vision.appearance import INSIDE
from vision.changes import brightness, noise
from vision.frames import Picture
from vision.reading.crops import BEFORE, SIDE, Way, candidates, square_plane, way_of
from vision.reading.evidence import Scene
from vision.reading.learning import MATERIALS
from vision.reading.shapes import SHIP_MM

OFFSETS = [(30.0, 10.0), (10.0, 30.0), (-30.0, 10.0), (-10.0, 30.0), (30.0, -10.0), (10.0, -30.0), (-30.0, -10.0)]


@pytest.mark.parametrize("offset", OFFSETS)
def test_what_leans_away_from_the_camera_leans_to_the_right_of_a_crop(offset: tuple[float, float]) -> None:
    way = Way.of(np.array(offset))
    rows, columns = way.window(100, 100)
    plane = np.zeros((200, 200), np.float32)
    plane[round(100 + offset[1] / 2), round(100 + offset[0] / 2)] = 1
    ((y, x),) = np.argwhere(way.turn(plane[rows, columns]))
    assert (x - BEFORE, y - BEFORE) == (15, 5)


@pytest.mark.parametrize("offset", OFFSETS)
def test_the_middle_of_the_square_is_always_at_the_same_place(offset: tuple[float, float]) -> None:
    way = Way.of(np.array(offset))
    rows, columns = way.window(60, 70)
    plane = np.zeros((150, 150), np.float32)
    plane[70, 60] = 1
    turned = way.turn(plane[rows, columns])
    assert turned.shape == (SIDE, SIDE)
    assert turned[BEFORE, BEFORE] == 1


@pytest.mark.parametrize("offset", OFFSETS)
def test_the_four_parts_of_each_pixel_are_turned_with_it(offset: tuple[float, float]) -> None:
    way = Way.of(np.array(offset))
    fine = np.arange(4 * SIDE**2, dtype=np.float32).reshape(2 * SIDE, 2 * SIDE)
    parts = np.stack([fine[row::2, column::2] for row in (0, 1) for column in (0, 1)])
    turned = way.turn(parts)[way.parts()]
    whole = way.turn(fine)
    assert all(
        np.array_equal(turned[2 * row + column], whole[row::2, column::2]) for row in (0, 1) for column in (0, 1)
    )


def test_a_square_that_is_wider_than_high_is_so_in_its_crop_unless_that_is_turned() -> None:
    lying = square_plane((36.0, 30.0), Way(False, False, False))
    assert lying.any(axis=0).sum() > lying.any(axis=1).sum()
    assert np.array_equal(square_plane((36.0, 30.0), Way(True, False, True)), lying.T)


def assert_asked_after(scene: Scene, truth: Seen) -> None:
    asked = candidates(scene)
    for name, content in truth.items():
        shown = getattr(content, "colours", None) or (getattr(content, "colour", ""),)
        assert {COLOURS.index(colour) for colour in shown} <= set(asked.get(name, []))


def test_every_colour_that_is_there_is_asked_after(scene: Scene, truth: Seen) -> None:
    assert_asked_after(scene, truth)


@pytest.mark.parametrize("seed", [1, 2])
def test_every_colour_is_asked_after_in_a_dim_and_noisy_picture_too(
    look: Callable[[Picture], Scene], still: Picture, truth: Seen, seed: int
) -> None:
    assert_asked_after(look(noise(brightness(still, 0.4), seed, 18.0)), truth)


def test_most_bare_squares_are_not_asked_after(scene: Scene, truth: Seen) -> None:
    asked = candidates(scene)
    assert len(set(asked) - set(truth)) < 0.2 * len(scene.board.squares)


@pytest.mark.parametrize(("print_left", "colours"), [(0.1, len(COLOURS)), (0.9, 0)])
def test_what_is_dark_as_a_hollow_ship_is_asked_after_unless_the_print_is_seen(
    scene: Scene, truth: Seen, print_left: float, colours: int
) -> None:
    bare = next(name for name in scene.places.names if name not in {*truth, *candidates(scene)})
    index = scene.places.names.index(bare)
    fits, left = scene.fits.copy(), scene.print_left.copy()
    lean = scene.places.leans(scene.eye, SHIP_MM)[index]
    x, y = (scene.places.middles[index] + lean).round().astype(int)
    fits[MATERIALS.index(INSIDE), y - 6 : y + 7, x - 6 : x + 7] = scene.bare.max() + 1
    left[index] = print_left
    assert len(candidates(replace(scene, fits=fits, print_left=left)).get(bare, [])) == colours


@pytest.mark.parametrize(("side", "asked"), [(1, []), (5, ["red"])])
def test_a_dull_colour_is_asked_after_though_it_fits_a_ships_inside_better(
    scene: Scene, truth: Seen, side: int, asked: list[str]
) -> None:
    bare = next(name for name in scene.places.names if name not in {*truth, *candidates(scene)})
    x, y = scene.places.middles[scene.places.names.index(bare)].round().astype(int)
    there, fits = (slice(y, y + side), slice(x, x + side)), scene.fits.copy()
    fits[COLOURS.index("red")][there] = scene.bare[there] + 1
    fits[MATERIALS.index(INSIDE)][there] = scene.bare[there] + 3
    found = candidates(replace(scene, fits=fits)).get(bare, [])
    assert [COLOURS[colour] for colour in found] == asked


@pytest.mark.parametrize(("print_left", "asked"), [(0.0, ["red", "yellow"]), (0.5, ["red"])])
def test_where_something_shows_and_the_print_is_gone_what_looks_like_the_board_is_asked_after(
    scene: Scene, truth: Seen, print_left: float, asked: list[str]
) -> None:
    bare = next(name for name in scene.places.names if name not in {*truth, *candidates(scene)})
    index = scene.places.names.index(bare)
    fits, left = scene.fits.copy(), scene.print_left.copy()
    x, y = scene.places.middles[index].round().astype(int)
    edge, middle = (slice(y + 5, y + 9), slice(x - 4, x + 5)), (slice(y - 4, y + 5), slice(x - 4, x + 5))
    fits[COLOURS.index("red")][edge] = scene.bare[edge] + 1
    fits[COLOURS.index("yellow")][middle] = scene.bare[middle] - 1
    left[index] = print_left
    found = candidates(replace(scene, fits=fits, print_left=left)).get(bare, [])
    assert [COLOURS[colour] for colour in found] == asked


def test_ships_lean_more_the_further_from_the_camera_they_stand(scene: Scene) -> None:
    names = sorted(scene.board.squares)
    away = [float(np.hypot(*(np.array(scene.board.centre_mm(name)) - scene.eye[:2]))) for name in names]
    leans = [float(np.hypot(*way_of(scene, name)[1])) for name in names]
    assert np.allclose(np.array(leans) / away, leans[0] / away[0])
    for name in names:
        across, down = way_of(scene, name)[1]
        assert across >= down >= 0
