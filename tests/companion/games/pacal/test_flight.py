"""Where a ship may fly: FLY-1 to FLY-10."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from typing import Any

import pytest

from companion.errors import IllegalAction
from companion.games.pacal import GAME
from companion.games.pacal.actions import Fly
from companion.games.pacal.flight import arrows, straight, turning
from companion.games.pacal.ground import Ground, ground
from companion.games.pacal.layout import load_layout
from companion.games.pacal.state import State
from companion.squares import position as spot_of
from companion.squares import square
from tests.companion.games.pacal.short import all_legal

Make = Callable[..., State]


def ends(state: State, mode: str) -> set[str]:
    return {action.to for action in GAME.legal(state) if isinstance(action, Fly) and action.mode == mode}


def refused(state: State, action: Fly) -> str:
    with pytest.raises(IllegalAction) as caught:
        GAME.apply(state, action)
    return caught.value.rule


def test_a_straight_flight_goes_as_far_as_the_die_says(position: Make) -> None:
    assert ends(position({"red": "D4", "blue": "A1"}), "straight") == {"D1", "G4", "D7", "A4"}


def test_a_straight_flight_ends_before_an_obstacle_or_the_edge(position: Make) -> None:
    state = position({"red": "B4", "blue": "B1"}, pyramids={"D4": "red 1"})
    assert ends(state, "straight") == {"B2", "B7", "A4", "C4"}


def test_a_straight_flight_needs_at_least_one_square(position: Make) -> None:
    state = position({"red": "A1", "blue": "B1"}, pyramids={"A2": "blue 1"})
    assert ends(state, "straight") == set()


def test_stones_are_no_obstacle_and_a_ship_may_land_on_them(position: Make) -> None:
    state = position({"red": "A1", "blue": "G7"}, stones={"B1": "blue", "D1": "red blue"})
    assert "D1" in ends(state, "straight")


def test_the_lake_is_an_obstacle_in_straight_flight(position: Make) -> None:
    state = position({"red": "A1", "blue": "C3"}, "AA~AA\nAAAAA\nAASSS\nAASSS")
    assert ends(state, "straight") == {"B1", "A4"}


def test_stopping_short_is_refused(position: Make) -> None:
    assert refused(position({"red": "D4", "blue": "A1"}), Fly("straight", "D3")) == "FLY-4"


def test_a_turning_flight_has_exactly_the_length_rolled(position: Make) -> None:
    assert ends(position({"red": "A1", "blue": "G7"}, roll=2), "turning") == {"B2"}
    assert ends(position({"red": "A1", "blue": "G7"}, roll=3), "turning") == {"B1", "A2", "B3", "C2"}


def test_a_turning_flight_may_not_end_where_it_began(position: Make) -> None:
    state = position({"red": "D4", "blue": "A1"}, roll=4)
    assert "D4" not in ends(state, "turning")
    assert refused(state, Fly("turning", "D4")) == "FLY-5"


def test_a_turning_flight_may_cross_its_own_way(position: Make) -> None:
    """R-LOOP: with a 5, four squares round and one further on."""
    state = position({"red": "D4", "blue": "A1"}, roll=5)
    assert {"D3", "D5", "C4", "E4"} <= ends(state, "turning")


def test_a_dead_end_after_a_turn_loses_the_rest(position: Make) -> None:
    """From A1 down and right into the pocket B3, with a 5 rolled."""
    state = position(
        {"red": "A2", "blue": "G7"}, pyramids={"A1": "blue 2", "B2": "blue 1", "C3": "red 2", "B4": "red 1"}, roll=5
    )
    assert "B3" in ends(state, "turning")


def test_a_dead_end_without_a_turn_is_none(position: Make) -> None:
    state = position(
        {"red": "A1", "blue": "G7"}, pyramids={"A4": "blue 2", "B1": "red 2", "B2": "red 3", "B3": "blue 3"}, roll=5
    )
    assert ends(state, "turning") == set()
    assert ends(state, "straight") == {"A3"}


def test_the_square_left_is_no_obstacle_in_a_dead_end(position: Make) -> None:
    """FLY-1: the ship is lifted, so a ring of four squares is flown round and never a dead end."""
    walls = {"C1": "blue 1", "C2": "red 1", "A3": "blue 2", "B3": "red 2"}
    state = position({"red": "A1", "blue": "G7"}, pyramids=walls, roll=5)
    assert ends(state, "turning") == {"B1", "A2"}


def test_arrows_fly_over_everything_but_land_on_free_squares(position: Make) -> None:
    state = position({"red": "A1", "blue": "C1"}, "AAA~AAA\n" + "AAAAAAA\n" * 4 + "AASSSAA\nAASSSAA", roll="arrows")
    assert ends(state, "arrows") == {"B1", "E1", "F1", "G1", "A2", "A3", "A4", "A5", "A6", "A7"}


def test_arrows_cross_neither_a_hole_nor_a_cover(position: Make) -> None:
    state = position(
        {"red": "A1", "blue": "C5"},
        "AA.AAAA\nAAAAAAA\nBBBBBBB\nAAAAAAA\nAASSSAA",
        covers={"2": ["B"], "2/3": []},
        roll="arrows",
    )
    assert ends(state, "arrows") == {"B1", "A2"}
    assert refused(state, Fly("arrows", "D1")) == "FLY-6"
    assert refused(state, Fly("arrows", "A3")) == "FLY-8"


def test_a_god_stone_leads_to_every_other_free_square(position: Make) -> None:
    state = position({"red": "A1", "blue": "C1"}, pyramids={"D4": "red 2"}, gods={"red": [4]})
    everywhere = set(state.ground.district)
    assert ends(state, "god") == everywhere - {"A1", "C1", "D4"}
    after = GAME.apply(state, Fly("god", "G7", 4)).state
    assert after.supply["red"].gods == () and after.allowance == 1
    assert refused(state, Fly("god", "G7", 2)) == "FLY-7"
    assert refused(state, Fly("god", "A1", 4)) == "FLY-7"


@pytest.mark.parametrize(
    ("mode", "roll", "allowance"), [("straight", 3, 2), ("arrows", "arrows", 2), ("turning", 3, 1)]
)
def test_a_flight_allows_stones_by_its_mode(position: Make, mode: Any, roll: Any, allowance: int) -> None:
    state = position({"red": "D4", "blue": "A1"}, roll=roll)
    after = GAME.apply(state, Fly(mode, sorted(ends(state, mode))[0])).state
    assert (after.phase, after.allowance) == ("stones", allowance)


def test_the_first_round_leads_straight_out_of_the_sacred_district(position: Make) -> None:
    state = position({"red": "C3", "blue": "E4"}, round=1, roll=2)
    assert {(action.mode, action.to) for action in all_legal(state, Fly)} == {
        ("straight", "C1"),
        ("straight", "A3"),
        ("straight", "C5"),
    }
    assert refused(state, Fly("turning", "B4")) == "FLY-9"
    assert refused(state, Fly("straight", "E3")) == "FLY-9"
    assert refused(state, Fly("god", "A1", 2)) == "FLY-9"
    assert refused(state, Fly("straight", "C2")) == "FLY-4"
    over = position({"red": "C3", "blue": "E4"}, round=1, roll="arrows")
    assert refused(over, Fly("arrows", "D3")) == "FLY-9"
    assert refused(over, Fly("arrows", "D2")) == "FLY-6"


def walled_in(position: Make, **more: Any) -> State:
    """Red cannot leave the sacred district in the first round."""
    ships = {"red": "B2", "blue": "A2", "green": "C2"}
    return position(ships, "AAAAA\nSSSSA\nSSSSA\nSSSSA\nSSSSA", round=1, roll=2, pyramids={"B1": "blue 1"}, **more)


def test_a_god_stone_helps_in_the_first_round_who_cannot_leave(position: Make) -> None:
    state = walled_in(position)
    legal = all_legal(state, Fly)
    assert {(action.mode, action.god) for action in legal} == {("god", 2), ("god", 4), ("god", 6)}
    assert {action.to for action in legal} == {"A1", "C1", "D1", "E1", "E2", "E3", "E4", "E5"}
    assert refused(state, Fly("god", "D4", 2)) == "FLY-9"


def test_who_is_stranded_in_the_first_round_goes_anywhere_too(position: Make) -> None:
    state = walled_in(position, gods={"red": []})
    free = set(state.ground.district) - {"B1", "A2", "C2"}
    assert all_legal(state, Fly) == [Fly("stranded", to) for to in sorted(free)]


def test_who_is_stranded_goes_anywhere_and_brings_in_nothing(position: Make) -> None:
    walls = {"B1": "blue 1", "A2": "blue 2"}
    state = position({"red": "A1", "blue": "G7"}, pyramids=walls, gods={"red": []})
    free = set(state.ground.district) - {"B1", "A2", "G7"}
    assert ends(state, "stranded") == free
    after = GAME.apply(state, Fly("stranded", "D4")).state
    assert (after.phase, after.allowance) == ("build", 0)


def test_who_can_fly_or_has_a_god_stone_is_not_stranded(position: Make) -> None:
    walls = {"B1": "blue 1", "A2": "blue 2"}
    assert refused(position({"red": "A1", "blue": "G7"}, pyramids=walls), Fly("stranded", "D4")) == "FLY-10"
    assert refused(position({"red": "A1", "blue": "G7"}, gods={"red": []}), Fly("stranded", "E4")) == "FLY-10"


@pytest.mark.parametrize("square_", ["G7", "B1", "Z9"])
def test_a_square_that_is_not_free_is_refused_as_such(position: Make, square_: str) -> None:
    state = position({"red": "A1", "blue": "G7"}, pyramids={"B1": "red 1"})
    assert refused(state, Fly("straight", square_)) == "FLY-8"


def test_a_flight_that_the_die_does_not_show_is_refused(position: Make) -> None:
    assert refused(position({"red": "A1", "blue": "G7"}), Fly("arrows", "D1")) == "FLY-6"
    assert refused(position({"red": "A1", "blue": "G7"}, roll="arrows"), Fly("straight", "D1")) == "FLY-4"
    assert refused(position({"red": "A1", "blue": "G7"}, roll="arrows"), Fly("turning", "C2")) == "FLY-5"


def test_the_tables_agree_with_flying_square_by_square() -> None:
    """Random obstacles on the reference board, against a slow search that knows only squares and letters."""
    chance = random.Random(5)
    for players in (2, 3, 4, 5):
        place = ground(load_layout("reference"), players)
        squares = sorted(place.district)
        for _ in range(25):
            start, *walls = chance.sample(squares, chance.choice((10, 40, 80)))
            obstacles = set(walls) | place.lake
            for length in (2, 3, 4, 5):
                assert set(straight(place, start, obstacles, length)) == slow_straight(place, start, obstacles, length)
                assert turning(place, start, obstacles, length) == slow_turning(place, start, obstacles, length)
            assert set(arrows(place, start, obstacles)) == slow_arrows(place, start, obstacles)


WAYS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def step(place: Ground, name: str, way: tuple[int, int]) -> str | None:
    column, row = spot_of(name)
    try:
        following = square(column + way[0], row + way[1])
    except ValueError:
        return None
    return following if following in place.district or following in place.lake else None


def slow_straight(place: Ground, start: str, obstacles: Collection[str], length: int) -> set[str]:
    found = set()
    for way in WAYS:
        at = start
        for _ in range(length):
            following = step(place, at, way)
            if following is None or following in obstacles:
                break
            at = following
        found.add(at)
    return found - {start}


def slow_arrows(place: Ground, start: str, obstacles: Collection[str]) -> set[str]:
    found = set()
    for way in WAYS:
        at = step(place, start, way)
        while at is not None:
            found.add(at)
            at = step(place, at, way)
    return {name for name in found if name not in obstacles}


def slow_turning(place: Ground, start: str, obstacles: Collection[str], length: int) -> set[str]:
    found = set()

    def go(path: list[str], ways: list[tuple[int, int]]) -> None:
        turned = len(set(ways)) > 1
        if len(ways) == length:
            if turned:
                found.add(path[-1])
            return
        open_ways = [
            (way, following)
            for way in WAYS
            if not (ways and way == (-ways[-1][0], -ways[-1][1]))
            and (following := step(place, path[-1], way)) is not None
            and following not in obstacles
        ]
        if not open_ways and turned:
            found.add(path[-1])
        for way, following in open_ways:
            go([*path, following], [*ways, way])

    go([start], [])
    return found - {start}
