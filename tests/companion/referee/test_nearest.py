"""What is told when no turn explains what is seen."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.pacal import GAME
from companion.games.pacal.actions import Fly, Place, Roll
from companion.games.pacal.pieces import DonePress, GodPress, Ship, StonePress, Stones
from companion.games.pacal.state import State
from companion.observation import Seen
from companion.referee.nearest import nearest


@pytest.fixture
def state() -> State:
    """Red is to fly with a 3, from F6, in the second round of two players."""
    state = GAME.new(["red", "blue"], "reference", {}, None)
    for action in (Place("F6"), Place("H8"), Roll(2), Fly("straight", "F4")):
        state = GAME.apply(state, action).state
    data = GAME.state_to_json(state)
    data.update(round=2, roll=3, phase="fly", allowance=0)
    return GAME.state_from_json(data)


def test_one_square_too_much_is_named_with_the_turn_that_fits_otherwise(state: State) -> None:
    seen: Seen = {"F1": Ship("red"), "H8": Ship("blue"), "A2": Stones(("blue",))}
    best = nearest(GAME, state, seen, [])[0]
    assert best["actions"] == [{"type": "fly", "mode": "straight", "to": "F1"}]
    assert best["squares"] == {"A2": {"seen": {"stones": ["blue"]}, "expected": None}}
    assert best["message"] == "If red flies straight to F1: A2: a blue stone seen, nothing expected."


def test_a_flight_that_is_not_legal_leaves_the_ship_where_it_was_expected(state: State) -> None:
    found = nearest(GAME, state, {"F2": Ship("red"), "H8": Ship("blue")}, [])
    assert found[0]["press"] == {"verdict": "missing", "press": "god", "value": 2}
    assert found[0]["message"].endswith("the board fits, but god (2) was not pressed.")
    assert found[1]["squares"]["F2"] == {"seen": {"ship": "red"}, "expected": None}


def test_a_press_too_many_is_named(state: State) -> None:
    seen = {"F1": Ship("red"), "H8": Ship("blue")}
    found = nearest(GAME, state, seen, [StonePress("blue")])
    assert {entry["press"]["verdict"] for entry in found if "press" in entry} == {"missing", "too many"}
    assert "stone (red) was not pressed" in found[0]["message"]


def test_the_turn_without_the_press_too_many_is_told(state: State) -> None:
    seen = {"F1": Ship("red"), "H8": Ship("blue")}
    red, blue = StonePress("red"), StonePress("blue")
    (entry,) = (entry for entry in nearest(GAME, state, seen, [red, blue, blue]) if "press" in entry)
    assert entry["press"] == {"verdict": "too many", "press": "stone", "ship": "blue"}
    assert entry["actions"][1:] == [{"type": "stones", "into": ["red", "blue"], "from": ["supply", "supply"]}]
    assert entry["message"].endswith("the board fits, but stone (blue) was pressed.")


def test_that_nothing_was_done_may_come_closest(state: State) -> None:
    best = nearest(GAME, state, {**GAME.visible(state), "A2": Stones(("blue",))}, [])[0]
    assert best["actions"] == []
    assert best["message"] == "If nothing was done: A2: a blue stone seen, nothing expected."


def test_entries_are_few_and_best_first(state: State) -> None:
    seen: Seen = {"M1": Stones(("red",)), "M2": Stones(("red",)), "A1": Ship("red")}
    found = nearest(GAME, state, seen, [])
    assert 1 <= len(found) <= 3
    assert [len(entry["squares"]) for entry in found] == sorted(len(entry["squares"]) for entry in found)


def test_nothing_seen_and_nothing_pressed_is_no_fault(state: State) -> None:
    assert nearest(GAME, state, GAME.visible(state), []) == []


def test_presses_without_a_move_are_told(state: State) -> None:
    found = nearest(GAME, state, GAME.visible(state), [DonePress()])
    assert found and all(entry["message"] for entry in found)


def test_it_changes_nothing_and_ends_on_a_full_board(state: State) -> None:
    before = GAME.state_to_json(state)
    everywhere: dict[str, Any] = {name: Stones(("red",)) for name in state.ground.district}
    assert nearest(GAME, state, everywhere, [GodPress(2), StonePress("red")])
    assert GAME.state_to_json(state) == before
