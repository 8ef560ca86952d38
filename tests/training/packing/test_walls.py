"""Packs of ships' walls: what was seen comes back, and is changed only a little by chance."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from companion.games.pacal.pieces import COLOURS
from training.packing.packs import Pack
from training.packing.repainting import mixture, repainted
from training.packing.walls import PLACES, Wall, changed, pack, unpack
from vision.reading.ships.walls import CHANNELS, RAYS, STEPS, Strip


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


@pytest.fixture
def as_painted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.packing.walls.REPAINTED", 0.0)


@pytest.mark.usefixtures("as_painted")
def test_what_is_changed_by_chance_is_much_like_what_was_seen(walls: list[Wall]) -> None:
    rng = np.random.default_rng(2)
    for wall in walls:
        plain = wall.strips[0].planes(wall.looks)
        some = [changed(wall, walls, rng) for _ in range(4)]
        assert all(planes.shape == (len(COLOURS), CHANNELS, RAYS, STEPS) for planes, _ in some)
        assert all(colour == wall.colour for _, colour in some)
        assert all(0 < np.abs(planes[:, :9] - plain[:, :9]).mean() < 0.6 for planes, _ in some)
        assert any(np.abs(planes - some[0][0]).max() > 0.05 for planes, _ in some[1:])


def test_most_walls_are_shown_in_other_colours(walls: list[Wall]) -> None:
    rng = np.random.default_rng(3)
    shown = [changed(wall, walls, rng) for wall in walls for _ in range(4)]
    assert all(np.isfinite(planes).all() for planes, _ in shown)
    assert {colour for _, colour in shown} == set(range(len(COLOURS)))


def test_a_wall_painted_in_its_own_colour_on_its_own_board_looks_as_it_did(walls: list[Wall]) -> None:
    for wall in walls:
        strip, made_of = wall.strips[0], wall.mixtures[0]
        again = repainted(strip, made_of, wall.looks[wall.colour], strip, made_of)
        assert np.median(np.abs(again.seen - strip.seen)) < 1e-3
        assert np.array_equal(again.beside, strip.beside)


def test_a_wall_painted_in_another_colour_looks_like_one(walls: list[Wall]) -> None:
    plain = [wall for wall in walls if wall.tilt > 20]
    assert len(plain) >= 4
    for wall in plain:
        strip, made_of = wall.strips[0], wall.mixtures[0]
        on_wall = (strip.where[0] > 0.2) & (strip.where[1] > 0.2)
        for colour, look in enumerate(wall.looks):
            seen = repainted(strip, made_of, look, strip, made_of).seen[on_wall]
            off = [np.median(np.abs(seen[:, :2] - other[:2]).sum(axis=1)) for other in wall.looks]
            assert int(np.argmin(off)) == colour


def test_what_mirrors_nothing_but_the_board_shows_another_board_when_it_stands_on_one(walls: list[Wall]) -> None:
    wall, strip = walls[0], walls[0].strips[0]
    other = max(walls, key=lambda one: float(np.abs(one.strips[0].beside - strip.beside).sum()))
    mirror = Strip(np.repeat(strip.beside[:, None], STEPS, axis=1), strip.beside, strip.where)
    made_of = mixture(mirror, wall.looks[wall.colour])
    board = other.strips[0]
    seen = repainted(mirror, made_of, wall.looks[wall.colour], board, other.mixtures[0])
    outside = strip.where[1] > 0
    assert np.abs(seen.seen - board.beside[:, None])[outside].max() < 0.05
