"""Stones: left behind, sent back, brought in, hidden (FLY-1, FLY-2, STONE-1 to STONE-3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.errors import BadCommand, IllegalAction
from companion.games.pacal import GAME
from companion.games.pacal.actions import Action, BringIn, Fly
from companion.games.pacal.pieces import Ship, Stones
from companion.games.pacal.state import State
from companion.observation import Seen
from tests.companion.games.pacal.short import all_legal

Make = Callable[..., State]


def refused(state: State, action: Action) -> str:
    with pytest.raises(IllegalAction) as caught:
        GAME.apply(state, action)
    return caught.value.rule


def test_stones_under_a_ship_stay_when_it_flies(position: Make) -> None:
    state = position({"red": "D4", "blue": "A1"}, stones={"D4": "red blue"})
    after = GAME.apply(state, Fly("straight", "D1")).state
    right: Seen = {"D4": Stones(("blue", "red")), "D1": Ship("red"), "A1": Ship("blue")}
    assert GAME.visible(after) == right


def test_two_stones_of_a_colour_go_back_and_others_stay(position: Make) -> None:
    state = position({"red": "D4", "blue": "A1", "green": "G7"}, stones={"D4": "red red blue"}, round=4)
    after, events = GAME.apply(state, Fly("straight", "D1"))
    assert after.stones == {"D4": {"blue": 1}}
    assert after.supply["red"].stones == 10
    assert [(event["player"], event["count"]) for event in events if event["event"] == "return"] == [("red", 2)]


def test_three_stones_of_a_colour_all_go_back(position: Make) -> None:
    """R-THREE"""
    state = position({"red": "D4", "blue": "A1"}, stones={"D4": "blue blue blue"})
    after = GAME.apply(state, Fly("straight", "D1")).state
    assert after.stones == {} and after.supply["blue"].stones == 10


def test_two_stones_may_go_into_the_own_ship_and_another(position: Make) -> None:
    state = position({"red": "D4", "blue": "A1", "green": "G7"}, phase="stones", allowance=2, round=4)
    assert GAME.legal(state) == [
        BringIn(("red", "blue"), ("supply", "supply")),
        BringIn(("red", "green"), ("supply", "supply")),
        BringIn(("red",), ("supply",)),
        BringIn((), ()),
    ]
    after = GAME.apply(state, BringIn(("red", "green"), ("supply", "supply"))).state
    assert after.stones == {"D4": {"red": 1}, "G7": {"red": 1}}
    assert (after.supply["red"].stones, after.phase, after.allowance) == (8, "build", 0)


@pytest.mark.parametrize(
    "into", [("blue",), ("blue", "red"), ("red", "red"), ("red", "blue", "green"), ("red", "blue")]
)
def test_one_stone_goes_into_the_own_ship_only(position: Make, into: tuple[str, ...]) -> None:
    state = position({"red": "D4", "blue": "A1", "green": "G7"}, phase="stones", allowance=1, round=4)
    assert refused(state, BringIn(into, ("supply",) * len(into))) == "STONE-1"


MANY = {f"{column}{row}": "red" for column, row in ("A3", "A4", "A5", "A6", "A7", "B3", "B4", "B5", "B6")}


def test_the_board_gives_stones_only_when_the_supply_is_empty(position: Make) -> None:
    state = position({"red": "D4", "blue": "A1"}, stones=MANY, phase="stones", allowance=2)
    assert state.supply["red"].stones == 1
    origins = [action.origin for action in all_legal(state, BringIn) if action.into == ("red", "blue")]
    assert origins == [("supply", name) for name in sorted(MANY)]
    assert [action.origin for action in all_legal(state, BringIn) if action.into == ("red",)] == [("supply",)]
    assert refused(state, BringIn(("red",), ("A3",))) == "STONE-2"
    after = GAME.apply(state, BringIn(("red", "blue"), ("supply", "A3"))).state
    assert "A3" not in after.stones and after.stones["D4"] == after.stones["A1"] == {"red": 1}


def test_an_empty_supply_lets_both_stones_come_from_the_board(position: Make) -> None:
    stones = {**MANY, "D4": "red", "A3": "red blue"}
    state = position({"red": "D4", "blue": "A1"}, stones=stones, phase="stones", allowance=2)
    pairs = [action.origin for action in all_legal(state, BringIn) if len(action.into) == 2]
    assert len(pairs) == 9 * 8 // 2
    assert all("D4" not in pair and list(pair) == sorted(pair) for pair in pairs)
    assert refused(state, BringIn(("red",), ("D4",))) == "STONE-2"
    assert refused(state, BringIn(("red", "blue"), ("A4", "A3"))) == "STONE-2"
    assert refused(state, BringIn(("red", "blue"), ("A3", "A3"))) == "STONE-2"
    after = GAME.apply(state, BringIn(("red",), ("A3",))).state
    assert after.stones["A3"] == {"blue": 1} and after.stones["D4"] == {"red": 2}


def test_stones_that_all_lie_under_ships_cannot_be_taken(position: Make) -> None:
    state = position(
        {"red": "D4", "blue": "A1", "green": "G7"},
        stones={"D4": "red " * 3, "A1": "red " * 3, "G7": "red " * 4},
        phase="stones",
        allowance=2,
        round=4,
    )
    assert GAME.legal(state) == [BringIn((), ())]
    assert refused(state, BringIn(("red",), ("supply",))) == "STONE-2"


def test_names_that_only_look_like_two_are_refused(position: Make) -> None:
    state = position({"red": "D4", "blue": "A1"}, phase="stones", allowance=2)
    forged = GAME.action_from_json({"type": "stones", "into": ['red","blue'], "from": ['supply","supply']})
    assert refused(state, forged) == "STONE-1"


def test_what_is_under_a_ship_shows_in_its_owners_view_only(position: Make) -> None:
    state = position({"red": "D4", "blue": "A1"}, stones={"D4": "red blue blue", "G7": "red blue"})
    assert GAME.view(state, "public")["stones"] == {"G7": {"red": 1, "blue": 1}}
    assert GAME.view(state, "red")["stones"]["D4"] == {"red": 1}
    assert GAME.view(state, "blue")["stones"]["D4"] == {"blue": 2}
    with pytest.raises(BadCommand):
        GAME.view(state, "green")


def test_events_and_words_of_stones_tell_how_many_but_not_where_to(position: Make) -> None:
    state = position({"red": "D4", "blue": "A1", "green": "G7"}, phase="stones", allowance=2, round=4)
    told: list[Any] = []
    for other in ("blue", "green"):
        action = BringIn(("red", other), ("supply", "supply"))
        told.append((GAME.apply(state, action).events, GAME.describe(action, "red")))
    assert told[0] == told[1]
    assert "2 stones" in told[0][1]
