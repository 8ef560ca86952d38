"""Packs of close-ups of pyramids: what was seen comes back, and is changed only a little by chance."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from companion.games.pacal.pieces import MAX_FLOORS
from training.packing.closeups import MARGIN, Seen, changed, pack, unpack
from training.packing.packs import Pack
from vision.reading.pyramids.close_look import CHANNELS, LIMIT, SIDE, planes


@pytest.fixture(scope="module")
def pyramids(packed: Callable[[Pack], Path]) -> list[Seen]:
    return unpack(packed(lambda setup, examples, _: pack(setup, examples)))


def test_every_pyramid_on_the_palettes_is_packed(pyramids: list[Seen]) -> None:
    assert len(pyramids) >= 25
    assert {one.floors for one in pyramids} == set(range(MAX_FLOORS))
    assert all(one.close.picture.shape == (SIDE + 2 * MARGIN, SIDE + 2 * MARGIN, 3) for one in pyramids)


def test_what_is_changed_by_chance_is_much_like_what_was_seen(pyramids: list[Seen]) -> None:
    rng, inner = np.random.default_rng(2), slice(MARGIN, -MARGIN)
    apart = []
    for one in pyramids:
        # The foot, which stays where it is: the rest may be mirrored.
        foot = (slice(3), slice(26, 46), slice(26, 46))
        plain = planes(one.close.layers(one.colour)[inner, inner], one.close.leans)
        seen = changed(one, rng)
        assert seen.shape == (CHANNELS, SIDE, SIDE)
        assert np.abs(seen[:-2]).max() <= LIMIT
        assert np.hypot(*seen[-2:, 0, 0]) == pytest.approx(np.hypot(*plain[-2:, 0, 0]), rel=1e-5)
        assert not np.array_equal(seen, plain)
        apart.append(float(np.abs(seen[foot].mean(axis=(1, 2)) - plain[foot].mean(axis=(1, 2))).mean()))
    assert np.median(apart) < 0.15
    assert changed(pyramids[0], np.random.default_rng(5)) == pytest.approx(
        changed(pyramids[0], np.random.default_rng(5))
    )
