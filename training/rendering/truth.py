"""What the truth says beyond what was put: which pieces the camera hardly sees, and whether it does the die."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import bpy
import numpy as np
from mathutils import Vector
from numpy.typing import NDArray

from training.rendering.placing import PieceSizes, Standing
from training.rendering.solids import MM
from training.rendering.things import DIE_MM

Floats = NDArray[np.float64]
MARKS_MM = 12.4
"""The side of the square on a face of the die in which its marks are."""


def hidden_shares(
    placed: Sequence[Standing], sizes: PieceSizes, parts: Sequence[Collection[str]], eye: Floats
) -> dict[str, dict[str, float]]:
    """Pieces of which others hide more than half of the upper faces: the share that is seen, by square and colour.

    parts: the names of the objects that each piece is made of. eye: x, y and height in mm on the board.
    """
    bpy.context.view_layer.update()
    hidden: dict[str, dict[str, float]] = {}
    for piece, own in zip(placed, parts, strict=True):
        share = _share_seen(_upper_faces(piece, sizes), own, eye)
        if share < 0.5 and piece.square is not None:
            hidden.setdefault(piece.square, {})[piece.colour] = round(share, 2)
    return hidden


def hidden_die(die: Sequence[bpy.types.Object], eye: Floats) -> dict[str, float]:
    """The same of the die, by its name: the share that is seen of the square on its upper face in which its marks are.

    die: what it is made of, its body first.
    """
    bpy.context.view_layer.update()
    steps = MARKS_MM * ((np.arange(10) + 0.5) / 10 - 0.5)
    there = [die[0].matrix_world @ Vector((x * MM, y * MM, DIE_MM * MM)) for x in steps for y in steps]
    points = np.array([(x / MM, -y / MM, z / MM) for x, y, z in there])
    share = _share_seen(points, {part.name for part in die}, eye)
    return {"die": round(share, 2)} if share < 0.5 else {}


def _share_seen(points: Iterable[Floats], own: Collection[str], eye: Floats) -> float:
    """How many of some points (x, y and height in mm) the camera sees, if objects of these names hide none."""
    return float(np.mean([_is_seen(point, own, eye) for point in points]))


def _is_seen(point: Floats, own: Collection[str], eye: Floats) -> bool:
    scene, graph = bpy.context.scene, bpy.context.evaluated_depsgraph_get()
    start = Vector((point[0] * MM, -point[1] * MM, (point[2] + 0.2) * MM))
    end = Vector((eye[0] * MM, -eye[1] * MM, eye[2] * MM))
    way = (end - start).normalized()
    for _ in range(8):
        hit, where, _, _, thing, _ = scene.ray_cast(graph, start, way, distance=(end - start).length)
        if not hit:
            return True
        if thing.name not in own:
            return False
        # A piece that hides its own far side does not count as hidden.
        start = where + way * (0.05 * MM)
    return True


def _upper_faces(piece: Standing, sizes: PieceSizes) -> Floats:
    """Points on all faces that look up, evenly spread as seen from above; N x 3 mm."""
    cos, sin = np.cos(piece.turn), np.sin(piece.turn)
    if piece.kind == "ship":
        angle = np.arange(32) * np.pi / 16
        flat = (sizes.ship_radius - sizes.ship_wall / 2) * np.column_stack([np.cos(angle), np.sin(angle)])
        heights = np.full(len(flat), sizes.ship_height)
    elif piece.kind == "pyramid":
        steps = (np.arange(10) + 0.5) / 10 - 0.5
        flat = sizes.base * np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        away = np.abs(flat).max(axis=1)
        floor = np.floor((sizes.base / 2 - away) / (sizes.step / 2)).astype(int) + 1
        heights = sizes.floor * np.clip(floor, 1, piece.floors)
    else:
        corners = piece.foot(sizes) - piece.at
        shares = [(a, b, 7 - a - b) for a in range(8) for b in range(8 - a)]
        flat = (np.array(shares) + 1) / 10 @ corners
        return np.column_stack([flat + piece.at, np.full(len(flat), sizes.stone_height)])
    turned = flat @ np.array([[cos, sin], [-sin, cos]])
    return np.column_stack([turned + piece.at, heights])
