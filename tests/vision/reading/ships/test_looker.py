from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.pacal.pieces import COLOURS, Pyramid, Ship, Stones
from companion.observation import Odds, likeliest
from vision.light.appearance import Looks
from vision.reading.evidence import Shown
from vision.reading.ships.colour_bleeding import ColourBleeding
from vision.reading.ships.looker import ShipLooker, ships_apart, with_opening, with_wall
from vision.reading.ships.opening import Openings
from vision.reading.ships.walls import ShipWalls


def ship(**shares: float) -> Odds:
    return {Ship(colour): p for colour, p in shares.items()}


def test_two_ships_have_two_colours() -> None:
    seen = ships_apart(
        {"A1": ship(red=0.97, blue=0.03), "B5": ship(red=0.5, blue=0.5), "C1": {Pyramid("blue", 1): 1.0}}
    )
    assert seen["B5"][Ship("blue")] > 0.9


def test_a_ship_without_colour_is_of_a_player_who_has_pieces() -> None:
    unseen = ship(**dict.fromkeys(COLOURS, 0.2))
    seen = ships_apart({"A1": unseen, "B5": {Stones(("green",)): 1.0}})
    assert likeliest(seen["A1"]) == Ship("green")


@pytest.mark.parametrize(("squares", "least"), [(5, 0.3), (20, 0.7)])
def test_the_more_pieces_there_are_the_less_a_player_has_none(squares: int, least: float) -> None:
    stones: dict[str, Odds] = {f"C{row}": {Stones(("red",)): 1.0} for row in range(1, squares + 1)}
    told = ships_apart({"A1": ship(red=0.04, blue=0.96), **stones})["A1"][Ship("red")]
    assert least < told < least + 0.2


def test_a_ship_that_leans_over_a_square_does_not_stand_there_too() -> None:
    seen = ships_apart({"A1": {**ship(red=0.6), None: 0.4}, "A2": {**ship(red=0.98), None: 0.02}})
    assert likeliest(seen["A1"]) is None
    assert likeliest(seen["A2"]) == Ship("red")
    assert sum(seen["A1"].values()) == pytest.approx(1.0, abs=1e-4)


def test_what_is_plainly_a_ship_stays_one_whatever_its_colour() -> None:
    seen = ships_apart({"A1": {**ship(red=0.97), None: 0.03}, "B5": {**ship(red=0.96, blue=0.01), None: 0.03}})
    assert [1 - odds[None] for odds in seen.values()] == pytest.approx([0.97] * 2)
    assert likeliest(seen["B5"]) == Ship("blue")


def test_more_ships_than_players_are_left_as_they_are() -> None:
    squares: dict[str, Odds] = {f"A{row}": ship(red=0.9, blue=0.1) for row in range(1, 7)}
    assert ships_apart(squares)["A6"] == pytest.approx(squares["A6"], abs=1e-4)


@given(st.lists(st.lists(st.floats(0.01, 1.0), min_size=5, max_size=5), min_size=1, max_size=4))
def test_a_ship_is_as_likely_as_all_ways_in_which_no_colour_has_two(rows: list[list[float]]) -> None:
    # None of them is plainly a ship.
    chances = [np.array([sum(ships), *ships]) / (2 * sum(ships)) for ships in rows]
    names = [f"A{row}" for row in range(1, len(rows) + 1)]
    contents = [None, *map(Ship, COLOURS)]
    seen = ships_apart({name: dict(zip(contents, row, strict=True)) for name, row in zip(names, chances, strict=True)})
    total = np.zeros((len(rows), 6))
    for way in product(range(6), repeat=len(rows)):
        taken = [colour for colour in way if colour]
        if len(taken) == len(set(taken)):
            total[range(len(rows)), way] += np.prod([row[what] for row, what in zip(chances, way, strict=True)])
    for name, expected in zip(names, total / total.sum(axis=1, keepdims=True), strict=True):
        assert [seen[name].get(content, 0.0) for content in contents] == pytest.approx(expected, abs=2e-5)


def test_what_is_no_ship_keeps_its_share() -> None:
    doubtful = {**ship(red=0.6), None: 0.4}
    seen = ships_apart({"A1": doubtful, "B5": {Stones(("red",)): 1.0}})
    assert seen["A1"][None] == pytest.approx(0.4)
    assert seen["A1"][Ship("red")] == pytest.approx(0.6, abs=1e-3)


def test_an_opening_speaks_for_a_ship_or_against_one_and_not_for_its_colour() -> None:
    odds: Odds = {None: 0.6, Ship("blue"): 0.1, Ship("purple"): 0.2}
    found = with_opening(odds, 5.0)
    # What is doubted, as something lies over the square, stays so: an opening may be a part of that.
    assert sum(found.values()) == pytest.approx(0.9)
    assert found[Ship("blue")] + found[Ship("purple")] > 0.88
    assert found[Ship("purple")] == pytest.approx(2 * found[Ship("blue")])
    assert with_opening(odds, 0.0) == odds
    shadow = with_opening(odds, -2.5)
    assert sum(shadow.values()) == pytest.approx(0.9)
    assert shadow[None] > 0.85 and shadow[Ship("purple")] == pytest.approx(2 * shadow[Ship("blue")])


def test_a_wall_tells_only_the_colour_of_a_ship() -> None:
    odds: Odds = {None: 0.1, Ship("blue"): 0.3, Ship("purple"): 0.6}
    found = with_wall(odds, np.array([-6.0, -6.0, -6.0, 0.0, -3.0]))
    assert found[None] == 0.1
    assert sum(found.values()) == pytest.approx(1)
    assert found[Ship("blue")] > 0.7 > 0.2 > found[Ship("purple")]


def test_a_wall_may_name_a_colour_that_nothing_else_named() -> None:
    found = with_wall({None: 0.001, Ship("purple"): 0.999}, np.array([-9.0, -9.0, -9.0, 0.0, -9.0]))
    assert likeliest(found) == Ship("blue")


def test_walls_tell_ships_colours_however_sure_the_networks_are_of_others(shown: list[Shown], looks: Looks) -> None:
    looker = ShipLooker(ShipWalls(looks), ColourBleeding(looks))
    told = []
    for scene, pieces in shown:
        openings = Openings(scene)
        for name, piece in pieces.items():
            if isinstance(piece, Ship):
                other = COLOURS[(COLOURS.index(piece.colour) + 1) % len(COLOURS)]
                seen = looker.look(openings, {name: ship(**{other: 1.0})})
                told.append(likeliest(seen[name]) == piece)
    assert len(told) >= 8
    assert all(told)
