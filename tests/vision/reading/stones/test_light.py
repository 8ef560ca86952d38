"""The colours of stones in which a lamp is mirrored."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.games.pacal.pieces import COLOURS
from vision.geometry import Floats
from vision.light.appearance import Looks
from vision.logarithms import lights_of
from vision.reading.claim import CLOSE, MAP_RANGES, Claim
from vision.reading.stones.fit import Lying, Patch
from vision.reading.stones.light import FARTHEST, StoneLight, whiteness
from vision.reading.stones.outline import MARGIN, outline_of

SIDE = CLOSE.side + 2 * MARGIN
STONE = Lying(SIDE // 2, SIDE // 2, 0, 0.0, 0.0, 0.0)


def patch_of(looks: Looks, light: Floats, gain: float = 0.0) -> Patch:
    """A patch on which ``STONE`` lies and shows such light (pixels of its face x 3, or 1 x 3), on a grey board, in
    light that adds so much to all logarithms."""
    picture = np.full((SIDE, SIDE, 3), 120, np.uint8)
    half = np.zeros((SIDE // 2, SIDE // 2, 3), np.float32)
    maps = np.zeros((len(MAP_RANGES), SIDE // 2, SIDE // 2), np.float32)
    patch = Patch.of(Claim(picture, picture, half, maps, (36.0, 36.0), (0.0, 0.0)), looks)
    window = patch.window(STONE.x, STONE.y)
    assert window is not None
    levels = np.clip(255 * light ** (1 / 2.2) * np.exp(gain), 0, 255)
    picture[window][outline_of(patch.lean, STONE.turn).top] = levels.round().astype(np.uint8)
    half[..., 2] = gain
    return Patch.of(Claim(picture, picture, half, maps, (36.0, 36.0), (0.0, 0.0)), looks)


def own_light(looks: Looks, colour: int) -> Floats:
    return lights_of(looks.means[colour : colour + 1])


@given(st.sampled_from(range(len(COLOURS))), st.floats(0.6, 1.5), st.floats(0, 0.5), st.sampled_from((-0.3, 0.0)))
@example(4, 0.75, 0.375, -0.3)
@example(4, 0.612, 0.466, -0.3)
@example(1, 1.0, 0.001953125, -0.3)
@example(1, 0.607, 0.002, 0.0)
@settings(max_examples=40)
def test_white_leaves_the_colour_to_be_told(looks: Looks, colour: int, shade: float, white: float, gain: float) -> None:
    patch = patch_of(looks, shade * own_light(looks, colour) + white, gain)
    fits = StoneLight(looks).fits(patch, [STONE])
    assert fits.shape == (1, len(COLOURS))
    assert fits[0].argmax() == colour
    assert fits[0, colour] > -1
    assert whiteness(patch, STONE) == pytest.approx(white + shade * own_light(looks, colour).min(), abs=0.03)


def test_where_a_face_is_least_white_it_shows_its_colour_best(looks: Looks) -> None:
    many = int(outline_of((0, 0), STONE.turn).top.sum())
    for colour in range(len(COLOURS)):
        white = np.full((many, 1), 2.0)
        white[:: max(many // 15, 1)] = 0.4
        fits = StoneLight(looks).fits(patch_of(looks, own_light(looks, colour) + white), [STONE])[0]
        assert fits.argmax() == colour
        assert fits[colour] > np.delete(fits, colour).max() + 0.2


def test_a_burnt_out_face_is_of_any_colour(looks: Looks) -> None:
    fits = StoneLight(looks).fits(patch_of(looks, np.full((1, 3), 3.0)), [STONE])[0]
    assert np.ptp(fits) < 0.1
    assert fits.max() > -0.5


def test_what_is_no_colour_of_a_stone_fits_none(looks: Looks) -> None:
    light = StoneLight(looks)
    fits = light.fits(patch_of(looks, np.array([[0.9, 0.02, 0.9]])), [STONE])[0]
    assert (fits >= FARTHEST).all()
    assert fits.max() < -10
    assert light.fits(patch_of(looks, np.array([[0.9, 0.02, 0.9]])), []).shape == (0, len(COLOURS))
