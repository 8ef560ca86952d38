from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from companion.games.pacal.pieces import COLOURS
from companion.observation import Seen
from companion.squares import Square
from vision.frames import Picture
from vision.light.appearance import INSIDE, STRANGE
from vision.measuring.changes import brightness, noise
from vision.reading.candidates import candidates
from vision.reading.evidence import Scene
from vision.reading.learning import MATERIALS
from vision.reading.shapes import SHIP_MM


@pytest.fixture
def scene(scene: Scene) -> Scene:
    """All of it has another hue than the empty board, so that any square may hold something."""
    difference = scene.difference.copy()
    difference[..., 0] = 1.0
    return replace(scene, difference=difference)


@pytest.fixture
def bare(scene: Scene, truth: Seen) -> Square:
    """A square that is empty and not asked after."""
    return next(name for name in scene.places.names if name not in {*truth, *candidates(scene)})


def colours_asked(scene: Scene, name: Square) -> list[str]:
    return [COLOURS[colour] for colour in candidates(scene).get(name, [])]


def showing(scene: Scene, name: Square, print_left: float, *shown: tuple[str, slice, slice, float]) -> Scene:
    """The same with such a share of a square's print, and with colours that fit some rows and columns from its middle
    so much better than the board."""
    index = scene.places.names.index(name)
    fits, left = scene.fits.copy(), scene.print_left.copy()
    x, y = scene.places.middles[index].round().astype(int)
    for colour, rows, columns, better in shown:
        there = tuple(slice(at + part.start, at + part.stop, part.step) for at, part in ((y, rows), (x, columns)))
        fits[COLOURS.index(colour)][there] = scene.bare[there] + better
    left[index] = print_left
    return replace(scene, fits=fits, print_left=left)


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
    scene: Scene, bare: Square, print_left: float, colours: int
) -> None:
    index = scene.places.names.index(bare)
    fits, left = scene.fits.copy(), scene.print_left.copy()
    lean = scene.places.leans(scene.eye, SHIP_MM)[index]
    x, y = (scene.places.middles[index] + lean).round().astype(int)
    fits[MATERIALS.index(INSIDE), y - 6 : y + 7, x - 6 : x + 7] = scene.bare.max() + 1
    left[index] = print_left
    assert len(candidates(replace(scene, fits=fits, print_left=left)).get(bare, [])) == colours


@pytest.mark.parametrize(("side", "colours"), [(3, 1), (12, len(COLOURS))])
def test_a_hollow_ship_whose_wall_looks_like_nothing_known_is_asked_after_in_all_colours(
    scene: Scene, bare: Square, side: int, colours: int
) -> None:
    index = scene.places.names.index(bare)
    fits, board, left = scene.fits.copy(), scene.bare.copy(), scene.print_left.copy()
    lean = scene.places.leans(scene.eye, SHIP_MM)[index]
    x, y = (scene.places.middles[index] + lean).round().astype(int)
    fits[MATERIALS.index(INSIDE), y - 6 : y + 7, x - 6 : x + 7] = scene.bare.max() + 1
    x0, _, _, bottom = scene.places.edges[:, index]
    # The wall mirrors the board: of green it has a stripe, and some of it is like nothing.
    fits[COLOURS.index("green"), bottom - 3 : bottom, x0 : x0 + 16] = scene.bare.max() + 2
    fits[COLOURS.index("green"), y - 3 : y + 3, x - 6 : x + 7] = scene.bare.max() + 2
    wall = (slice(bottom - 3 - side, bottom - 3), slice(x0, x0 + side))
    fits[:, *wall] = board[wall] = STRANGE
    left[index] = 0.3
    found = candidates(replace(scene, fits=fits, bare=board, print_left=left)).get(bare, [])
    assert len(found) == colours and COLOURS.index("green") in found


