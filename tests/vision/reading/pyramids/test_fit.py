"""Pyramids drawn as they are made, evenly lit from a side, are counted whatever hides a part of them or blurs them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from vision.geometry import Floats
from vision.reading.pyramids import fit as pyramid_fit
from vision.reading.pyramids.fit import FINER, NOISE, TOP, Faces, Patch, Plane, Stand, explained_by_floors
from vision.reading.shapes import USUAL_PYRAMID

SIDE = 84
STRAIGHT = Stand(0.0, 0.0, 0.0)
ABOVE, ASLANT, FAR = (np.array([x, y, 800.0]) for x, y in ((20, -30), (300, 120), (-500, 380)))
LIT = np.array([0, 150, 70, 60, 110, 120, 100, 96, 108, 125], float)
"""How bright each sort of face is, in grey levels; what is no pyramid is black."""


def drawn(floors: int, stand: Stand, eye: Floats) -> Faces:
    """The faces of a pyramid with its outline, on fine pixels."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pyramid_fit, "OUTLINE_MM", 0.0)
        return blank(eye).faces(USUAL_PYRAMID, floors, stand)


def blank(eye: Floats) -> Patch:
    nothing = np.zeros((SIDE * FINER, SIDE * FINER), np.float32)
    return Patch.of(nothing, nothing, 0.0, FINER, eye)


def count(brightness: Plane, own: Plane, eye: Floats, noise: float = 5.0) -> int:
    """The number of floors that explains most, of pixels as coarse as those of the canvas."""
    patches = []
    for times in (1, FINER):
        planes = [np.asarray(cv2.resize(plane, None, fx=times, fy=times), np.float32) for plane in (brightness, own)]
        patches.append(Patch.of(planes[0], planes[1], noise / NOISE, times, eye))
    return int(explained_by_floors(patches[0], patches[1], USUAL_PYRAMID, range(1, 6)).argmax()) + 1


def coarse(fine: Plane | Floats) -> Plane:
    return np.asarray(cv2.resize(fine.astype(np.float32), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))


def seen(floors: int, stand: Stand, eye: Floats, noise: float = 5.0) -> tuple[Plane, Plane]:
    """How bright a pyramid is, in grey levels with so much noise, and how much its colour tells."""
    faces = drawn(floors, stand, eye)
    grain = np.random.default_rng(floors).normal(0, noise, (SIDE, SIDE))
    return np.asarray(coarse(LIT[faces]) + grain, np.float32), coarse(np.where(faces > 0, 4.0, -4.0))


@pytest.mark.parametrize("eye", [ABOVE, ASLANT, FAR], ids=["from above", "aslant", "from far"])
@pytest.mark.parametrize("floors", range(1, 6))
def test_floors_are_counted_from_all_sides(floors: int, eye: Floats) -> None:
    assert count(*seen(floors, STRAIGHT, eye), eye) == floors


@settings(max_examples=20)
@given(st.integers(1, 5), st.floats(-3.5, 3.5), st.floats(-3.5, 3.5), st.floats(-0.25, 0.25))
@example(1, 0.75, 1.0, 0.0)
def test_however_a_pyramid_stands_on_its_square(floors: int, x: float, y: float, turn: float) -> None:
    assert count(*seen(floors, Stand(x, y, turn), ASLANT), ASLANT) == floors


@pytest.mark.parametrize("floors", range(1, 6))
def test_noise_as_strong_as_the_terraces_is_no_trouble(floors: int) -> None:
    assert count(*seen(floors, STRAIGHT, ASLANT, 30), ASLANT, 30) == floors


