"""Statues (POMP-STATUE) and building permits (POMP-PERMIT)."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.pompeji import GAME
from companion.games.pompeji.actions import Action, Draw, Permit, Place, PlaceStatue
from companion.games.pompeji.pieces import Statue
from companion.games.pompeji.state import State

Make = Callable[..., State]
Lay = Callable[[str, int, int], Place]
Refused = Callable[[State, Action], str]

HAND = {"red": "bath.grey forum.orange villa.green", "blue": 3}
THREE = {**HAND, "green": 3}


def statues(state: State) -> list[PlaceStatue]:
    return [action for action in GAME.legal(state) if isinstance(action, PlaceStatue)]


def permits(state: State) -> list[str]:
    return [action.player for action in GAME.legal(state) if isinstance(action, Permit)]


def test_a_statue_stands_for_whatever_fits_on_its_place(position: Make, refused: Refused) -> None:
    state = position("temple.red", HAND)
    assert len(statues(state)) == 4 * 6 * 6
    assert refused(state, PlaceStatue(0, 1, "temple", "blue")) == "POMP-PLACE-3"
    assert refused(state, PlaceStatue(0, 1, "bath", "red")) == "POMP-PLACE-3"
    assert refused(state, PlaceStatue(0, 1, "castle", "blue")) == "POMP-STATUE-1"
    assert refused(state, PlaceStatue(0, 1, "bath", "pink")) == "POMP-STATUE-1"


def test_a_statue_is_laid_once_and_is_neutral_then(position: Make, refused: Refused) -> None:
    state = GAME.apply(position("temple.red", HAND), PlaceStatue(0, 1, "bath", "blue")).state
    assert state.city[0, 1] == Statue() and state.statues == {"red": 0, "blue": 1}
    mine = position("temple.red statue", HAND, statues={"red": 0, "blue": 1})
    assert statues(mine) == []
    assert refused(mine, PlaceStatue(0, 2, "bath", "blue")) == "POMP-STATUE-1"


def test_statues_may_lie_side_by_side_and_be_said_to_be_the_same(position: Make) -> None:
    state = position("temple.red statue", HAND)
    assert PlaceStatue(0, 2, "temple", "red") in statues(state)


def test_after_a_statue_nothing_is_drawn(position: Make) -> None:
    state = position("temple.red", {"red": "bath.grey forum.orange", "blue": 3}, volcanoes=1)
    after = GAME.apply(state, PlaceStatue(0, 1, "bath", "blue")).state
    assert isinstance(after.hands["red"], tuple)
    assert (after.phase, after.to_act, len(after.hands["red"]), after.pile) == ("turn", "blue", 2, state.pile)


def test_with_the_option_a_statue_is_followed_by_drawing_below_three_cards(position: Make) -> None:
    few = position(
        "temple.red", {"red": "bath.grey forum.orange", "blue": 3}, volcanoes=1, options={"statue_draw": True}
    )
    assert GAME.apply(few, PlaceStatue(0, 1, "bath", "blue")).state.phase == "draw"
    full = position("temple.red", HAND, options={"statue_draw": True})
    after = GAME.apply(full, PlaceStatue(0, 1, "bath", "blue")).state
    assert isinstance(after.hands["red"], tuple)
    assert (after.to_act, len(after.hands["red"])) == ("blue", 3)


def test_everybody_may_break_in_before_the_card_is_laid(position: Make) -> None:
    assert permits(position("temple.red", THREE)) == ["blue", "green", "red"]


def test_who_breaks_in_has_a_whole_turn_and_then_the_turn_goes_on(position: Make, place: Lay) -> None:
    state = position("temple.red", {**THREE, "green": "bath.blue villa.orange forum.yellow"})
    broken = GAME.apply(state, Permit("green")).state
    assert (broken.to_act, broken.turn_of, broken.interruption) == ("green", "red", "running")
    assert broken.permits == {"red": 1, "blue": 1, "green": 0} and permits(broken) == []
    back = GAME.apply(broken, place("bath.blue", 0, 1)).state
    assert (back.to_act, back.turn, back.interruption) == ("red", 1, "used") and permits(back) == []
    assert isinstance(back.hands["green"], tuple) and len(back.hands["green"]) == 3
    done = GAME.apply(back, place("bath.grey", -1, 0)).state
    assert (done.to_act, done.turn, done.interruption) == ("blue", 2, "none") and permits(done) == ["blue", "red"]


def test_a_turn_is_broken_into_once_and_one_that_breaks_in_never(position: Make, place: Lay, refused: Refused) -> None:
    broken = GAME.apply(position("temple.red", THREE), Permit("red")).state
    assert refused(broken, Permit("blue")) == "POMP-PERMIT-2"
    back = GAME.apply(broken, place("bath.grey", 0, 1)).state
    assert back.to_act == "red" and refused(back, Permit("blue")) == "POMP-PERMIT-2"


def test_a_player_without_a_permit_or_not_at_the_table_does_not_break_in(position: Make, refused: Refused) -> None:
    state = position("temple.red", HAND, permits={"red": 1, "blue": 0})
    assert permits(state) == ["red"]
    assert refused(state, Permit("blue")) == refused(state, Permit("green")) == "POMP-PERMIT-1"


def test_a_player_may_play_twice_in_a_row_by_breaking_into_the_own_turn(position: Make, place: Lay) -> None:
    state = position("temple.red", HAND)
    for action in (Permit("red"), place("bath.grey", 0, 1)):
        state = GAME.apply(state, action).state
    assert state.to_act == "red"
    state = GAME.apply(state, place("forum.orange", 0, 2)).state
    assert set(state.city) == {(0, 0), (0, 1), (0, 2)} and state.to_act == "blue"


def test_with_the_option_each_player_has_two_permits(position: Make) -> None:
    state = GAME.apply(position("temple.red", HAND, options={"permits": 2}), Permit("blue")).state
    assert state.permits == {"red": 2, "blue": 1}


def test_nobody_breaks_in_while_a_drawing_choice_is_open(position: Make, place: Lay, refused: Refused) -> None:
    state = GAME.apply(position("temple.red", HAND, pile="villa.red", volcanoes=1), place("bath.grey", 0, 1)).state
    assert state.phase == "draw" and permits(state) == []
    assert refused(state, Permit("blue")) == "R-PERMIT-WHEN"


def test_the_drawing_choice_of_who_broke_in_is_theirs(position: Make, place: Lay) -> None:
    state = position("temple.red", {**HAND, "blue": "bath.blue villa.orange"}, pile="villa.red", volcanoes=1)
    state = GAME.apply(GAME.apply(state, Permit("blue")).state, place("bath.blue", 0, 1)).state
    assert (state.phase, state.to_act, state.turn_of) == ("draw", "blue", "red")
    kept = GAME.apply(state, Draw("keep")).state
    assert (kept.phase, kept.to_act, kept.interruption) == ("turn", "red", "used")
