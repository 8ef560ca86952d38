"""The colours of stones that lie there, also of those in which a lamp is mirrored."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.pacal.pieces import COLOURS, Stones
from vision.geometry import Floats
from vision.light.appearance import Looks
from vision.logarithms import lights_of
from vision.reading.claim import CLOSE, MAP_RANGES, Claim
from vision.reading.evidence import Scene, Shown
from vision.reading.odds import colours_of
from vision.reading.stones.colours import CHANNELS, SHOWN_PX, StoneColours, StoneView, planes, whiteness
from vision.reading.stones.fit import Lying, Patch, find_stones
from vision.reading.stones.outline import MARGIN, outline_of

SIDE = CLOSE.side + 2 * MARGIN
STONE = Lying(SIDE // 2, SIDE // 2, 0, 0.0, 0.0, 0.0)
LEAN_MM = (20.0, 0.0)
"""How far a ship's upper end leans on the patches that are made here: some of a stone's sides are seen."""


def patch_of(looks: Looks, face: Floats, sides: Floats | None = None, gain: float = 0.0) -> Patch:
    """A patch on which ``STONE`` lies, whose upper face and sides show such light (3), on a grey board, in light that
    adds so much to all logarithms."""
    picture, empty = (np.full((SIDE, SIDE, 3), 120, np.uint8) for _ in "ab")
    half = np.zeros((SIDE // 2, SIDE // 2, 3), np.float32)
    maps = np.zeros((len(MAP_RANGES), SIDE // 2, SIDE // 2), np.float32)
    claim = Claim(picture, empty, half, maps, (36.0, 36.0), LEAN_MM)
    patch = Patch.of(claim, looks)
    window, outline = patch.about(STONE)
    for part, light in ((outline.sides, face if sides is None else sides), (outline.top, face)):
        levels = np.clip(255 * light ** (1 / 2.2) * np.exp(gain), 0, 255)
        picture[window][part] = levels.round().astype(np.uint8)
    half[..., 2] = gain
    return Patch.of(claim, looks)


def own_light(looks: Looks, colour: int) -> Floats:
    return np.asarray(lights_of(looks.means[colour : colour + 1])[0], np.float64)


@given(st.sampled_from(range(len(COLOURS))), st.floats(0.8, 1.2), st.floats(0, 0.3), st.sampled_from((-0.3, 0.0)))
@settings(max_examples=40)
def test_white_leaves_the_colour_to_be_told(looks: Looks, colour: int, shade: float, white: float, gain: float) -> None:
    patch = patch_of(looks, shade * own_light(looks, colour) + white, shade * own_light(looks, colour) / 2, gain)
    told = StoneColours(looks).told(patch, [STONE])
    assert told.shape == (1, len(COLOURS))
    assert told[0].argmax() == colour
    assert whiteness(patch, STONE) == pytest.approx(white + shade * own_light(looks, colour).min(), abs=0.03)


def test_sides_tell_the_colour_of_a_face_that_is_burnt_out(looks: Looks) -> None:
    told = StoneColours(looks)
    for colour in range(len(COLOURS)):
        burnt = np.full(3, 3.0)
        with_sides = told.told(patch_of(looks, burnt, own_light(looks, colour) / 2), [STONE])[0]
        without = told.told(patch_of(looks, burnt), [STONE])[0]
        assert with_sides[colour] - with_sides.mean() > without[colour] - without.mean()


def test_stones_that_lie_there_are_told(shown: list[Shown], looks: Looks) -> None:
    colours, right, many = StoneColours(looks), 0, 0
    for scene, pieces in shown:
        for name, piece in pieces.items():
            patch = Patch.of(Claim.of(scene, name, MARGIN), looks)
            if isinstance(piece, Stones) and (found := find_stones(patch)):
                told = colours.told(patch, found[:1])
                right, many = right + (int(told.argmax()) in (colours_of(piece) or ())), many + 1
    assert many >= 15
    assert right == many


def test_a_view_is_of_what_is_about_the_stone(looks: Looks) -> None:
    patch = patch_of(looks, own_light(looks, 0))
    view = StoneView.of(patch, STONE)
    outline = outline_of(patch.lean, STONE.turn)
    assert view.top.sum() == outline.top.sum()
    assert view.sides.sum() == outline.sides.sum() > 0
    assert view.picture.shape == view.seen.shape == view.empty.shape == (SHOWN_PX, SHOWN_PX, 3)
    assert (view.picture[view.top] != 120).any(axis=-1).all()
    seen = planes(view, looks.means[: len(COLOURS)])
    assert seen.shape == (len(COLOURS), CHANNELS, SHOWN_PX, SHOWN_PX)
    # Its own colour is there: no difference, and the hue is just that.
    assert np.abs(seen[0, :3][:, view.top]).max() < 0.1
    assert seen[0, 11][view.top].min() > 0.99
    assert np.isfinite(seen).all()


def test_all_stones_of_a_square_are_told_at_once(scene: Scene, looks: Looks) -> None:
    colours = StoneColours(looks)
    for name in scene.places.names[:30]:
        patch = Patch.of(Claim.of(scene, name, MARGIN), looks)
        if len(found := find_stones(patch)) > 1:
            every = colours.told(patch, found)
            for stone, told in zip(found, every, strict=True):
                assert told == pytest.approx(colours.told(patch, [stone])[0], abs=1e-3)