@pytest.mark.parametrize(("side", "asked"), [(4, ["yellow"]), (8, ["red", "yellow"])])
def test_a_ship_whose_foot_another_hides_is_asked_after_in_the_colour_that_shows_half_way_up(
    scene: Scene, bare: Square, side: int, asked: list[str]
) -> None:
    index = scene.places.names.index(bare)
    middle = scene.places.centres_mm[index]
    # Seen from so low half a ship's height is more than a square.
    eye = np.array([*(middle + 3 * (middle - np.divide(scene.board.size_mm, 2))), 200.0])
    fits, left = scene.fits.copy(), scene.print_left.copy()
    for material, height, half in ((INSIDE, SHIP_MM, 6), ("red", SHIP_MM / 2, side // 2), ("yellow", 0.0, 4)):
        x, y = (scene.places.middles[index] + scene.places.leans(eye, height)[index]).round().astype(int)
        fits[MATERIALS.index(material), y - half : y + half, x - half : x + half] = scene.bare.max() + 1
    left[index] = 0.1
    assert colours_asked(replace(scene, fits=fits, print_left=left, eye=eye), bare) == asked


@pytest.mark.parametrize(("side", "asked"), [(1, []), (5, ["red"])])
def test_a_dull_colour_is_asked_after_though_it_fits_a_ships_inside_better(
    scene: Scene, bare: Square, side: int, asked: list[str]
) -> None:
    x, y = scene.places.middles[scene.places.names.index(bare)].round().astype(int)
    there, fits = (slice(y, y + side), slice(x, x + side)), scene.fits.copy()
    fits[COLOURS.index("red")][there] = scene.bare[there] + 1
    fits[MATERIALS.index(INSIDE)][there] = scene.bare[there] + 3
    assert colours_asked(replace(scene, fits=fits), bare) == asked


@pytest.mark.parametrize(("print_left", "asked"), [(0.0, ["red", "yellow"]), (0.5, ["red"])])
def test_where_something_shows_and_the_print_is_gone_what_looks_like_the_board_is_asked_after(
    scene: Scene, bare: Square, print_left: float, asked: list[str]
) -> None:
    edge, middle = ("red", slice(5, 9), slice(-4, 5), 1), ("yellow", slice(-4, 5), slice(-4, 5), -1)
    assert colours_asked(showing(scene, bare, print_left, edge, middle), bare) == asked


@pytest.mark.parametrize(("print_left", "asked"), [(0.3, ["red"]), (0.7, [])])
def test_pixels_that_are_not_side_by_side_are_enough_where_print_is_covered(
    scene: Scene, bare: Square, print_left: float, asked: list[str]
) -> None:
    every_third = slice(-6, 4, 3)
    scattered = showing(scene, bare, print_left, ("red", every_third, every_third, 1))
    assert colours_asked(scattered, bare) == asked


def test_beside_something_small_a_colour_that_shows_at_its_edges_only_is_asked_after(
    scene: Scene, bare: Square
) -> None:
    stone = ("yellow", slice(-2, 3), slice(-2, 3), 2.0)
    edges = [("red", slice(4, 6), slice(left, left + 2), 2.0) for left in (-4, 0)]
    noise = ("blue", slice(-6, -2, 2), slice(-5, 5, 2), 2.0)
    assert colours_asked(showing(scene, bare, 0.6, stone, noise, *edges), bare) == ["red", "yellow"]
    assert colours_asked(showing(scene, bare, 0.8, noise, *edges), bare) == []
    # Something may be there where some of the print is hidden: a stone of which nothing but edges has its colour.
    assert colours_asked(showing(scene, bare, 0.6, noise, *edges), bare) == ["red"]
    large = ("yellow", slice(-6, 3), slice(-6, 6), 2.0)
    assert colours_asked(showing(scene, bare, 0.6, large, *edges), bare) == ["yellow"]


@pytest.mark.parametrize(
    ("brighter", "side", "print_left", "left", "asked"),
    [
        (0.7, 4, 0.6, 4, list(COLOURS)),
        (0.7, 4, 0.9, 4, []),
        (0.7, 5, 0.9, 4, list(COLOURS)),
        (0.3, 4, 0.6, 4, []),
        (0.3, 5, 0.9, 4, []),
        (-0.4, 4, 0.6, 4, []),
        (0.7, 4, 0.6, 2, []),
    ],
)
def test_what_may_mirror_a_lamp_may_be_of_any_colour_if_a_few_pixels_are_left_of_one(
    scene: Scene, bare: Square, brighter: float, side: int, print_left: float, left: int, asked: list[str]
) -> None:
    shown = showing(scene, bare, print_left, ("red", slice(-6, left - 6), slice(-6, -5), 1))
    board, difference = shown.bare.copy(), shown.difference.copy()
    x, y = scene.places.middles[scene.places.names.index(bare)].round().astype(int)
    mirror = (slice(y, y + side), slice(x, x + side))
    # Neither like the board nor like any piece.
    board[mirror] = shown.fits[:, *mirror] = STRANGE
    difference[..., 2][mirror] = brighter
    mirroring = replace(shown, bare=board, difference=difference)
    assert colours_asked(mirroring, bare) == asked


@pytest.mark.parametrize(
    ("side", "worse", "asked"),
    [(5, 1.0, ["blue", "purple"]), (5, 2.5, ["blue"]), (3, 1.0, ["blue"])],
)
def test_a_colour_that_fits_many_pixels_almost_as_well_as_another_is_asked_after_too(
    scene: Scene, bare: Square, side: int, worse: float, asked: list[str]
) -> None:
    there = (slice(-2, side - 2), slice(-2, side - 2))
    pale = showing(scene, bare, 0.8, ("blue", *there, 3.0), ("purple", *there, 3.0 - worse))
    assert colours_asked(pale, bare) == asked


def test_what_no_colour_fits_is_like_none_of_them(scene: Scene, bare: Square) -> None:
    there = (slice(-4, 5), slice(-4, 5))
    stone = showing(scene, bare, 0.5, ("blue", slice(-2, 3), slice(-2, 3), 3.0))
    board = stone.bare.copy()
    x, y = scene.places.middles[scene.places.names.index(bare)].round().astype(int)
    # Round the stone all is strange, and every colour fits as little.
    beside = np.ones((9, 9), np.bool_)
    beside[2:7, 2:7] = False
    window = tuple(slice(at + part.start, at + part.stop) for at, part in zip((y, x), there, strict=True))
    board[window][beside] = STRANGE
    fits = stone.fits.copy()
    fits[:, *window][:, beside] = STRANGE
    assert colours_asked(replace(stone, bare=board, fits=fits), bare) == ["blue"]


@pytest.mark.parametrize(
    ("brighter", "worse", "side", "asked"),
    [(-0.5, 1.0, 4, ["blue"]), (-0.2, 1.0, 4, []), (-0.5, 3.0, 4, []), (-0.5, 1.0, 2, [])],
)
def test_what_is_darker_and_may_be_board_in_shadow_is_asked_after_as_the_colour_that_fits_almost_as_well(
    scene: Scene, bare: Square, brighter: float, worse: float, side: int, asked: list[str]
) -> None:
    x, y = scene.places.middles[scene.places.names.index(bare)].round().astype(int)
    dark = (slice(y, y + side), slice(x, x + side))
    fits, board, difference = scene.fits.copy(), scene.bare.copy(), scene.difference.copy()
    # Bare board in shadow fits well, blue a little worse, and nothing else at all.
    board[dark], fits[:, *dark], difference[..., 2][dark] = 0.0, STRANGE, brighter
    fits[COLOURS.index("blue")][dark] = -worse
    assert colours_asked(replace(scene, fits=fits, bare=board, difference=difference), bare) == asked


def changed(scene: Scene, square: Square, px: int, channel: int, by: float, blind: float) -> Scene:
    """The scene, but that on a square so many pixels, and no others, are less by so much in one of the opponent
    logarithms than on the empty board, and that it is so blind."""
    index = scene.places.names.index(square)
    difference, blindness = scene.difference.copy(), scene.blindness.copy()
    there = difference[scene.places.window(index)]
    there[:] = 0
    there[np.arange(there[..., 0].size).reshape(there.shape[:2]) < px, channel] = -by
    blindness[index] = blind
    return replace(scene, difference=difference, blindness=blindness)


@pytest.mark.parametrize(
    ("changed_px", "by", "blind", "asked"),
    [
        (3, 0.4, 0.0, ["red"]),
        (2, 0.4, 0.0, []),
        (9, 0.2, 0.0, []),
        (18, 0.25, 0.0, ["red"]),
        (17, 0.25, 0.0, []),
        (30, 0.15, 0.0, []),
        (0, 0.0, 0.1, ["red"]),
    ],
)
def test_where_hardly_a_pixel_changed_print_that_looks_like_a_piece_is_not_asked_after(
    scene: Scene, bare: Square, changed_px: int, by: float, blind: float, asked: list[str]
) -> None:
    printed = showing(scene, bare, 0.8, ("red", slice(-2, 3), slice(-2, 3), 3.0))
    assert colours_asked(changed(printed, bare, changed_px, 1, by, blind), bare) == asked


@pytest.mark.parametrize(
    ("rows", "columns", "better", "asked"),
    [(3, 6, 5.5, ["red"]), (3, 6, 4.5, []), (3, 5, 5.5, []), (6, 10, 5.5, ["red"]), (7, 10, 5.5, [])],
)
def test_what_differs_little_from_the_board_is_asked_after_where_a_colour_fits_plainly_better(
    scene: Scene, bare: Square, rows: int, columns: int, better: float, asked: list[str]
) -> None:
    alike = showing(scene, bare, 0.4, ("red", slice(-3, rows - 3), slice(-5, columns - 5), better))
    assert colours_asked(changed(alike, bare, 30, 1, 0.15, 0.0), bare) == asked


@pytest.mark.parametrize(
    ("brighter", "size", "red", "blind", "asked"),
    [
        (-0.7, (1, 5), 0, 0.0, list(COLOURS)),
        (-0.7, (1, 4), 0, 0.0, []),
        (-0.7, (5, 6), 0, 0.0, list(COLOURS)),
        (-0.7, (5, 7), 0, 0.0, []),
        (-0.4, (1, 5), 0, 0.0, []),
        (-0.7, (1, 5), 3, 0.0, ["red"]),
        (-0.7, (1, 5), 3, 0.06, list(COLOURS)),
        (-0.7, (1, 4), 3, 0.06, ["red"]),
        (-0.7, (5, 7), 3, 0.06, ["red"]),
    ],
)
def test_where_something_is_dark_all_are_asked_after_unless_a_colour_shows_and_no_lamp_is_mirrored(
    scene: Scene, bare: Square, brighter: float, size: tuple[int, int], red: int, blind: float, asked: list[str]
) -> None:
    """Of a stone that a lamp makes as white as the board only a side shows, which looks like nothing known."""
    shown = showing(scene, bare, 0.9, ("red", slice(-5, red - 5), slice(-5, red - 5), 3.0))
    board, fits, difference = shown.bare.copy(), shown.fits.copy(), shown.difference.copy()
    blindness, index = shown.blindness.copy(), scene.places.names.index(bare)
    x, y = scene.places.middles[index].round().astype(int)
    side = (slice(y, y + size[0]), slice(x, x + size[1]))
    board[side] = fits[:, *side] = STRANGE
    difference[..., 2][side] = brighter
    blindness[index] = blind
    darker = replace(shown, bare=board, fits=fits, difference=difference, blindness=blindness)
    assert colours_asked(darker, bare) == asked


@pytest.mark.parametrize(("blind", "asked"), [(0.05, ["purple"]), (0.2, list(COLOURS))])
def test_what_shows_where_a_lamp_hides_colours_may_be_of_any(
    scene: Scene, bare: Square, blind: float, asked: list[str]
) -> None:
    blindness = scene.blindness.copy()
    blindness[scene.places.names.index(bare)] = blind
    pale = showing(replace(scene, blindness=blindness), bare, 0.0, ("purple", slice(-6, 7), slice(-6, 7), 5.0))
    assert colours_asked(pale, bare) == asked


@pytest.mark.parametrize(
    ("changed_px", "by", "blind", "asked"),
    [
        (18, 0.4, 0.1, list(COLOURS)),
        (60, 0.4, 0.1, list(COLOURS)),
        (17, 0.4, 0.1, []),
        (61, 0.4, 0.1, []),
        (18, 0.2, 0.1, []),
        (18, 0.4, 0.05, []),
    ],
)
def test_what_changed_like_a_stone_where_a_lamp_is_mirrored_may_be_one_of_any_colour(
    scene: Scene, bare: Square, changed_px: int, by: float, blind: float, asked: list[str]
) -> None:
    assert colours_asked(changed(scene, bare, changed_px, 2, by, blind), bare) == asked


def test_a_square_on_which_nothing_shows_is_not_asked_after_because_a_lamp_is_mirrored_there(
    scene: Scene, bare: Square
) -> None:
    blindness = scene.blindness.copy()
    blindness[scene.places.names.index(bare)] = 0.5
    assert colours_asked(replace(scene, blindness=blindness), bare) == []
