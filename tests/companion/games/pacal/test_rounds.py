"""Set-up, whose turn it is, and how the game ends: SETUP-4, ROUND-1, ROUND-2, TURN-1, END-1 to END-3."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.errors import BadCommand, BadLayout, IllegalAction
from companion.games.pacal import GAME
from companion.games.pacal.actions import Action, Build, Fly, Pass, Place, Roll
from companion.games.pacal.state import State

Make = Callable[..., State]


def play(state: State, *actions: Action) -> State:
    for action in actions:
        state = GAME.apply(state, action).state
    return state


def test_ships_are_placed_in_turn_order_on_free_squares_of_the_sacred_district() -> None:
    state = GAME.new(["red", "blue", "green"], "reference", {}, None)
    assert GAME.legal(state) == [Place(f"{column}{row}") for column in "FGH" for row in (6, 7, 8)]
    state = play(state, Place("G7"))
    assert state.to_act == "blue" and Place("G7") not in GAME.legal(state)
    for square in ("G7", "A1", "Z9"):
        with pytest.raises(IllegalAction, match="SETUP-4"):
            GAME.apply(state, Place(square))
    state = play(state, Place("F6"), Place("H8"))
    assert (state.phase, state.to_act, state.roll) == ("roll", "red", None)


def test_one_roll_counts_for_the_whole_round_and_the_die_goes_on(position: Make) -> None:
    state = position({"red": "D4", "blue": "A1", "green": "G7"}, phase="build", round=4, gods={"red": []})
    state = play(state, Pass())
    assert (state.phase, state.to_act, state.roll, state.round) == ("fly", "blue", 3, 4)
    state = play(state, Fly("straight", "A4"), GAME.legal(play(state, Fly("straight", "A4")))[-1], Pass())
    assert (state.phase, state.to_act, state.roll) == ("fly", "green", 3)
    state = play(state, Fly("straight", "G4"), GAME.legal(play(state, Fly("straight", "G4")))[-1], Pass())
    assert (state.phase, state.starter, state.to_act, state.roll, state.round) == ("roll", "blue", "blue", None, 5)


def test_who_started_a_round_is_last_in_the_next(position: Make) -> None:
    state = position({"red": "D4", "blue": "A1", "green": "G7"}, phase="build", round=5, to_act="green")
    assert state.starter == "blue"
    state = play(state, Pass())
    assert (state.to_act, state.round) == ("red", 5)


def test_two_players_roll_for_each_turn_and_the_first_stays_first(position: Make) -> None:
    state = position({"red": "D4", "blue": "A1"}, phase="build", round=4)
    state = play(state, Pass())
    assert (state.phase, state.to_act, state.roll, state.round) == ("roll", "blue", None, 4)
    state = play(position({"red": "D4", "blue": "A1"}, phase="build", round=4, to_act="blue"), Pass())
    assert (state.phase, state.to_act, state.starter, state.round) == ("roll", "red", "red", 5)


def test_the_first_player_of_two_changes_by_option(position: Make) -> None:
    """R-TWO-ORDER"""
    rotation = {"two_player_rotation": True}
    state = play(position({"red": "D4", "blue": "A1"}, phase="build", round=1, to_act="blue", options=rotation), Pass())
    assert (state.starter, state.to_act, state.round, state.phase) == ("blue", "blue", 2, "roll")
    state = play(position({"red": "D4", "blue": "A1"}, phase="build", round=2, to_act="blue", options=rotation), Pass())
    assert (state.starter, state.to_act, state.round, state.phase) == ("blue", "red", 2, "roll")


def test_the_faces_of_the_die_are_an_option(position: Make) -> None:
    """R-DIE"""
    state = position({"red": "D4", "blue": "A1"}, phase="roll")
    assert GAME.legal(state) == [Roll("arrows"), Roll(2), Roll(3), Roll(4), Roll(5)]
    with pytest.raises(IllegalAction, match="R-DIE"):
        GAME.apply(state, Roll(6))
    other = position({"red": "D4", "blue": "A1"}, phase="roll", options={"faces": [6, 1, 1]})
    assert GAME.legal(other) == [Roll(1), Roll(6)]


def test_an_action_of_another_phase_is_refused(position: Make) -> None:
    state = position({"red": "D4", "blue": "A1"})
    for action in (Pass(), Roll(3), Place("C3")):
        with pytest.raises(IllegalAction, match="TURN-1"):
            GAME.apply(state, action)


ALMOST = {
    "A1": "red 1",
    "C1": "red 2",
    "E1": "red 2",
    "G1": "red 2",
    "A3": "red 3",
    "G3": "red 3",
    "A5": "red 3",
    "G5": "red 4",
    "F5": "red 4",
}
"""Nine of red's eleven pyramids; both of five floors are left."""

SQUARE = {"B6": "red", "B7": "red", "C6": "red", "C7": "red"}
SHIPS = {"red": "D4", "blue": "E4", "green": "C4"}


