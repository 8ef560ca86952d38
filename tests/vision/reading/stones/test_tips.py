"""Stones of which but a tip looks out from behind a ship."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import vision.reading.stones.tips
from companion.games.pacal.pieces import COLOURS, Pyramid, Ship, Stones
from companion.observation import Odds, likeliest
from companion.squares import Square
from vision.frames import Picture
from vision.geometry import Floats
from vision.grid import lean
from vision.light.appearance import Looks
from vision.logarithms import OFFSET, TO_BGR, Layers
from vision.measuring.changes import noise
from vision.reading.candidates import candidates
from vision.reading.evidence import Scene, Shown
from vision.reading.shapes import SHIP_MM, SHIP_RADIUS_MM
from vision.reading.ships.behind import behind_ships, hidden_pixels
from vision.reading.ships.opening import Openings
from vision.reading.stones.tips import FROM_MM, TOLD, TipFinder, with_tips

Look = Callable[[Picture], Scene]
RED, YELLOW, GREEN, BLUE, PURPLE = range(len(COLOURS))
TIP = np.array([[-3.0, -1.0], [3.0, -1.0], [0.0, 4.5]])
SLIVER = np.array([[-4.5, -1.0], [4.5, -1.0], [3.5, 2.6], [-3.5, 2.6]])
SMALL = np.array([[-0.5, -1.0], [0.5, -1.0], [0.5, 1.4], [-0.5, 1.4]])
"""What is seen of a stone, its corner, along a side, or hardly any: along the ship's edge, and away from it (mm)."""
LINE = np.array([[-9.0, 0.0], [9.0, 0.0], [9.0, FROM_MM + 1.0], [-9.0, FROM_MM + 1.0]])


class Hiding(NamedTuple):
    """A picture with ships, one of them, and the bare square of which it hides most."""

    scene: Scene
    ships: list[Square]
    ship: Square
    behind: Square


@pytest.fixture(scope="module")
def hiding(shown: list[Shown]) -> Hiding:
    scene, pieces = shown[0]
    ships = [name for name, piece in pieces.items() if isinstance(piece, Ship)]
    shares = [
        (share, ship, name)
        for ship in ships
        for name, share in behind_ships(scene, [ship]).items()
        if name not in pieces
    ]
    return Hiding(scene, ships, *max(shares)[1:])


def painted(hiding: Hiding, outline: Floats, colour: tuple[float, ...]) -> Picture:
    """The same picture with something flat at the edge of what the ship hides of the board, where that is furthest.

    outline: along that edge and away from it, mm. colour: BGR.
    """
    scene, ship = hiding.scene, hiding.ship
    eye = scene.about(ship)[1]
    top = lean(eye, np.zeros((1, 2)), SHIP_MM)[0]
    away = top / np.linalg.norm(top)
    radius = SHIP_RADIUS_MM * eye[2] / (eye[2] - SHIP_MM)
    edge = np.array(scene.board.centre_mm(ship)) + top + radius * away
    places = edge + outline[:, :1] * [-away[1], away[0]] + outline[:, 1:] * away
    picture = scene.photo.picture.copy()
    px = (scene.photo.project(places) * 16).round().astype(np.int32)
    cv2.fillConvexPoly(picture, px, colour, cv2.LINE_AA, 4)
    return picture


def paint_of(looks: Looks, colour: int) -> tuple[float, ...]:
    return tuple(np.clip(np.exp(looks.means[colour] @ TO_BGR.T) - OFFSET, 0, 255).tolist())


def found(hiding: Hiding, looks: Looks, odds: Odds, scene: Scene | None = None) -> Odds:
    """What becomes of the odds on the square behind. scene: another picture of it."""
    scene, name = scene or hiding.scene, hiding.behind
    share = behind_ships(scene, hiding.ships)[name]
    return TipFinder(looks).weigh(Openings(scene), {name: odds}, candidates(scene), hiding.ships, {name: share})[name]


