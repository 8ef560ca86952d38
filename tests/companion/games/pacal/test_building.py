"""Constellations and pyramids: BUILD-1 to BUILD-7 and the options on lines, gaps and squares."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import combinations, pairwise
from typing import Any

import pytest

from companion.errors import IllegalAction
from companion.games.pacal import GAME
from companion.games.pacal.actions import Build, Pass
from companion.games.pacal.building import builds, constellations
from companion.games.pacal.ground import between
from companion.games.pacal.state import State
from companion.squares import position as spot_of

Make = Callable[..., State]
SHIPS = {"red": "G7", "blue": "G6"}


def buildable(state: State) -> set[tuple[str, int, str]]:
    return {
        (action.at, action.floors, " ".join(action.uses)) for action in GAME.legal(state) if isinstance(action, Build)
    }


def refused(state: State, action: Build | Pass) -> str:
    with pytest.raises(IllegalAction) as caught:
        GAME.apply(state, action)
    return caught.value.rule


def test_one_stone_allows_one_floor(position: Make) -> None:
    state = position(SHIPS, stones={"A1": "red blue"}, phase="build")
    assert buildable(state) == {("A1", 1, "A1")}
    assert GAME.legal(state)[-1] == Pass()


def test_stones_of_others_and_those_under_ships_are_no_markers(position: Make) -> None:
    assert buildable(position(SHIPS, stones={"A1": "blue", "G7": "red", "G6": "red"}, phase="build")) == set()


def test_two_next_to_each_other_allow_two_floors_but_not_over_a_corner(position: Make) -> None:
    state = position(SHIPS, stones={"A1": "red", "A2": "red", "B3": "red"}, phase="build")
    assert {entry for entry in buildable(state) if entry[1] > 1} == {("A1", 2, "A1 A2"), ("A2", 2, "A1 A2")}


@pytest.mark.parametrize("line", ["A1 B1 C1", "A1 C1 E1", "A1 D1 G1", "A1 B2 C3", "A5 B4 C3", "B1 B3 B5", "A7 C5 E3"])
def test_three_in_a_line_with_equal_gaps_allow_three_floors(position: Make, line: str) -> None:
    state = position(SHIPS, stones=dict.fromkeys(line.split(), "red"), phase="build")
    uses = " ".join(sorted(line.split()))
    assert {entry for entry in buildable(state) if entry[1] >= 3} == {(at, 3, uses) for at in line.split()}


def test_unequal_gaps_make_no_line(position: Make) -> None:
    state = position(SHIPS, stones=dict.fromkeys(["A1", "B1", "D1"], "red"), phase="build")
    assert {floors for _, floors, _ in buildable(state)} == {1, 2}


@pytest.mark.parametrize("line", ["A1 B1 C1 D1", "A1 C1 E1 G1", "A1 B2 C3 D4", "A1 C3 E5 G7", "A4 B3 C2 D1"])
def test_four_in_a_line_allow_four_floors(position: Make, line: str) -> None:
    state = position({"red": "F1", "blue": "F2"}, stones=dict.fromkeys(line.split(), "red"), phase="build")
    assert {entry for entry in buildable(state) if entry[1] == 4} == {(at, 4, line) for at in line.split()}


@pytest.mark.parametrize("corners", ["A1 A2 B1 B2", "A1 A3 C1 C3", "A1 A7 G1 G7"])
def test_four_corners_of_an_upright_square_allow_five_floors(position: Make, corners: str) -> None:
    state = position({"red": "F1", "blue": "F2"}, stones=dict.fromkeys(corners.split(), "red"), phase="build")
    assert {entry for entry in buildable(state) if entry[1] == 5} == {(at, 5, corners) for at in corners.split()}


def test_a_rectangle_or_a_skewed_square_is_no_constellation(position: Make) -> None:
    for corners in ("A1 A2 C1 C2", "A2 B4 D3 C1"):
        state = position(
            SHIPS, stones=dict.fromkeys(corners.split(), "red"), phase="build", options={"tilted_squares": True}
        )
        assert max(floors for _, floors, _ in buildable(state)) < 5


def test_squares_on_a_corner_count_only_by_option(position: Make) -> None:
    """R-TILTED"""
    stones = dict.fromkeys(["A2", "B1", "B3", "C2"], "red")
    assert all(floors < 5 for _, floors, _ in buildable(position(SHIPS, stones=stones, phase="build")))
    tilted = position(SHIPS, stones=stones, phase="build", options={"tilted_squares": True})
    assert ("A2", 5, "A2 B1 B3 C2") in buildable(tilted)


def test_diagonal_lines_count_unless_switched_off(position: Make) -> None:
    """R-DIAGONAL"""
    stones = dict.fromkeys(["A1", "B2", "C3", "D4", "A2"], "red")
    assert max(floors for _, floors, _ in buildable(position(SHIPS, stones=stones, phase="build"))) == 4
    upright = position(SHIPS, stones=stones, phase="build", options={"diagonal_lines": False})
    assert max(floors for _, floors, _ in buildable(upright)) == 2


def test_what_lies_in_a_gap_matters_only_by_option(position: Make) -> None:
    """R-GAPS: a lake square, a stone, a pyramid, a ship."""
    map_ = "A~AAA\nAAAAA\nAAAAA\nAASSS\nAASSS"
    ships = {"red": "C4", "blue": "B5"}
    stones = {
        "A1": "red",
        "C1": "red",
        "E1": "red",
        "A2": "red",
        "C2": "red",
        "E2": "red",
        "B2": "blue",
        "A3": "red",
        "C3": "red",
        "E3": "red",
        "A5": "red",
    }
    pyramids = {"B3": "blue 1"}
    free = position(ships, map_, stones=stones, pyramids=pyramids, phase="build")
    assert {uses for _, floors, uses in buildable(free) if floors == 3} >= {"A1 C1 E1", "A2 C2 E2", "A3 C3 E3"}
    strict = position(ships, map_, stones=stones, pyramids=pyramids, phase="build", options={"empty_gaps": True})
    assert not {uses for _, floors, uses in buildable(strict) if floors == 3} & {"A1 C1 E1", "A2 C2 E2", "A3 C3 E3"}
    assert refused(strict, Build("A1", 3, ("A1", "C1", "E1"))) == "R-GAPS"
    bare = position(SHIPS, stones=dict.fromkeys(("A1", "C1", "E1"), "red"), phase="build", options={"empty_gaps": True})
    assert refused(bare, Build("A1", 2, ("A1", "C1", "E1"))) == "BUILD-5"
    assert refused(free, Build("A1", 2, ("A1", "C1", "E1"))) == "BUILD-5"


def test_a_square_with_empty_gaps_is_looked_at_on_its_four_sides_only(position: Make) -> None:
    corners = dict.fromkeys(["A1", "A3", "C1", "C3"], "red")
    options = {"empty_gaps": True}
    assert ("A1", 5, "A1 A3 C1 C3") in buildable(
        position(SHIPS, stones={**corners, "B2": "blue"}, phase="build", options=options)
    )
    for side in ("B1", "A2", "C2", "B3"):
        state = position(SHIPS, stones={**corners, side: "blue"}, phase="build", options=options)
        assert all(floors < 5 for _, floors, _ in buildable(state))
    ship_between = position({"red": "B1", "blue": "G6"}, stones=corners, phase="build", options=options)
    assert all(floors < 5 for _, floors, _ in buildable(ship_between))


def test_gaps_of_lines_and_squares_are_the_squares_between() -> None:
    assert between(3, ("A1", "C1", "E1")) == {"B1", "D1"}
    assert between(4, ("A10", "A4", "A6", "A8")) == {"A5", "A7", "A9"}
    assert between(3, ("A5", "C3", "E1")) == {"B4", "D2"}
    assert between(5, ("A1", "A4", "D1", "D4")) == {"B1", "C1", "A2", "A3", "D2", "D3", "B4", "C4"}
    assert between(5, ("A3", "C1", "C5", "E3")) == {"B2", "D2", "B4", "D4"}


def test_a_constellation_needs_a_stone(position: Make) -> None:
    state = position(SHIPS, pyramids={"A1": "red 1", "A2": "red 2"}, phase="build")
    assert buildable(state) == set()
    assert refused(state, Build("A1", 2, ("A1", "A2"))) == "BUILD-2"
    beside = position(SHIPS, stones={"C3": "red"}, pyramids={"A1": "red 1", "A2": "red 2"}, phase="build")
    assert refused(beside, Build("A1", 2, ("A1", "A2"))) == "BUILD-2"


def test_a_new_pyramid_takes_own_stones_of_the_constellation_and_others_on_its_square(position: Make) -> None:
    stones = {"A1": "red blue", "A2": "red blue", "A3": "red", "C1": "red"}
    state = position(SHIPS, stones=stones, phase="build")
    after = GAME.apply(state, Build("A1", 3, ("A1", "A2", "A3"))).state
    assert after.stones == {"A2": {"blue": 1}, "C1": {"red": 1}}
    assert after.pyramids == {"A1": ("red", 3)}
    assert (after.supply["red"].stones, after.supply["blue"].stones) == (9, 9)
    assert after.supply["red"].pyramids == (1, 3, 2, 2, 2)


def test_an_upgrade_replaces_a_lower_own_pyramid(position: Make) -> None:
    state = position(SHIPS, stones={"A1": "red", "A3": "red"}, pyramids={"A2": "red 2"}, phase="build")
    after = GAME.apply(state, Build("A2", 3, ("A1", "A2", "A3"))).state
    assert after.pyramids == {"A2": ("red", 3)} and after.stones == {}
    assert after.supply["red"].pyramids == (1, 3, 2, 2, 2)


def test_an_upgrade_must_be_higher(position: Make) -> None:
    state = position(SHIPS, stones={"A1": "red"}, pyramids={"A2": "red 2"}, phase="build")
    assert refused(state, Build("A2", 2, ("A1", "A2"))) == "BUILD-4"
    assert ("A1", 2, "A1 A2") in buildable(state)


def test_the_height_is_that_of_the_constellation_while_there_is_such_a_pyramid(position: Make) -> None:
    state = position(SHIPS, stones={"A1": "red", "A2": "red"}, phase="build")
    assert refused(state, Build("A1", 1, ("A1", "A2"))) == "BUILD-5"


def test_a_lower_pyramid_will_do_when_the_height_is_used_up(position: Make) -> None:
    built = {"A7": "red 4", "C7": "red 4", "E5": "red 1"}
    state = position(SHIPS, stones=dict.fromkeys(["A1", "B1", "C1", "D1"], "red"), pyramids=built, phase="build")
    lines = {(at, floors) for at, floors, uses in buildable(state) if uses == "A1 B1 C1 D1"}
    assert lines == {(at, floors) for at in ("A1", "B1", "C1", "D1") for floors in (2, 3)}
    assert refused(state, Build("A1", 4, ("A1", "B1", "C1", "D1"))) == "BUILD-5"
    assert refused(state, Build("A1", 1, ("A1",))) == "BUILD-5"


def test_a_lower_pyramid_in_an_upgrade_must_be_higher_than_what_it_replaces(position: Make) -> None:
    built = {"A7": "red 4", "C7": "red 4", "A1": "red 2"}
    state = position(SHIPS, stones=dict.fromkeys(["B1", "C1", "D1"], "red"), pyramids=built, phase="build")
    upgrades = {floors for at, floors, uses in buildable(state) if uses == "A1 B1 C1 D1" and at == "A1"}
    assert upgrades == {3}


def test_the_master_builds_new_from_stones_alone(position: Make) -> None:
    """BUILD-7"""
    master = {"master": True}
    state = position(SHIPS, stones={"A1": "red", "A3": "red"}, pyramids={"A2": "red 2"}, phase="build", options=master)
    assert buildable(state) == {("A1", 1, "A1"), ("A3", 1, "A3"), ("A2", 3, "A1 A2 A3")}
    assert refused(state, Build("A1", 3, ("A1", "A2", "A3"))) == "BUILD-7"
    pyramids = {"A2": "red 2", "A3": "red 2"}
    two = position(SHIPS, stones={"A1": "red"}, pyramids=pyramids, phase="build", options=master)
    assert buildable(two) == {("A1", 1, "A1")}
    assert refused(two, Build("A2", 3, ("A1", "A2", "A3"))) == "BUILD-7"


def test_a_pyramid_as_high_is_not_replaced_by_the_master_either(position: Make) -> None:
    """BUILD-4, which BUILD-7 leaves as it is; and without the variant two pyramids in a line are no matter."""
    line = ("A1", "A2", "A3")
    one = {"stones": {"A1": "red", "A3": "red"}, "pyramids": {"A2": "red 3"}}
    assert refused(position(SHIPS, **one, phase="build", options={"master": True}), Build("A2", 3, line)) == "BUILD-4"
    two = {"stones": {"A1": "red"}, "pyramids": {"A2": "red 3", "A3": "red 2"}}
    assert refused(position(SHIPS, **two, phase="build"), Build("A2", 3, line)) == "BUILD-4"


@pytest.mark.parametrize(
    ("build", "rule"),
    [
        (Build("B1", 1, ("B1",)), "BUILD-1"),
        (Build("C1", 1, ("C1",)), "BUILD-1"),
        (Build("A1", 2, ("A2", "A1")), "BUILD-1"),
        (Build("A1", 2, ("A1", "A1")), "BUILD-1"),
        (Build("A1", 1, ()), "BUILD-1"),
        (Build("A3", 2, ("A1", "A2")), "BUILD-3"),
        (Build("A1", 3, ("A1", "A2")), "BUILD-1"),
    ],
)
def test_a_build_that_is_none_names_its_rule(position: Make, build: Build, rule: str) -> None:
    state = position(SHIPS, stones={"A1": "red", "A2": "red", "A3": "red", "B1": "blue"}, phase="build")
    assert refused(state, build) == rule


def slow_constellations(markers: list[str], options: dict[str, bool]) -> set[tuple[int, tuple[str, ...]]]:
    """Every subset of up to four markers, by arithmetic alone."""
    found = set()
    for size in (1, 2, 3, 4):
        for subset in combinations(sorted(markers), size):
            floors = slow_floors([spot_of(name) for name in subset], options)
            if floors:
                found.add((floors, subset))
    return found


def slow_floors(spots: list[tuple[int, int]], options: dict[str, bool]) -> int:
    spots = sorted(spots)
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(spots)]
    if len(spots) == 1:
        return 1
    if len(spots) == 2:
        return 2 if sum(map(abs, steps[0])) == 1 else 0
    if len(set(steps)) == 1:
        columns, rows = steps[0]
        upright = not columns or not rows
        diagonal = abs(columns) == abs(rows) and options.get("diagonal_lines", True)
        return len(spots) if upright or diagonal else 0
    if len(spots) < 4:
        return 0
    distances = sorted((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 for a, b in combinations(spots, 2))
    is_square = distances[0] == distances[3] and distances[4] == distances[5] == 2 * distances[0]
    if not is_square:
        return 0
    if len({column for column, _ in spots}) == 2:
        return 5
    on_corner = len({column for column, _ in spots}) == 3 and len({row for _, row in spots}) == 3
    return 5 if on_corner and options.get("tilted_squares", False) else 0


@pytest.mark.parametrize("options", [{}, {"diagonal_lines": False}, {"tilted_squares": True}])
def test_the_tables_agree_with_trying_every_subset(position: Make, options: Any) -> None:
    chance = random.Random(3)
    for _ in range(12):
        squares = [
            f"{column}{row}" for column in "ABCDEFG" for row in range(1, 8) if f"{column}{row}" not in ("G7", "G6")
        ]
        chosen = chance.sample(squares, 14)
        pyramids = dict(zip(chosen[:5], ("red 1", "red 2", "red 2", "red 3", "red 5"), strict=True))
        stones = dict.fromkeys(chosen[5:], "red")
        state = position(SHIPS, stones=stones, pyramids=pyramids, phase="build", options=options)
        quick = [tuple(entry) for entry in constellations(state, "red")]
        assert len(quick) == len(set(quick))
        assert set(quick) == slow_constellations(chosen, options)
        assert len(builds(state, "red")) == len(set(builds(state, "red")))
