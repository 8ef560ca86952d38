"""Ships' colours by their walls: of the set-up that stands here, and of walls that mirror a board of one colour."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from companion.games.pacal.pieces import COLOURS, Ship, squares_from_json
from companion.squares import Square
from vision.appearance import Looks
from vision.frames import Picture
from vision.geometry import Floats
from vision.grid import MM_PER_PX, SHRINK
from vision.logarithms import light_of
from vision.reading import ship_walls
from vision.reading.evidence import Scene, on_canvas
from vision.reading.learning import MATERIALS
from vision.reading.ship_opening import find_opening
from vision.reading.ship_walls import ShipWalls, learn_walls
from vision.setup_folder import Palette, Setup
from vision.table import Table

PINK = np.array([0.35, 0.12, 0.55])
"""Light of a board: blue, green, red."""
MIDDLE = np.zeros(2)
"""How far a ship stands from the middle of its square."""


@pytest.fixture(scope="module")
def walls(table: Table) -> ShipWalls:
    return ShipWalls(table.learned["walls"])


def ships(palette: Palette) -> dict[Square, Ship]:
    pieces = squares_from_json(palette.squares)
    return {name: piece for name, piece in pieces.items() if isinstance(piece, Ship)}


def seen_from(scene: Scene, across_mm: float, down_mm: float) -> Scene:
    """The same board with the camera so far from the middle of G7, 800 mm above it."""
    x, y = scene.board.centre_mm("G7")
    return replace(scene, eye=np.array([x + across_mm, y + down_mm, 800.0]))


def grey_levels(light: Floats) -> Floats:
    return np.asarray(255 * np.clip(light, 0, 1) ** (1 / 2.2))


def with_ship(scene: Scene, name: Square, own: Floats, board: Floats, stray_mm: Floats = MIDDLE) -> Scene:
    """A board of one colour (light, 3) and a ship whose wall throws back own in white light; it mirrors as much as is
    usual."""
    middle, eye = scene.about(name)
    eye = eye - (*stray_mm, 0)
    straight = np.zeros_like(scene.straight)
    straight[:] = grey_levels(board).round()
    down, across = np.nonzero(ship_walls._wall_mask(eye))
    seen = (np.column_stack([across, down]) - ship_walls._MIDDLE) * MM_PER_PX / SHRINK
    facing = ship_walls._on_wall(seen, eye)[2]
    mirrors = ship_walls.MIRRORED * (ship_walls.STRAIGHT_ON + (1 - ship_walls.STRAIGHT_ON) * (1 - facing) ** 5)
    at = on_canvas(middle + stray_mm / MM_PER_PX) - ship_walls._MIDDLE
    rows, columns = (down + at[1]).round().astype(int), (across + at[0]).round().astype(int)
    straight[rows, columns] = grey_levels(own + mirrors[:, None] * board).round()
    return replace(scene, straight=straight, gain=np.zeros_like(scene.gain))


def test_known_ships_are_told_by_their_walls(look: Callable[[Picture], Scene], setup: Setup, walls: ShipWalls) -> None:
    right = []
    for palette in setup.palettes:
        scene = look(palette.picture)
        for name, ship in ships(palette).items():
            told = walls.told(scene, name, find_opening(scene, name).stray_mm)
            right += [] if told is None else [told.argmax() == COLOURS.index(ship.colour)]
    assert len(right) >= 8
    assert sum(right) >= len(right) - 1


@pytest.mark.parametrize("colour", COLOURS)
def test_a_wall_is_told_from_the_board_that_it_mirrors(
    scene: Scene, table: Table, walls: ShipWalls, colour: str
) -> None:
    own = table.learned["walls"][COLOURS.index(colour)].astype(np.float64)
    above = seen_from(scene, 130, 60)
    told = walls.told(with_ship(above, "G7", own, PINK), "G7", MIDDLE)
    assert told is not None
    assert COLOURS[int(told.argmax())] == colour
    assert told.max() == 0
    assert np.sort(told)[-2] < -2


def test_a_blue_wall_that_looks_purple_on_a_pink_board_is_blue(scene: Scene, table: Table) -> None:
    learned = table.learned["walls"].astype(np.float64)
    blue, purple = (learned[COLOURS.index(colour)] for colour in ("blue", "purple"))
    above = seen_from(scene, 100, 0)
    looks_purple = with_ship(above, "G7", blue, PINK)
    told = ShipWalls(learned).told(looks_purple, "G7", MIDDLE)
    assert told is not None
    assert COLOURS[int(told.argmax())] == "blue"
    wall = ship_walls._wall_seen(looks_purple, "G7", MIDDLE)
    assert wall is not None
    seen, as_blue, as_purple = (light / np.linalg.norm(light) for light in (wall.light.mean(axis=0), blue, purple))
    assert np.linalg.norm(seen - as_purple) < np.linalg.norm(seen - as_blue)


@pytest.mark.parametrize("stray_mm", [(4, -3), (-4, 2)])
def test_a_wall_is_looked_at_where_the_ship_stands(
    scene: Scene, walls: ShipWalls, table: Table, stray_mm: tuple[int, int]
) -> None:
    own = table.learned["walls"][COLOURS.index("yellow")].astype(np.float64)
    above, stray = seen_from(scene, 150, -200), np.array(stray_mm, np.float64)
    told = walls.told(with_ship(above, "G7", own, PINK, stray), "G7", stray)
    assert told is not None
    assert COLOURS[int(told.argmax())] == "yellow"


def test_from_straight_above_a_wall_tells_nothing(scene: Scene, walls: ShipWalls) -> None:
    above = seen_from(scene, 0, 0)
    assert walls.told(with_ship(above, "G7", PINK, PINK), "G7", MIDDLE) is None


def test_the_ships_at_a_boards_corners_are_looked_at_from_far_aside_too(scene: Scene, walls: ShipWalls) -> None:
    for name in ("A1", "M13"):
        for aside in (-700.0, 1200.0):
            told = walls.told(replace(scene, eye=np.array([aside, aside, 520.0])), name, MIDDLE)
            assert told is None or (told.shape == (len(COLOURS),) and np.isfinite(told).all())


def test_without_ships_walls_are_taken_to_be_as_pyramids(scene: Scene, table: Table) -> None:
    looks = Looks.from_arrays(MATERIALS, table.learned)
    found = learn_walls([(scene, {})], looks)
    assert found.shape == (len(COLOURS), 3)
    pyramids = np.linalg.norm(light_of(looks.means[None, : len(COLOURS)].astype(np.float32))[0], axis=1)
    assert np.linalg.norm(found, axis=1) == pytest.approx(ship_walls.BRIGHT * pyramids)
    assert (found.argmax(axis=1) == [2, 2, 1, 0, 0]).all()


def test_walls_are_not_asked_where_they_tell_known_ships_wrongly(
    look: Callable[[Picture], Scene], setup: Setup, table: Table
) -> None:
    looks = Looks.from_arrays(MATERIALS, table.learned)
    scenes = [(look(palette.picture), ships(palette)) for palette in setup.palettes]
    turned = [(scene, dict(zip(there, list(there.values())[::-1], strict=True))) for scene, there in scenes]
    assert (learn_walls(scenes, looks) > 0).all()
    assert not learn_walls(turned, looks).any()
    scene, there = scenes[0]
    assert ShipWalls(np.zeros((5, 3))).told(scene, next(iter(there)), MIDDLE) is None


def test_what_learning_never_says_is_refused() -> None:
    for broken in (-np.ones((5, 3)), np.full((5, 3), np.nan), np.eye(5, 3), np.ones(4)):
        with pytest.raises(ValueError):
            ShipWalls(broken)
