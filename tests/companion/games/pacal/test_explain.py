"""Which turns explain what is seen (protocol, explain)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.games.pacal import GAME
from companion.games.pacal.actions import Action, BringIn, Build, Fly, Pass, Place, Roll
from companion.games.pacal.pieces import DonePress, GodPress, Pyramid, Ship, StonePress, Stones
from companion.games.pacal.state import State
from companion.observation import Seen

Make = Callable[..., State]
DONE, RED, BLUE = DonePress(), StonePress("red"), StonePress("blue")
NOTHING = BringIn((), ())
OWN = BringIn(("red",), ("supply",))
BOTH = BringIn(("red", "blue"), ("supply", "supply"))


def seen_after(state: State, *actions: Action) -> Any:
    for action in actions:
        state = GAME.apply(state, action).state
    return GAME.visible(state)


@pytest.fixture
def flying(position: Make) -> State:
    return position({"red": "D4", "blue": "A1"}, stones={"D4": "red blue", "C4": "red", "B4": "red"})


FLIGHT = Fly("straight", "D1")


def test_a_flight_alone_is_a_turn_that_is_not_done_yet(flying: State) -> None:
    assert GAME.explain(flying, seen_after(flying, FLIGHT), []) == [(FLIGHT,)]


def test_the_done_press_ends_the_turn_with_a_pass(flying: State) -> None:
    assert GAME.explain(flying, seen_after(flying, FLIGHT), [DONE]) == [(FLIGHT, NOTHING, Pass())]


@pytest.mark.parametrize(
    ("presses", "stones"), [([RED], OWN), ([RED, BLUE], BOTH), ([BLUE, RED], BOTH)], ids=["own", "both", "other order"]
)
def test_stones_are_those_of_the_ships_pressed(flying: State, presses: Any, stones: BringIn) -> None:
    seen = seen_after(flying, FLIGHT)
    assert GAME.explain(flying, seen, presses) == [(FLIGHT, stones)]
    assert GAME.explain(flying, seen, [*presses, DONE]) == [(FLIGHT, stones, Pass())]


@pytest.mark.parametrize(
    "presses", [[BLUE], [RED, RED], [RED, BLUE, BLUE], [GodPress(2), GodPress(4)], [RED, BLUE, GodPress(4)]]
)
def test_presses_that_no_turn_answers_to_have_no_explanation(flying: State, presses: Any) -> None:
    assert GAME.explain(flying, seen_after(flying, FLIGHT), presses) == []


def test_a_build_is_a_whole_turn_with_done_and_without(flying: State) -> None:
    build = Build("B4", 3, ("B4", "C4", "D4"))
    seen = seen_after(flying, FLIGHT, OWN, build)
    assert GAME.explain(flying, seen, [RED]) == [(FLIGHT, OWN, build)]
    assert GAME.explain(flying, seen, [RED, DONE]) == [(FLIGHT, OWN, build)]
    assert GAME.explain(flying, seen, []) == [(FLIGHT, NOTHING, build)]


def test_nothing_seen_and_nothing_pressed_is_nothing_to_explain(flying: State, position: Make) -> None:
    assert GAME.explain(flying, GAME.visible(flying), []) == []
    assert GAME.explain(flying, GAME.visible(flying), [DONE]) == []
    building = position({"red": "D4", "blue": "A1"}, phase="build")
    assert GAME.explain(building, GAME.visible(building), []) == []
    assert GAME.explain(building, GAME.visible(building), [DONE]) == [(Pass(),)]
    assert GAME.explain(building, GAME.visible(building), [GodPress(2), DONE]) == []


def test_a_stranded_ship_that_stays_has_not_been_put_there_again(position: Make) -> None:
    walls = {"B1": "blue 1", "A2": "blue 2"}
    state = position({"red": "A1", "blue": "G7"}, pyramids=walls, gods={"red": []})
    stay = Fly("stranded", "A1")
    assert GAME.visible(state) == seen_after(state, stay)
    assert GAME.explain(state, GAME.visible(state), []) == []
    assert GAME.explain(state, GAME.visible(state), [DONE]) == [(stay, Pass())]


def test_a_god_flight_is_there_just_when_it_was_pressed(flying: State) -> None:
    seen = seen_after(flying, Fly("god", "G7", 4))
    assert GAME.explain(flying, seen, []) == []
    assert GAME.explain(flying, seen, [GodPress(4)]) == [(Fly("god", "G7", 4),)]
    assert GAME.explain(flying, seen_after(flying, FLIGHT), [GodPress(2)]) == [(Fly("god", "D1", 2),)]


def test_flights_that_differ_in_their_mode_count_once(position: Make) -> None:
    """From A1 with a 3 and a pyramid on C1, B1 is reached straight and round A2, B2."""
    state = position({"red": "A1", "blue": "G7"}, pyramids={"C1": "blue 1"})
    assert {Fly("straight", "B1"), Fly("turning", "B1")} <= set(GAME.legal(state))
    assert GAME.explain(state, seen_after(state, Fly("turning", "B1")), [RED, StonePress("blue")]) == [
        (Fly("straight", "B1"), BOTH)
    ]


def test_a_turning_flight_allows_no_second_stone(position: Make) -> None:
    state = position({"red": "A1", "blue": "G7"})
    turn = Fly("turning", "C2")
    assert GAME.explain(state, seen_after(state, turn), [RED]) == [(turn, OWN)]
    assert GAME.explain(state, seen_after(state, turn), [RED, BLUE]) == []


def test_before_the_roll_every_face_that_fits_is_an_explanation(position: Make) -> None:
    state = position({"red": "A1", "blue": "G7"}, pyramids={"E1": "blue 1"}, phase="roll")
    found = GAME.explain(state, {"D1": Ship("red"), "G7": Ship("blue"), "E1": Pyramid("blue", 1)}, [])
    assert found == [
        (Roll("arrows"), Fly("arrows", "D1")),
        (Roll(3), Fly("straight", "D1")),
        (Roll(4), Fly("straight", "D1")),
        (Roll(5), Fly("straight", "D1")),
    ]
    assert GAME.explain(state, GAME.visible(state), []) == []


def test_a_ship_placed_is_explained(position: Make) -> None:
    state = position({"red": "D4", "blue": None}, phase="place", round=1, to_act="blue")
    seen = {"D4": Ship("red"), "C3": Ship("blue")}
    assert GAME.explain(state, seen, []) == [(Place("C3"),)]
    assert GAME.explain(state, seen, [DONE]) == [(Place("C3"),)]
    assert GAME.explain(state, {"D4": Ship("red"), "A1": Ship("blue")}, []) == []


def test_two_ships_placed_are_two_turns(position: Make) -> None:
    state = position({"red": None, "blue": None}, phase="place", round=1)
    assert GAME.explain(state, {"D4": Ship("red")}, []) == [(Place("D4"),)]
    assert GAME.explain(state, {"D4": Ship("red"), "C3": Ship("blue")}, []) == []


def test_stones_of_the_board_are_seen_to_be_taken(position: Make) -> None:
    stones = dict.fromkeys(("A3", "A4", "A5", "A6", "A7", "B3", "B5", "B6", "B7", "F7"), "red")
    state = position({"red": "D4", "blue": "G7"}, stones=stones, phase="stones", allowance=2)
    action = BringIn(("red", "blue"), ("A6", "F7"))
    assert GAME.explain(state, seen_after(state, action), [RED, BLUE]) == [(action,)]
    assert GAME.explain(state, seen_after(state, action), [RED]) == []
    shared = position({"red": "D4", "blue": "G7"}, stones={**stones, "A6": "red blue"}, phase="stones", allowance=2)
    assert GAME.explain(shared, seen_after(shared, action), [RED, BLUE]) == [(action,)]


def test_two_ways_to_the_same_board_are_both_told(position: Make) -> None:
    """Red's stones lie in a line of three with a pyramid at its end or beside it: one upgrade, two constellations."""
    state = position(
        {"red": "G7", "blue": "G6"}, stones={"B2": "red"}, pyramids={"A2": "red 1", "C2": "red 3"}, phase="build"
    )
    build = seen_after(state, Build("B2", 2, ("A2", "B2")))
    assert GAME.explain(state, build, []) == [(Build("B2", 2, ("A2", "B2")),), (Build("B2", 2, ("B2", "C2")),)]


