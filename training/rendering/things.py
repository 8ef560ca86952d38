"""Things that lie beside the board: mugs, phones, notepads, cards, a die, and the players' supplies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix
from numpy.random import Generator
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS, MAX_FLOORS
from training.rendering.camera import Camera
from training.rendering.pieces_box import PiecesBox
from training.rendering.placing import Standing
from training.rendering.solids import MM, box, lathe, material, prism, put, solid, torus_part
from vision.reading.die.templates import turned

Floats = NDArray[np.float64]
BOARD_MM = 3.0
"""How far the table lies below the board's upper face."""
DIE_MM = 16.0
"""The side of the die."""
_FACES = ("2", "3", "4", "5", "arrows")


@dataclass
class Beside:
    """Free room beside the board: things keep apart and hide nothing of the board from the camera."""

    camera: Camera
    taken: list[tuple[Floats, float]]

    def find(self, rng: Generator, radius: float, height: float, farthest: float = 260.0) -> Floats | None:
        """A place for a round thing (radius and height in mm), or None when there is none."""
        size = np.array(self.camera.size_mm)
        for _ in range(60):
            at = rng.uniform(-farthest, size + farthest)
            px = self.camera.pose.project(self.camera.lens, [at])[0]
            seen = np.all(px > -40) and np.all(px < np.array(self.camera.lens.size) + 40)
            apart = all(np.hypot(*(at - other)) > radius + room + 3 for other, room in self.taken)
            if seen and apart and self.hides_nothing(at, radius, height):
                self.taken.append((at, radius))
                return at
        return None

    def hides_nothing(self, at: Floats, radius: float, height: float) -> bool:
        eye = self.camera.pose.eye
        top = eye[:2] + (at - eye[:2]) * eye[2] / max(eye[2] - height, 1.0)
        way = at + (top - at) * np.linspace(0, 1, 9)[:, None]
        outside = np.maximum(np.maximum(-way, way - self.camera.size_mm), 0)
        return bool(np.all(np.hypot(*outside.T) > radius * 1.1 + 6))


def put_things(rng: Generator, beside: Beside) -> None:
    """Put what stays the same in all pictures of a set-up."""
    kinds = [_mug, _phone, _notepad, _cards, _coaster]
    for at in rng.choice(len(kinds), int(rng.integers(0, 5))):
        kinds[at](rng, beside)


def put_supplies(rng: Generator, beside: Beside, pieces: PiecesBox) -> list[bpy.types.Object]:
    """Put heaps of some colours' pieces on the table; what it made."""
    made: list[bpy.types.Object] = []
    for colour in COLOURS:
        if rng.random() < 0.5:
            continue
        heap = beside.find(rng, 30, 10)
        if heap is None:
            continue
        beside.taken.pop()
        for _ in range(int(rng.integers(2, 14))):
            kind = str(rng.choice(["stone", "pyramid", "ship"], p=[0.62, 0.33, 0.05]))
            at = _near(rng, beside, heap, 48.0 if kind == "ship" else 20.0)
            if at is None:
                continue
            where = (float(at[0]), float(at[1]))
            one = Standing(kind, colour, int(rng.integers(1, MAX_FLOORS + 1)), where, rng.uniform(0, 6.28), None)
            made += pieces.put(one, "supply")
    return made


def _near(rng: Generator, beside: Beside, heap: Floats, height: float) -> Floats | None:
    for _ in range(12):
        at = np.asarray(heap + rng.normal(0, 32, 2))
        apart = all(np.hypot(*(at - other)) > 19 + room for other, room in beside.taken)
        if apart and beside.hides_nothing(at, 17, height):
            beside.taken.append((at, 19.0 if height > 20 else 15.0))
            return at
    return None


def put_die(rng: Generator, beside: Beside, camera: Camera) -> tuple[int | str | None, list[bpy.types.Object]]:
    """Put the die, mostly; what it shows and what it is made of. It shows nothing where the picture cuts marks off.

    camera: what the picture is taken with, which may have been bumped.
    """
    if rng.random() < 0.25 or (at := beside.find(rng, 14, 14)) is None:
        return None, []
    shown = str(rng.choice(_FACES))
    turn = rng.uniform(0, 2 * np.pi)
    white = (0.8, 0.8, float(rng.uniform(0.6, 0.8)))
    body = solid("die", box("die", (DIE_MM,) * 3, 1.6), material("die", white, 0.3))
    marks = [solid("pips", _pips(shown), material("pips", (0.02, 0.02, 0.02), 0.4))]
    for side in range(4):
        mark = solid("pips", _pips(str(rng.choice(_FACES))), marks[0].data.materials[0])
        marks.append(mark)
        put(mark, at, turn, DIE_MM / 2 - BOARD_MM)
        mark.rotation_euler = (np.pi / 2, 0, -turn + side * np.pi / 2)
    for thing in (body, marks[0]):
        put(thing, at, turn, -BOARD_MM)
    for mark in marks[1:]:
        mark.data.transform(Matrix.Translation((0, 0, -DIE_MM / 2 * MM)))
    marked = at + turned(np.concatenate(_outlines(shown)), turn)
    if not camera.sees(np.column_stack([marked, np.full(len(marked), DIE_MM - BOARD_MM)])):
        return None, [body, *marks]
    return (shown if shown == "arrows" else int(shown)), [body, *marks]


