from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.pacal.pieces import COLOURS, MAX_FLOORS, PYRAMIDS, STONES, Pyramid, Ship, Stones
from companion.observation import Content, Odds, likeliest
from vision.reading.supply import within_supply

FLOORS = ("one", "two", "three", "four", "five")


def pyramid(colour: str = "blue", **shares: float) -> Odds:
    return {Pyramid(colour, FLOORS.index(floors) + 1): p for floors, p in shares.items()}


def stone(p: float) -> Odds:
    return {None: 1 - p, Stones(("red",)): p}


def test_a_pyramid_is_rather_of_those_of_which_there_are_more() -> None:
    found = within_supply({"A1": pyramid(one=0.6, two=0.4)})["A1"]
    assert found[Pyramid("blue", 2)] / found[Pyramid("blue", 1)] == pytest.approx(0.4 / 0.6 * PYRAMIDS[1] / PYRAMIDS[0])


def test_the_only_one_is_not_seen_twice() -> None:
    found = within_supply({"A1": pyramid(one=0.7, three=0.3), "B2": pyramid(one=0.999, two=0.001)})
    assert likeliest(found["B2"]) == Pyramid("blue", 1)
    assert found["A1"][Pyramid("blue", 3)] > 0.95


def test_what_something_lies_over_is_expected_all_the_same() -> None:
    found = within_supply({"A1": pyramid(one=0.9, three=0.1), "B2": pyramid(one=0.79, two=0.01)})
    assert likeliest(found["A1"]) == Pyramid("blue", 3)
    assert found["B2"][Pyramid("blue", 1)] > 0.7


def test_another_player_has_their_own() -> None:
    found = within_supply({"A1": pyramid(one=0.9, three=0.1), "B2": pyramid("red", one=1.0)})
    assert likeliest(found["A1"]) == Pyramid("blue", 1)


def test_where_there_are_plainly_too_many_nothing_changes() -> None:
    squares = {"A1": pyramid(one=0.9999, two=0.0001), "B2": pyramid("red", one=0.6, two=0.4)}
    assert within_supply(squares) != squares
    squares["C3"] = squares["A1"]
    assert within_supply(squares) == squares


def test_no_player_has_an_eleventh_stone() -> None:
    sure = {f"{letter}1": stone(0.999) for letter in string.ascii_uppercase[:STONES]}
    assert likeliest(within_supply({**sure, "A2": stone(0.8)})["A2"]) is None
    del sure["A1"]
    assert within_supply({**sure, "A2": stone(0.8)})["A2"][Stones(("red",))] == pytest.approx(0.8, abs=0.02)


def test_ships_are_not_counted_here() -> None:
    squares: dict[str, Odds] = {name: {Ship("red"): 0.7, None: 0.3} for name in ("A1", "B2")}
    assert within_supply(squares) == squares


CONTENTS: list[Content | None] = [
    None,
    *(Pyramid(colour, 1 + floor) for colour in COLOURS[:2] for floor in range(MAX_FLOORS)),
    *(Stones((colour,)) for colour in COLOURS[:2]),
    Ship("red"),
]


@given(
    st.lists(
        st.dictionaries(st.sampled_from(CONTENTS), st.floats(0.001, 1.0), min_size=1, max_size=5),
        min_size=1,
        max_size=20,
    )
)
def test_nothing_appears_and_nothing_is_lost(rows: list[dict[Content | None, float]]) -> None:
    squares = {
        name: {content: p / sum(row.values()) for content, p in row.items()}
        for name, row in zip(string.ascii_uppercase, rows, strict=False)
    }
    found = within_supply(squares)
    assert found.keys() == squares.keys()
    for name, odds in found.items():
        assert odds.keys() == squares[name].keys()
        assert sum(odds.values()) == pytest.approx(1)
        assert all(p >= 0 for p in odds.values())
