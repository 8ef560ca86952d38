"""Small patches of a picture, looked for where they were and round there."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.finding.patches import Patches
from vision.frames import Shades

SIDE, REACH, MOST = 20, 6, 24
STILL_PX = 1 / 3


def printed(seed: int = 1) -> Shades:
    """Blurred noise: something to be found everywhere."""
    rough = np.random.default_rng(seed).random((240, 320))
    smooth = np.asarray(cv2.GaussianBlur(rough, (0, 0), 2.5))
    return np.asarray(40 + 160 * (smooth - smooth.min()) / np.ptp(smooth), np.uint8)


def moved(shades: Shades, across: float, down: float) -> Shades:
    there = np.array([[1, 0, across], [0, 1, down]])
    size = (shades.shape[1], shades.shape[0])
    return np.asarray(cv2.warpAffine(shades, there, size, borderMode=cv2.BORDER_REFLECT), np.uint8)


@pytest.fixture
def patches() -> Patches:
    return Patches.of(printed(), np.ones((240, 320), np.uint8), MOST, SIDE, REACH)


def still_by_match(patches: Patches, shades: Shades) -> int:
    expected, found = patches.match(shades)
    return int(np.count_nonzero(np.abs(found - expected).max(axis=1) <= STILL_PX))


def test_all_are_where_they_were_in_other_light(patches: Patches) -> None:
    assert len(patches) > 12
    assert patches.still(np.asarray(0.6 * printed(), np.uint8), STILL_PX) == len(patches)


@pytest.mark.parametrize("by", [(0.2, 0.0), (-0.1, 0.25), (0.6, 0.0), (0.1, -0.7), (1.0, 1.0), (0.0, 3.0), (9.0, 0.0)])
def test_what_moved_is_told_as_by_looking_all_round(patches: Patches, by: tuple[float, float]) -> None:
    picture = moved(printed(), *by)
    assert patches.still(picture, STILL_PX) == still_by_match(patches, picture)
    assert patches.still(picture, STILL_PX) == (len(patches) if max(np.abs(by)) < STILL_PX else 0)


def test_covered_ones_are_nowhere(patches: Patches) -> None:
    picture = printed()
    picture[:, :160] = printed(seed=2)[:, :160]
    picture[:, 160:170] = 90
    covered = int(np.count_nonzero(patches.centres[:, 0] < 170 + SIDE / 2))
    assert 0 < covered < len(patches)
    assert patches.still(picture, STILL_PX) == still_by_match(patches, picture) == len(patches) - covered


def test_nothing_is_found_where_all_is_flat(patches: Patches) -> None:
    assert patches.still(np.full((240, 320), 90, np.uint8), STILL_PX) == 0


def test_a_picture_without_anything_to_see_has_no_patches() -> None:
    flat = np.full((240, 320), 90, np.uint8)
    patches = Patches.of(flat, np.ones_like(flat), MOST, SIDE, REACH)
    assert len(patches) == 0
    assert patches.still(printed(), STILL_PX) == 0
