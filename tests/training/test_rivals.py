"""Packs of squares that several colours may be claimed of: what was seen comes back, and is changed by chance."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from companion.games.pacal.pieces import Stones
from training.packing import Pack
from training.rivals import Pair, changed, pack, unpack
from vision.reading.crops import WHOLE
from vision.reading.rivals import CHANNELS, LIMIT, way_of_two


@pytest.fixture(scope="module")
def pairs(packed: Callable[[Pack], Path]) -> list[Pair]:
    return unpack(packed(lambda setup, examples, _: pack(setup, examples)))


def test_pairs_know_what_stands_there(pairs: list[Pair]) -> None:
    assert any(pair.piece is None for pair in pairs)
    assert any(isinstance(pair.piece, Stones) for pair in pairs)
    assert all(pair.colours[0] < pair.colours[1] for pair in pairs)


def test_colours_that_share_what_is_seen_are_looked_at_most(pairs: list[Pair]) -> None:
    assert all(0 < pair.often <= 1.01 for pair in pairs)
    some = [pair.often for pair in pairs if way_of_two(pair.piece, *pair.colours)]
    none = [pair.often for pair in pairs if not way_of_two(pair.piece, *pair.colours)]
    assert np.mean(some) > np.mean(none)
    assert max(some) > 0.5


def test_what_is_changed_by_chance_is_much_like_what_was_seen(pairs: list[Pair]) -> None:
    rng = np.random.default_rng(3)
    ways = set()
    for pair in pairs[::10]:
        planes, way = changed(pair, rng)
        assert planes.shape == (CHANNELS, *WHOLE.shape)
        assert np.abs(planes[9:15]).max() <= LIMIT
        assert np.hypot(*planes[-2:, 0, 0]) == pytest.approx(np.hypot(*pair.leans) / 40, rel=1e-4)
        # Where the square is goes with what is seen.
        assert planes[15].sum() == pytest.approx(float(pair.square.sum()), rel=0.25)
        assert way in {way_of_two(pair.piece, *pair.colours), way_of_two(pair.piece, *pair.colours[::-1])}
        ways.add(way)
    assert len(ways) > 3


def test_the_same_chance_changes_the_same(pairs: list[Pair]) -> None:
    (one, way), (other, same) = (changed(pairs[0], np.random.default_rng(5)) for _ in range(2))
    assert np.array_equal(one, other)
    assert way == same
