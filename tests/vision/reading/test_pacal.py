from __future__ import annotations

import numpy as np
import pytest

from companion.games.pacal.pieces import Pyramid, Stones
from companion.observation import Content
from vision.reading.pacal import contents

NOTHING = np.full(7, -9.0)


def scores(**given: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Scores of a stone, a ship, and pyramids of one to five floors."""
    row = NOTHING.copy()
    for name, value in given.items():
        row[["stone", "ship", "one", "two", "three", "four", "five"].index(name)] = value
    return row


def best(odds: dict[Content | None, float]) -> Content | None:
    return max(odds, key=lambda content: odds[content])


def test_nothing_scores_nothing() -> None:
    odds = contents({0: NOTHING, 3: NOTHING})
    assert best(odds) is None
    assert odds[None] > 0.99


def test_stones_of_several_colours_may_lie_together() -> None:
    assert best(contents({0: scores(stone=6), 1: scores(stone=5), 4: scores(stone=-5)})) == Stones(("red", "yellow"))


def test_what_may_be_a_stone_is_less_likely_one_beside_another() -> None:
    alone, beside = contents({4: scores(stone=0.8)}), contents({1: scores(stone=8), 4: scores(stone=0.8)})
    assert best(alone) == Stones(("purple",))
    assert best(beside) == Stones(("yellow",))
    assert best(contents({1: scores(stone=8), 4: scores(stone=1.2)})) == Stones(("purple", "yellow"))


def test_what_is_hardly_a_stone_beside_another_is_not_made_surer_of() -> None:
    odds = contents({1: scores(stone=8), 4: scores(stone=-4)})
    assert odds[Stones(("purple", "yellow"))] == pytest.approx(odds[Stones(("yellow",))] * np.exp(-4))


def test_a_pyramid_stands_alone() -> None:
    odds = contents({2: scores(three=9, four=7), 3: scores(stone=2)})
    assert best(odds) == Pyramid("green", 3)
    assert odds[Pyramid("green", 4)] == pytest.approx(odds[Pyramid("green", 3)] * np.exp(-2))


def test_probabilities_add_up() -> None:
    odds = contents({colour: scores(stone=1, ship=0.5, five=1) for colour in range(5)})
    assert sum(odds.values()) == pytest.approx(1, abs=1e-3)