@pytest.mark.parametrize("floors", range(1, 6))
def test_what_another_piece_hides_is_not_asked(floors: int) -> None:
    brightness, own = seen(floors, STRAIGHT, ASLANT)
    brightness[SIDE // 2 + 4 :], own[SIDE // 2 + 4 :] = 250, -4
    assert count(brightness, own, ASLANT) == floors


@pytest.mark.parametrize("turn", [-0.25, 0.0, 0.3])
def test_a_soft_shadow_over_a_wide_top_makes_no_floors(turn: float) -> None:
    brightness, own = seen(1, Stand(0.0, 0.0, turn), ABOVE)
    fall = np.clip(np.linspace(1.9, 0.1, SIDE), 0.6, 1.0)
    assert count(np.asarray(brightness * fall, np.float32), own, ABOVE) == 1


@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(0, 4))
def test_what_shade_explains_is_what_a_regression_gains(seed: int, pixels: int, unused: int) -> None:
    chance = np.random.default_rng(seed)
    x, y = chance.integers(0, 9, (2, pixels))
    used = np.ones((2, pixels), np.float32)
    used[:, chance.integers(0, pixels, unused)] = 0
    light = (chance.normal(0, 3, (2, pixels)) * used).astype(np.float32)
    gained = []
    for told, weight in zip(light, used, strict=True):
        terms = np.column_stack([np.ones(pixels), x, y])[weight > 0]
        left = told[weight > 0]
        explained = [
            ((basis @ np.linalg.lstsq(basis, left, rcond=None)[0]) ** 2).sum() if len(left) else 0.0
            for basis in (terms[:, :1], terms)
        ]
        # On one line along the table no slope is asked, though there is one.
        flat = len(left) == 0 or np.linalg.matrix_rank(terms) < 3
        gained.append(0.0 if flat else (explained[1] - explained[0]) / 2)
    assert pyramid_fit._shade(x, y, used, light) == pytest.approx(gained, rel=1e-2, abs=1e-2)


@pytest.mark.parametrize("floors", range(1, 6))
def test_faces_are_as_large_as_they_would_be_seen(floors: int) -> None:
    """From far above the lowest floor hides nothing of the board but what it stands on, and the top is a square."""
    faces, px_mm = drawn(floors, STRAIGHT, np.array([0.0, 0.0, 1e6])), blank(ABOVE).px_mm
    top = USUAL_PYRAMID.base - USUAL_PYRAMID.step * (floors - 1)
    assert np.sqrt((faces > 0).sum()) * px_mm == pytest.approx(USUAL_PYRAMID.base, abs=px_mm)
    assert np.sqrt((faces == TOP).sum()) * px_mm == pytest.approx(top, abs=px_mm)


def test_where_a_camera_looks_from_faces_are_seen() -> None:
    """From the right it sees the walls of the right side only."""
    faces = drawn(3, STRAIGHT, np.array([600.0, 0.0, 800.0]))
    pixels = np.bincount(faces.ravel(), minlength=TOP + 1)
    left, right = 4, 2
    assert pixels[right] > 500
    assert pixels[left] == 0
    assert pixels[TOP] > 0


def test_nothing_is_explained_where_a_picture_ends() -> None:
    nothing = np.zeros((SIDE, SIDE), np.float32)
    far_away = np.array([-3000.0, 0.0, 100.0])
    patch = Patch.of(nothing, nothing, 1.0, 1, far_away)
    assert np.isfinite(patch.explained(patch.faces(USUAL_PYRAMID, 5, STRAIGHT), [(0, 0), (6, -6)])).all()
    assert patch.explained(np.zeros((SIDE, SIDE), np.uint8), [(0, 0), (6, -6)]).tolist() == [0, 0]


@pytest.mark.parametrize("times", [1, FINER])
def test_moved_faces_explain_what_a_pyramid_that_stands_there_shows(times: int) -> None:
    """Without a lean a pyramid looks the same wherever it stands."""
    above = np.array([0.0, 0.0, 1e6])
    brightness, own = (cv2.resize(plane, None, fx=times, fy=times) for plane in seen(3, Stand(1.5, -3.0, 0.0), above))
    patch = Patch.of(np.asarray(brightness, np.float32), np.asarray(own, np.float32), 5.0, times, above)
    x, y = round(1.5 / patch.px_mm), round(-3.0 / patch.px_mm)
    moved = patch.explained(patch.faces(USUAL_PYRAMID, 3, STRAIGHT), [(0, 0), (x, y), (-x, -y)])
    there = patch.explained(patch.faces(USUAL_PYRAMID, 3, Stand(x * patch.px_mm, y * patch.px_mm, 0.0)), [(0, 0)])
    assert moved[1] == pytest.approx(there[0])
    assert moved[1] > max(moved[0], moved[2]) + 100
