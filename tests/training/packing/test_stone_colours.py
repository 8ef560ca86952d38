"""Packs of stones that lie there, and the lamps that are mirrored in them by chance."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.games.pacal.pieces import COLOURS
from training.packing.packs import Pack
from training.packing.stone_colours import Lain, changed, pack, unpack, whose, with_white
from vision.reading.stones.colours import CHANNELS, SHOWN_PX


@pytest.fixture(scope="module")
def stones(packed: Callable[[Pack], Path]) -> list[Lain]:
    return unpack(packed(pack))


def test_stones_of_all_colours_are_packed(stones: list[Lain]) -> None:
    assert {stone.colour for stone in stones} == set(range(len(COLOURS)))
    for stone in stones:
        assert stone.view.picture.shape == stone.view.seen.shape == (SHOWN_PX, SHOWN_PX, 3)
        assert stone.view.top.any()


def test_stones_are_told_apart_by_what_is_said_of_them() -> None:
    red, blue = COLOURS.index("red"), COLOURS.index("blue")
    said = np.full((3, len(COLOURS)), -9.0)
    said[0, blue], said[2, red], said[1] = 5.0, 4.0, -9.0
    assert whose(said, [red, blue]) == [(2, red), (0, blue)]
    # What the network takes for none is no stone to learn from, and neither is what is one of too few.
    assert whose(said[1:], [red, blue]) == [(1, red)]
    assert whose(said[:1], [red, blue]) == []


def test_a_mirrored_lamp_makes_upper_faces_brighter_and_leaves_what_is_beside_them(stones: list[Lain]) -> None:
    rng = np.random.default_rng(3)
    for stone in stones[:20]:
        view, picture = stone.view, with_white(stone.view, rng)
        assert (picture[view.top] >= view.picture[view.top]).mean() > 0.95
        assert picture[view.top].mean() > view.picture[view.top].mean()
        far = cv2.dilate(view.top.astype(np.uint8), np.ones((15, 15))) == 0
        assert far.any()
        assert picture[far] == pytest.approx(view.picture[far].astype(np.float64), abs=1.0)


def test_what_is_changed_by_chance_is_seen_as_before(stones: list[Lain]) -> None:
    for seed, stone in enumerate(stones[:20]):
        seen = changed(stone, np.random.default_rng(seed))
        assert seen.shape == (len(COLOURS), CHANNELS, SHOWN_PX, SHOWN_PX)
        assert seen.dtype == np.float32
        assert np.isfinite(seen).all()
        assert seen[0, 9].sum() == stone.view.top.sum()
        assert np.array_equal(seen, changed(stone, np.random.default_rng(seed)))