def test_a_game_that_is_over_has_nothing_to_explain(position: Make) -> None:
    track = {"red": 45, "blue": 0}
    state = position({"red": "D4", "blue": "A1"}, phase="over", ending="target", track=track)
    assert GAME.explain(state, {"D1": Ship("red")}, [DONE]) == []
    assert list(GAME.turns(state, [])) == []
    assert GAME.presses(state, "red") == []


@pytest.mark.parametrize(
    "seen",
    [
        {},
        {"D1": Ship("red")},
        {"D1": Ship("red"), "A1": Ship("blue"), "G1": Ship("green")},
        {"D1": Ship("red"), "A1": Ship("blue"), "Z9": Stones(("red",))},
        {"D1": Ship("red"), "A1": Ship("blue"), "D4": Stones(("red", "red"))},
    ],
)
def test_a_board_that_cannot_be_has_no_explanation(flying: State, seen: Any) -> None:
    assert GAME.explain(flying, seen, []) == []


def test_an_observation_is_read_whatever_the_order_of_its_stones() -> None:
    squares = {"A1": {"stones": ["red", "blue"]}, "B1": {"pyramid": {"colour": "red", "floors": 5}}}
    right: Seen = {"A1": Stones(("blue", "red")), "B1": Pyramid("red", 5)}
    assert GAME.seen_from_json({"squares": squares}) == right


def test_what_a_button_means_depends_on_the_state(flying: State, position: Make) -> None:
    assert GAME.presses(flying, "blue") == [BLUE]
    assert GAME.presses(flying, "green") == []
    assert GAME.presses(flying, "god") == [GodPress(2), GodPress(4), GodPress(6)]
    assert GAME.presses(flying, "done") == [DONE]
    assert GAME.presses(flying, "undo") == []
    building = position({"red": "D4", "blue": "A1"}, phase="build")
    assert GAME.presses(building, "god") == []
    spent = position({"red": "D4", "blue": "A1"}, gods={"red": [6]}, phase="roll")
    assert GAME.presses(spent, "god") == [GodPress(6)]
