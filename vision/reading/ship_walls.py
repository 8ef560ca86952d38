"""Tells ships' colours by their walls.

The camera looks down along a ship's wall. The more steeply it does, the less is seen of it, and the more that mirrors
what lies beside the ship's foot: a blue wall on a pink board is purple to the eye. So what is seen from the rim
outwards is unrolled into a strip, and a small network says how well it fits each colour, from how pyramids of that
colour look on this table, and what lies beside the foot.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.squares import Square
from vision.appearance import Looks
from vision.geometry import Floats
from vision.grid import MM_PER_PX, lean
from vision.logarithms import Layers, logarithms_without
from vision.reading.candidates import COLOURS
from vision.reading.evidence import Scene, on_canvas, sampled
from vision.reading.nets import load, run, shares
from vision.reading.shapes import SHIP_MM, SHIP_RADIUS_MM

NETWORK = "walls.onnx"
RAYS, STEPS = 16, 16
"""A strip has so many rays, which start from the middle of the rim, and so many pixels along each."""
ASIDE = np.radians(np.linspace(-75.0, 75.0, RAYS))
"""So far aside of where most of the wall is seen the rays lie (radians)."""
WITHIN_MM, BEYOND_MM, STEP_MM = 3.0, 5.0, 0.75
"""They begin so far within the rim and end so far beyond the foot where it is furthest from it; what is between two of
their pixels at least."""
BESIDE_MM = (1.0, 2.5, 4.0)
"""So far beyond the foot the board is looked at that a wall mirrors."""
CHANNELS = 12
"""What the network sees of each pixel: three differences of three channels each, and where it is."""
LIMIT = 3.0
"""Differences of logarithms that are larger tell no more."""


@dataclass(frozen=True)
class Strip:
    """What is seen from a ship's rim outwards, on the side of its wall.

    seen: rays x steps x 3, in opponent logarithms, light-free. beside: rays x 3, the same of the empty board where the
    wall mirrors it. where: 3 x rays x steps, how far from the wall's foot and from the rim each pixel is, and how wide
    the wall is seen.
    """

    seen: Layers
    beside: Layers
    where: NDArray[np.float32]

    def planes(self, colours: Layers) -> NDArray[np.float32]:
        """What a network sees of it when it is asked after some colours (N x 3, opponent logarithms): N x channels x
        rays x steps."""
        seen, beside = np.moveaxis(self.seen, -1, 0), self.beside.T[..., None]
        planes = np.empty((len(colours), CHANNELS, RAYS, STEPS), np.float32)
        for colour, plane in zip(colours[..., None, None], planes, strict=True):
            plane[:3], plane[3:6], plane[6:9], plane[9:] = seen - colour, seen - beside, colour - beside, self.where
        return np.clip(planes, -LIMIT, LIMIT, out=planes)


class ShipWalls:
    """Tells the colours of ships on the pictures of one table."""

    def __init__(self, looks: Looks) -> None:
        self._net = load(NETWORK)
        self._colours = looks.means[:COLOURS].astype(np.float32)

    def told(self, scene: Scene, name: Square, stray_mm: Floats) -> Floats:
        """How likely each colour is for the ship that stands so far (x and y) from the middle of a square: natural
        logarithms of probabilities."""
        planes = unrolled(scene, name, stray_mm).planes(self._colours)
        return np.asarray(shares(run(self._net, [planes], 1).T)[0], np.float64)


def unrolled(scene: Scene, name: Square, stray_mm: Floats) -> Strip:
    """The strip of the ship that stands so far (x and y) from the middle of a square."""
    middle, eye = scene.about(name)
    middle, eye = middle + stray_mm / MM_PER_PX, eye - (*stray_mm, 0)
    top, larger = lean(eye, np.zeros((1, 2)), SHIP_MM)[0], eye[2] / (eye[2] - SHIP_MM)
    angle = np.arctan2(-top[1], -top[0]) + ASIDE
    rays = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    # Along each ray, how far the wall's foot is from the rim; and how far the rim is from the middle.
    rim = SHIP_RADIUS_MM * larger
    along = rays @ top
    foot = np.sqrt(np.maximum(along**2 - top @ top + SHIP_RADIUS_MM**2, 0)) - along - rim
    widest = float(np.hypot(*top) + SHIP_RADIUS_MM - rim)
    step = max(STEP_MM, (WITHIN_MM + widest + BEYOND_MM) / (STEPS - 1))
    out = step * np.arange(STEPS) - WITHIN_MM
    places = _places(middle, top, rays, rim + np.broadcast_to(out, (RAYS, STEPS)))
    beside = _places(middle, top, rays, rim + np.maximum(foot, 0)[:, None] + BESIDE_MM)
    # In units in which a network likes to have it.
    where = np.empty((3, RAYS, STEPS), np.float32)
    where[0] = np.clip((foot[:, None] - out) / (4 * step), -1.5, 1.5)
    where[1], where[2] = np.clip(out / 4, -1, 2), widest / 10
    seen = logarithms_without(sampled(scene.gain, places), sampled(scene.straight, on_canvas(places)))
    return Strip(seen, sampled(scene.empty, beside).mean(axis=1), where)


def _places(middle: Floats, top_mm: Floats, rays: Floats, away_mm: Floats) -> Floats:
    """Places on the maps (rays x N x 2) that are so far (rays x N) along each ray from the middle of a ship's rim."""
    return np.asarray(middle + (top_mm + away_mm[..., None] * rays[:, None]) / MM_PER_PX, np.float64)
