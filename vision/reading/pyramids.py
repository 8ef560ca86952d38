"""Pyramids: one to five square floors, each narrower than the one below."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np

from companion.squares import Square
from vision.geometry import Floats
from vision.grid import PX_PER_MM, lean, nearest_first
from vision.reading.evidence import LIMIT, Scene
from vision.reading.shapes import BASE_MM, FLOOR_MM, Window, pyramid_outline

MAX_FLOORS = 5
WANDER_MM = 4.5
HALF_MM = 34.0


@dataclass(frozen=True)
class FoundPyramid:
    """colours: for each colour the share of the silhouette that it fills. floors: log odds of 1 to 5 floors."""

    square: Square
    colours: Floats
    floors: Floats


def find_pyramids(scene: Scene, colours: int) -> list[FoundPyramid]:
    """The squares that may hold a pyramid, nearest to the camera first; marks what they explain."""
    side = int(0.6 * BASE_MM * PX_PER_MM) | 1
    blurred = cv2.blur(np.where(scene.free[..., None], scene.odds[..., :colours], 0), (side, side))
    seen = cv2.blur(scene.free.astype(np.float32), (side, side))
    found = []
    for name in nearest_first(scene.board, scene.eye):
        centre = np.array(scene.board.centre_mm(name))
        x, y = lean(scene.eye, centre[None], FLOOR_MM)[0]
        rows, columns = scene.canvas.window((x, y), WANDER_MM)
        if (blurred[rows, columns].max(axis=2) / np.maximum(seen[rows, columns], 0.2)).max() < 0.4 * LIMIT:
            continue
        pyramid = _fit(scene, name, centre, colours)
        if pyramid is not None:
            found.append(pyramid)
    return found


def _fit(scene: Scene, name: Square, centre: Floats, colours: int) -> FoundPyramid | None:
    window = Window.round(scene.canvas, (centre[0], centre[1]), HALF_MM)
    free = scene.free[window.key]
    odds = np.where(free[..., None], scene.odds[window.key][..., :colours], 0)
    base = window.blank()
    window.fill(base, pyramid_outline(scene.eye, centre, 1, 0.0), 1)
    colour = int(odds[base > 0].sum(axis=0).argmax())
    fill = odds[..., colour]

    def score(place: Floats, floors: int) -> float:
        mask = window.blank()
        window.fill(mask, pyramid_outline(scene.eye, place[:2], floors, place[2]), 1)
        return float(cv2.sumElems(fill * mask)[0])

    start = np.array([centre[0], centre[1], 0.0])
    start = _climb(start, centre, lambda place: score(place, 2), (3.0, 1.5))
    fits = []
    for floors in range(1, MAX_FLOORS + 1):
        place = _climb(start, centre, partial(score, floors=floors), (1.5, 0.7, 0.35))
        fits.append((score(place, floors), place))
    scores = np.array([value for value, _ in fits])
    best = int(scores.argmax())
    mask = window.blank()
    window.fill(mask, pyramid_outline(scene.eye, fits[best][1][:2], best + 1, fits[best][1][2]), 1)
    visible = (mask > 0) & free
    if visible.sum() < 40:
        return None
    shares = odds[visible].mean(axis=0) / LIMIT
    if shares.max() < 0.5:
        return None
    scene.free[window.key][cv2.dilate(mask, np.ones((5, 5), np.uint8)) > 0] = False
    return FoundPyramid(name, np.asarray(shares, np.float64), scores / 30)


def _climb(start: Floats, centre: Floats, score: Callable[[Floats], float], steps: tuple[float, ...]) -> Floats:
    """The place (x, y, turn) near a start where the score is best, step by ever smaller step."""
    at, best = start, score(start)
    for step in steps:
        moved = True
        while moved:
            moved = False
            for axis, size in ((0, step), (1, step), (2, step * 0.05)):
                for sign in (-1, 1):
                    other = at.copy()
                    other[axis] += sign * size
                    if np.abs(other[:2] - centre).max() > WANDER_MM or abs(other[2]) > 0.4:
                        continue
                    value = score(other)
                    if value > best:
                        at, best, moved = other, value, True
    return at
