"""Stones: small flat triangles, up to five on a square, known by their colour alone."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.squares import Square
from vision.geometry import Floats
from vision.grid import PX_PER_MM, lean
from vision.reading.evidence import Scene
from vision.reading.shapes import STONE_HEIGHT_MM, STONE_MM2

CERTAIN = 1.2
"""Log odds, over three by three pixels, from which a pixel counts as part of a stone."""


WIDEST_MM = 6.5
"""No stone holds a circle of this radius; a larger patch of its colour is print in another light."""


@dataclass(frozen=True)
class FoundStones:
    """areas: for each colour the visible area on the square, as a share of a whole stone's. widths: for each colour the
    radius of the largest circle, in mm, that the visible part of one stone holds.
    """

    square: Square
    areas: Floats
    widths: Floats


def find_stones(scene: Scene, colours: int, squares: list[Square]) -> list[FoundStones]:
    """How much of each colour's stones is seen on each of the squares, of what no other piece explains."""
    # A stone is larger than three pixels; noise is not.
    odds = cv2.blur(scene.odds, (3, 3))
    best = odds.argmax(axis=2)
    certain = (odds.max(axis=2) > CERTAIN) & scene.free
    areas = {name: np.zeros(colours) for name in squares}
    widths = {name: np.zeros(colours) for name in squares}
    unit = STONE_MM2 * PX_PER_MM**2
    for colour in range(colours):
        mask = cv2.morphologyEx(
            ((best == colour) & certain).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)
        )
        count, labels, stats, centres = cv2.connectedComponentsWithStats(mask, connectivity=4)
        inwards = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
        for index in range(1, count):
            area = stats[index, cv2.CC_STAT_AREA] / unit
            if area < 0.08:
                continue
            name = square_below(scene, centres[index])
            if name in areas:
                x, y, width, height = stats[index, :4]
                part = np.s_[y : y + height, x : x + width]
                radius = float(inwards[part][labels[part] == index].max()) / PX_PER_MM
                if radius > WIDEST_MM:
                    continue
                areas[name][colour] += area
                widths[name][colour] = max(widths[name][colour], radius)
    return [FoundStones(name, areas[name], widths[name]) for name in squares]


def square_below(scene: Scene, centre_px: Floats) -> Square | None:
    """The square on which something flat stands that is seen round a canvas pixel."""
    seen = scene.canvas.to_mm(centre_px[None])
    # The inverse of leaning by half a stone's height.
    foot = lean(scene.eye, seen, -STONE_HEIGHT_MM / 2)[0]
    left, top, _, _ = scene.board.grid_mm
    width, height = scene.board.square_mm
    column, row = int((foot[0] - left) // width), int((foot[1] - top) // height)
    if not (0 <= column < scene.board.columns and 0 <= row < scene.board.rows):
        return None
    return f"{chr(65 + column)}{row + 1}"