def _pips(face: str) -> bpy.types.Mesh:
    """The marks of a face of the die, as flat solids on top of a cube that stands on the ground."""
    outlines = _outlines(face)
    return prism("pips", outlines, [(DIE_MM - 0.2, DIE_MM + 0.06)] * len(outlines), 0)


def _outlines(face: str) -> list[Floats]:
    """Those marks, each N x 2, in mm from the middle of the face."""
    far = 3.6
    ring = 1.5 * np.column_stack([f(np.arange(12) * np.pi / 6) for f in (np.cos, np.sin)])
    spots = {
        "2": [(-far, -far), (far, far)],
        "3": [(-far, -far), (0, 0), (far, far)],
        "4": [(-far, -far), (far, -far), (far, far), (-far, far)],
        "5": [(-far, -far), (far, -far), (far, far), (-far, far), (0, 0)],
    }
    outlines = [ring + spot for spot in spots.get(face, [])]
    if face == "arrows":
        for way in (1, -1):
            head = np.array([[2.2, -2.6], [2.2, 2.6], [6.2, 0]]) * way
            shaft = np.array([[-2.2, -0.9], [2.2, -0.9], [2.2, 0.9], [-2.2, 0.9]]) * way
            outlines += [head, shaft]
    return outlines


def _paint(rng: Generator, name: str) -> bpy.types.Material:
    colour = rng.uniform(0.01, 0.8) * rng.uniform(0.2, 1.0, 3)
    return material(name, (float(colour[0]), float(colour[1]), float(colour[2])), float(rng.uniform(0.1, 0.7)))


def _mug(rng: Generator, beside: Beside) -> None:
    radius, high = rng.uniform(36, 46), rng.uniform(80, 105)
    at = beside.find(rng, radius + 5, high)
    if at is None:
        return
    paint = _paint(rng, "mug")
    wall = [(radius * 0.93, 0), (radius, high), (radius - 3, high), (radius - 3, 5), (0.5, 5), (0.5, 0)]
    drink = [(radius - 3.2, high * 0.7), (0.1, high * 0.7), (0.1, high * 0.7 - 1), (radius - 3.2, high * 0.7 - 1)]
    for name, mesh, look in (
        ("mug", lathe("mug", wall), paint),
        ("drink", lathe("drink", drink), material("drink", (0.02, 0.01, 0.005), 0.1)),
    ):
        put(solid(name, mesh, look), at, 0, -BOARD_MM)
    turn = rng.uniform(0, 2 * np.pi)
    handle = solid("handle", torus_part("handle", 24, 5), paint)
    put(handle, at + (radius + 8) * np.array([np.cos(turn), np.sin(turn)]), turn, high / 2)


def _flat(
    rng: Generator, beside: Beside, name: str, size: Sequence[float], look: bpy.types.Material
) -> tuple[Floats, float] | None:
    """Lay something flat down; where it lies and how it is turned."""
    at = beside.find(rng, float(np.hypot(size[0], size[1])) / 2, size[2])
    if at is None:
        return None
    turn = float(rng.uniform(0, 2 * np.pi))
    put(solid(name, box(name, size, min(1.0, size[2] / 3)), look), at, turn, -BOARD_MM)
    return at, turn


def _phone(rng: Generator, beside: Beside) -> None:
    _flat(rng, beside, "phone", (72, 148, 8), material("phone", (0.01, 0.01, 0.012), 0.08))


def _notepad(rng: Generator, beside: Beside) -> None:
    size = (rng.uniform(75, 150), rng.uniform(100, 210), rng.uniform(1, 9))
    laid = _flat(rng, beside, "notepad", size, material("paper", (0.75, 0.74, 0.68), 0.8))
    if laid is not None:
        at = laid[0] + rng.uniform(-20, 20, 2)
        put(solid("pen", box("pen", (9, 140, 8), 3), _paint(rng, "pen")), at, laid[1] + rng.normal(0, 1), size[2] - 3)


def _cards(rng: Generator, beside: Beside) -> None:
    back = _paint(rng, "card")
    laid = _flat(rng, beside, "cards", (59, 91, 4), back)
    if laid is not None:
        put(solid("card", box("card", (59, 91, 0.5)), back), laid[0], laid[1] + rng.normal(0, 0.2), 4.1 - BOARD_MM)


def _coaster(rng: Generator, beside: Beside) -> None:
    radius = rng.uniform(30, 50)
    at = beside.find(rng, radius, 5)
    if at is not None:
        profile = [(radius, 0), (radius, 4), (0.1, 4), (0.1, 0)]
        put(solid("coaster", lathe("coaster", profile), _paint(rng, "coaster")), at, 0, -BOARD_MM)
