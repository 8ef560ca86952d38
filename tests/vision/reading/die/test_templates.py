"""Drawings of dice laid on a picture: what is partly seen is compared as what is wholly seen, as far as it is seen."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.reading.die.templates import FACE_NOISE, USUAL_PIPS, Grey, Grid, Templates, face_templates, turns

GRID = Grid(step_mm=1.0, side=19, reach=3, turns=turns(15))
SIDE = GRID.side + 2 * GRID.reach
LEAST = 0.6


@pytest.fixture(scope="module")
def templates() -> Templates:
    return face_templates(GRID, USUAL_PIPS)


@pytest.fixture(scope="module")
def picture(templates: Templates) -> Grey:
    """The first drawing, moved two to the right and one up, in a little noise."""
    shown = np.full((SIDE, SIDE), 120.0)
    top, left = GRID.reach - 1, GRID.reach + 2
    shown[top : top + GRID.side, left : left + GRID.side][templates.used] += 300 * templates.images[0]
    return np.asarray(shown + np.random.default_rng(1).normal(0, 3, shown.shape), np.uint8)


def test_a_drawing_fits_best_where_it_is(templates: Templates, picture: Grey) -> None:
    fits = templates.correlation(picture, FACE_NOISE)
    assert fits.shape == (len(templates.images), GRID.shifts, GRID.shifts)
    index, down, across = map(int, np.unravel_index(int(fits.argmax()), fits.shape))
    assert (templates.face[index], down, across) == (templates.face[0], GRID.reach - 1, GRID.reach + 2)
    assert 0.7 < fits.max() <= 1


def test_a_correlation_is_that_of_the_pixels_under_the_mask(templates: Templates, picture: Grey) -> None:
    fits = templates.correlation(picture, FACE_NOISE)
    for index, down, across in [(0, 0, 0), (7, 2, 5), (len(fits) - 1, 6, 1)]:
        under = picture[down : down + GRID.side, across : across + GRID.side].astype(float)[templates.used]
        mask = templates.masks[templates.turn[index]] > 0
        off = under[mask] - under[mask].mean()
        length = np.sqrt((off**2).sum() + FACE_NOISE**2 * mask.sum())
        assert fits[index, down, across] == pytest.approx(off @ templates.images[index][mask] / length, abs=1e-3)


def test_what_is_all_visible_is_compared_as_ever(templates: Templates, picture: Grey) -> None:
    fits, seen = templates.correlation_of(np.ones(picture.shape, bool), LEAST, picture, FACE_NOISE)
    assert np.allclose(seen, 1)
    drawn = np.sqrt((templates.images**2).sum(axis=1))[:, None, None]
    assert np.allclose(fits * drawn, templates.correlation(picture, FACE_NOISE), atol=1e-3)


def test_less_than_the_least_share_is_not_compared_and_more_is_as_if_all_were_asked(
    templates: Templates, picture: Grey
) -> None:
    visible: NDArray[np.bool_] = np.ones(picture.shape, bool)
    visible[:, : SIDE // 2] = False
    some, seen = templates.correlation_of(visible, LEAST, picture, FACE_NOISE)
    every, shares = templates.correlation_of(visible, 0.0, picture, FACE_NOISE)
    assert np.array_equal(seen, shares)
    assert (seen < LEAST).any()
    assert (seen >= LEAST).any()
    assert not some[seen < LEAST].any()
    assert np.allclose(some[seen >= LEAST], every[seen >= LEAST], atol=1e-5)


def test_where_nothing_is_visible_nothing_fits(templates: Templates, picture: Grey) -> None:
    fits, seen = templates.correlation_of(np.zeros(picture.shape, bool), LEAST, picture, FACE_NOISE)
    assert not fits.any()
    assert seen.max() < 0.01
