"""Spoilt pictures to train with: changed everywhere a little, or covered just where the mask says."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from training.packing.troubles import covered, only_noisy, shadowed, spoilt
from vision.frames import Picture
from vision.noise import noise_of

GRID = np.array([[100.0, 80], [500, 90], [520, 330], [90, 320]])
SQUARES = 12 * 11


@pytest.fixture(scope="module")
def picture() -> Picture:
    return np.random.default_rng(1).integers(60, 200, (400, 640, 3)).astype(np.uint8)


@pytest.mark.parametrize("seed", range(12))
def test_what_is_covered_is_in_the_mask_and_nothing_else(picture: Picture, seed: int) -> None:
    found, mask = covered(picture, GRID, SQUARES, seed)
    changed = np.any(found != picture, axis=2)
    assert not changed[mask == 0].any()
    assert changed[mask > 200].mean() > 0.99
    square = 400 * 240 / SQUARES
    assert np.count_nonzero(mask > 127) > 0.2 * square


def test_as_much_is_covered_by_chance_in_other_places(picture: Picture) -> None:
    masks = [covered(picture, GRID, SQUARES, seed)[1] > 127 for seed in range(12)]
    assert len({mask.tobytes() for mask in masks}) == len(masks)


@pytest.mark.parametrize("seed", range(12))
def test_a_spoilt_picture_has_the_same_form_and_is_another(picture: Picture, seed: int) -> None:
    before = picture.copy()
    found = spoilt(picture, np.random.default_rng(seed))
    assert found.shape == picture.shape
    assert found.dtype == np.uint8
    assert np.any(found != picture)
    assert np.array_equal(before, picture)
    assert np.array_equal(found, spoilt(picture, np.random.default_rng(seed)))


@pytest.mark.parametrize("seed", range(6))
def test_a_noisy_picture_is_noisy_and_shows_the_same(seed: int) -> None:
    plain = np.full((400, 640, 3), (60, 110, 90), np.uint8)
    found = only_noisy(plain, np.random.default_rng(seed))
    assert 6 < noise_of(found) < 20
    shades = found.mean(axis=(0, 1)) / plain[0, 0]
    assert 0.49 < shades.min() <= shades.max() < 1.31
    assert np.ptp(shades) < 0.02


@pytest.mark.parametrize("seed", range(12))
def test_shadows_only_darken_and_leave_most_of_a_picture_light(seed: int) -> None:
    plain = np.full((400, 640, 3), (60, 110, 90), np.uint8)
    found = shadowed(plain, GRID, SQUARES, np.random.default_rng(seed))
    assert np.array_equal(found, shadowed(plain, GRID, SQUARES, np.random.default_rng(seed)))
    # In the middle of a shadow as little is left of all channels; noise has no side.
    shades = cv2.GaussianBlur(found, (0, 0), 3).astype(np.float32) / plain[0, 0]
    assert shades.max() < 1.15
    assert 0.2 < shades.min() < 0.7
    grid = cv2.fillConvexPoly(np.zeros(plain.shape[:2], np.uint8), GRID.astype(np.int32), 1) > 0
    assert 0.02 < np.mean(shades[grid].max(axis=1) < 0.8) < 0.6
