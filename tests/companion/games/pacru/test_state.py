"""States as JSON: what comes back, and what contradicts itself and is refused with what is wrong."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import BadCommand, BadState
from companion.games.pacru import GAME
from companion.games.pacru.state import State
from companion.referee.lines import Referee

Data = Callable[..., dict[str, Any]]

TWO = {"E5": "red E", "I9": "yellow NW"}
THREE = ["red", "yellow", "green"]


def test_a_state_comes_back_from_json_as_it_was(position_data: Data) -> None:
    data = position_data(TWO, red="A1 E5", yellow="C3", options={"meeting_threshold": 4, "rules": "official"})
    assert GAME.state_to_json(GAME.state_from_json(json.loads(json.dumps(data)))) == data


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"players": ["red", "white"]}, "players: 'white' is no colour"),
        ({"players": ["red", "red"]}, "players: each colour can play once"),
        ({"players": ["red"]}, "players: Pacru is for 2 to 4 players, not 1"),
        ({"board": "chess"}, "layout 'chess'"),
        ({"board": 3}, "board must be the name of a layout"),
        ({"options": {"bonuses": "none"}}, "option bonuses must be"),
        ({"options": []}, "options must be an object"),
        ({"phase": "roll"}, "phase is 'roll'"),
        ({"turn": 0}, "turn is 0; a whole number from 1"),
        ({"turn": 1.0}, r"turn is 1\.0"),
        ({"turn": True}, "turn is True"),
        ({"to_act": "green"}, "to_act is 'green'; one of red, yellow"),
        ({"chevrons": []}, "chevrons must be an object"),
        ({"chevrons": {"J1": {"colour": "red", "heading": "N"}}}, "chevrons: 'J1' is no field of the board"),
        ({"chevrons": {"A1": {"colour": "green", "heading": "N"}}}, "the chevron on A1: its colour is 'green'"),
        ({"chevrons": {"A1": {"colour": "red", "heading": "up"}}}, "the chevron on A1: its heading is 'up'"),
        ({"chevrons": {"A1": {"colour": "red"}}}, "the chevron on A1 has no 'heading'"),
        ({"chevrons": {"A1": "red N"}}, "the chevron on A1 must be an object"),
        ({"markers": {"A10": "red"}}, "markers: 'A10' is no field"),
        ({"markers": {"A1": "green"}}, "the marker on A1 is 'green'"),
        ({"markers": {"A1": None}}, "the marker on A1 is None"),
        ({"supply": {"red": 42}}, "supply has no 'yellow'"),
        ({"supply": {"red": 42, "yellow": 42, "green": 42}}, "supply has 'green'"),
        ({"supply": {"red": 43, "yellow": 42}}, "supply of red is 43; a whole number from 0 to 42"),
        ({"supply": {"red": 41, "yellow": 42}}, "red has 41 markers in the supply and on the board together"),
        ({"supply": {"red": 42, "yellow": -1}}, "supply of yellow is -1"),
        ({"supply": {"red": 42, "yellow": "42"}}, "supply of yellow is '42'"),
        ({"out": "red"}, "out must be a list"),
        ({"out": ["green"]}, "out is 'green'"),
        ({"out": ["yellow", "yellow"]}, "out names yellow more than once"),
        ({"out": ["yellow"]}, "yellow is out, but has a chevron"),
        ({"out": [["yellow"]]}, r"out is \['yellow'\]"),
        ({"winner": "red"}, "winner is 'red', so the phase must be over"),
        ({"ending": "last"}, "ending is 'last', so the phase must be over"),
        ({"phase": "over", "winner": "red"}, "the phase is over, so ending must not be null"),
        ({"phase": "over", "ending": "last"}, "the phase is over, so winner must not be null"),
        ({"phase": "over", "ending": "draw", "winner": "red"}, "ending is 'draw'"),
        ({"phase": "over", "ending": "last", "winner": "green"}, "winner is 'green'"),
        ({"game": "pompeji"}, "a state of 'pacru' was expected"),
        ({"seed": 3}, "the state has 'seed', which there is not"),
    ],
)
def test_a_state_that_cannot_be_is_refused(position_data: Data, change: dict[str, Any], message: str) -> None:
    with pytest.raises(BadState, match=message):
        GAME.state_from_json({**position_data(TWO), **change})


@pytest.mark.parametrize(
    "key", ["board", "options", "players", "turn", "chevrons", "markers", "supply", "out", "ending"]
)
def test_a_state_without_one_of_its_parts_is_refused(position_data: Data, key: str) -> None:
    data = position_data(TWO)
    del data[key]
    with pytest.raises(BadState, match=f"the state has no '{key}'"):
        GAME.state_from_json(data)


def test_a_chevron_on_a_marker_of_another_colour_is_refused(position_data: Data) -> None:
    with pytest.raises(BadState, match="on E5 a chevron of red stands on a marker of yellow"):
        GAME.state_from_json(position_data(TWO, yellow="E5"))


@pytest.mark.parametrize(("players", "most"), [(["red", "yellow"], 4), (THREE, 3)])
def test_more_chevrons_than_there_are_are_refused(position_data: Data, players: list[str], most: int) -> None:
    others = {f"H{number}": f"{player} S" for number, player in enumerate(players[1:], 1)}
    chevrons = {f"{column}5": "red N" for column in "ABCDE"[:most]}
    assert GAME.state_from_json(position_data({**chevrons, **others}, players=players))
    with pytest.raises(BadState, match=f"red has {most + 1} chevrons; with {len(players)} players there are {most}"):
        GAME.state_from_json(position_data({**chevrons, "F7": "red N", **others}, players=players))


def test_a_player_without_chevrons_must_be_out_while_the_game_is_on(position_data: Data) -> None:
    with pytest.raises(BadState, match="green has no chevron on the board, so out must name green"):
        GAME.state_from_json(position_data(TWO, players=THREE))
    assert GAME.state_from_json(position_data(TWO, players=THREE, out=["green"]))


def test_a_player_who_is_out_is_not_the_one_to_act(position_data: Data) -> None:
    with pytest.raises(BadState, match="green is out and cannot be the one to act"):
        GAME.state_from_json(position_data(TWO, players=THREE, out=["green"], to_act="green"))


def test_an_empty_supply_ends_the_game(position_data: Data) -> None:
    fields = " ".join(
        [f"{column}{row}" for column in "ABCD" for row in range(1, 10)] + ["F1", "F2", "F3", "F4", "F5", "F6"]
    )
    with pytest.raises(BadState, match="red has put the last marker on the board"):
        GAME.state_from_json(position_data(TWO, red=fields))
    assert GAME.state_from_json(position_data(TWO, red=fields, phase="over", winner="red", ending="markers"))


def test_whether_the_player_can_move_is_not_looked_at(position: Callable[..., State]) -> None:
    assert GAME.legal(position({"A1": "red NW"})) == []


@pytest.mark.parametrize("viewer", ["public", "red", "yellow"])
def test_nothing_is_hidden_from_anybody(position: Callable[..., State], viewer: str) -> None:
    state = position({"E5": "red E"}, red="A1")
    assert GAME.view(state, viewer) == GAME.state_to_json(state)


@pytest.mark.parametrize("viewer", ["green", "", "nobody"])
def test_a_view_is_for_those_at_the_table(position: Callable[..., State], viewer: str) -> None:
    with pytest.raises(BadCommand, match="one of: public, red, yellow"):
        GAME.view(position({"E5": "red E"}), viewer)


scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3)
words = st.sampled_from(["red", "yellow", "green", "A1", "E5", "N", "over", "turn", "colour", "heading", "J9"])
anything = st.recursive(
    scalars | words | st.just(10**40),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words | st.text(max_size=2), inner, max_size=3),
    max_leaves=6,
)


def spots(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to each part of some JSON."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path, *(spot for key, value in inner for spot in spots(value, (*path, key)))]


def with_part(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    """Some JSON with one part replaced."""
    if not path:
        return value
    changed = copy.copy(data)
    changed[path[0]] = with_part(data[path[0]], path[1:], value)
    return changed


@settings(max_examples=400, derandomize=True)
@given(choice=st.data())
def test_any_json_for_a_state_or_an_action_or_a_picture_gets_an_answer(choice: Any) -> None:
    referee = Referee()
    state = GAME.state_to_json(GAME.new(["red", "yellow"], "reference", {"landing_field": True}, 1))
    assert referee.answer(json.dumps({"cmd": "set", "state": state}).encode()) == '{"ok":true}'
    rotation = {"type": "rotate", "field": "A1", "heading": "S", "remove": ["A1", "B2"]}
    squares = {"C4": {"marker": "red", "chevron": {"colour": "red", "heading": "NE"}}}
    message = choice.draw(
        st.sampled_from(
            [
                {"cmd": "set", "state": {**state, "markers": {"A1": "red"}, "supply": {"red": 41, "yellow": 42}}},
                {"cmd": "apply", "action": {"type": "move", "from": "G1", "to": "F2", "mark": "D1"}},
                {"cmd": "apply", "action": rotation},
                {"cmd": "explain", "squares": squares, "presses": [{"press": "done"}]},
                {"cmd": "new", "game": "pacru", "players": ["red", "blue"], "options": {"bonuses": "optional"}},
                {"cmd": "view", "viewer": "public"},
            ]
        )
    )
    wrong = with_part(message, choice.draw(st.sampled_from(spots(message))), choice.draw(anything))
    reply = json.loads(referee.answer(json.dumps(wrong).encode()))
    assert reply["ok"] or reply["error"]["code"] in {"bad_json", "bad_command", "bad_state", "illegal_action"}
    if not reply["ok"]:
        assert json.loads(referee.answer(b'{"cmd":"state"}'))["state"] == state
