"""What a card scores (POMP-STREET, POMP-SCORE), and the score of a game (POMP-END)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.games.pompeji import GAME
from companion.games.pompeji.actions import Action, Place, PlaceStatue
from companion.games.pompeji.state import State

Make = Callable[..., State]
Lay = Callable[[str, int, int], Place]
Points = Callable[[State, Action], int]

HAND = {"red": "temple.grey villa.red forum.yellow", "blue": 3}


@pytest.mark.parametrize(
    ("city", "name", "row", "column", "worth"),
    [
        ("temple.red", "forum.yellow", 0, 1, 0),
        ("temple.red bath.blue -", "temple.grey", 0, 2, 6 + 5),
        ("temple.red bath.blue -", "villa.red", 0, 2, 7),
        ("temple.red\nbath.blue\n-", "temple.grey", 2, 0, 6 + 5),
        ("temple.red bath.blue\n- -", "temple.grey", 1, 1, 6 + 5),
        ("bath.blue* temple.red\n- -", "temple.grey", 1, 0, 6 + 5),
        ("temple.red bath.blue temple.green forum.orange -", "temple.grey", 0, 4, 6 + 2 + 5),
        ("temple.red bath.grey forum.orange -", "temple.grey", 0, 3, 6 + 5 + 5),
        ("temple.red bath.blue temple.green\n- - -", "temple.grey", 1, 1, 6 + 5 + 2 + 5),
    ],
    ids=["nothing alike", "row", "colour", "column", "down", "up", "three", "both", "two diagonals"],
)
def test_a_card_scores_what_is_alike_in_its_streets(
    position: Make, place: Lay, points: Points, city: str, name: str, row: int, column: int, worth: int
) -> None:
    state = position(city, HAND)
    assert points(state, place(name, row, column)) == worth


def test_the_highest_of_a_colour_may_lie_there_already(position: Make, place: Lay, points: Points) -> None:
    state = position("villa.red bath.blue", {"red": "fountain.red temple.grey forum.yellow", "blue": 3})
    assert points(state, place("fountain.red", 0, 2)) == 7


def test_what_lies_beyond_a_gap_does_not_count(position: Make, place: Lay, points: Points) -> None:
    around = "temple.red - -\nbath.blue forum.green bakery.yellow"
    assert points(position(around, HAND), place("temple.grey", 0, 2)) == 0


def test_filling_a_gap_joins_both_sides(position: Make, place: Lay, points: Points) -> None:
    city = "villa.grey bath.blue - temple.green villa.yellow\n- fountain.red amphitheatre.purple bakery.grey -"
    state = position(city, {"red": "villa.orange temple.grey forum.blue", "blue": 3})
    assert points(state, place("villa.orange", 0, 2)) == 6 + 1 + 2


def test_a_statue_joins_a_street(position: Make, place: Lay, points: Points) -> None:
    assert points(position("temple.red statue", HAND), place("temple.grey", 0, 2)) == 6 + 5


SIX = "temple.red bath.blue villa.green fountain.orange amphitheatre.purple bakery.grey"


def test_the_seventh_building_of_a_street_scores_seven(position: Make, place: Lay, points: Points) -> None:
    assert points(position(SIX, HAND), place("forum.yellow", 0, 6)) == 7
    assert points(position("\n".join(SIX.split()), HAND), place("forum.yellow", 6, 0)) == 7


def test_a_statue_that_lies_is_no_building_unless_the_option_counts_it(
    position: Make, place: Lay, points: Points
) -> None:
    city = SIX.replace("villa.green", "statue")
    assert points(position(city, HAND), place("forum.yellow", 0, 6)) == 0
    assert points(position(city, HAND, options={"seventh_counts_statues": True}), place("forum.yellow", 0, 6)) == 7


def test_a_statue_that_is_laid_is_a_building_of_value_one(position: Make, points: Points) -> None:
    assert points(position(SIX, HAND), PlaceStatue(0, 6, "forum", "yellow")) == 7
    city = position("temple.red bath.blue", HAND)
    assert points(city, PlaceStatue(0, 2, "temple", "green")) == 6 + 1
    assert points(city, PlaceStatue(0, 2, "temple", "red")) == 6 + 1 + 6
    assert points(position("temple.purple* bath.blue", HAND), PlaceStatue(0, 2, "villa", "purple")) == 4


def test_the_score_takes_off_the_hand_and_may_be_below_zero(position: Make) -> None:
    state = position(
        "temple.red", {"red": "bath.grey bakery.red forum.blue", "blue": "bath.red temple.orange villa.red"}
    )
    score = GAME.score(state)
    assert score["players"]["red"] == {"points": 0, "hand": 6, "total": -6}
    assert score["players"]["blue"] == {"points": 0, "hand": 17, "total": -17}
    assert score["leaders"] == ["red"] and not score["over"]


def test_an_unused_statue_costs_one_only_with_the_option(position: Make) -> None:
    hands = {"red": "bath.grey bakery.red forum.blue", "blue": "forum.red villa.orange temple.yellow"}
    city, points = "temple.red statue", {"red": 7, "blue": 8}
    assert GAME.score(position(city, hands, points=points))["leaders"] == ["red", "blue"]
    penalty = GAME.score(position(city, hands, points=points, options={"statue_penalty": True}))
    assert penalty["players"]["red"]["hand"] == 7 and penalty["players"]["blue"]["hand"] == 7
    assert penalty["leaders"] == ["blue"]


def test_tied_players_lead_together_in_turn_order(position: Make) -> None:
    hands = {"purple": "bath.grey bakery.red forum.blue", "red": "bath.red bakery.purple temple.yellow", "blue": 3}
    state = position("temple.red", hands, points={"purple": 6, "red": 11, "blue": 0})
    assert GAME.score(state)["leaders"] == ["purple", "red"]
