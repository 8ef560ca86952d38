"""Hidden hands: what the referee of a real table knows, and what it is told (POMP-TABLE)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.errors import BadCommand
from companion.games.pompeji import GAME
from companion.games.pompeji.actions import Action, Discard, Draw, Permit, Place, PlaceStatue, Reveal, RevealSome
from companion.games.pompeji.pieces import Card
from companion.games.pompeji.state import State

Make = Callable[..., State]
Lay = Callable[[str, int, int], Place]
Refused = Callable[[State, Action], str]
Named = Callable[[str], Card]

HIDDEN = {"hands": "hidden"}
START = {"building": "temple", "colour": "red", "value": 6}
DRAW, VOLCANO, KEEP = Draw("draw"), Draw("volcano"), Draw("keep")


@pytest.fixture
def table(position: Make) -> Make:
    """A table with hidden hands, the temple and the bath in the city: hands, pile, volcanoes."""

    def make(hands: Any = None, pile: Any = "", volcanoes: int = 0, **more: Any) -> State:
        options = {**HIDDEN, **more.pop("options", {})}
        unseen = "bath.blue villa.red villa.grey villa.blue forum.red"
        return position("temple.red", hands, pile=pile, volcanoes=volcanoes, options=options, unseen=unseen, **more)

    return make


@pytest.fixture
def lay(place: Lay) -> Callable[[State], State]:
    return lambda state: GAME.apply(state, place("bath.blue", 0, 1)).state


def test_a_new_game_knows_the_start_card_and_numbers() -> None:
    state = GAME.new(["red", "blue", "green"], "reference", HIDDEN, 1, {"start": START})
    assert state.hands == {"red": 3, "blue": 3, "green": 3} and state.pile == 41
    assert state.city == {(0, 0): Card("temple", "red", 6)}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({}, "needs start"),
        ({"start": None}, "start: a card"),
        ({"start": {**START, "value": 5}}, "start: temple red has the value 6"),
        ({"start": {**START, "colour": "pink"}}, "start: the deck has no colour 'pink'"),
        ({"start": START, "wind": 1}, "takes no 'wind'"),
        ({"start": START, "deck": 1}, "deck must be"),
    ],
)
def test_a_new_game_that_cannot_be_is_refused(more: Any, message: str) -> None:
    with pytest.raises(BadCommand, match=message):
        GAME.new(["red", "blue"], "reference", HIDDEN, 1, more)


def test_with_open_hands_no_start_card_is_taken() -> None:
    with pytest.raises(BadCommand, match="start is for hidden hands"):
        GAME.new(["red", "blue"], "reference", {}, 1, {"start": START})


def test_any_card_that_nobody_has_seen_may_be_laid_or_put_aside(
    table: Make, lay: Any, place: Lay, named: Named, refused: Refused
) -> None:
    state = GAME.apply(lay(table()), Discard(named("villa.red"))).state
    legal = GAME.legal(state)
    laid = {action.card for action in legal if isinstance(action, Place)}
    beside = {action.card for action in legal if isinstance(action, Discard)}
    assert len(beside) == 46 and beside == {*state.unseen()} and laid <= beside and len(laid) > 40
    assert refused(state, place("temple.red", 2, 0)) == refused(state, Discard(named("bath.blue"))) == "POMP-TABLE-2"
    assert refused(state, place("villa.red", 1, 1)) == refused(state, Discard(named("villa.red"))) == "POMP-TABLE-2"


def test_the_statue_goes_before_a_discard_with_the_option(table: Make, named: Named, refused: Refused) -> None:
    state = table(options={"statue_before_discard": True})
    assert not [action for action in GAME.legal(state) if isinstance(action, Discard)]
    assert refused(state, Discard(named("villa.red"))) == "R-NO-PLACE"


def test_while_no_volcano_can_come_cards_are_drawn_by_themselves(table: Make, lay: Any) -> None:
    state = lay(table(pile=19))
    assert (state.phase, state.to_act, state.hands["red"], state.pile) == ("turn", "blue", 3, 18)


def test_from_eighteen_cards_on_what_was_drawn_is_told(table: Make, lay: Any, refused: Refused) -> None:
    state = lay(table(pile=18))
    assert (state.phase, state.hands["red"], state.pile) == ("drawn", 2, 18)
    assert GAME.legal(state) == [DRAW, VOLCANO]
    assert refused(state, KEEP) == "POMP-DRAW-1" and refused(state, Permit("red")) == "R-PERMIT-WHEN"
    assert refused(state, PlaceStatue(1, 0, "villa", "grey")) == "POMP-TABLE-3"
    drawn = GAME.apply(state, DRAW).state
    assert (drawn.to_act, drawn.hands["red"], drawn.pile, drawn.volcanoes) == ("blue", 3, 17, 0)
    volcano = GAME.apply(state, VOLCANO).state
    assert (volcano.phase, volcano.to_act, volcano.pile, volcano.volcanoes) == ("draw", "red", 17, 1)


def test_the_tenth_card_from_the_bottom_is_the_first_volcano_at_the_latest(table: Make, lay: Any) -> None:
    state = lay(table(pile=10))
    assert (state.phase, state.volcanoes, state.pile) == ("draw", 1, 9)
    none = lay(table(pile=10, options={"first_volcano_draw": "none"}))
    assert (none.phase, none.to_act, none.volcanoes) == ("turn", "blue", 1)
    forced = lay(table(pile=10, options={"first_volcano_draw": "forced"}))
    assert (forced.phase, forced.pile, GAME.legal(forced)) == ("drawn", 9, [DRAW, VOLCANO])
    early = GAME.apply(lay(table(pile=18, options={"first_volcano_draw": "forced"})), VOLCANO).state
    assert (early.phase, early.to_act, early.hands["red"], early.pile) == ("turn", "blue", 3, 16)


def test_the_second_volcano_cannot_come_before_the_last_nine(table: Make, lay: Any, refused: Refused) -> None:
    state = lay(table(pile=10, volcanoes=1))
    assert state.phase == "draw" and GAME.legal(state) == [DRAW, KEEP]
    assert refused(state, VOLCANO) == "POMP-TABLE-3"
    assert GAME.legal(lay(table(pile=9, volcanoes=1))) == [DRAW, KEEP, VOLCANO]


def test_of_the_last_card_only_the_volcano_can_be_told(table: Make, lay: Any, refused: Refused) -> None:
    state = lay(table(pile=1, volcanoes=1))
    assert state.phase == "draw" and GAME.legal(state) == [KEEP, VOLCANO]
    assert refused(state, DRAW) == "POMP-TABLE-3"


def test_who_has_no_card_must_draw_and_tell(table: Make, lay: Any, refused: Refused) -> None:
    hands = {"red": 1, "blue": 2, "green": 2}
    state = lay(table(hands, 9, 1))
    assert state.phase == "drawn" and GAME.legal(state) == [DRAW, VOLCANO]
    assert refused(state, KEEP) == "POMP-VOLCANO-2"
    sure = lay(table(hands, 10, 1))
    assert (sure.phase, sure.hands["red"]) == ("turn", 1)
    last = lay(table(hands, 1, 1))
    assert (last.phase, last.volcanoes, last.to_act) == ("reveal", 2, "blue")


def test_a_forced_draw_after_the_first_volcano_is_no_choice(table: Make, lay: Any, refused: Refused) -> None:
    assert refused(lay(table(pile=10, options={"first_volcano_draw": "forced"})), KEEP) == "R-FIRST-VOLCANO"


def test_after_the_second_volcano_all_hands_are_shown_in_turn_order(
    table: Make, lay: Any, named: Named, refused: Refused
) -> None:
    state = GAME.apply(lay(table({"red": 2, "blue": 1, "green": 2}, 9, 1)), VOLCANO).state
    assert (state.phase, state.to_act, state.ending) == ("reveal", "red", "volcano")
    assert not GAME.over(state) and GAME.legal(state) == [RevealSome(1, state.unseen())]
    shown = GAME.apply(state, Reveal((named("villa.red"),))).state
    assert shown.hands == {"red": (named("villa.red"),), "blue": 1, "green": 2} and shown.to_act == "blue"
    assert refused(shown, Reveal((named("villa.red"),))) == "POMP-TABLE-4"
    shown = GAME.apply(shown, Reveal((named("villa.grey"),))).state
    over = GAME.apply(shown, Reveal((named("villa.blue"), named("forum.red")))).state
    assert over.hands["green"] == (named("forum.red"), named("villa.blue")) and GAME.over(over)
    assert GAME.score(over)["players"]["green"] == {"points": 0, "hand": 9, "total": -9}
    assert (over.to_act, over.turn_of) == ("green", "red")


def test_an_empty_hand_is_shown_by_itself(table: Make, lay: Any, named: Named) -> None:
    state = GAME.apply(lay(table({"red": 1, "blue": 1}, 9, 1)), VOLCANO).state
    assert state.hands == {"red": (), "blue": 1} and state.to_act == "blue"
    over = GAME.apply(state, Reveal((named("villa.red"),))).state
    assert over.phase == "over" and GAME.score(over)["leaders"] == ["red"]


@pytest.mark.parametrize(
    "names", ["", "villa.red", "villa.red villa.red", "villa.red temple.red", "villa.red bath.blue"]
)
def test_a_hand_that_cannot_be_shown_is_refused(
    table: Make, lay: Any, named: Named, refused: Refused, names: str
) -> None:
    state = GAME.apply(lay(table({"red": 3, "blue": 1}, 9, 1)), VOLCANO).state
    assert refused(state, Reveal(tuple(map(named, names.split())))) == "POMP-TABLE-4"
    assert refused(state, KEEP) == refused(state, Discard(named("villa.red"))) == "POMP-TABLE-4"
    with pytest.raises(ValueError, match="red must say which 2 cards"):
        GAME.apply(state, RevealSome(2, state.unseen()))


def test_a_hand_that_is_not_known_is_not_taken_off(table: Make) -> None:
    score = GAME.score(table(points={"red": 4, "blue": 5}, options={"statue_penalty": True}))
    assert score["players"]["red"] == {"points": 4, "hand": None, "total": 4} and score["leaders"] == ["blue"]


def test_with_hidden_hands_there_is_nothing_to_hide(table: Make) -> None:
    state = table()
    assert GAME.view(state, "public") == GAME.view(state, "red") == GAME.state_to_json(state)
