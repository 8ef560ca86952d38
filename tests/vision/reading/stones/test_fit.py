"""Stones found by their shape: where they lie, and that what only looks like them is worth less."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.games.pacal.pieces import Stones
from vision.geometry import Floats
from vision.grid import READ_PX_PER_MM
from vision.light.appearance import Looks
from vision.reading.claim import CLOSE, MAP_RANGES, Claim
from vision.reading.evidence import Scene, Shown
from vision.reading.shapes import SHIP_MM, STONE_HIGH_MM, STONE_MM
from vision.reading.stones.fit import FOUND, Patch, Spot, find_stones
from vision.reading.stones.outline import MARGIN, MASK_PX, TURNS, outline_of

BOARD, STONE, SIDE = (150.0, 160.0, 170.0), (60.0, 50.0, 190.0), (30.0, 25.0, 95.0)
MIDDLE = CLOSE.before + MARGIN


def claim_of(picture: Floats, leans: tuple[float, float]) -> Claim:
    """A claim on a plain board that shows such a picture."""
    side = len(picture)
    empty = np.broadcast_to(np.array(BOARD), picture.shape)
    noisy = [layer + np.random.default_rng(1).normal(0, 1.5, layer.shape) for layer in (picture, empty)]
    seen, before = (np.clip(layer, 0, 255).astype(np.uint8) for layer in noisy)
    maps = np.zeros((len(MAP_RANGES), side // 2, side // 2), np.float32)
    return Claim(seen, before, np.zeros((side // 2, side // 2, 3), np.float32), maps, (36.0, 36.0), leans)


def plain() -> Floats:
    side = CLOSE.side + 2 * MARGIN
    return np.broadcast_to(np.array(BOARD), (side, side, 3)).copy()


def triangle(x: float, y: float, degrees: float) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """The pixels within a stone's side of such a middle: those that are on the inner side of all three lines."""
    side = CLOSE.side + 2 * MARGIN
    rows, columns = np.mgrid[:side, :side]
    inside = np.ones((side, side), bool)
    for angle in np.radians(degrees + np.array([0, 120, 240])):
        along = (columns - x) * np.cos(angle) + (rows - y) * np.sin(angle)
        inside &= along < STONE_MM * READ_PX_PER_MM / (2 * np.sqrt(3))
    return inside


def with_stone(x: float, y: float, degrees: float, leans: tuple[float, float]) -> Floats:
    picture = plain()
    steps = 6
    for step in range(steps):
        high = STONE_HIGH_MM * step / (steps - 1) / SHIP_MM * READ_PX_PER_MM
        picture[triangle(x + leans[0] * high, y + leans[1] * high, degrees)] = STONE if step == steps - 1 else SIDE
    return picture


@given(st.integers(-10, 10), st.integers(-10, 10), st.integers(0, 119), st.tuples(st.floats(0, 20), st.floats(0, 20)))
@example(0, 0, 87, (0.0, 17.0))
@example(-6, 2, 43, (15.20138741172919, 11.656001334236413))
@example(1, -3, 43, (15.0, 11.0))
@example(5, 7, 116, (19.261571500956755, 0.26964148972172586))
@settings(max_examples=25)
def test_a_stone_is_found_where_it_lies(looks: Looks, x: int, y: int, degrees: int, leans: tuple[float, float]) -> None:
    picture = with_stone(MIDDLE + x, MIDDLE + y, degrees, leans)
    first, *others = find_stones(Patch.of(claim_of(picture, leans), looks))
    assert np.hypot(first.x - MIDDLE - x, first.y - MIDDLE - y) < 2.5
    off = (first.turn * 120 / TURNS - degrees + 60) % 120 - 60
    assert abs(off) < 8
    assert first.top > 3 * outline_of((0, 0), 0).top.sum()
    assert first.beside < 0.1 * first.top
    assert all(other.worth < 0.4 * first.worth for other in others)


def test_a_stone_is_all_that_is_found_on_a_board_that_is_burnt_out(looks: Looks) -> None:
    claim = claim_of(with_stone(MIDDLE, MIDDLE, 20, (0.0, 6.0)), (0.0, 6.0))
    gain = np.zeros_like(claim.gain)
    gain[..., 2] = np.log(2.5)
    bright = np.minimum(2.5 * claim.picture.astype(np.float64), 255).round().astype(np.uint8)
    assert (np.array(BOARD) * 2.5 > 255).all()
    (only,) = find_stones(Patch.of(replace(claim, picture=bright, gain=gain), looks))
    assert np.hypot(only.x - MIDDLE, only.y - MIDDLE) < 2.5
    assert only.beside < 0.1 * only.top


def test_two_stones_are_both_found(looks: Looks) -> None:
    picture = with_stone(MIDDLE - 11, MIDDLE - 4, 20, (0.0, 0.0))
    other = triangle(MIDDLE + 10, MIDDLE + 6, 70)
    picture[other] = (170, 60, 50)
    found = find_stones(Patch.of(claim_of(picture, (0.0, 0.0)), looks))
    assert {(round((stone.x - MIDDLE) / 10), round((stone.y - MIDDLE) / 10)) for stone in found[:2]} == {
        (-1, 0),
        (1, 1),
    }
    assert all(other.worth < 0.4 * found[1].worth for other in found[2:])


