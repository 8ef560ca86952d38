"""What the page is told: what can be done, what it would score, who leads, how near the end is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.games.pacal import GAME
from companion.games.pacal.actions import Build, Fly, Pass
from companion.games.pacal.pieces import Pyramid, Ship, Stones
from companion.games.pacal.state import State

Make = Callable[..., State]


def steps(state: State) -> list[tuple[str, str]]:
    return [(entry["step"], entry["state"]) for entry in GAME.outlook(state)["todo"]]


def test_the_steps_of_a_turn_are_done_now_or_open(position: Make) -> None:
    ships = {"red": "D4", "blue": "A1"}
    assert steps(position(ships, phase="roll")) == [
        ("roll", "now"),
        ("fly", "open"),
        ("stones", "open"),
        ("build", "open"),
    ]
    assert steps(position(ships, phase="stones", allowance=1))[1:3] == [("fly", "done"), ("stones", "now")]
    assert steps(position({"red": "D4", "blue": None}, phase="place", round=1, to_act="blue")) == []


def test_each_step_says_what_to_do(position: Make) -> None:
    def texts(**more: Any) -> list[str]:
        return [entry["text"] for entry in GAME.outlook(position({"red": "D4", "blue": "A1"}, **more))["todo"]]

    fly, build = "fly, or discard a god stone", "build one pyramid, or none"
    assert texts(phase="roll") == ["roll the die", fly, "bring in stones", build]
    assert texts(phase="stones", allowance=2) == ["rolled: 3", fly, "bring in up to 2 stones", build]


def test_a_god_stone_is_offered_only_where_it_may_be_used(position: Make) -> None:
    """In the first round it is for who cannot leave the sacred district otherwise (FLY-9)."""

    def fly(**more: Any) -> str:
        ships = {"red": "D4", "blue": more.pop("blue", "E4")}
        return str(
            next(step["text"] for step in GAME.outlook(position(ships, **more))["todo"] if step["step"] == "fly")
        )

    assert fly() == "fly, or discard a god stone"
    assert fly(phase="roll") == "fly, or discard a god stone"
    assert fly(phase="roll", round=2) == "fly, or discard a god stone"
    assert fly(gods={"red": []}) == "fly"
    assert fly(phase="roll", gods={"red": []}) == "fly"
    assert fly(round=1) == "fly"
    assert fly(round=1, phase="roll") == "fly"
    walls = dict.fromkeys(("C4", "D3", "D5"), "blue 2") | {"D5": "blue 3"}
    assert fly(round=1, pyramids=walls | {"D3": "blue 1"}) == "discard a god stone to fly"


def test_each_flight_is_told_with_the_stones_that_it_allows(position: Make) -> None:
    state = position({"red": "A1", "blue": "G7"}, gods={"red": [2]})
    flights = GAME.outlook(state)["flights"]
    assert {entry["mode"]: entry["stones"] for entry in flights} == {"straight": 2, "turning": 1, "god": 1}
    assert [entry["action"] for entry in flights] == [GAME.action_to_json(action) for action in GAME.legal(state)]
    assert all(entry["to"] in entry["text"] for entry in flights)


@pytest.mark.parametrize("phase", ["roll", "fly", "build"])
def test_builds_are_told_with_what_they_score(position: Make, phase: str) -> None:
    state = position(
        {"red": "D4", "blue": "G7"}, stones={"A1": "red", "D4": "red"}, pyramids={"A2": "red 1"}, phase=phase
    )
    assert GAME.outlook(state)["builds"] == [
        {
            "action": {"type": "build", "at": "A1", "floors": 2, "uses": ["A1", "A2"]},
            "text": "red builds 2 floors on A1, with A2",
            "at": "A1",
            "floors": 2,
            "uses": ["A1", "A2"],
            "kind": "new",
            "scores": 0,
            "district": "A",
        },
        {
            "action": {"type": "build", "at": "A2", "floors": 2, "uses": ["A1", "A2"]},
            "text": "red builds 2 floors on A2, with A1",
            "at": "A2",
            "floors": 2,
            "uses": ["A1", "A2"],
            "kind": "upgrade",
            "scores": 0,
            "district": "A",
        },
    ]


def test_what_a_build_scores_is_without_what_was_scored_before_and_the_highest_comes_first(position: Make) -> None:
    stones = dict.fromkeys(("A1", "B1"), "red")
    state = position({"red": "D4", "blue": "G7"}, stones=stones, track={"red": 20, "blue": 0})
    builds = [(entry["at"], entry["floors"], entry["scores"]) for entry in GAME.outlook(state)["builds"]]
    assert builds == [("A1", 2, 3), ("B1", 2, 3), ("A1", 1, 3), ("B1", 1, 3)]


def test_the_bonus_of_the_last_but_one_pyramid_is_in_what_a_build_scores(position: Make) -> None:
    nine = ("A1 red 1", "C1 red 2", "E1 red 2", "G1 red 2", "A3 red 3", "G3 red 3", "A5 red 4", "G5 red 4", "C5 red 5")
    pyramids = {entry[:2]: entry[3:] for entry in nine}
    stones = dict.fromkeys(("B6", "C6", "D6"), "red")
    state = position({"red": "D4", "blue": "C4"}, pyramids=pyramids, stones=stones, phase="build")
    assert {entry["scores"] for entry in GAME.outlook(state)["builds"] if entry["uses"] == ["B6", "C6", "D6"]} == {
        4 + 5
    }
    assert "1 more new pyramid" in GAME.outlook(state)["end"]


def test_what_can_be_tapped_fits_the_phase(position: Make) -> None:
    ships = {"red": "D4", "blue": "A1"}

    def types(**more: Any) -> list[str]:
        return [entry["action"]["type"] for entry in GAME.outlook(position(ships, **more))["actions"]]

    assert types(phase="roll") == ["roll"] * 5
    assert types(phase="fly") == []
    assert types(phase="stones", allowance=1) == ["stones", "stones"]
    assert types(phase="build", stones={"A2": "red"}) == ["pass"]


def test_majorities_name_floors_and_leader_of_each_district_in_play(position: Make) -> None:
    state = position({"red": "D4", "blue": "E4"}, pyramids={"A1": "red 2", "B1": "blue 2", "A7": "blue 1"})
    assert GAME.outlook(state)["majorities"] == {
        "A": {"value": 3, "floors": {"red": 2, "blue": 2}, "leader": None},
        "B": {"value": 4, "floors": {"blue": 1}, "leader": "blue"},
        "S": {"value": 7, "floors": {}, "leader": None},
    }


def test_the_end_is_told_in_a_sentence(position: Make) -> None:
    ships = {"red": "D4", "blue": "A1", "green": "G7"}
    open_game = position(ships, round=4, track={"red": 0, "blue": 12, "green": 3})
    assert GAME.outlook(open_game)["end"].startswith("blue has 12 of the 40 points")
    track = {"red": 41, "blue": 12, "green": 3}
    last_round = position(ships, round=4, to_act="blue", ending="target", track=track)
    assert "this round is the last" in GAME.outlook(last_round)["end"]
    stones = {"A2": "green"}
    over = position(ships, round=4, to_act="green", phase="over", ending="target", track=track, stones=stones)
    assert GAME.outlook(over)["end"] == "The game is over: 40 points were reached."
    assert GAME.outlook(over)["builds"] == []


def test_a_build_is_told_as_events_in_words(position: Make) -> None:
    state = position({"red": "D4", "blue": "E4"}, stones={"A1": "red blue"}, phase="build")
    events = GAME.apply(state, Build("A1", 1, ("A1",))).events
    assert [(event["event"], event["text"]) for event in events] == [
        ("build", "red builds 1 floor on A1."),
        ("return", "1 stone of red goes back to the supply."),
        ("return", "1 stone of blue goes back to the supply."),
        ("score", "red takes the majority in district A and scores 3."),
    ]
    assert {key: events[-1][key] for key in ("event", "player", "points", "district")} == {
        "event": "score",
        "player": "red",
        "points": 3,
        "district": "A",
    }


def test_a_new_round_and_the_end_are_told(position: Make) -> None:
    state = position({"red": "D4", "blue": "A1"}, phase="build", to_act="blue")
    assert [event["event"] for event in GAME.apply(state, Pass()).events] == ["pass", "round"]
    ending = position({"red": "D4", "blue": "A1"}, phase="build", stones={"A2": "red"}, track={"red": 44, "blue": 0})
    assert GAME.apply(ending, Build("A2", 1, ("A2",))).events[-1]["text"] == "The game is over: red wins."
    ships = {"red": "D4", "blue": "A1", "green": "G7"}
    track = {"red": 39, "blue": 0, "green": 0}
    reached = position(ships, phase="build", round=4, stones={"A2": "red"}, track=track)
    assert GAME.apply(reached, Build("A2", 1, ("A2",))).events[-1]["event"] == "last_round"


def test_pieces_and_actions_have_words() -> None:
    assert GAME.name_content(None) == "nothing"
    assert GAME.name_content(Ship("red")) == "the red ship"
    assert GAME.name_content(Pyramid("blue", 3)) == "a blue pyramid of 3 floors"
    assert GAME.name_content(Stones(("red",))) == "a red stone"
    assert GAME.name_content(Stones(("blue", "green", "red"))) == "blue, green and red stones"
    assert GAME.describe(Fly("god", "C4", 6), "red") == "red discards god stone 6 and puts the ship on C4"