def test_the_last_but_one_pyramid_scores_5_and_ends_the_game_at_once(position: Make) -> None:
    state = position(SHIPS, phase="build", round=4, pyramids=ALMOST, stones=SQUARE)
    step = GAME.apply(state, Build("B6", 5, ("B6", "B7", "C6", "C7")))
    assert step.state.phase == "over" and step.state.ending == "penultimate"
    assert step.state.track["red"] == 5 + state.ground.values["B"]
    assert (step.state.roll, step.state.allowance, step.state.to_act) == (None, 0, "red")
    assert [event["points"] for event in step.events if event["event"] == "score"] == [4, 5]
    assert GAME.legal(step.state) == [] and GAME.over(step.state)
    with pytest.raises(IllegalAction, match="over"):
        GAME.apply(step.state, Pass())


def test_an_upgrade_does_not_bring_the_end_nearer(position: Make) -> None:
    """B3 to D3 and the pyramid on A3: a line of four that replaces it, with nine pyramids on the board as before."""
    built = {name: pyramid for name, pyramid in ALMOST.items() if name != "F5"} | {"B5": "red 5"}
    state = position(SHIPS, phase="build", round=4, pyramids=built, stones={"B3": "red", "C3": "red", "D3": "red"})
    upgraded = play(state, Build("A3", 4, ("A3", "B3", "C3", "D3")))
    assert (upgraded.phase, sum(upgraded.supply["red"].pyramids)) == ("fly", 2)


@pytest.mark.parametrize(("players", "target"), [(3, 40), (4, 35), (5, 30)])
def test_the_round_is_played_to_its_end_once_the_target_is_reached(position: Make, players: int, target: int) -> None:
    squares = dict(zip(("red", "blue", "green", "yellow", "purple"), ("C3", "D3", "E3", "C4", "D4"), strict=True))
    ships = dict(list(squares.items())[:players])
    track = dict.fromkeys(ships, 0) | {"red": target - 3}
    more: dict[str, Any] = {"phase": "build", "round": 1 + players, "stones": {"A1": "red"}, "track": track}
    state = play(position(ships, **more), Build("A1", 1, ("A1",)))
    assert (state.ending, state.phase, state.to_act) == ("target", "fly", "blue")
    for _ in range(players - 1):
        state = play(state, GAME.legal(state)[0])
        state = play(state, GAME.legal(state)[-1]) if state.phase == "stones" else state
        state = play(state, Pass())
    assert (state.phase, state.to_act, state.round) == ("over", list(ships)[-1], 1 + players)
    below = play(position(ships, **{**more, "track": track | {"red": target - 4}}), Build("A1", 1, ("A1",)))
    assert below.ending is None


def test_the_target_reached_by_the_last_player_of_the_round_ends_the_game(position: Make) -> None:
    track = {"red": 0, "blue": 0, "green": 38}
    state = position(SHIPS, phase="build", round=4, to_act="green", stones={"A1": "green"}, track=track)
    assert play(state, Build("A1", 1, ("A1",))).phase == "over"


def test_the_last_but_one_pyramid_still_ends_the_last_round(position: Make) -> None:
    track = {"red": 0, "blue": 0, "green": 41}
    state = position(
        SHIPS, phase="build", round=6, to_act="red", pyramids=ALMOST, stones=SQUARE, track=track, ending="target"
    )
    ended = play(state, Build("B6", 5, ("B6", "B7", "C6", "C7")))
    assert (ended.phase, ended.ending) == ("over", "penultimate")


def test_two_players_end_at_45_points_at_once(position: Make) -> None:
    ships = {"red": "D4", "blue": "A1"}
    more: dict[str, Any] = {"phase": "build", "stones": {"A2": "red"}}
    ended = play(position(ships, **more, track={"red": 42, "blue": 0}), Build("A2", 1, ("A2",)))
    assert (ended.phase, ended.ending, ended.to_act) == ("over", "target", "red")
    assert play(position(ships, **more, track={"red": 41, "blue": 0}), Build("A2", 1, ("A2",))).phase == "roll"


def test_the_target_is_an_option_for_any_number_of_players(position: Make) -> None:
    """R-TARGET"""
    options = {"target": 3}
    two = position({"red": "D4", "blue": "A1"}, phase="build", stones={"A2": "red"}, options=options)
    assert play(two, Build("A2", 1, ("A2",))).phase == "over"
    three = position(SHIPS, phase="build", round=4, stones={"A2": "red"}, options=options)
    assert play(three, Build("A2", 1, ("A2",))).ending == "target"


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (["red"], {}),
        (["red", "red"], {}),
        (["red", "pink"], {}),
        (["red", "blue", "green", "yellow", "purple", "red"], {}),
        (["red", 3], {}),
        ("red", {}),
        (["red", "blue"], {"target": 0}),
        (["red", "blue"], {"target": True}),
        (["red", "blue"], {"target": 40.0}),
        (["red", "blue"], {"master": 1}),
        (["red", "blue"], {"faces": []}),
        (["red", "blue"], {"faces": ["arrow"]}),
        (["red", "blue"], {"faces": [0]}),
        (["red", "blue"], {"masters": True}),
    ],
)
def test_players_and_options_that_there_are_not_are_refused(players: Any, options: Any) -> None:
    with pytest.raises(BadCommand):
        GAME.new(players, "reference", options, None)


def test_a_new_game_takes_nothing_that_there_is_not() -> None:
    with pytest.raises(BadCommand, match="start"):
        GAME.new(["red", "blue"], "reference", {}, None, {"start": 1})
    with pytest.raises(BadLayout):
        GAME.new(["red", "blue"], "no such board", {}, None)
