"""A simulated hand: where it is, what it carries, and how it is drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

import cv2
import numpy as np

from companion.games.pacal.pieces import Piece, Pyramid, Ship
from vision.frames import Picture
from vision.reading.shapes import FLOOR_MM
from vision.simulated import shapes
from vision.simulated.brush import SHIFT, convex_hull, darken, draw_solids, fixed_point, shadow_mask
from vision.simulated.light import LightField
from vision.simulated.view import Floats, View

ARM_MM = 900.0
"""From the fingertips to the elbow: long enough to reach out of every picture."""

SKIN = (122, 156, 214)

LAYERS = ((1.0, 0.62), (0.88, 0.8), (0.7, 0.92), (0.48, 1.0), (0.24, 1.07))
"""Size and brightness of what a limb is drawn with."""


class HandPose(NamedTuple):
    """A hand whose finger tips meet at a place over the board.

    at_mm: x, y on the board. height_mm: of the finger tips. arm_deg: the way the arm goes from there, as on a map of
    the board (270: down over the last row). carries: hangs from the fingers. sleeve: its BGR. flat: it rests on the
    table, fingers stretched.
    """

    at_mm: tuple[float, float]
    height_mm: float = 40.0
    arm_deg: float = 270.0
    carries: Piece | None = None
    sleeve: tuple[int, int, int] = (104, 74, 52)
    flat: bool = False


class _Bone(NamedTuple):
    """A round limb between two balls: distance from the finger tips, sideways, height, radius, all in mm."""

    start: tuple[float, float, float, float]
    end: tuple[float, float, float, float]
    sleeve: bool = False


_ARM = (
    _Bone((330, 14, 66, 52), (ARM_MM, 30, 120, 66), True),
    _Bone((185, 4, 44, 28), (350, 14, 62, 39)),
    _Bone((112, 0, 40, 34), (190, 4, 44, 29)),
    _Bone((92, -16, 40, 24), (150, -4, 42, 26)),
    _Bone((92, 16, 38, 22), (150, 8, 42, 26)),
)
_PINCHING = (
    _Bone((88, 30, 34, 11), (52, 24, 26, 9)),
    _Bone((88, 16, 40, 11), (46, 17, 34, 9.5)),
    _Bone((46, 17, 34, 9.5), (24, 13, 16, 8)),
    _Bone((86, 0, 42, 11.5), (44, 3, 40, 10)),
    _Bone((44, 3, 40, 10), (14, 5, 14, 8)),
    _Bone((100, -34, 28, 14), (52, -24, 22, 10.5)),
    _Bone((52, -24, 22, 10.5), (5, -8, 2, 8.5)),
    _Bone((86, -18, 42, 12), (42, -12, 42, 10)),
    _Bone((42, -12, 42, 10), (3, 3, 4, 8)),
)
_FLAT = (
    _Bone((92, 30, 12, 11), (30, 40, 8, 8)),
    _Bone((92, 14, 14, 12), (6, 17, 8, 8.5)),
    _Bone((90, -4, 14, 12), (0, -5, 8, 8.5)),
    _Bone((92, -20, 14, 12), (12, -28, 8, 8.5)),
    _Bone((128, -32, 14, 14), (66, -66, 8, 10)),
)


def draw_hand(picture: Picture, hand: HandPose, view: View, field: LightField) -> None:
    """Draw the hand's shadow, what it carries, and the hand itself over everything that stands on the table."""
    fingers = [_placed(bone, hand) for bone in (_FLAT if hand.flat else _PINCHING)]
    arm = [_placed(bone, hand) for bone in _ARM]
    shadows = [convex_hull(*(_ball_shadow(ball, field) for ball in bone[:2])) for bone in (*arm, *fingers)]
    solid = carried(hand)
    if solid is not None:
        shadows.append(convex_hull(field.shadow_of(solid.outline_mm)))
    softness = field.light.softness_mm + 0.12 * hand.height_mm
    darken(picture, shadow_mask(shadows, view, softness), 0.9 * (1 - field.light.ambient))
    if solid is not None:
        draw_solids(picture, [solid], view, field)
    fingers.sort(key=lambda bone: bone.start[2] + bone.end[2])
    skin = [bone for bone in arm if not bone.sleeve]
    sleeve = [bone for bone in arm if bone.sleeve]
    _draw_skin(picture, (skin, sleeve, *([finger] for finger in fingers)), hand, view, field)


def carried(hand: HandPose) -> shapes.Solid | None:
    """The piece that hangs from the finger tips."""
    x, y = hand.at_mm
    match hand.carries:
        case Ship(colour):
            return shapes.ship(colour, x, y, max(hand.height_mm - shapes.SHIP_HEIGHT_MM, 0))
        case Pyramid(colour, floors):
            return shapes.pyramid(colour, floors, x, y, 0.4, max(hand.height_mm - floors * FLOOR_MM, 0))
        case None:
            return None
        case stones:
            return shapes.stone(stones.colours[0], x, y, 0.3, max(hand.height_mm - 3, 0))


