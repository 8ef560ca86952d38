"""What displays are told: events, words, the outlook and the views; nothing of it tells of hands or the pile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.errors import BadCommand
from companion.games.game import canonical
from companion.games.pompeji import GAME
from companion.games.pompeji.actions import Discard, Draw, Permit, Place, PlaceStatue, Reveal
from companion.games.pompeji.pieces import Card, Statue
from companion.games.pompeji.state import State

Make = Callable[..., State]
Lay = Callable[[str, int, int], Place]
Named = Callable[[str], Card]

HAND = {"red": "temple.grey forum.orange villa.green", "blue": "bath.red temple.orange villa.red"}


def texts(state: State, action: Any) -> list[str]:
    return [event["text"] for event in GAME.apply(state, action).events]


def test_a_card_is_told_with_its_points_street_by_street_and_the_draw(position: Make, place: Lay) -> None:
    state = position(
        "temple.red bath.grey forum.orange", {**HAND, "red": "temple.grey bakery.red villa.green", "blue": 3}
    )
    assert texts(state, place("temple.grey", 0, 3)) == [
        "red lays temple grey (5) 3 right from the start card.",
        "red scores 16: 11 for temple (row) and 5 for grey (row).",
        "red draws a card.",
        "It is the turn of blue.",
    ]
    score = GAME.apply(state, place("temple.grey", 0, 3)).events[1]
    assert score["streets"] == [{"street": "row", "building": 11, "colour": 5, "seventh": 0}]


def test_volcanoes_choices_and_the_end_are_told(position: Make, place: Lay) -> None:
    card = place("forum.orange", 0, 1)
    first = position("temple.red", HAND, pile="volcano villa.orange")
    assert texts(first, card)[1:] == ["red draws the first volcano."]
    choice = GAME.apply(first, card).state
    assert texts(choice, Draw("keep")) == ["red draws no card.", "It is the turn of blue."]
    assert texts(choice, Draw("draw")) == ["red draws a card.", "It is the turn of blue."]
    last = GAME.apply(position("temple.red", HAND, pile="volcano", volcanoes=1), card).state
    assert texts(last, Draw("draw")) == [
        "red draws the second volcano.",
        "red loses 8 points for what is left.",
        "blue loses 17 points for what is left.",
        "The game is over: red wins.",
    ]


def test_permits_and_statues_are_told(position: Make) -> None:
    state = position("temple.red", HAND)
    assert texts(state, Permit("blue")) == ["blue breaks in with a building permit."]
    broken = GAME.apply(state, Permit("blue")).state
    assert texts(broken, PlaceStatue(-1, 0, "bath", "green")) == [
        "blue lays the statue as bath green 1 up from the start card.",
        "red goes on with the turn that was broken into.",
    ]


def test_with_hidden_hands_what_must_be_told_is_asked_for(position: Make, named: Named) -> None:
    options = {"hands": "hidden"}
    state = position("temple.red", {"red": 3, "blue": 3}, pile=18, options=options, unseen="villa.red")
    assert texts(state, Discard(named("villa.red"))) == [
        "red puts villa red (7) beside the pile.",
        "red draws; whether it is a building card or a volcano must be told.",
    ]
    drawn = GAME.apply(state, Discard(named("villa.red"))).state
    assert texts(drawn, Draw("volcano")) == ["red draws the first volcano."]


def test_actions_and_contents_have_words(named: Named) -> None:
    bath = named("bath.grey")
    assert GAME.describe(Place(bath, 2, -1), "red") == "red lays bath grey (2) 1 left and 2 down from the start card"
    assert GAME.describe(Reveal((bath, bath)), "red") == "red shows bath grey (2) and bath grey (2)"
    assert [GAME.name_content(content) for content in (bath, Statue(), None)] == [
        "bath grey (2)",
        "a statue",
        "nothing",
    ]


def test_the_outlook_names_the_free_places_and_what_may_not_lie_there(position: Make) -> None:
    state = position("temple.red bath.blue\nstatue -", {**HAND, "blue": 3})
    outlook = GAME.outlook(state)
    found = {(place["row"], place["column"]): place for place in outlook["places"]}
    assert len(found) == 7 and outlook["frame"] == {"row": 0, "column": 0}
    assert (found[1, 1]["buildings"], found[1, 1]["colours"]) == (["bath"], ["blue"])
    assert found[1, 1]["text"] == "1 right and 1 down from the start card: no bath, nothing blue"
    assert found[2, 0]["buildings"] == [] and found[2, 0]["text"] == "2 down from the start card"
    assert [entry["action"]["type"] for entry in outlook["actions"]] == ["permit", "permit"]
    assert len(outlook["cards"]) == 47


def test_the_outlook_offers_what_is_no_secret(position: Make) -> None:
    choice = GAME.outlook(position("temple.red", {"red": 2, "blue": 3}, volcanoes=1, phase="draw"))
    assert [entry["action"] for entry in choice["actions"]] == [{"type": "draw"}, {"type": "keep"}]
    assert choice["places"] == [] and [step["state"] for step in choice["todo"]] == ["done", "now"]
    over = GAME.outlook(position("temple.red", {"red": 2, "blue": 3}, volcanoes=2, phase="over", ending="volcano"))
    assert over["actions"] == over["places"] == over["todo"] == []


@pytest.mark.parametrize(
    ("pile", "volcanoes", "words"),
    [
        (20, 0, "20 cards in the pile; the first volcano comes after 2 more cards at the earliest."),
        (18, 0, "18 cards in the pile; the first volcano can come with any of them."),
        (
            12,
            1,
            "12 cards in the pile; the second volcano, which ends the game, comes after 3 more cards at the earliest.",
        ),
        (9, 1, "9 cards in the pile; the second volcano, which ends the game, can come with any of them."),
        (1, 1, "1 card in the pile; the second volcano, which ends the game, comes next."),
    ],
)
def test_how_near_the_end_is_follows_from_the_size_of_the_pile(
    position: Make, pile: int, volcanoes: int, words: str
) -> None:
    state = position("temple.red", {"red": 3, "blue": 3}, pile=pile, volcanoes=volcanoes, options={"hands": "hidden"})
    assert GAME.outlook(state)["end"] == words


def test_a_drawing_has_the_deck(position: Make) -> None:
    drawing = GAME.drawing(position("temple.red", HAND))
    assert (drawing["columns"], drawing["rows"], drawing["values"]["temple"][0]) == (7, 7, 6)


def test_a_view_shows_the_own_hand_alone(position: Make) -> None:
    state = position("temple.red", HAND)
    data = GAME.state_to_json(state)
    assert GAME.view(state, "public")["hands"] == {"red": 3, "blue": 3}
    assert GAME.view(state, "red")["hands"] == {"red": data["hands"]["red"], "blue": 3}
    assert GAME.view(state, "blue")["pile"] == GAME.view(state, "public")["pile"] == 44
    with pytest.raises(BadCommand):
        GAME.view(state, "green")


def test_what_a_drawn_card_is_is_nowhere_to_be_read(position: Make, place: Lay) -> None:
    told = []
    for top in ("fountain.blue", "fountain.green"):
        state = position("temple.red", HAND, pile=top)
        step = GAME.apply(state, place("forum.orange", 0, 1))
        told.append(canonical([*step.events, GAME.outlook(step.state), GAME.view(step.state, "public")]))
    assert told[0] == told[1]
