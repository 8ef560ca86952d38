"""Ships: a tube open at the top, seen as a dark or grey disc on a coloured body that leans away from the camera."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from companion.squares import Square
from vision.appearance import Map
from vision.geometry import Floats
from vision.grid import lean, nearest_first
from vision.logarithms import Layers
from vision.reading.climbing import climb
from vision.reading.evidence import LIMIT, Scene
from vision.reading.shapes import BODY, OPENING, RIM, Mask, Sizes, Window, ring_of, ship_mask

WANDER_MM = 5.5
"""How far from its square's middle a ship may stand."""
MOVES = np.array([[1.0, 0], [-1, 0], [0, 1], [0, -1]])
"""Across and down, for a step of 1 mm."""
HALF_MM = 62.0
LEAST_OPENING, LEAST_FIT = 0.45, 0.35
"""Shares of the best possible below which there is no ship."""
MOST_ROUND = 0.55
"""A ship ends at its outline: where more of the surroundings than this look like its inside, it is none."""
CORRELATED = 12.0
"""So many neighbouring pixels say as much as one independent one."""


@dataclass(frozen=True)
class FoundShip:
    """colours: log odds of each colour, from the body alone. fit: how well the whole fits, as a share of the best
    possible; opening: the same of the opening alone.
    """

    square: Square
    centre_mm: Floats
    colours: Floats
    fit: float
    opening: float


@dataclass(frozen=True)
class ShipPatch:
    """What can be seen round a square, for fitting a ship to it.

    odds: of each colour against bare board, 0 where something else stands before. inside: the same of a ship's inside.
    """

    sizes: Sizes
    window: Window
    eye: Floats
    centre_mm: Floats
    odds: Layers
    inside: Map

    @staticmethod
    def of(scene: Scene, sizes: Sizes, centre_mm: Floats, colours: int, inside: int) -> ShipPatch:
        window = Window.round(scene.canvas, (centre_mm[0], centre_mm[1]), HALF_MM)
        odds = np.where(scene.free[window.key][..., None], scene.odds[window.key], np.float32(0))
        return ShipPatch(sizes, window, scene.eye, centre_mm, odds[..., :colours], odds[..., inside].copy())

    def mask(self, at: Floats) -> Mask:
        return ship_mask(self.sizes, self.window, self.eye, at)

    def fit(self, at: Floats) -> float:
        """How well body, of one colour, and opening of a ship there fit together: log odds."""
        mask = self.mask(at)
        return float(self.odds[mask == BODY].sum(axis=0).max() + self.inside[mask == OPENING].sum())

    def fit_whole(self, at: Floats) -> float:
        """The same with the rim, which may have the ship's colour or be unlike anything else."""
        mask = self.mask(at)
        colours = self.odds[mask == BODY].sum(axis=0) + np.maximum(self.odds[mask == RIM], 0).sum(axis=0)
        return float(colours.max() + self.inside[mask == OPENING].sum())

    def climb(self, start: Floats, score: Callable[[Floats], float], steps: tuple[float, ...]) -> Floats:
        """The place near a start where the score is best, step by ever smaller step (mm)."""
        return climb(start, score, steps, MOVES, self._near)

    def _near(self, place: Floats) -> bool:
        return bool(np.abs(place - self.centre_mm).max() <= WANDER_MM)


def find_ships(scene: Scene, sizes: Sizes, colours: int, inside: int) -> list[FoundShip]:
    """The squares that may hold a ship, nearest to the camera first, best guess of each; marks what they explain.

    colours: how many of the scene's materials are colours of ships (the first ones); inside: which one is the inside.
    """
    blurred = cv2.blur(scene.material(inside), (17, 17))
    found = []
    for name in nearest_first(scene.board, scene.eye):
        centre = np.array(scene.board.centre_mm(name))
        top = lean(scene.eye, centre[None], sizes.ship_height)[0]
        rows, columns = scene.canvas.window((top[0], top[1]), WANDER_MM)
        near = blurred[rows, columns]
        if near.size == 0 or near.max() < 0.3 * LIMIT:
            continue
        patch = ShipPatch.of(scene, sizes, centre, colours, inside)
        at = patch.climb(centre, patch.fit, (3.0, 1.5, 0.7))
        ship = _judge(patch, name, at)
        window = Window.round(scene.canvas, (ship.centre_mm[0], ship.centre_mm[1]), HALF_MM)
        mask = ship_mask(sizes, window, scene.eye, ship.centre_mm)
        ring = scene.odds[window.key][ring_of(mask) & scene.free[window.key]][:, inside]
        if ship.opening > LEAST_OPENING and ship.fit > LEAST_FIT and (ring > 0).mean() < MOST_ROUND:
            found.append(ship)
            scene.free[window.key][cv2.dilate(mask, np.ones((5, 5), np.uint8)) > 0] = False
    return found


def _judge(patch: ShipPatch, name: Square, at: Floats) -> FoundShip:
    mask = patch.mask(at)
    opening, body = patch.inside[mask == OPENING], patch.odds[mask == BODY]
    best = body.sum(axis=0)
    share = (opening.sum() + best.max()) / (LIMIT * (len(opening) + len(body)) + 1e-6)
    return FoundShip(name, at, np.asarray(best / CORRELATED, np.float64), float(share), float(opening.mean() / LIMIT))
