"""Drawing with open hands, volcanoes and the end (POMP-DRAW, POMP-VOLCANO, R-FIRST-VOLCANO, R-FORCED)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.games.pompeji import GAME
from companion.games.pompeji.actions import Action, Discard, Draw, Permit, Place, PlaceStatue
from companion.games.pompeji.pieces import Card
from companion.games.pompeji.state import State

Make = Callable[..., State]
Lay = Callable[[str, int, int], Place]
Refused = Callable[[State, Action], str]
Named = Callable[[str], Card]

HAND = {"red": "bath.grey forum.orange villa.green", "blue": 3}
LAST = {"red": "bath.grey", "blue": 3}


def after(state: State, *actions: Action) -> State:
    for action in actions:
        state = GAME.apply(state, action).state
    return state


def reds(state: State) -> tuple[Card, ...]:
    """The open hand of red."""
    hand = state.hands["red"]
    assert not isinstance(hand, int)
    return hand


def test_before_the_first_volcano_a_card_is_drawn_by_itself(position: Make, place: Lay, named: Named) -> None:
    state = after(position("temple.red", HAND, pile="villa.red"), place("bath.grey", 0, 1))
    assert state.hands["red"] == (named("forum.orange"), named("villa.green"), named("villa.red"))
    assert (state.phase, state.to_act, state.turn) == ("turn", "blue", 2)


def test_the_first_volcano_gives_its_drawer_the_choice_at_once(position: Make, place: Lay, named: Named) -> None:
    state = after(position("temple.red", HAND, pile="volcano villa.red"), place("bath.grey", 0, 1))
    assert (state.phase, state.to_act, state.volcanoes, len(reds(state))) == ("draw", "red", 1, 2)
    assert GAME.legal(state) == [Draw("draw"), Draw("keep")]
    drawn = after(state, Draw("draw"))
    assert named("villa.red") in reds(drawn) and drawn.to_act == "blue"
    kept = after(state, Draw("keep"))
    assert len(reds(kept)) == 2 and kept.pile == state.pile and kept.to_act == "blue"


def test_with_the_option_forced_the_next_card_is_drawn_at_once(position: Make, place: Lay, named: Named) -> None:
    forced = {"options": {"first_volcano_draw": "forced"}}
    state = after(position("temple.red", HAND, pile="volcano villa.red", **forced), place("bath.grey", 0, 1))
    assert named("villa.red") in reds(state) and (state.phase, state.to_act) == ("turn", "blue")
    both = after(position("temple.red", HAND, pile="volcano volcano", **forced), place("bath.grey", 0, 1))
    assert (both.phase, both.volcanoes, both.ending) == ("over", 2, "volcano")


def test_with_the_option_none_drawing_is_over_for_this_turn(position: Make, place: Lay) -> None:
    options = {"first_volcano_draw": "none"}
    state = after(position("temple.red", HAND, pile="volcano villa.red", options=options), place("bath.grey", 0, 1))
    assert (state.phase, state.to_act, len(reds(state))) == ("turn", "blue", 2)


def test_after_the_first_volcano_drawing_is_a_choice_of_one_card(position: Make, place: Lay) -> None:
    few = {"red": "bath.grey forum.orange", "blue": 3}
    state = after(position("temple.red", few, pile="villa.red", volcanoes=1), place("bath.grey", 0, 1))
    assert state.phase == "draw"
    assert [len(reds(after(state, action))) for action in GAME.legal(state)] == [2, 1]


def test_who_has_no_building_card_must_draw(position: Make, place: Lay, named: Named) -> None:
    state = after(position("temple.red", LAST, pile="villa.red", volcanoes=1), place("bath.grey", 0, 1))
    assert state.hands["red"] == (named("villa.red"),) and (state.phase, state.to_act) == ("turn", "blue")


def test_who_discards_the_last_card_must_draw(position: Make, named: Named) -> None:
    hands = {"red": "temple.grey", "blue": 3}
    options = {"attach_to_statue": False}
    state = position("temple.red statue", hands, pile="villa.red", volcanoes=1, options=options)
    state = after(state, Discard(named("temple.grey")))
    assert state.hands["red"] == (named("villa.red"),) and state.to_act == "blue"


def test_the_second_volcano_ends_the_game_at_once(position: Make, place: Lay, refused: Refused) -> None:
    state = after(position("temple.red", HAND, pile="volcano", volcanoes=1), place("bath.grey", 0, 1), Draw("draw"))
    assert (state.phase, state.ending, state.to_act, state.turn) == ("over", "volcano", "red", 1)
    assert GAME.over(state) and GAME.legal(state) == [] and GAME.score(state)["over"]
    for action in (Draw("draw"), place("forum.orange", 1, 0), Permit("red"), PlaceStatue(1, 0, "bath", "blue")):
        assert refused(state, action) == "POMP-VOLCANO-3"


def test_a_card_that_must_be_drawn_may_be_the_second_volcano(position: Make, place: Lay) -> None:
    state = after(position("temple.red", LAST, pile="volcano", volcanoes=1), place("bath.grey", 0, 1))
    assert state.phase == "over" and state.hands["red"] == ()


def test_the_second_volcano_in_a_turn_that_broke_in_leaves_everything_as_it_is(position: Make, place: Lay) -> None:
    hands = {"red": 3, "blue": "bath.blue villa.orange"}
    state = position("temple.red", hands, pile="volcano", volcanoes=1)
    state = after(state, Permit("blue"), place("bath.blue", 0, 1), Draw("draw"))
    assert (state.phase, state.turn_of, state.to_act, state.interruption) == ("over", "red", "blue", "running")
    assert GAME.state_from_json(GAME.state_to_json(state)) == state


@pytest.mark.parametrize("pile", ["villa.red", "volcano"])
def test_what_comes_is_told_by_no_action_of_open_hands(position: Make, place: Lay, refused: Refused, pile: str) -> None:
    state = after(position("temple.red", HAND, pile=pile, volcanoes=1), place("bath.grey", 0, 1))
    assert refused(state, Draw("volcano")) == "R-HIDDEN"
    assert refused(state, place("forum.orange", 1, 0)) == "POMP-VOLCANO-1"
    assert refused(state, GAME.action_from_json({"type": "reveal", "cards": []})) == "POMP-TABLE-4"


@pytest.mark.parametrize("seed", range(20))
def test_a_pile_is_made_as_the_rules_say(seed: int) -> None:
    players = ["red", "blue", "green", "yellow"][: 2 + seed % 3]
    state: Any = GAME.new(players, "reference", {}, seed)
    kinds = [type(card) is Card for card in state.pile]
    top = {2: 26, 3: 23, 4: 20}[len(players)]
    assert len(kinds) == top + 18 and all(kinds[:top])
    assert kinds[top : top + 9].count(False) == kinds[top + 9 :].count(False) == 1
    assert all(len(hand) == 3 for hand in state.hands.values()) and len(state.city) == 1
    assert state == GAME.new(players, "reference", {}, seed) != GAME.new(players, "reference", {}, seed + 1)


def test_without_a_seed_every_game_is_another() -> None:
    assert len({repr(GAME.new(["red", "blue"], "reference", {}, None).pile) for _ in range(3)}) == 3
