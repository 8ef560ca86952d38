from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.pacal.pieces import COLOURS, Pyramid, Ship, Stones
from companion.observation import Content
from vision.reading.evidence import Scene
from vision.reading.hardly_shown import MARGIN, PX, hardly_shown

NAME = "G7"
BOTH = Stones(("blue", "green"))


def seen(scene: Scene, **pixels: int) -> Scene:
    """G7 as bare board but for so many pixels that fit a colour."""
    rows, columns = scene.places.window(scene.places.names.index(NAME))
    fits, bare = scene.fits.copy(), scene.bare.copy()
    fits[:, rows, columns], bare[rows, columns] = -7.0, -1.0
    for row, (colour, count) in enumerate(pixels.items()):
        line = (COLOURS.index(colour), slice(rows.start + 2 * row, rows.start + 2 * row + 2), columns)
        part = fits[line].copy()
        part.flat[:count] = MARGIN - 0.9
        fits[line] = part
    return replace(scene, fits=fits, bare=bare)


@pytest.mark.parametrize("colours", [{"blue": 20, "green": PX - 1}, {"green": 20}, {"blue": 5, "green": 5}])
def test_a_stone_of_which_few_pixels_show_the_colour_is_hardly_shown(scene: Scene, colours: dict[str, int]) -> None:
    assert hardly_shown(seen(scene, **colours), NAME, {BOTH: 0.995, Stones(("blue",)): 0.005})


def test_stones_that_enough_pixels_show_are_not(scene: Scene) -> None:
    assert not hardly_shown(seen(scene, blue=PX + 1, green=PX), NAME, {BOTH: 0.995})


def test_pixels_that_another_colour_fits_as_well_show_none(scene: Scene) -> None:
    shown = seen(scene, blue=20, green=20)
    fits = shown.fits.copy()
    fits[COLOURS.index("purple")] = fits[COLOURS.index("green")]
    assert hardly_shown(replace(shown, fits=fits), NAME, {BOTH: 0.995})


@pytest.mark.parametrize("content", [None, Ship("blue"), Pyramid("green", 1)])
def test_only_stones_are_looked_at(scene: Scene, content: Content | None) -> None:
    assert not hardly_shown(seen(scene), NAME, {content: 0.995, BOTH: 0.005})


def test_what_is_surer_is_right_however_little_shows_it(scene: Scene) -> None:
    assert not hardly_shown(seen(scene, blue=20), NAME, {BOTH: 0.9995})
