"""Points in the game and at its end: SCORE-1, FINAL-1 to FINAL-5."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.games.pacal import GAME
from companion.games.pacal.actions import Build
from companion.games.pacal.scoring import first_and_second, leader, shared_places
from companion.games.pacal.state import State

Make = Callable[..., State]
SHIPS = {"red": "D4", "blue": "E4", "green": "C4"}


def scored(state: State, build: Build) -> int:
    after = GAME.apply(state, build).state
    return after.track["red"] - state.track["red"]


@pytest.mark.parametrize(
    ("pyramids", "points"),
    [
        ({}, 3),
        ({"A1": "blue 1"}, 3),
        ({"A1": "blue 2"}, 0),
        ({"A1": "blue 3"}, 0),
        ({"A1": "blue 2", "G1": "red 2"}, 3),
        ({"A1": "blue 2", "G1": "red 1"}, 3),
        ({"A1": "blue 2", "G1": "red 3"}, 0),
        ({"A1": "blue 2", "E1": "blue 1", "G1": "red 1"}, 0),
        ({"A1": "blue 2", "E1": "green 2", "G1": "red 2"}, 3),
        ({"A7": "blue 5"}, 3),
    ],
)
def test_a_build_scores_that_gains_the_majority_of_its_district(position: Make, pyramids: Any, points: int) -> None:
    """Two floors in district A, worth 3: first there, taking over, breaking a tie; not for who has it already."""
    state = position(SHIPS, phase="build", round=4, stones={"C1": "red", "C2": "red"}, pyramids=pyramids)
    assert scored(state, Build("C1", 2, ("C1", "C2"))) == points


def test_an_upgrade_can_gain_the_majority(position: Make) -> None:
    state = position(SHIPS, phase="build", round=4, stones={"C1": "red"}, pyramids={"C2": "red 1", "A1": "blue 1"})
    assert scored(state, Build("C2", 2, ("C1", "C2"))) == 3


def test_the_leader_has_more_than_every_other() -> None:
    assert leader({}) is None
    assert leader({"red": 1}) == "red"
    assert leader({"red": 2, "blue": 2, "green": 1}) is None


@pytest.mark.parametrize(
    ("floors", "points"),
    [
        ({}, {}),
        ({"a": 3}, {"a": 12}),
        ({"a": 3, "b": 2, "c": 1, "d": 1}, {"a": 12, "b": 8, "c": 2, "d": 2}),
        ({"a": 3, "b": 3, "c": 1}, {"a": 10, "b": 10, "c": 4}),
        ({"a": 3, "b": 2, "c": 2, "d": 1}, {"a": 12, "b": 6, "c": 6, "d": 0}),
        ({"a": 3, "b": 2, "c": 2, "d": 2}, {"a": 12, "b": 4, "c": 4, "d": 4}),
        ({"a": 2, "b": 2, "c": 2}, {"a": 8, "b": 8, "c": 8}),
        ({"a": 2, "b": 2, "c": 2, "d": 2, "e": 2}, {"a": 4, "b": 4, "c": 4, "d": 4, "e": 4}),
        ({"a": 5, "b": 4, "c": 1, "d": 1, "e": 1}, {"a": 12, "b": 8, "c": 1, "d": 1, "e": 1}),
    ],
)
def test_tied_players_share_the_water_points_of_their_places_rounded_down(floors: Any, points: Any) -> None:
    assert shared_places(floors) == points


@pytest.mark.parametrize(
    ("floors", "points"),
    [
        ({"a": 3}, {"a": 5}),
        ({"a": 3, "b": 1}, {"a": 5, "b": 2}),
        ({"a": 3, "b": 1, "c": 1}, {"a": 5, "b": 2, "c": 2}),
        ({"a": 3, "b": 3, "c": 1}, {"a": 5, "b": 5}),
        ({"a": 4, "b": 3, "c": 1}, {"a": 5, "b": 2}),
    ],
)
def test_a_district_scores_for_the_first_and_the_second(floors: Any, points: Any) -> None:
    assert first_and_second(floors, 5) == points


def test_the_final_scoring_adds_water_districts_and_god_stones(position: Make) -> None:
    shore = "#......\n" + ".......\n" * 5 + "......#"
    state = position(
        SHIPS,
        shore=shore,
        pyramids={"A1": "red 2", "B1": "blue 3", "G7": "blue 1", "A7": "green 1"},
        stones={"C1": "red"},
        gods={"red": [6], "blue": [2, 4], "green": []},
        track={"red": 3, "blue": 7, "green": 0},
        round=4,
    )
    assert GAME.score(state) == {
        "over": False,
        "players": {
            "red": {"track": 3, "water": 12, "districts": 2, "gods": 6, "total": 23},
            "blue": {"track": 7, "water": 8, "districts": 3 + 4, "gods": 6, "total": 28},
            "green": {"track": 0, "water": 0, "districts": 4, "gods": 0, "total": 4},
        },
        "leaders": ["blue"],
    }


def test_tied_players_win_together(position: Make) -> None:
    assert GAME.score(position(SHIPS, round=4))["leaders"] == ["red", "blue", "green"]