@pytest.mark.parametrize("outline", [TIP, SLIVER], ids=["corner", "side"])
@pytest.mark.parametrize("colour", range(len(COLOURS)))
def test_a_tip_behind_a_ship_is_a_stone(hiding: Hiding, look: Look, looks: Looks, colour: int, outline: Floats) -> None:
    odds: Odds = {None: 0.9, Ship("red"): 0.05}
    after = found(hiding, looks, odds, look(painted(hiding, outline, paint_of(looks, colour))))
    assert likeliest(after) == Stones((COLOURS[colour],))
    assert found(hiding, looks, odds) == odds


@pytest.mark.parametrize("colour", range(len(COLOURS)))
def test_a_small_one_is_a_stone_where_another_is_known(hiding: Hiding, look: Look, looks: Looks, colour: int) -> None:
    scene = look(painted(hiding, SMALL, paint_of(looks, colour)))
    other = COLOURS[(colour + 1) % len(COLOURS)]
    odds: Odds = {Stones((other,)): 0.9, None: 0.1}
    assert likeliest(found(hiding, looks, odds, scene)) == Stones(tuple(sorted((other, COLOURS[colour]))))
    assert found(hiding, looks, odds) == odds
    alone: Odds = {None: 1.0}
    assert found(hiding, looks, alone, scene) == alone


@pytest.mark.parametrize("colour", range(len(COLOURS)))
def test_a_line_along_a_ship_is_none(hiding: Hiding, look: Look, looks: Looks, colour: int) -> None:
    """A little of its own wall is seen beside where it should end."""
    odds: Odds = {None: 1.0}
    assert found(hiding, looks, odds, look(painted(hiding, LINE, paint_of(looks, colour)))) == odds


@pytest.mark.parametrize("colour", range(len(COLOURS)))
def test_of_what_stands_there_for_all_to_see_nothing_changes(
    hiding: Hiding, look: Look, looks: Looks, colour: int
) -> None:
    scene = look(painted(hiding, TIP, paint_of(looks, colour)))
    for content in (Pyramid("green", 2), Ship("blue"), Stones((COLOURS[colour],))):
        odds: Odds = {content: 0.9, None: 0.1}
        assert found(hiding, looks, odds, scene) == odds


@pytest.mark.parametrize(("blind", "told"), [(0.1, True), (0.11, False)])
def test_where_a_lamp_is_mirrored_there_is_no_tip(
    hiding: Hiding, look: Look, looks: Looks, blind: float, told: bool
) -> None:
    """Behind a ship that keeps the lamp's light from it the board has another colour."""
    odds: Odds = {None: 1.0}
    scene = look(painted(hiding, TIP, paint_of(looks, 0)))
    scene = replace(scene, blindness=np.full_like(scene.blindness, blind))
    assert (found(hiding, looks, odds, scene) != odds) == told


