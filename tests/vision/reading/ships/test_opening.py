from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.games.pacal.pieces import Ship
from companion.observation import Seen
from companion.squares import Square
from vision.grid import MM_PER_PX, READ_PX_PER_MM
from vision.light.appearance import INSIDE, STRANGE
from vision.reading.evidence import Scene
from vision.reading.learning import MATERIALS
from vision.reading.places import on_canvas
from vision.reading.shapes import SHIP_MM, SHIP_RADIUS_MM
from vision.reading.ships.opening import ASTRAY, MOST, NONE, OFF_MM, SHADOW, Openings, find_opening

RIM_PX = 0.75


def told(scene: Scene, name: Square) -> float:
    return Openings(scene).told(name)


def test_openings_speak_for_the_ships_that_are_there_and_for_no_others(scene: Scene, truth: Seen) -> None:
    ships = {name for name, content in truth.items() if isinstance(content, Ship)}
    openings = Openings(scene)
    speak = {name: openings.told(name) for name in scene.places.names}
    assert ships
    assert min(speak[name] for name in ships) > 2
    others = {speak[name] for name in speak.keys() - ships}
    assert min(others) == NONE
    assert max(others) < 0


@pytest.mark.parametrize(
    ("radius", "strays", "least", "most"),
    [(4, 0, -4.0, -3.8), (5, 0, -3.2, -2.4), (6, 0, -0.8, -0.1), (7, 0, 0, 0), (12, 0, 0, 0), (9, 9, -3.6, -2.8)],
    ids=["no opening", "much too small", "too small", "hardly too small", "too large", "elsewhere"],
)
def test_what_is_no_ships_opening_speaks_against_one_the_less_it_looks_like_one(
    scene: Scene, radius: float, strays: float, least: float, most: float
) -> None:
    assert told(with_inside(scene, 9, 0), "G7") == MOST
    assert least <= told(with_inside(scene, radius, strays), "G7") <= most


@pytest.mark.parametrize(("strays", "aside"), [(3, 0), (4, ASTRAY)])
def test_what_is_no_plain_opening_is_no_ships_where_none_stands(scene: Scene, strays: float, aside: float) -> None:
    hardly = with_inside(scene, 10.5, strays)
    assert (np.hypot(*find_opening(hardly, "G7").stray_mm) > OFF_MM) == (aside != 0)
    assert told(hardly, "G7") == aside
    # A plain one stands wherever it does.
    assert told(with_inside(scene, 9, strays), "G7") == MOST


def test_where_nothing_looks_like_an_opening_no_ship_is(scene: Scene) -> None:
    assert told(with_inside(scene, 0, 0), "G7") == NONE
    assert told(with_inside(scene, 9, 0, lit_from_px=-9), "G7") == 0


@pytest.mark.parametrize("lit_from_px", [np.inf, 0, -3], ids=["dark", "half is lit", "most is lit"])
@pytest.mark.parametrize("strays", [0, 1.5, -2])
def test_an_opening_tells_where_its_ship_stands(scene: Scene, strays: float, lit_from_px: float) -> None:
    seen = with_inside(scene, 9, strays, lit_from_px)
    middle, _ = seen.about("G7")
    top_px = middle.round() + np.array([strays, 0.0]) - middle
    assert find_opening(seen, "G7").stray_mm == pytest.approx(top_px * MM_PER_PX * (800 - SHIP_MM) / 800, abs=0.6)


@pytest.mark.parametrize(
    ("inside", "rim", "around"), [(20, 90, 60), (30, 60, 90), (20, 60, 60), (60, 90, 100), (180, 255, 200)]
)
def test_what_has_no_rim_is_the_shadow_of_a_ship(scene: Scene, inside: int, rim: int, around: int) -> None:
    seen = with_inside(scene, 9, 0)
    assert told(with_rim(seen, inside, rim, around), "G7") == MOST
    shadow = inside / around < 0.4
    assert told(with_rim(seen, inside, inside, around), "G7") == (SHADOW if shadow else MOST)
    # Whatever looks no more like an inside than that is neither.
    assert told(with_rim(with_inside(scene, 12, 0), inside, inside, around), "G7") == 0


def with_rim(scene: Scene, inside: int, rim: int, around: int) -> Scene:
    """The same with a disc of such a grey level right above G7, and rings round it of others."""
    middle, eye = scene.about("G7")
    straight, (x, y) = scene.straight.copy(), on_canvas(middle.round())
    px = READ_PX_PER_MM * eye[2] / (eye[2] - SHIP_MM)
    rows, columns = np.indices(straight.shape[:2])
    away = np.hypot(columns - x, rows - y) / px
    for radius, level in ((6.0, around), (0.3, rim), (-2.0, inside)):
        straight[away < SHIP_RADIUS_MM + radius] = level
    return replace(scene, straight=straight)


def with_inside(scene: Scene, radius_px: float, strays_px: float, lit_from_px: float = np.inf) -> Scene:
    """A bare board seen from right above G7, on which a disc that looks like a ship's inside is so far from there;
    what is so far to the right of its middle, and a rim round it then, looks like nothing known."""
    x, y = scene.places.middles[scene.places.names.index("G7")].round()
    rows, columns = np.indices(scene.bare.shape)
    fits = np.full_like(scene.fits, scene.bare.min() - 1)
    away = np.hypot(columns - x - strays_px, rows - y)
    there = away < radius_px
    fits[MATERIALS.index(INSIDE)][there] = scene.bare.max() + 1
    lit = (away < radius_px + RIM_PX) & ((columns - x - strays_px > lit_from_px) | ~there) & (lit_from_px < np.inf)
    fits[:, lit] = STRANGE
    bare = np.where(lit, np.float32(STRANGE), scene.bare)
    seen = replace(scene, fits=fits, bare=bare, eye=np.array([*scene.board.centre_mm("G7"), 800.0]))
    return with_rim(seen, 20, 90, 60)
