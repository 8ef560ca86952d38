"""Stones: small flat triangles, up to five on a square, known by their colour alone."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.squares import Square
from vision.appearance import Map
from vision.geometry import Floats
from vision.grid import PX_PER_MM, lean
from vision.logarithms import Layers
from vision.reading.evidence import Scene
from vision.reading.shapes import STONE_HEIGHT_MM, STONE_MM2, Mask

CERTAIN = 1.2
"""Log odds, over three by three pixels, from which a pixel counts as part of a stone."""
UNSEEN, UNSEEN_BESIDE, UNSEEN_BLIND = 1e-4, 3e-3, 0.1
"""How likely a stone of a colour is there though nothing is seen of it: where no other is, beside others, and where the
picture cannot tell."""
MISTAKEN = 1e-3
"""How likely what looks like a stone in every way is none."""
WIDEST_MM = 6.5
"""No stone holds a circle of this radius; a larger patch of its colour is print in another light."""


WIDTH_MM, WIDTH_SOFTNESS_MM = 2.15, 0.1
"""The largest circle in a patch of colour: of this radius, a stone is as likely as not. Stones hold circles of 2.4 mm
and more even where another lies across them; borders between other colours, shadows and print do not."""
OUTLINE, OUTLINE_SOFTNESS = 2.0, 0.2
"""How much sharper than what print in another light shows a patch's outline is when a stone is as likely as not."""
BLUNT, PRINTED = 0.1, 0.5
"""How much the difference from the empty board changes across 2.5 mm without any outline: at least so much, and this
share of how much the print itself changes there."""
LEAST_STONE = 0.08
"""A smaller part of a stone is none."""


@dataclass(frozen=True)
class FoundStones:
    """present: for each colour how likely one of its stones is on the square."""

    square: Square
    present: Floats


def find_stones(scene: Scene, colours: int, squares: list[Square]) -> list[FoundStones]:
    """How likely stones of each colour are on each of the squares, from what no other piece explains."""
    # A stone is larger than three pixels; noise is not.
    smooth = cv2.blur(scene.odds, (3, 3))
    best = smooth.argmax(axis=2)
    certain = (smooth.max(axis=2) > CERTAIN) & scene.free
    odds = {name: np.full(colours, -np.inf) for name in squares}
    unit = STONE_MM2 * PX_PER_MM**2
    for colour in range(colours):
        mask = cv2.morphologyEx(
            ((best == colour) & certain).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)
        )
        count, labels, stats, centres = cv2.connectedComponentsWithStats(mask, connectivity=4)
        inwards = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
        for index in range(1, count):
            name = square_below(scene, centres[index])
            if stats[index, cv2.CC_STAT_AREA] < LEAST_STONE * unit or name not in odds:
                continue
            left, top, width, height = stats[index, :4]
            # The outline lies just outside the patch too.
            part = np.s_[max(top - 3, 0) : top + height + 3, max(left - 3, 0) : left + width + 3]
            patch = (labels[part] == index).astype(np.uint8)
            radius = float((inwards[part] * patch).max()) / PX_PER_MM
            if radius > WIDEST_MM:
                continue
            sure = min(
                (radius - WIDTH_MM) / WIDTH_SOFTNESS_MM,
                (_sharpness(scene.difference[part], scene.colour[part], patch) - OUTLINE) / OUTLINE_SOFTNESS,
            )
            odds[name][colour] = max(odds[name][colour], sure)
    return [FoundStones(name, _present(scene, name, odds[name])) for name in squares]


def _present(scene: Scene, name: Square, odds: Floats) -> Floats:
    """How likely stones of each colour are, given the log odds of the best patch of each."""
    seen = (1 - MISTAKEN) / (1 + np.exp(-odds))
    middle, half = scene.board.centre_mm(name), max(scene.board.square_mm) / 2
    blind = float(scene.blind[scene.canvas.window(middle, half)].mean())
    unseen = np.where(seen.sum() - seen > 0.5, UNSEEN_BESIDE, UNSEEN) + UNSEEN_BLIND * blind
    return np.asarray(1 - (1 - seen) * (1 - unseen), np.float64)


def _sharpness(difference: Layers, colour: Layers, patch: Mask) -> float:
    """How sharp the outline of a patch is beside what the print alone would show there in another light.

    However the light changes, it changes gently, or along the print's own outlines.
    """
    kernel = np.ones((3, 3), np.uint8)
    outline = cv2.dilate(patch, kernel) > cv2.erode(patch, kernel)
    seen, printed = _steps(difference)[outline], _steps(colour - difference)[outline]
    return float(np.median(seen / (BLUNT + PRINTED * printed)))


def _steps(layers: Layers) -> Map:
    """How much the channels change within 2.5 mm; that shadows change the brightness counts less."""
    kernel = np.ones((5, 5), np.uint8)
    steps = cv2.dilate(layers, kernel) - cv2.erode(layers, kernel)
    return np.asarray(np.sqrt(cv2.transform(steps * steps, np.array([[1, 1, 0.5]], np.float32))), np.float32)


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
