from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.games.pacal.pieces import Ship, Stones
from companion.observation import Content, Odds
from companion.squares import Square
from vision.reading.evidence import Scene
from vision.reading.ships.behind import behind_ships, doubted, unseen_contents


def seen_from(scene: Scene, across_mm: float, down_mm: float) -> Scene:
    """The same board with the camera so far from its middle, 800 mm above it."""
    width, height = scene.board.size_mm
    return replace(scene, eye=np.array([width / 2 + across_mm, height / 2 + down_mm, 800.0]))


def test_a_ship_hides_nothing_when_the_camera_is_straight_above_it(scene: Scene) -> None:
    above = replace(scene, eye=np.array([*scene.board.centre_mm("G7"), 800.0]))
    assert behind_ships(above, {"G7"}) == {}


def test_a_ship_leans_away_from_the_camera_over_the_square_behind_it(scene: Scene) -> None:
    hidden = behind_ships(seen_from(scene, 0, 600), {"G7"})
    assert max(hidden, key=lambda name: hidden[name]) == "G6"
    assert 0.2 < hidden["G6"] < 0.9
    assert "G7" not in hidden
    assert hidden.get("G8", 0.0) < 0.05


def test_the_further_aside_the_camera_the_more_is_hidden(scene: Scene) -> None:
    shares = [behind_ships(seen_from(scene, 0, away), {"G7"}).get("G6", 0.0) for away in (100, 300, 500, 700)]
    assert shares == sorted(shares)
    assert shares[0] < shares[-1]


def test_no_ships_hide_nothing(scene: Scene) -> None:
    assert behind_ships(scene, set()) == {}


ODDS: dict[Content | None, float] = {None: 0.6, Stones(("red",)): 0.3, Ship("blue"): 0.1}


def test_stones_may_be_hidden_on_what_looks_bare_but_a_ship_stands_alone() -> None:
    found = doubted(ODDS, 0.5)
    assert found[None] == pytest.approx(0.585)
    assert found[Ship("blue")] == 0.1
    assert doubted(ODDS, 0.0) == ODDS


@pytest.mark.parametrize(("share", "seen"), [(0.1, 0.986), (0.5, 0.65), (0.9, 0.4)])
def test_where_there_are_stones_there_are_likelier_more(share: float, seen: float) -> None:
    assert doubted(ODDS, share)[Stones(("red",))] == pytest.approx(0.3 * seen)


def test_what_may_lie_unseen_is_what_is_seen_and_other_stones() -> None:
    squares: dict[Square, Odds] = {"A1": {None: 0.99}, "B1": {Stones(("red",)): 0.9}, "C1": {Ship("red"): 0.9}}
    found = unseen_contents({**squares, "D1": {None: 0.99}}, {"A1": 0.5, "B1": 0.5, "C1": 0.5, "D1": 0.05})
    assert found.keys() == {"A1", "B1"}
    assert len(found["A1"]) == 31
    assert found["A1"][Stones(("red",))] == pytest.approx(0.125)
    assert found["A1"][Stones(("blue", "red"))] == pytest.approx(0.125**2)
    assert len(found["B1"]) == 15
    assert found["B1"][Stones(("blue", "red"))] == pytest.approx(0.125)
    assert all("red" in content.colours for content in found["B1"] if isinstance(content, Stones))