@pytest.mark.parametrize(("seed", "told"), [(None, True), (1, False), (2, False)])
def test_in_noise_a_tip_must_be_clearer(
    hiding: Hiding, look: Look, looks: Looks, seed: int | None, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    odds: Odds = {None: 1.0}
    picture = painted(hiding, TIP, paint_of(looks, 0))
    scene = look(picture if seed is None else noise(picture, seed))
    assert likeliest(found(hiding, looks, odds, scene)) == Stones(("red",))
    monkeypatch.setattr(vision.reading.stones.tips, "IN_NOISE", 20.0)
    assert (likeliest(found(hiding, looks, odds, scene)) is not None) == told


def test_what_is_far_from_the_ship_is_no_tip(hiding: Hiding, look: Look, looks: Looks) -> None:
    odds: Odds = {None: 1.0}
    scene = look(painted(hiding, TIP + np.array([0.0, 6.0]), paint_of(looks, BLUE)))
    assert found(hiding, looks, odds, scene) == odds


@pytest.mark.parametrize(
    ("other", "aside", "is_tip"),
    [("MORE_LIKE", 0.4, False), ("MORE_LIKE", 1.0, True), ("CHANGED", 0.2, False), ("CHANGED", 1.5, True)],
)
@pytest.mark.parametrize("colour", range(len(COLOURS)))
def test_print_that_is_but_of_another_hue_is_no_tip_however_even_the_board(
    hiding: Hiding,
    look: Look,
    looks: Looks,
    monkeypatch: pytest.MonkeyPatch,
    colour: int,
    other: str,
    aside: float,
    is_tip: bool,
) -> None:
    """Neither where the board has hardly changed, nor where it was hardly less of that colour.

    other: what else would tell that, and does not here.
    """

    def unlike(seen: Layers, *others: object) -> tuple[NDArray[np.float32], float]:
        return np.full(seen.shape[:2], -20, np.float32), 1.0

    # What another hue may look like where pieces and board are very even.
    monkeypatch.setattr(vision.reading.stones.tips, "bare_closely", unlike)
    monkeypatch.setattr(vision.reading.stones.tips, other, -9.0)
    odds: Odds = {None: 1.0}
    shifted = np.exp((looks.means[colour] + [aside, 0.0, 0.0]) @ TO_BGR.T) - OFFSET
    printed = look(painted(hiding, TIP, tuple(np.clip(shifted, 0, 255).tolist()))).straight
    scene = replace(look(painted(hiding, TIP, paint_of(looks, colour))), taught=printed)
    assert (found(hiding, looks, odds, scene) != odds) == is_tip


@pytest.mark.parametrize(("size", "is_tip"), [(1.1, False), (4.0, True)])
@pytest.mark.parametrize("colour", range(len(COLOURS)))
def test_ink_that_a_lamp_makes_paler_is_no_tip_but_a_tip_on_dark_print_is(
    hiding: Hiding, look: Look, looks: Looks, colour: int, size: float, is_tip: bool
) -> None:
    odds: Odds = {None: 1.0}
    printed = look(painted(hiding, size * TIP, (2, 2, 2))).straight
    scene = replace(look(painted(hiding, TIP, paint_of(looks, colour))), taught=printed)
    assert (found(hiding, looks, odds, scene) != odds) == is_tip


def test_ships_hide_pixels_where_they_stand(hiding: Hiding) -> None:
    scene = hiding.scene
    hidden = hidden_pixels(Openings(scene), hiding.ships)
    shares = behind_ships(scene, hiding.ships)
    assert hidden.shape == scene.straight.shape[:2]
    assert not hidden_pixels(Openings(scene), []).any()
    for name in (hiding.behind, hiding.ship):
        left, top, right, bottom = 2 * scene.places.edges[:, scene.places.names.index(name)]
        share = hidden[top:bottom, left:right].mean()
        assert share == pytest.approx(shares[name], abs=0.12) if name in shares else share > 0.4


@given(st.dictionaries(st.integers(0, len(COLOURS) - 1), st.floats(0, TOLD)))
def test_the_sum_of_odds_stays(tips: dict[int, float]) -> None:
    odds: Odds = {
        None: 0.4,
        Stones(("blue",)): 0.2,
        Stones(("blue", "red")): 0.1,
        Ship("blue"): 0.05,
        Pyramid("red", 2): 0.05,
    }
    after = with_tips(odds, tips)
    assert sum(after.values()) == pytest.approx(0.8)
    assert after[Ship("blue")] == 0.05 and after[Pyramid("red", 2)] == 0.05
    for colour, likely in tips.items():
        with_it = sum(p for content, p in after.items() if COLOURS[colour] in getattr(content, "colours", ()))
        before = sum(p for content, p in odds.items() if COLOURS[colour] in getattr(content, "colours", ()))
        assert with_it == pytest.approx(before + likely * (0.7 - before))
