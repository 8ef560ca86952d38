"""A board's heights are found from patches of its print, whatever the others say, and a flat one has none."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.finding.unevenness import LEAST_PATCHES, uneven
from vision.geometry import Floats, HeightField, Lens, Pose, find_pose

SIZE_MM = (480.0, 420.0)
LENS = Lens((1536, 864), 1180.0, 0.03)
SQUARES = np.stack(np.meshgrid(np.linspace(20, 460, 14), np.linspace(20, 400, 13)), axis=-1).reshape(-1, 2)


def camera(tilt_deg: float = 25.0) -> Pose:
    """750 mm from the board's middle, at which it looks, towards its upper edge."""
    tilt = math.radians(tilt_deg)
    rotation = np.array([[1, 0, 0], [0, math.cos(tilt), -math.sin(tilt)], [0, math.sin(tilt), math.cos(tilt)]])
    away = -750 * np.array([0, math.sin(tilt), math.cos(tilt)])
    return Pose(rotation, -rotation @ (np.array([240.0, 210.0, 0.0]) + away))


def patches(over: Pose, seed: int, wrong: float, off_px: float = 0.1) -> tuple[Floats, Floats]:
    """Where 120 patches are, and where they are seen, a share of them in the wrong place."""
    rng = np.random.default_rng(seed)
    known = rng.uniform((0, 0), SIZE_MM, (120, 2))
    seen = over.project(LENS, known) + rng.normal(0, off_px, known.shape)
    lost = rng.random(len(known)) < wrong
    seen[lost] += rng.uniform(-8, 8, (int(lost.sum()), 2))
    return known, seen


def plane(known_mm: Floats, seen_px: Floats) -> Pose:
    """The camera over the plane that fits patches best."""
    found = find_pose(LENS, known_mm, seen_px)
    assert found is not None
    return found[0]


def off_px(found: Pose, over: Pose) -> Floats:
    return np.asarray(np.linalg.norm(found.project(LENS, SQUARES) - over.project(LENS, SQUARES), axis=1))


@pytest.mark.parametrize("seed", [0, 1, 3, 4])
@pytest.mark.parametrize("panels", [(2, 1), (2, 2), (3, 2)])
def test_a_folded_board_is_seen_where_it_lies(seed: int, panels: tuple[int, int]) -> None:
    across, down = panels
    heights = np.random.default_rng(seed).uniform(0, 12, (down + 1, across + 1))
    over = replace(camera(), surface=HeightField(SIZE_MM, heights))
    known, seen = patches(over, seed, 0.15)
    flat = plane(known, seen)
    found = uneven(SIZE_MM, LENS, flat, known, seen)
    assert found is not None
    assert np.percentile(off_px(flat, over), 90) > 1
    assert np.percentile(off_px(found, over), 90) < 0.4


@given(heights=st.lists(st.floats(0, 10), min_size=9, max_size=9), tilt=st.floats(0, 35))
@settings(max_examples=60, deadline=None)
def test_whatever_its_heights_it_is_seen_where_it_lies(heights: list[float], tilt: float) -> None:
    over = replace(camera(tilt), surface=HeightField(SIZE_MM, np.reshape(heights, (3, 3))))
    known, seen = patches(over, 1, 0.0, 0.02)
    flat = plane(known, seen)
    assert np.percentile(off_px(uneven(SIZE_MM, LENS, flat, known, seen) or flat, over), 90) < 0.6


@pytest.mark.parametrize("wrong", [0.0, 0.2])
def test_a_flat_board_has_no_heights(wrong: float) -> None:
    known, seen = patches(camera(), 5, wrong)
    assert uneven(SIZE_MM, LENS, camera(), known, seen) is None


def test_no_board_bends_by_centimetres() -> None:
    over = replace(camera(), surface=HeightField(SIZE_MM, np.array([[0.0, 60.0], [0.0, 0.0]])))
    assert uneven(SIZE_MM, LENS, camera(), *patches(over, 2, 0.0)) is None


def test_few_patches_tell_nothing() -> None:
    over = replace(camera(), surface=HeightField(SIZE_MM, np.array([[0.0, 8.0], [0.0, 0.0]])))
    known, seen = patches(over, 2, 0.0)
    few = LEAST_PATCHES - 1
    assert uneven(SIZE_MM, LENS, camera(), known[:few], seen[:few]) is None
    assert uneven(SIZE_MM, LENS, camera(), known[:0], seen[:0]) is None