def _placed(bone: _Bone, hand: HandPose) -> _Bone:
    """A bone in board mm."""
    turn = math.radians(hand.arm_deg)
    along, aside = (math.cos(turn), -math.sin(turn)), (math.sin(turn), math.cos(turn))

    def ball(of: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        far, side, up, radius = of
        x = hand.at_mm[0] + far * along[0] + side * aside[0]
        y = hand.at_mm[1] + far * along[1] + side * aside[1]
        return x, y, up + (0.0 if hand.flat else hand.height_mm), radius

    return _Bone(ball(bone.start), ball(bone.end), bone.sleeve)


def _ball_shadow(ball: tuple[float, float, float, float], field: LightField) -> Floats:
    middle = field.shadow_of(np.array([ball[:3]]))[0]
    angles = np.arange(12) * np.pi / 6
    return np.asarray(middle + ball[3] * np.column_stack([np.cos(angles), np.sin(angles)]))


def _draw_skin(
    picture: Picture, limbs: Sequence[Sequence[_Bone]], hand: HandPose, view: View, field: LightField
) -> None:
    """Each limb is drawn in layers, dark at its edge and light towards the lamp; a blur makes it round."""
    bones = [bone for limb in limbs for bone in limb]
    outlines = _outlines(bones, view, field)
    everything = np.concatenate([layers[0] for layers in outlines])
    edge = np.array(view.size)
    low = np.clip(np.floor(everything.min(axis=0)).astype(int) - 8, 0, edge)
    high = np.clip(np.ceil(everything.max(axis=0)).astype(int) + 8, 0, edge)
    if not np.all(high > low):
        return
    region = picture[low[1] : high[1], low[0] : high[0]]
    mask = np.zeros(region.shape[:2], np.uint8)
    paint = region.copy()
    drawn = zip(outlines, _tones(bones, hand, view, field), strict=True)
    for limb in limbs:
        parts = list(islice(drawn, len(limb)))
        for layer in range(len(LAYERS)):
            for layers, tones in parts:
                shape = fixed_point(layers[layer] - low)
                cv2.fillPoly(paint, [shape], tones[layer], cv2.LINE_8, SHIFT)
                if layer == 0:
                    cv2.fillPoly(mask, [shape], 255, cv2.LINE_AA, SHIFT)
    soft = cv2.GaussianBlur(paint, (0, 0), max(view.size[0] / 700, 1.0))
    share = cv2.merge([mask] * 3)
    kept = cv2.multiply(region, cv2.bitwise_not(share), scale=1 / 255)
    region[:] = cv2.add(kept, cv2.multiply(soft, share, scale=1 / 255))


def _outlines(bones: Sequence[_Bone], view: View, field: LightField) -> list[list[Floats]]:
    """Px of each bone's outline in each layer: the first is the bone's own, those inside it are drawn towards the
    lamp."""
    balls = np.array([(bone.start, bone.end) for bone in bones])
    shifts = np.array(field.light.lamp_mm[:2]) - balls[:, 0, :2]
    shifts /= np.maximum(np.linalg.norm(shifts, axis=1, keepdims=True), 1.0)
    angles = np.arange(14) * np.pi / 7
    ring, sizes = np.column_stack([np.cos(angles), np.sin(angles)]), np.array([size for size, _ in LAYERS])
    # Of a ball with a radius of 1: bones x layers x angles x 2. Then bones x layers x both balls x angles x 3.
    rings = ring * sizes[:, None, None] + (shifts[:, None] * (1 - sizes)[:, None] * 0.35)[:, :, None]
    points = np.empty((len(bones), len(LAYERS), 2, len(ring), 3))
    points[..., :2] = rings[:, :, None] * balls[:, None, :, None, 3:] + balls[:, None, :, None, :2]
    points[..., 2] = balls[:, None, :, None, 2]
    seen = view.project(points).reshape(len(bones), len(LAYERS), -1, 2)
    return [[convex_hull(layer) for layer in bone] for bone in seen]


def _tones(
    bones: Sequence[_Bone], hand: HandPose, view: View, field: LightField
) -> list[list[tuple[float, float, float]]]:
    """The colour (BGR) of each bone's layers."""
    lit = [
        np.array(hand.sleeve if bone.sleeve else SKIN) * field.at(place)
        for bone, place in zip(bones, view.project([bone.start[:3] for bone in bones]), strict=True)
    ]
    return [[tuple(np.clip(base * tone, 0, 255).tolist()) for _, tone in LAYERS] for base in lit]
