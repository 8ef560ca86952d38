"""Packs of squares that several colours may be claimed of: what was seen comes back, and is changed by chance."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest

from companion.games.pacal.pieces import Stones
from training.packing.packs import Pack
from training.packing.rivals import OFTEN, SELDOM, Pair, changed, pack, unpack
from vision.reading.claim import CLOSE
from vision.reading.rivals import CHANNELS, LIMIT, way_of_two


@pytest.fixture(scope="module")
def pairs(packed: Callable[[Pack], Path]) -> list[Pair]:
    return unpack(packed(pack))


def test_pairs_know_what_stands_there(pairs: list[Pair]) -> None:
    assert any(isinstance(pair.piece, Stones) for pair in pairs)
    assert len({pair.piece for pair in pairs}) >= 8
    assert all(pair.colours[0] != pair.colours[1] for pair in pairs)


def test_the_two_colours_in_doubt_are_looked_at_most(pairs: list[Pair]) -> None:
    assert {pair.often for pair in pairs} <= {*OFTEN, *SELDOM}
    squares = [[pair.often for pair in same] for _, same in groupby(pairs, lambda pair: id(pair.claim))]
    assert all(first > other for first, *others in squares for other in others)


def test_what_is_changed_by_chance_is_much_like_what_was_seen(pairs: list[Pair]) -> None:
    rng = np.random.default_rng(3)
    ways = set()
    for pair in pairs:
        planes, way = changed(pair, rng)
        assert planes.shape == (CHANNELS, *CLOSE.shape)
        assert np.abs(planes[:9]).max() <= LIMIT
        assert np.hypot(*planes[-2:, 0, 0]) == pytest.approx(np.hypot(*pair.claim.leans) / 40, rel=1e-4)
        # Where the square is goes with what is seen.
        assert planes[-3].sum() == pytest.approx(float(pair.claim.square().sum()), rel=0.25)
        assert way in {way_of_two(pair.piece, *pair.colours), way_of_two(pair.piece, *pair.colours[::-1])}
        ways.add(way)
    assert len(ways) > 3


def test_the_same_chance_changes_the_same(pairs: list[Pair]) -> None:
    (one, way), (other, same) = (changed(pairs[0], np.random.default_rng(5)) for _ in range(2))
    assert np.array_equal(one, other)
    assert way == same
