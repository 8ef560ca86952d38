"""What the truth says beyond what was put: which pieces the camera hardly sees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import bpy
import numpy as np
from mathutils import Vector
from numpy.typing import NDArray

from training.placing import PieceSizes, Standing
from training.solids import MM

Floats = NDArray[np.float64]


def hidden_shares(
    placed: Sequence[Standing], sizes: PieceSizes, owners: Mapping[str, int], eye: Floats
) -> dict[str, dict[str, float]]:
    """Pieces of which others hide more than half of the upper faces: the share that is seen, by square and colour.

    owners: which of the pieces an object of that name belongs to. eye: x, y and height in mm on the board.
    """
    bpy.context.view_layer.update()
    hidden: dict[str, dict[str, float]] = {}
    for at, piece in enumerate(placed):
        points = _upper_faces(piece, sizes)
        share = float(np.mean([_is_seen(at, point, owners, eye) for point in points]))
        if share < 0.5 and piece.square is not None:
            hidden.setdefault(piece.square, {})[piece.colour] = round(share, 2)
    return hidden


def _is_seen(own: int, point: Floats, owners: Mapping[str, int], eye: Floats) -> bool:
    scene, graph = bpy.context.scene, bpy.context.evaluated_depsgraph_get()
    start = Vector((point[0] * MM, -point[1] * MM, (point[2] + 0.2) * MM))
    end = Vector((eye[0] * MM, -eye[1] * MM, eye[2] * MM))
    way = (end - start).normalized()
    for _ in range(8):
        hit, where, _, _, thing, _ = scene.ray_cast(graph, start, way, distance=(end - start).length)
        if not hit:
            return True
        if owners.get(thing.name, own) != own:
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
