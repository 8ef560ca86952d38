from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.games.pacal.pieces import COLOURS, Pyramid
from companion.observation import Content
from vision.reading.evidence import Scene
from vision.reading.pyramids.plates import SHADOW, without_shadow

NAME = "G7"
PLATE, TALL = Pyramid("red", 1), Pyramid("red", 3)


def seen(scene: Scene, fit: float = 2.0, darker: float = 1.0, print_left: float = 0.4) -> Scene:
    """G7 as something that fits red by so much better than bare board, is so much darker than the empty board (a
    logarithm), and leaves so much of the print."""
    index = scene.places.names.index(NAME)
    window = scene.places.window(index)
    fits, difference, left = scene.fits.copy(), scene.difference.copy(), scene.print_left.copy()
    fits[COLOURS.index("red")][window] = scene.bare[window] + np.float32(fit)
    difference[window] = (0, 0, -darker)
    left[index] = print_left
    return replace(scene, fits=fits, difference=difference, print_left=left)


def odds(plate: float) -> dict[Content | None, float]:
    return {None: 0.9 * (1 - plate), TALL: 0.05 * (1 - plate), PLATE: plate}


@pytest.mark.parametrize("plate", [0.05, 0.5, 0.97])
def test_a_shadow_on_board_of_its_colour_speaks_against_a_plate(scene: Scene, plate: float) -> None:
    before, after = odds(plate), without_shadow(seen(scene), NAME, odds(plate))
    assert sum(after.values()) == pytest.approx(sum(before.values()))
    assert after[PLATE] / after[None] == pytest.approx(before[PLATE] / before[None] * np.exp(SHADOW))
    assert after[TALL] / after[PLATE] == pytest.approx(before[TALL] / before[PLATE])


@pytest.mark.parametrize("other", [{"fit": 7.0}, {"darker": 0.3}, {"print_left": 0.1}])
def test_what_fits_its_colour_or_is_bright_or_hides_the_print_may_be_a_plate(
    scene: Scene, other: dict[str, float]
) -> None:
    assert without_shadow(seen(scene, **other), NAME, odds(0.6)) == odds(0.6)


@pytest.mark.parametrize("plate", [0.0, 0.01, 0.99])
def test_a_plate_that_is_plain_or_hardly_there_is_not_looked_at(scene: Scene, plate: float) -> None:
    assert without_shadow(seen(scene), NAME, odds(plate)) == odds(plate)


def test_other_numbers_of_floors_are_not_looked_at(scene: Scene) -> None:
    tall: dict[Content | None, float] = {None: 0.4, TALL: 0.6}
    assert without_shadow(seen(scene), NAME, tall) == tall
