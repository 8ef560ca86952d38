"""The pieces of the simulated table as flat faces, in millimetres."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from vision.reading.shapes import BASE_MM, FLOOR_MM, STEP_MM
from vision.simulated.view import Floats

PAINT = {
    "red": (44, 40, 196),
    "yellow": (30, 186, 236),
    "green": (58, 148, 44),
    "blue": (182, 76, 30),
    "purple": (164, 50, 122),
}
"""BGR of the pieces in full light."""

SHIP_HEIGHT_MM = 36.0
SHIP_RADIUS_MM, SHIP_WALL_MM = 14.5, 1.6
STONE_SIDE_MM = 13.0
STONE_HEIGHT_MM = 5.0
_SIDES = 20


class Face(NamedTuple):
    """A flat polygon, its corners (N x 3, mm) running so that it is seen from where its normal points to.

    tone: of its paint, 1 as it is, lower darker.
    """

    corners: Floats
    paint: tuple[int, int, int]
    tone: float = 1.0


@dataclass(frozen=True)
class Solid:
    """A piece at its place: faces to be drawn one after the other, and what throws its shadow.

    centre_mm: x, y. outline_mm: N x 3, the points whose shadows' hull is the piece's shadow.
    """

    faces: tuple[Face, ...]
    centre_mm: tuple[float, float]
    outline_mm: Floats


def ship(colour: str, x: float, y: float, lift: float = 0.0) -> Solid:
    """A tube, open above, with a dark ring below its rim."""
    paint = PAINT[colour]
    low, ring, rim, top = (lift + h for h in (0.0, SHIP_HEIGHT_MM - 10, SHIP_HEIGHT_MM - 6, SHIP_HEIGHT_MM))
    circle = regular(_SIDES, SHIP_RADIUS_MM, 0.0)
    faces = [*wall(circle, circle, x, y, low, ring, paint)]
    faces += wall(circle, circle, x, y, ring, rim, (52, 50, 50))
    faces += wall(circle, circle, x, y, rim, top, paint)
    faces.append(Face(level(circle, x, y, top), paint, 1.12))
    faces.append(Face(level(circle * (1 - SHIP_WALL_MM / SHIP_RADIUS_MM), x, y, top), (22, 20, 20)))
    return Solid(tuple(faces), (x, y), ends(circle, x, y, low, top))


def pyramid(colour: str, floors: int, x: float, y: float, turn: float = 0.0, lift: float = 0.0) -> Solid:
    """Square floors, one on the other, each smaller than the one below."""
    paint = PAINT[colour]
    faces: list[Face] = []
    outline: list[Floats] = []
    for floor in range(floors):
        base = regular(4, (BASE_MM - STEP_MM * floor) / 2**0.5, turn + np.pi / 4)
        low, high = lift + floor * FLOOR_MM, lift + (floor + 1) * FLOOR_MM
        faces += wall(base, base, x, y, low, high, paint)
        faces.append(Face(level(base, x, y, high), paint, 1.0 + 0.05 * floor))
        outline.append(ends(base, x, y, low, high))
    return Solid(tuple(faces), (x, y), np.concatenate(outline))


def stone(colour: str, x: float, y: float, turn: float = 0.0, lift: float = 0.0) -> Solid:
    """A small triangle with bevelled sides."""
    base = regular(3, STONE_SIDE_MM / 3**0.5, turn)
    faces = wall(base, base * 0.84, x, y, lift, lift + STONE_HEIGHT_MM, PAINT[colour])
    faces.append(Face(level(base * 0.84, x, y, lift + STONE_HEIGHT_MM), PAINT[colour], 1.05))
    return Solid(tuple(faces), (x, y), ends(base, x, y, lift, lift + STONE_HEIGHT_MM))


def mug(x: float, y: float, paint: tuple[int, int, int] = (140, 96, 58)) -> Solid:
    """A mug of coffee without a handle; stands on the table, 3 mm below the board's face."""
    wide, coffee = regular(32, 41.0, 0.0), regular(32, 36.0, 0.0)
    faces = wall(wide * 0.9, wide, x, y, -3.0, 92.0, paint)
    faces.append(Face(level(wide, x, y, 92.0), paint, 1.15))
    faces.append(Face(level(coffee, x, y, 92.0), paint, 0.55))
    faces.append(Face(level(coffee * 0.93, x, y, 78.0), (24, 38, 58)))
    return Solid(tuple(faces), (x, y), ends(wide, x, y, -3.0, 92.0))


def regular(sides: int, radius: float, turn: float) -> Floats:
    """Corners of a regular polygon round the origin, N x 2."""
    angles = turn + np.arange(sides) * 2 * np.pi / sides
    return np.column_stack([np.cos(angles), np.sin(angles)]) * radius


def level(shape: Floats, x: float, y: float, height: float) -> Floats:
    return np.column_stack([shape[:, 0] + x, shape[:, 1] + y, np.full(len(shape), height)])


def wall(
    below: Floats, above: Floats, x: float, y: float, low: float, high: float, paint: tuple[int, int, int]
) -> list[Face]:
    """The faces round a body from one outline to the one above it."""
    bottom, top = level(below, x, y, low), level(above, x, y, high)
    after = np.roll(np.arange(len(below)), -1)
    return [Face(np.array([bottom[i], bottom[j], top[j], top[i]]), paint) for i, j in enumerate(after)]


def ends(shape: Floats, x: float, y: float, low: float, high: float) -> Floats:
    return np.concatenate([level(shape, x, y, low), level(shape, x, y, high)])
