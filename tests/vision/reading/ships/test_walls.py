"""Ships' colours by their walls: of the set-up that stands here, and of walls that are drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS, Ship, squares_from_json
from companion.squares import Square
from vision.frames import Picture
from vision.geometry import Floats
from vision.grid import MM_PER_PX, lean
from vision.light.appearance import Looks
from vision.logarithms import OFFSET, TO_BGR, logarithms
from vision.reading.evidence import Scene
from vision.reading.learning import MATERIALS
from vision.reading.places import on_canvas
from vision.reading.shapes import SHIP_MM, hidden_by_ship, ship_ring
from vision.reading.ships.opening import find_opening
from vision.reading.ships.walls import CHANNELS, RAYS, STEPS, ShipWalls, Strip, unrolled
from vision.table import Table
from vision.teaching.setup_folder import Palette, Setup

BOARD, WALL, RIM = (60, 60, 160), (150, 40, 30), (200, 210, 220)
"""Grey levels: blue, green, red."""
MIDDLE = np.zeros(2)
"""How far a ship stands from the middle of its square."""


@pytest.fixture(scope="module")
def walls(table: Table) -> ShipWalls:
    return ShipWalls(Looks.from_arrays(MATERIALS, table.learned))


def ships(palette: Palette) -> dict[Square, Ship]:
    pieces = squares_from_json(palette.squares)
    return {name: piece for name, piece in pieces.items() if isinstance(piece, Ship)}


def seen_from(scene: Scene, across_mm: float, down_mm: float) -> Scene:
    """The same board with the camera so far from the middle of G7, 800 mm above it."""
    x, y = scene.board.centre_mm("G7")
    return replace(scene, eye=np.array([x + across_mm, y + down_mm, 800.0]))


def with_ship(scene: Scene, stray_mm: Floats = MIDDLE) -> Scene:
    """A board of one colour, and on G7 a ship whose wall and rim have one colour each."""
    middle, eye = scene.about("G7")
    eye = eye - (*stray_mm, 0)
    straight = np.full_like(scene.straight, BOARD)
    for outline, colour in (
        (hidden_by_ship(eye), WALL),
        (lean(eye, ship_ring(MIDDLE), SHIP_MM), RIM),
        (lean(eye, ship_ring(MIDDLE, -1.5), SHIP_MM), (20, 20, 20)),
    ):
        px = on_canvas(middle + (stray_mm + outline) / MM_PER_PX)
        cv2.fillConvexPoly(straight, (px * 16).round().astype(np.int32), colour, shift=4)
    return replace(scene, straight=straight, gain=np.zeros_like(scene.gain))


def strip_of(scene: Scene, stray_mm: Floats = MIDDLE) -> Strip:
    """Of the ship on G7."""
    return unrolled(scene, [("G7", stray_mm)])[0]


def of(colour: tuple[int, int, int]) -> NDArray[np.float32]:
    """Its opponent logarithms."""
    return np.asarray(logarithms(np.array([[colour]], np.uint8))[0, 0], np.float32)


def test_known_ships_are_told_by_their_walls(look: Callable[[Picture], Scene], setup: Setup, walls: ShipWalls) -> None:
    right = []
    for palette in setup.palettes:
        scene = look(palette.picture)
        there = ships(palette)
        told = walls.told(scene, [(name, find_opening(scene, name).stray_mm) for name in there])
        assert np.exp(told).sum(axis=1) == pytest.approx(np.ones(len(there)))
        right += [row.argmax() == COLOURS.index(ship.colour) for row, ship in zip(told, there.values(), strict=True)]
    assert len(right) == 10
    assert sum(right) >= 9


@pytest.mark.parametrize("stray_mm", [(0, 0), (4, -3), (-4, 2)])
@pytest.mark.parametrize(("across_mm", "down_mm"), [(150, -200), (-400, 100), (0, 90)])
def test_a_strip_shows_the_wall_between_rim_and_board(
    scene: Scene, across_mm: int, down_mm: int, stray_mm: tuple[int, int]
) -> None:
    stray = np.array(stray_mm, np.float64)
    drawn = with_ship(seen_from(scene, across_mm, down_mm), stray)
    strip = strip_of(drawn, stray)
    to_foot, from_rim, _ = strip.where
    outside = from_rim > 0.35
    wall, board = (to_foot > 0.3) & outside, (to_foot < -0.5) & outside
    assert wall.sum() > 10
    assert board.sum() > 40
    assert np.median(strip.seen[wall], axis=0) == pytest.approx(of(WALL), abs=1e-3)
    assert np.abs(strip.seen[wall] - of(WALL)).max(axis=1).mean() < 0.03
    assert np.abs(strip.seen[board] - of(BOARD)).max(axis=1).mean() < 0.03


def test_from_straight_above_no_wall_is_seen(scene: Scene) -> None:
    strip = strip_of(with_ship(seen_from(scene, 0, 0)))
    assert (strip.where[0][strip.where[1] > 0] < 0).all()


def test_the_light_is_taken_out(scene: Scene) -> None:
    drawn = with_ship(seen_from(scene, 150, 0))
    lit = replace(drawn, gain=np.full_like(drawn.gain, 0.25))
    levels = np.exp(strip_of(drawn).seen @ TO_BGR.T) - OFFSET
    gain = np.full(3, 0.25) @ TO_BGR.T
    expected = np.log(levels / np.exp(gain) + OFFSET)
    assert strip_of(lit).seen @ TO_BGR.T == pytest.approx(expected, abs=1e-5)


def test_the_board_beside_is_that_of_the_empty_picture(scene: Scene) -> None:
    drawn = with_ship(seen_from(scene, 150, 0))
    empty = np.zeros_like(drawn.empty)
    empty[:] = of(BOARD)
    beside = strip_of(replace(drawn, empty=empty)).beside
    assert beside.shape == (RAYS, 3)
    assert beside == pytest.approx(np.tile(of(BOARD), (RAYS, 1)), abs=1e-5)


def test_the_network_sees_how_unlike_each_colour_a_wall_is(scene: Scene) -> None:
    strip = strip_of(with_ship(seen_from(scene, 150, -200)))
    planes = strip.planes(np.array([of(WALL), of(RIM)]))
    assert planes.shape == (2, CHANNELS, RAYS, STEPS)
    wall = (strip.where[0] > 0.5) & (strip.where[1] > 0.5)
    assert np.abs(planes[0, :3][:, wall]).mean() < 0.03
    assert np.abs(planes[1, :3][:, wall]).mean() > 0.3
    assert planes[0, 3:6] == pytest.approx(planes[1, 3:6])


def test_ships_are_told_together_as_each_by_itself(scene: Scene, walls: ShipWalls) -> None:
    drawn = with_ship(seen_from(scene, 150, -200))
    there = [("G7", MIDDLE), ("A1", np.array([3.0, -2.0])), ("M13", MIDDLE), ("G8", np.array([-1.0, 4.0]))]
    alone = np.concatenate([walls.told(drawn, [ship]) for ship in there])
    assert walls.told(drawn, there) == pytest.approx(alone, abs=1e-4)


def test_the_ships_at_a_boards_corners_are_looked_at_from_far_aside_too(scene: Scene, walls: ShipWalls) -> None:
    for name in ("A1", "M13"):
        for aside in (-700.0, 1200.0):
            told = walls.told(replace(scene, eye=np.array([aside, aside, 520.0])), [(name, MIDDLE)])
            assert told.shape == (1, len(COLOURS))
            assert np.isfinite(told).all()
