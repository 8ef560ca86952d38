"""States as JSON: there and back, and what contradicts itself is refused."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from companion.errors import BadState
from companion.games.pacal import GAME
from companion.games.pacal.state import State

Make = Callable[..., State]


@pytest.fixture
def data(position: Make) -> dict[str, Any]:
    state = position(
        {"red": "D4", "blue": "A1", "green": "G7"},
        "AAAAAAA\nAAAA~AA\nAASSSAA\nAASSSAA\nAAAAA.A\nBBBBBBB\nCCCBBBB",
        covers={"2/3": ["C"]},
        round=4,
        stones={"D4": "red red blue", "B1": "red green"},
        pyramids={"C1": "red 2", "D1": "blue 5"},
    )
    return GAME.state_to_json(state)


def changed(data: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    copied = copy.deepcopy(data)
    *way, last = path.split("/")
    target: Any = copied
    for key in way:
        target = target[int(key)] if isinstance(target, list) else target[key]
    if value is ...:
        del target[last]
    else:
        target[int(last) if isinstance(target, list) else last] = value
    return copied


def test_a_state_comes_back_from_its_json(data: dict[str, Any]) -> None:
    assert GAME.state_to_json(GAME.state_from_json(data)) == data


WRONG: list[tuple[str, Any, str]] = [
    ("game", "pacru", "pacru"),
    ("game", ..., "no 'game'"),
    ("extra", 1, "'extra'"),
    ("board", "nowhere", "nowhere"),
    ("board", 3, "board"),
    ("options", [], "options"),
    ("options", {"masters": True}, "masters"),
    ("options", {"master": 1}, "master"),
    ("options", {"faces": [4, 5]}, "R-DIE"),
    ("options", {"faces": [3, True]}, "option faces"),
    ("options", {"faces": [3, 4.0]}, "option faces"),
    ("options", {"target": -1}, "target"),
    ("players", "red", "players"),
    ("players", 3, "players must be a list"),
    ("players", ["red", "blue", "blue"], "once only"),
    ("players", ["red", "blue", "pink"], "pink"),
    ("players", ["red", "blue", "yellow"], "green|yellow"),
    ("players", [["red"], "blue", "green"], "colour"),
    ("phase", "flying", "flying"),
    ("phase", None, "phase"),
    ("phase", "place", "SETUP-4|roll"),
    ("phase", "roll", "roll must be null"),
    ("phase", "stones", "no stone may"),
    ("phase", "over", "roll must be null"),
    ("round", 0, "round"),
    ("round", 4.0, "4.0"),
    ("round", True, "True"),
    ("round", "4", "'4'"),
    ("round", 5, "ROUND-1"),
    ("starter", "blue", "ROUND-1"),
    ("starter", "purple", "purple"),
    ("to_act", "purple", "purple"),
    ("to_act", None, "to_act"),
    ("roll", None, "ROUND-1"),
    ("roll", 7, "R-DIE"),
    ("roll", 3.0, "3.0"),
    ("roll", True, "True"),
    ("roll", "arrow", "arrow"),
    ("allowance", 1, "allowance must be 0"),
    ("allowance", 3, "from 0 to 2"),
    ("allowance", False, "False"),
    ("ships/green", None, "SETUP-4"),
    ("ships/red", "A1", "two ships"),
    ("ships/red", "C1", "pyramid"),
    ("ships/red", "E2", "lake"),
    ("ships/red", "F5", "no square"),
    ("ships/red", "A7", "cover"),
    ("ships/red", "Z1", "no square"),
    ("ships/red", 4, "no square"),
    ("ships/red", ["A1"], "no square"),
    ("ships/red", ..., "no 'red'"),
    ("ships/purple", None, "purple"),
    ("ships", ["A1"], "ships"),
    ("stones/B1/red", 2, "FLY-2|stones"),
    ("stones/B1/red", 0, "from 1"),
    ("stones/B1/red", True, "True"),
    ("stones/B1/purple", 1, "purple"),
    ("stones/B1", {}, "not listed"),
    ("stones/B1", 1, "object"),
    ("stones/C1", {"red": 1}, "BUILD-3"),
    ("stones/E2", {"red": 1}, "lake"),
    ("stones/A7", {"red": 1}, "cover"),
    ("stones/C2", {"red": 1}, "11|SETUP-2"),
    ("pyramids/C1/floors", 6, "from 1 to 5"),
    ("pyramids/C1/floors", 3, "SETUP-2"),
    ("pyramids/C1/floors", 2.0, "2.0"),
    ("pyramids/C1/colour", "blue", "SETUP-2"),
    ("pyramids/C1/colour", "pink", "pink"),
    ("pyramids/C1/height", 1, "height"),
    ("pyramids/G7", {"colour": "green", "floors": 1}, "pyramid"),
    ("pyramids/E2", {"colour": "green", "floors": 1}, "lake"),
    ("supply/red/stones", 8, "11"),
    ("supply/red/stones", -1, "from 0"),
    ("supply/red/pyramids", [1, 3, 3, 2, 2], "SETUP-2"),
    ("supply/red/pyramids", [1, 2, 3, 2], "5 numbers"),
    ("supply/red/pyramids/0", -1, "from 0"),
    ("supply/red/gods", [2, 2], "once"),
    ("supply/red/gods", [4, 2], "sorted"),
    ("supply/red/gods", [3], "2, 4 and 6"),
    ("supply/red/gods", 2, "2, 4 and 6"),
    ("supply/red/gods", [True], "2, 4 and 6"),
    ("supply/red/gods", [2.0, 4, 6], "2, 4 and 6"),
    ("supply/red", ..., "no 'red'"),
    ("track/red", -1, "from 0"),
    ("track/red", 1.5, "1.5"),
    ("track/red", 40, "END-2"),
    ("track/red", 10**9, "from 0 to 1000000"),
    ("supply/red/stones", 10**9, "from 0 to 1000000"),
    ("round", 10**9, "from 1 to 1000000"),
    ("ending", "draw", "draw"),
    ("ending", "target", "END-2"),
    ("ending", "penultimate", "END-1"),
]


@pytest.mark.parametrize(("path", "value", "said"), WRONG)
def test_a_state_that_contradicts_itself_is_refused(data: dict[str, Any], path: str, value: Any, said: str) -> None:
    with pytest.raises(BadState, match=said):
        GAME.state_from_json(changed(data, path, value))


@pytest.mark.parametrize("value", [None, 3, [], "pacal", True, {}])
def test_what_is_no_state_is_refused(value: Any) -> None:
    with pytest.raises(BadState):
        GAME.state_from_json(value)


PLACING: list[tuple[str, Any]] = [
    ("to_act", "red"),
    ("to_act", "green"),
    ("ships/blue", "D3"),
    ("ships/red", None),
    ("ships/red", "A1"),
    ("round", 2),
    ("track/red", 1),
    ("supply/red/gods", [2]),
    ("roll", 3),
]


@pytest.mark.parametrize(("path", "value"), PLACING)
def test_while_ships_are_placed_nothing_else_has_happened(position: Make, path: str, value: Any) -> None:
    data = GAME.state_to_json(
        position({"red": "D4", "blue": None, "green": None}, phase="place", round=1, to_act="blue")
    )
    with pytest.raises(BadState):
        GAME.state_from_json(changed(data, path, value))


def test_the_end_must_fit_who_reached_it(position: Make) -> None:
    ships = {"red": "D4", "blue": "A1", "green": "G7"}
    track = {"red": 40, "blue": 0, "green": 0}
    position(ships, round=4, to_act="blue", ending="target", track=track)
    position(ships, round=4, to_act="green", phase="over", ending="target", track=track)
    for more in (
        {"phase": "over", "ending": "target", "to_act": "blue", "track": track},
        {"phase": "roll", "ending": "target", "to_act": "red", "track": track},
        {"phase": "over", "ending": None, "to_act": "green"},
        {"phase": "over", "ending": "penultimate", "to_act": "red"},
    ):
        with pytest.raises(BadState, match="END"):
            position(ships, round=4, **more)
    with pytest.raises(BadState, match="END-3"):
        position({"red": "D4", "blue": "A1"}, ending="target", track={"red": 45, "blue": 0})
    with pytest.raises(BadState, match="END-3"):
        position(
            {"red": "D4", "blue": "A1"}, phase="over", ending="target", to_act="blue", track={"red": 45, "blue": 0}
        )


def test_who_reached_the_end_has_had_a_turn_in_the_last_round(position: Make) -> None:
    """Points are scored in one's own turn only: reached in an earlier round, that would have been the last one."""
    ships = {"red": "D4", "blue": "A1", "green": "G7"}
    track = {"red": 0, "blue": 0, "green": 44}
    position(ships, round=4, to_act="green", phase="over", ending="target", track=track)
    for player in ships:
        with pytest.raises(BadState, match=r"green .* has had no turn in it .*END-2"):
            position(ships, round=4, to_act=player, ending="target", track=track)
    track = {"red": 41, "blue": 0, "green": 44}
    with pytest.raises(BadState, match=r"green .* has had no turn in it .*END-2"):
        position(ships, round=4, to_act="blue", ending="target", track=track)