@pytest.mark.parametrize(("off", "found_there"), [(-3, True), (0, True), (2, False)])
def test_a_stone_beside_the_square_is_none_of_its_stones(looks: Looks, off: int, found_there: bool) -> None:
    claim = claim_of(with_stone(MIDDLE + 24 + off, MIDDLE, 0, (0.0, 0.0)), (0.0, 0.0))
    assert claim.square_mm[0] / 2 * READ_PX_PER_MM == 24
    found = find_stones(Patch.of(claim, looks))
    assert any(np.hypot(one.x - MIDDLE - 24 - off, one.y - MIDDLE) < 2.5 for one in found) is found_there


@pytest.mark.parametrize("radius_mm", [9.0, 14.0])
def test_what_does_not_end_at_a_stones_sides_is_worth_less(looks: Looks, radius_mm: float) -> None:
    whole = find_stones(Patch.of(claim_of(with_stone(MIDDLE, MIDDLE, 0, (0.0, 0.0)), (0.0, 0.0)), looks))[0]
    picture = plain()
    rows, columns = np.mgrid[: len(picture), : len(picture)]
    picture[np.hypot(columns - MIDDLE, rows - MIDDLE) < radius_mm * READ_PX_PER_MM] = STONE
    found = find_stones(Patch.of(claim_of(picture, (0.0, 0.0)), looks))
    assert all(stone.worth < 0.75 * whole.worth for stone in found)
    assert max(stone.beside for stone in found) > 0.2 * whole.top


def test_an_empty_board_shows_no_stone_that_is_worth_much(looks: Looks) -> None:
    whole = find_stones(Patch.of(claim_of(with_stone(MIDDLE, MIDDLE, 0, (0.0, 0.0)), (0.0, 0.0)), looks))[0]
    assert all(stone.worth < 0.2 * whole.worth for stone in find_stones(Patch.of(claim_of(plain(), (0.0, 0.0)), looks)))


def test_a_shadow_is_worth_less_than_a_stone(looks: Looks) -> None:
    whole = find_stones(Patch.of(claim_of(with_stone(MIDDLE, MIDDLE, 0, (0.0, 0.0)), (0.0, 0.0)), looks))[0]
    picture = plain()
    picture[triangle(MIDDLE, MIDDLE, 0)] *= 0.6
    found = find_stones(Patch.of(claim_of(picture, (0.0, 0.0)), looks))
    assert all(stone.worth < 0.6 * whole.worth for stone in found)


@given(st.tuples(st.integers(0, 9), st.integers(0, 9)), st.integers(0, TURNS - 1))
def test_an_outlines_parts_lie_apart(lean: tuple[int, int], turn: int) -> None:
    outline = outline_of(lean, turn)
    assert not (outline.top & outline.sides).any()
    assert not ((outline.top | outline.sides) & outline.beside).any()
    area = np.sqrt(3) / 4 * (STONE_MM * READ_PX_PER_MM) ** 2
    assert 0.6 * area < outline.top.sum() < area
    assert {*np.unique(outline.nearest[outline.beside])} == {0, 1, 2}
    # All of it is seen.
    edge = np.ones((MASK_PX, MASK_PX), bool)
    edge[1:-1, 1:-1] = False
    assert not ((outline.top | outline.sides) & edge).any()


def test_from_straight_above_no_side_is_seen() -> None:
    assert not any(outline_of((0, 0), turn).sides.any() for turn in range(TURNS))


def test_nothing_is_laid_beyond_the_edge(looks: Looks) -> None:
    patch = Patch.of(claim_of(plain(), (0.0, 0.0)), looks)
    side = len(patch.bare)
    beyond = Spot(MASK_PX // 2 - 1, side // 2, 0), Spot(side // 2, side - MASK_PX // 2, 0)
    assert patch.lay(beyond) == []
    assert len(patch.lay([beyond[0], Spot(MASK_PX // 2, side // 2, 0), beyond[1]])) == 1


@given(
    st.tuples(st.floats(0, 20), st.floats(0, 20)), st.lists(st.tuples(*[st.integers(-6, 6)] * 2, st.integers(0, 99)))
)
@settings(max_examples=25)
def test_a_stone_tells_as_much_beside_others_as_alone(
    looks: Looks, leans: tuple[float, float], spots: list[tuple[int, int, int]]
) -> None:
    patch = Patch.of(claim_of(with_stone(MIDDLE, MIDDLE, 30, leans), leans), looks)
    every = [Spot(MIDDLE + x, MIDDLE + y, turn) for x, y, turn in spots]
    for together, spot in zip(patch.lay(every), every, strict=True):
        (alone,) = patch.lay([spot])
        assert (together.x, together.y, together.turn) == (spot.x, spot.y, spot.turn % TURNS)
        for much in ("top", "beside", "sides"):
            assert getattr(together, much) == pytest.approx(getattr(alone, much), rel=1e-4, abs=1e-2)


def test_stones_on_pictures_are_worth_more_than_most_bare_board(shown: list[Shown], looks: Looks) -> None:
    stones: list[float] = []
    bare: list[float] = []
    for scene, pieces in shown:
        for number, name in enumerate(scene.places.names):
            if isinstance(pieces.get(name), Stones) or (name not in pieces and number % 3 == 0):
                found = find_stones(Patch.of(Claim.of(scene, name, MARGIN), looks))
                assert len(found) <= FOUND
                (stones if name in pieces else bare).append(max((stone.worth for stone in found), default=0.0))
    assert len(stones) >= 20
    # What leans over a bare square, or is printed on it, may be worth as much.
    assert np.quantile(bare, 0.6) < np.quantile(stones, 0.05)


def test_the_same_is_found_again(scene: Scene, looks: Looks) -> None:
    one, other = (find_stones(Patch.of(Claim.of(scene, scene.places.names[7], MARGIN), looks)) for _ in range(2))
    assert one == other
