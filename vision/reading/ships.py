"""Ships: a tube open at the top, seen as a dark or grey disc on a coloured body that leans away from the camera."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.squares import Square
from vision.geometry import Floats
from vision.grid import lean, nearest_first
from vision.reading.evidence import LIMIT, Scene
from vision.reading.shapes import BODY, OPENING, SHIP_HEIGHT_MM, Mask, Window, ring_of, ship_mask

WANDER_MM = 5.5
"""How far from its square's middle a ship may stand."""
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


def find_ships(scene: Scene, colours: int, inside: int) -> list[FoundShip]:
    """The squares that may hold a ship, nearest to the camera first, best guess of each; marks what they explain.

    colours: how many of the scene's materials are colours of ships (the first ones); inside: which one is the inside.
    """
    blurred = cv2.blur(scene.material(inside), (17, 17))
    found = []
    for name in nearest_first(scene.board, scene.eye):
        centre = np.array(scene.board.centre_mm(name))
        top = lean(scene.eye, centre[None], SHIP_HEIGHT_MM)[0]
        rows, columns = scene.canvas.window((top[0], top[1]), WANDER_MM)
        near = blurred[rows, columns]
        if near.size == 0 or near.max() < 0.3 * LIMIT:
            continue
        ship = _fit(scene, name, centre, colours, inside)
        window = Window.round(scene.canvas, (ship.centre_mm[0], ship.centre_mm[1]), HALF_MM)
        mask = ship_mask(window, scene.eye, ship.centre_mm)
        ring = scene.odds[window.key][ring_of(mask) & scene.free[window.key]][:, inside]
        if ship.opening > LEAST_OPENING and ship.fit > LEAST_FIT and (ring > 0).mean() < MOST_ROUND:
            found.append(ship)
            scene.free[window.key][cv2.dilate(mask, np.ones((5, 5), np.uint8)) > 0] = False
    return found


def _fit(scene: Scene, name: Square, centre: Floats, colours: int, inside: int) -> FoundShip:
    window = Window.round(scene.canvas, (centre[0], centre[1]), HALF_MM)
    odds = np.where(scene.free[window.key][..., None], scene.odds[window.key], 0)
    any_colour = odds[..., :colours].max(axis=2)

    def score(at: Floats) -> float:
        mask = ship_mask(window, scene.eye, at)
        return float(any_colour[mask == BODY].sum() + odds[..., inside][mask == OPENING].sum())

    at = centre
    best = score(at)
    for step in (3.0, 1.5, 0.7):
        moved = True
        while moved:
            moved = False
            for shift in ((step, 0), (-step, 0), (0, step), (0, -step)):
                other = at + shift
                if np.abs(other - centre).max() > WANDER_MM:
                    continue
                value = score(other)
                if value > best:
                    at, best, moved = other, value, True
    return _judge(scene, name, at, odds, ship_mask(window, scene.eye, at), colours, inside)


def _judge(scene: Scene, name: Square, at: Floats, odds: Floats, mask: Mask, colours: int, inside: int) -> FoundShip:
    opening = odds[mask == OPENING]
    body = odds[mask == BODY]
    best = body[:, :colours].sum(axis=0)
    share = (opening[:, inside].sum() + best.max()) / (LIMIT * (len(opening) + len(body)) + 1e-6)
    return FoundShip(
        name, at, np.asarray(best / CORRELATED, np.float64), float(share), float(opening[:, inside].mean() / LIMIT)
    )