THREE = {"red": "D4", "blue": "A1", "green": "G7"}


def refused(position: Make, says: str, ships: Any = THREE, **more: Any) -> None:
    with pytest.raises(BadState, match=says):
        position(ships, **{"round": 4, **more})


def test_two_stones_of_a_colour_lie_under_a_ship_only(position: Make) -> None:
    assert position(THREE, round=4, stones={"D4": "red red"}).stones == {"D4": {"red": 2}}
    refused(position, "FLY-2", stones={"B1": "red red"})


def test_who_starts_the_round_rolls_but_of_two_each(position: Make) -> None:
    refused(position, "red starts the round and rolls", phase="roll", to_act="blue")
    position({"red": "D4", "blue": "A1"}, phase="roll", to_act="blue")


def test_ships_are_placed_in_turn_order_and_then_the_die_is_rolled(position: Make) -> None:
    placing: dict[str, Any] = {"phase": "place", "round": 1}
    none: dict[str, str | None] = dict.fromkeys(THREE)
    position({**none, "red": "D4"}, **placing, to_act="blue")
    refused(position, "all ships are on the board", {"red": "D4", "blue": "D3", "green": "C3"}, **placing)
    refused(position, "cannot have been left out", {**none, "blue": "D4"}, **placing)
    for more in ({"round": 4}, {"stones": {"A1": "red"}}, {"pyramids": {"A1": "red 1"}}):
        refused(position, "still being placed", {**none, "red": "D4"}, **{**placing, "to_act": "blue", **more})


