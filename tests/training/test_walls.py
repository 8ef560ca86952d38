"""Packs of ships' walls: what was seen comes back, and is changed only a little by chance."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from companion.games.pacal.pieces import COLOURS
from training.packing import Pack
from training.walls import PLACES, Wall, changed, pack, unpack
from vision.reading.ship_walls import CHANNELS, RAYS, STEPS


@pytest.fixture(scope="module")
def walls(packed: Callable[[Pack], Path]) -> list[Wall]:
    return unpack(packed(pack))


def test_every_ship_on_the_palettes_is_packed(walls: list[Wall]) -> None:
    assert len(walls) >= 10
    assert all(sum(wall.colour == colour for wall in walls) >= 2 for colour in range(len(COLOURS)))
    assert all(len(wall.strips) == PLACES and 0 <= wall.tilt < 60 for wall in walls)


def test_the_strips_of_a_ship_are_cut_at_slightly_different_places(walls: list[Wall]) -> None:
    for wall in walls:
        first, *others = (strip.seen for strip in wall.strips)
        assert all(0 < np.abs(first - other).mean() < 0.5 for other in others)


def test_what_is_changed_by_chance_is_much_like_what_was_seen(walls: list[Wall]) -> None:
    rng = np.random.default_rng(2)
    for wall in walls:
        plain = wall.strips[0].planes(wall.looks)
        some = [changed(wall, rng) for _ in range(4)]
        assert all(one.shape == (len(COLOURS), CHANNELS, RAYS, STEPS) for one in some)
        assert all(0 < np.abs(one[:, :9] - plain[:, :9]).mean() < 0.6 for one in some)
        assert any(np.abs(one - some[0]).max() > 0.05 for one in some[1:])
