"""Which turns explain what is seen and pressed (spec: pompeji, explain)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.errors import BadCommand
from companion.games.pompeji import GAME
from companion.games.pompeji.actions import Action, Discard, Draw, Permit, Place, PlaceStatue
from companion.games.pompeji.pieces import (
    Card,
    DiscardPress,
    DonePress,
    DrawPress,
    PermitPress,
    Press,
    Statue,
    StatuePress,
)
from companion.games.pompeji.state import State

Make = Callable[..., State]
Lay = Callable[[str, int, int], Place]
Named = Callable[[str], Card]

HAND = {"red": "bath.grey forum.orange villa.green", "blue": "bath.blue villa.orange forum.yellow"}
FEW = {"red": "bath.grey forum.orange", "blue": "bath.blue villa.orange"}
HIDDEN = {"options": {"hands": "hidden"}}
DRAW, KEEP, VOLCANO = DrawPress("draw"), DrawPress("keep"), DrawPress("volcano")
BLUE, DONE = PermitPress("blue"), DonePress()


def seen_after(state: State, *actions: Action) -> Any:
    for action in actions:
        state = GAME.apply(state, action).state
    return GAME.visible(state)


def laid(turn: tuple[Action, ...]) -> tuple[int, int]:
    """Where a turn begins with laying a card."""
    assert isinstance(turn[0], Place)
    return turn[0].row, turn[0].column


@pytest.mark.parametrize(("row", "column"), [(0, 2), (-1, 0), (0, -1), (1, 1)], ids=["right", "up", "left", "down"])
def test_a_card_is_found_wherever_the_city_grows(position: Make, place: Lay, row: int, column: int) -> None:
    state = position("temple.red bath.blue", {**HAND, "blue": 3})
    action = place("forum.orange", row, column)
    seen = seen_after(state, action)
    assert min(name[0] for name in seen) == "A" and min(name[1] for name in seen) == "1"
    assert GAME.explain(state, seen, []) == GAME.explain(state, seen, [DONE]) == [(action,)]


def test_nothing_new_and_nothing_pressed_is_nothing_to_explain(position: Make) -> None:
    state = position("temple.red", HAND)
    assert GAME.explain(state, GAME.visible(state), []) == GAME.explain(state, GAME.visible(state), [DONE]) == []


def test_a_statue_needs_to_be_said_what_it_stands_for(position: Make) -> None:
    state = position("temple.red", HAND)
    statue = PlaceStatue(0, 1, "bath", "blue")
    seen = seen_after(state, statue)
    assert GAME.explain(state, seen, []) == []
    assert GAME.explain(state, seen, [StatuePress("bath", "blue")]) == [(statue,)]
    assert GAME.explain(state, seen, [StatuePress("temple", "blue")]) == []
    assert GAME.explain(state, GAME.visible(state), [StatuePress("bath", "blue")]) == []


def test_who_breaks_in_is_told_and_may_not_have_laid_yet(position: Make, place: Lay) -> None:
    state = position("temple.red", HAND)
    permit, card = Permit("blue"), place("bath.blue", 0, 1)
    assert GAME.explain(state, GAME.visible(state), [BLUE]) == [(permit,)]
    assert GAME.explain(state, seen_after(state, permit, card), [BLUE]) == [(permit, card)]
    assert GAME.explain(state, seen_after(state, permit, card), []) == []


def test_a_turn_goes_no_further_than_where_the_one_that_broke_in_is_done(position: Make, place: Lay) -> None:
    state = position("temple.red", HAND)
    actions = (Permit("blue"), place("bath.blue", 0, 1), place("bath.grey", 1, 0))
    assert GAME.explain(state, seen_after(state, *actions), [BLUE]) == []
    left = GAME.apply(GAME.apply(state, actions[0]).state, actions[1]).state
    assert GAME.explain(left, seen_after(left, actions[2]), []) == [actions[2:]]


def test_what_was_drawn_is_told_in_order(position: Make, place: Lay) -> None:
    state = position("temple.red", FEW, pile="villa.red", volcanoes=1)
    card = place("bath.grey", 0, 1)
    seen = seen_after(state, card)
    assert GAME.explain(state, seen, []) == [(card,)]
    assert GAME.explain(state, seen, [KEEP]) == [(card, Draw("keep"))]
    assert GAME.explain(state, seen, [DRAW]) == [(card, Draw("draw"))]
    assert GAME.explain(state, seen, [DRAW, KEEP]) == GAME.explain(state, seen, [VOLCANO]) == []


def test_a_whole_turn_with_hidden_hands_is_one_explanation(position: Make, place: Lay) -> None:
    state = position("temple.red", {"red": 3, "blue": 3}, pile=15, unseen="bath.blue", **HIDDEN)
    actions = (Permit("blue"), place("bath.blue", -1, 0), Draw("volcano"), Draw("keep"))
    presses: list[Press] = [BLUE, VOLCANO, DONE, KEEP]
    assert GAME.explain(state, seen_after(state, *actions), presses) == [actions]
    assert GAME.explain(state, seen_after(state, *actions), [VOLCANO, BLUE, KEEP]) == []


def test_a_discard_is_told(position: Make, named: Named) -> None:
    state = position("temple.red", {"red": 3, "blue": 3}, pile=15, unseen="bath.blue", **HIDDEN)
    discard = Discard(named("bath.blue"))
    assert GAME.explain(state, GAME.visible(state), [DiscardPress(discard.card)]) == [(discard,)]
    both: list[Press] = [DiscardPress(discard.card), DRAW]
    assert GAME.explain(state, GAME.visible(state), both) == [(discard, Draw("draw"))]
    assert GAME.explain(state, GAME.visible(state), [DiscardPress(named("temple.red"))]) == []


def test_what_no_turn_leads_to_has_no_explanation(position: Make, named: Named) -> None:
    state = position("temple.red bath.blue", {**HAND, "blue": 3})
    now = dict(GAME.visible(state))
    for seen in (
        {},
        {"A1": now["A1"]},
        {"A1": now["B1"], "B1": now["A1"]},
        {**now, "C1": named("bath.grey"), "A2": named("forum.orange")},
        {**now, "C1": named("forum.red")},
        {**now, "C3": named("forum.orange")},
        {**now, "C1": named("temple.red")},
        {"B2": now["A1"], "C2": now["B1"]},
        {**now, "C1": Statue()},
        {**now, "A1": Statue()},
        {**now, "C1": Card("castle", "grey", 9)},
    ):
        assert GAME.explain(state, seen, []) == []


def test_after_the_end_nothing_is_explained(position: Make) -> None:
    state = position("temple.red", FEW, volcanoes=2, phase="over", ending="volcano")
    assert GAME.explain(state, GAME.visible(state), [DRAW]) == []


def test_turns_leave_places_that_are_fixed_as_they_look(position: Make) -> None:
    state = position("temple.red bath.blue", {**HAND, "blue": 3})
    every = {turn.actions for turn in GAME.turns(state, [])}
    assert every == {(action,) for action in GAME.legal(state) if isinstance(action, Place)}
    still = {turn.actions for turn in GAME.turns(state, [], {"A1", "B1"})}
    assert {laid(actions) for actions in still} == {(0, 2), (1, 0), (1, 1)}
    right = {turn.actions for turn in GAME.turns(state, [], {"A1", "A2", "B2"})}
    assert right == {actions for actions in every if laid(actions) == (0, 2)}


def test_every_press_of_a_button_means_what_can_be_told_now(position: Make) -> None:
    state = position("temple.red", HAND, permits={"red": 1, "blue": 0})
    assert GAME.presses(state, "red") == [PermitPress("red")] and GAME.presses(state, "blue") == []
    assert StatuePress("bath", "blue") in GAME.presses(state, "statue")
    assert len(GAME.presses(state, "discard")) == 48
    assert GAME.presses(state, "draw") == GAME.presses(state, "done") == []
    choice = position("temple.red", FEW, volcanoes=1, phase="draw")
    assert [GAME.presses(choice, button) for button in ("draw", "keep")] == [[DRAW], [KEEP]]
    assert [GAME.presses(choice, button) for button in ("red", "statue", "discard", "volcano")] == [[], [], [], []]


@pytest.mark.parametrize(
    "data",
    [
        None,
        {"press": "permit"},
        {"press": "permit", "player": "white"},
        {"press": "statue", "building": "bath"},
        {"press": "discard", "card": {"building": "bath"}},
        {"press": "draw", "card": 1},
        {"press": "god", "value": 4},
    ],
    ids=str,
)
def test_a_press_that_there_is_not_is_refused(data: Any) -> None:
    with pytest.raises(BadCommand):
        GAME.press_from_json(data)


@pytest.mark.parametrize(
    "cards",
    [
        None,
        {},
        [1],
        [{"row": 0}],
        [{"row": 0, "column": 0}],
        [{"row": -1, "column": 0, "statue": True}],
        [{"row": 0, "column": 26, "statue": True}],
        [{"row": True, "column": 0, "statue": True}],
        [{"row": 0, "column": 0, "statue": False}],
        [{"row": 0, "column": 0, "statue": True, "value": 1}],
        [{"row": 0, "column": 0, "building": "bath", "colour": "grey", "value": "2"}],
        [{"row": 0, "column": 0, "statue": True}, {"row": 0, "column": 0, "statue": True}],
    ],
    ids=str,
)
def test_what_cannot_be_seen_is_refused(cards: Any) -> None:
    with pytest.raises(BadCommand, match="cards"):
        GAME.seen_from_json({"cards": cards})
