from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS, Pyramid, Stones
from companion.observation import Odds, likeliest
from companion.squares import Square
from vision.light.appearance import Looks
from vision.reading import pacal
from vision.reading.crops import Asked, Cutter
from vision.reading.evidence import Scene
from vision.reading.network import SquareNetwork
from vision.reading.pacal import SquareReader, contents
from vision.reading.rivals import Rivals
from vision.reading.ships.looker import ShipLooker
from vision.reading.ships.opening import Openings
from vision.reading.stones.finder import StoneFinder
from vision.reading.stones.tips import TipFinder

NOTHING = [-9.0] * 7


def scores(**given: float) -> list[float]:
    """Scores of a stone, a ship, and pyramids of one to five floors."""
    row = NOTHING.copy()
    for name, value in given.items():
        row[["stone", "ship", "one", "two", "three", "four", "five"].index(name)] = value
    return row


def test_nothing_scores_nothing() -> None:
    odds = contents({0: NOTHING, 3: NOTHING})
    assert likeliest(odds) is None
    assert odds[None] > 0.99


def test_stones_of_several_colours_may_lie_together() -> None:
    assert likeliest(contents({0: scores(stone=6), 1: scores(stone=5), 4: scores(stone=-5)})) == Stones(
        ("red", "yellow")
    )


@pytest.mark.parametrize("score", [0.8, -4.0])
def test_a_stone_beside_another_is_as_likely_as_its_score_says(score: float) -> None:
    odds = contents({1: scores(stone=8), 4: scores(stone=score)})
    assert odds[Stones(("purple", "yellow"))] == pytest.approx(odds[Stones(("yellow",))] * np.exp(score))


def test_a_pyramid_stands_alone() -> None:
    odds = contents({2: scores(three=9, four=7), 3: scores(stone=2)})
    assert likeliest(odds) == Pyramid("green", 3)
    assert odds[Pyramid("green", 4)] == pytest.approx(odds[Pyramid("green", 3)] * np.exp(-2))


def test_probabilities_add_up() -> None:
    odds = contents({colour: scores(stone=1, ship=0.5, five=1) for colour in range(5)})
    assert sum(odds.values()) == pytest.approx(1, abs=1e-3)


class Said(SquareNetwork):
    """Says the same of every crop but for what lies over it."""

    def __init__(self, over: dict[Square, float]) -> None:
        self._over = over

    def look(self, cutter: Cutter, wanted: Sequence[Asked]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return np.tile(scores(stone=9.0), (len(wanted), 1)), np.array([self._over.get(name, 0.0) for name, _ in wanted])


class Over(SquareNetwork):
    """Says something lies over a square as surely as its colour's number, in tenths."""

    def __init__(self) -> None:
        pass

    def look(self, cutter: Cutter, wanted: Sequence[Asked]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return np.zeros((len(wanted), 7)), np.array([colour / 10 for _, colour in wanted])


class Unasked(ShipLooker):
    def __init__(self) -> None:
        pass

    def look(self, openings: Openings, squares: Mapping[Square, Odds]) -> dict[Square, Odds]:
        return dict(squares)


class Unweighed(Rivals):
    def __init__(self) -> None:
        pass

    def weigh(self, scene: Scene, name: Square, odds: Odds) -> Odds:
        return odds


class Unsought(StoneFinder):
    def __init__(self) -> None:
        pass

    def weigh(self, scene: Scene, name: Square, odds: Odds, before: Odds | None = None) -> Odds:
        return odds


def reader(looks: Looks, over: dict[Square, float]) -> SquareReader:
    """One that sees a stone wherever it is asked."""
    return SquareReader([0.0] * len(COLOURS), Said(over), Unweighed(), Unsought(), Unasked(), TipFinder(looks))


def read(
    looks: Looks, scene: Scene, asked: Mapping[Square, list[int]], over: dict[Square, float]
) -> dict[Square, Odds]:
    squares = reader(looks, over)
    return squares.read(scene, squares.ask(scene, asked), {})[0]


def test_what_lies_over_a_square_is_told_by_the_colour_of_which_that_is_surest(scene: Scene, looks: Looks) -> None:
    squares = SquareReader([0.0] * len(COLOURS), Over(), Unweighed(), Unsought(), Unasked(), TipFinder(looks))
    assert squares.ask(scene, {"D6": [2, 4, 1], "H6": [0]}).over == {"D6": 0.4, "H6": 0.0}


def test_where_a_lamp_is_mirrored_nothing_is_sure(scene: Scene, looks: Looks) -> None:
    blindness = scene.blindness.copy()
    blindness[scene.places.names.index("D6")] = 0.1
    squares = read(looks, replace(scene, blindness=blindness), {"D6": [0], "H6": [0]}, {})
    assert squares["D6"][Stones((COLOURS[0],))] < 0.99 < squares["H6"][Stones((COLOURS[0],))]


def test_stones_that_are_hardly_shown_are_not_sure(scene: Scene, looks: Looks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pacal, "hardly_shown", lambda scene, name, odds: name == "D6")
    squares = read(looks, scene, {"D6": [0], "H6": [0]}, {})
    assert squares["D6"][Stones((COLOURS[0],))] < 0.96 < 0.99 < squares["H6"][Stones((COLOURS[0],))]


def test_beside_what_surely_lies_under_something_nothing_is_sure(scene: Scene, looks: Looks) -> None:
    names = [f"{column}{row}" for row in (5, 6, 7) for column in "CDE"]
    asked = {name: [0] for name in (*names, "H6")}

    def least(over: dict[Square, float]) -> dict[Square, float]:
        squares = read(looks, scene, asked, over)
        return {name: squares[name][Stones((COLOURS[0],))] for name in asked}

    assert min(least({}).values()) > 0.98
    found = least({"D6": 0.5})
    assert max(found[name] for name in names) < 0.9
    assert found["H6"] > 0.98
    # What something only may lie over says nothing of the squares beside it.
    assert least({"D6": 0.1})["C5"] > 0.98
