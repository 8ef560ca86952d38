from __future__ import annotations

import numpy as np
import pytest

from vision.reading.evidence import Scene
from vision.reading.showing import INSIDE, Showing, votes


@pytest.fixture
def view(scene: Scene) -> Showing:
    return Showing.of(scene)


def test_votes_are_those_of_a_pixel_and_its_neighbours() -> None:
    masks = np.random.default_rng(1).random((3, 20, 17)) < 0.5
    expected = [
        [[masks[m, y - 1 : y + 2, x - 1 : x + 2].sum() for x in range(1, 16)] for y in range(1, 19)] for m in range(3)
    ]
    assert votes(masks).tolist() == expected


def test_what_is_solid_is_counted_as_dull_and_mixed_too(view: Showing) -> None:
    assert view.solid.sum() > 0
    assert (view.solid <= view.dull).all() and (view.dull <= view.mixed).all()


def test_one_mask_is_counted_as_each_of_several_is(view: Showing) -> None:
    counted = view.count(view.shown)
    assert counted.shape == (len(view.scene.places.names), INSIDE)
    for colour in range(INSIDE):
        assert (view.count(view.shown[colour]) == counted[:, colour]).all()


def test_what_fits_is_told_of_the_pixels_that_are_asked_about_and_no_others(view: Showing) -> None:
    where = np.random.default_rng(2).random(view.best.shape) < 0.1
    fitted = view.fitted(view.best - np.float32(1), where)
    assert (fitted == (where & (view.colours > view.best - np.float32(1)))).all()
    assert fitted.any()
