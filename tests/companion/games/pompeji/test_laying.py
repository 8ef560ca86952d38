"""Where cards can be laid (POMP-PLACE-1 to POMP-PLACE-3, R-ATTACH, POMP-TURN)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.games.pompeji import GAME
from companion.games.pompeji.actions import Action, Discard, Draw, Place, PlaceStatue
from companion.games.pompeji.pieces import Card
from companion.games.pompeji.state import State

Make = Callable[..., State]
Lay = Callable[[str, int, int], Place]
Refused = Callable[[State, Action], str]
Named = Callable[[str], Card]

HAND = {"red": "bath.grey forum.orange villa.green", "blue": 3}
STAR = PlaceStatue(0, 1, "bath", "blue")


def places(state: State, kind: type[Place] | type[PlaceStatue] = Place) -> set[tuple[int, int]]:
    return {(action.row, action.column) for action in GAME.legal(state) if isinstance(action, kind)}


def test_beside_one_card_there_are_four_places(position: Make) -> None:
    assert places(position("temple.red", HAND)) == {(-1, 0), (0, -1), (0, 1), (1, 0)}


def test_corners_alone_are_not_enough(position: Make, place: Lay, refused: Refused) -> None:
    assert refused(position("temple.red", HAND), place("bath.grey", 1, 1)) == "POMP-PLACE-1"


def test_a_place_that_is_taken_is_none(position: Make, place: Lay, refused: Refused) -> None:
    state = position("temple.red bath.blue", HAND)
    assert refused(state, place("bath.grey", 0, 0)) == "POMP-PLACE-1"
    assert refused(state, STAR) == "POMP-PLACE-1"


SIX = "temple.red bath.blue forum.green villa.yellow bakery.purple fountain.blue"


def test_a_row_grows_to_seven_on_either_end_and_no_further(position: Make, place: Lay, refused: Refused) -> None:
    state = position(SIX, HAND)
    assert {(0, -1), (0, 6)} <= places(state)
    full = position(f"{SIX} temple.orange", HAND)
    assert not {(0, -1), (0, 7)} & places(full)
    assert refused(full, place("bath.grey", 0, 7)) == "POMP-PLACE-2"
    assert refused(full, place("bath.grey", 0, -1)) == "POMP-PLACE-2"


def test_a_column_has_seven_cards_at_most(position: Make, place: Lay, refused: Refused) -> None:
    full = position("\n".join(f"{SIX} temple.orange".split()), HAND)
    assert not {(-1, 0), (7, 0)} & places(full)
    assert refused(full, place("bath.grey", 7, 0)) == refused(full, place("bath.grey", -1, 0)) == "POMP-PLACE-2"


def test_the_start_card_need_not_be_in_the_middle(position: Make) -> None:
    state = position("bath.blue forum.green villa.yellow bakery.purple fountain.blue temple.red*", HAND)
    assert {(0, -6), (0, 1)} <= places(state)


def test_neither_building_nor_colour_may_be_alike_on_a_side(position: Make, place: Lay, refused: Refused) -> None:
    state = position("temple.red", {"red": "bath.red temple.grey villa.green", "blue": 3})
    assert refused(state, place("bath.red", 0, 1)) == "POMP-PLACE-3"
    assert refused(state, place("temple.grey", -1, 0)) == "POMP-PLACE-3"
    assert {action.card.building for action in GAME.legal(state) if isinstance(action, Place)} == {"villa"}


def test_diagonally_alike_is_allowed(position: Make, place: Lay) -> None:
    state = position("temple.red bath.blue", {"red": "bakery.red temple.grey villa.green", "blue": 3})
    assert {place("temple.grey", 1, 1), place("bakery.red", 1, 1)} <= set(GAME.legal(state))


def test_every_side_of_an_inner_corner_counts(position: Make, place: Lay, refused: Refused) -> None:
    state = position("temple.red bath.blue\nforum.green -", {"red": "villa.green bath.grey fountain.yellow", "blue": 3})
    assert refused(state, place("villa.green", 1, 1)) == "POMP-PLACE-3"
    assert refused(state, place("bath.grey", 1, 1)) == "POMP-PLACE-3"
    assert place("fountain.yellow", 1, 1) in GAME.legal(state)


def test_a_statue_that_lies_has_neither_building_nor_colour(position: Make, place: Lay) -> None:
    state = position("temple.red statue", {"red": "temple.grey bakery.red villa.green", "blue": 3})
    laid = set(GAME.legal(state))
    assert {place("temple.grey", 0, 2), place("bakery.red", 0, 2), place("villa.green", -1, 1)} <= laid


def test_beside_a_statue_alone_only_unless_the_option_forbids_it(position: Make, place: Lay, refused: Refused) -> None:
    state = position("temple.red statue", HAND, options={"attach_to_statue": False})
    assert places(state) == places(state, PlaceStatue) == {(-1, 0), (0, -1), (1, 0)}
    assert refused(state, place("bath.grey", 0, 2)) == "R-ATTACH"
    assert refused(state, PlaceStatue(0, 2, "bath", "blue")) == "R-ATTACH"
    assert (0, 2) in places(position("temple.red statue", HAND, options={"attach_to_statue": True}))


def test_a_card_must_be_in_the_hand_and_in_the_deck(position: Make, place: Lay, refused: Refused, named: Named) -> None:
    state = position("temple.red", HAND)
    assert refused(state, place("bath.blue", 0, 1)) == "POMP-TURN-1"
    assert refused(state, Place(Card("bath", "grey", 3), 0, 1)) == "POMP-CARD-1"
    assert refused(state, Place(Card("castle", "grey", 3), 0, 1)) == "POMP-CARD-1"
    assert refused(state, Place(Card("bath", "pink", 3), 0, 1)) == "POMP-CARD-1"
    assert refused(state, Discard(named("bath.blue"))) == "POMP-TURN-1"


NOTHING_FITS = ("temple.red statue", {"red": "temple.grey bakery.red temple.blue", "blue": 3})
CLOSED: dict[str, Any] = {"options": {"attach_to_statue": False}}


def test_who_can_lay_a_card_may_not_discard(position: Make, named: Named, refused: Refused) -> None:
    assert refused(position("temple.red", HAND), Discard(named("bath.grey"))) == "POMP-TURN-2"


def test_who_can_lay_no_card_discards_one_of_choice_or_lays_the_statue(position: Make, named: Named) -> None:
    state = position(*NOTHING_FITS, **CLOSED)
    legal = GAME.legal(state)
    discards = [action.card for action in legal if isinstance(action, Discard)]
    assert discards == [named("bakery.red"), named("temple.blue"), named("temple.grey")]
    assert places(state, PlaceStatue) and not places(state)
    after = GAME.apply(state, Discard(named("temple.blue"))).state
    assert isinstance(after.hands["red"], tuple)
    assert after.discards == (named("temple.blue"),) and after.to_act == "blue" and len(after.hands["red"]) == 3


def test_with_the_option_the_statue_goes_before_a_discard(position: Make, named: Named, refused: Refused) -> None:
    options = {"attach_to_statue": False, "statue_before_discard": True}
    state = position(*NOTHING_FITS, options=options)
    assert not [action for action in GAME.legal(state) if isinstance(action, Discard)]
    assert refused(state, Discard(named("temple.blue"))) == "R-NO-PLACE"
    without = position(*NOTHING_FITS, options=options, statues={"red": 0, "blue": 1})
    assert Discard(named("temple.blue")) in GAME.legal(without)


@pytest.mark.parametrize("kind", ["draw", "keep", "volcano"])
def test_drawing_is_no_action_of_its_own_before_the_first_volcano(position: Make, refused: Refused, kind: Any) -> None:
    assert refused(position("temple.red", HAND), Draw(kind)) == "POMP-DRAW-1"
    after = position("temple.red", HAND, pile="villa.red", volcanoes=1)
    assert refused(after, Draw(kind)) == "POMP-TURN-1"


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"type": "place"},
        {"type": "place", "card": {"building": "bath", "colour": "grey", "value": True}, "row": 0, "column": 1},
        {"type": "place", "card": {"building": "bath", "colour": "grey", "value": 2}, "row": False, "column": 1},
        {"type": "place", "card": {"building": "bath", "colour": "grey", "value": 2}, "row": 0.0, "column": 1},
        {"type": "place", "card": ["bath"], "row": 0, "column": 1},
        {"type": "place", "card": {"building": "bath", "colour": "grey", "value": 2}, "row": 0, "column": 1, "x": 0},
        {"type": "statue", "row": 0, "column": 1, "building": "bath"},
        {"type": "statue", "row": 0, "column": 1, "building": ["bath"], "colour": "blue"},
        {"type": "permit", "player": 1},
        {"type": "draw", "card": None},
        {"type": "reveal", "cards": {"choose": True, "from": []}},
        {"type": "reveal", "cards": [1]},
        {"type": "fly"},
        {"type": None},
        [],
        None,
    ],
    ids=str,
)
def test_what_has_the_form_of_no_action_is_refused(data: Any) -> None:
    with pytest.raises(ValueError, match="POMP-TURN-1: no action of Pompeji has this form"):
        GAME.action_from_json(data)