TEN = {
    "A2": "1",
    "B1": "2",
    "B2": "2",
    "B3": "2",
    "C1": "3",
    "C2": "3",
    "C5": "3",
    "E1": "4",
    "E2": "4",
    "E5": "5",
}
"""All pyramids of a colour but one of five floors."""


def test_with_one_pyramid_left_the_game_has_ended(position: Make) -> None:
    """END-1"""
    red, blue = ({name: f"{colour} {floors}" for name, floors in TEN.items()} for colour in ("red", "blue"))
    ended: dict[str, Any] = {"phase": "over", "ending": "penultimate"}
    track = {"red": 40, "blue": 0, "green": 0}
    position(THREE, round=4, pyramids=red, **ended)
    position(THREE, round=4, pyramids=red, **ended, track=track)
    refused(position, "red has 1 pyramid left", pyramids=red)
    missed = {"phase": "over", "ending": "target", "track": track, "to_act": "green"}
    refused(position, "red has 1 pyramid left", pyramids=red, **missed)
    refused(position, "phase must be over", pyramids=red, ending="penultimate")
    refused(position, "blue has 10 pyramids left, not 1", pyramids={"A2": "blue 1"}, **ended, to_act="blue")
    beside = {f"{'FG'[number % 2]}{1 + number // 2}": pyramid for number, pyramid in enumerate(blue.values())}
    refused(position, "blue has 1 pyramid left", pyramids=red | beside, **ended)
    refused(position, "blue has no pyramid left", pyramids=red | beside | {"F6": "blue 5"}, **ended)
    refused(position, "red has no pyramid left", pyramids=red | {"F6": "red 5"}, **ended)
