"""Tells ships' colours by their walls.

The camera looks down along a ship's wall. The more steeply it does, the less is seen of it, and the more that mirrors
what lies beside the ship's foot: a blue wall on a pink board is purple to the eye. So what is seen from the rim
outwards is unrolled into a strip, and a small network says how well it fits each colour, from how pyramids of that
colour look on this table, and what lies beside the foot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS
from companion.squares import Square
from vision.geometry import Floats
from vision.grid import MM_PER_PX, lean
from vision.light.appearance import Looks
from vision.logarithms import Layers, logarithms_without
from vision.reading.evidence import Scene
from vision.reading.nets import load, run, shares
from vision.reading.places import on_canvas, sampled
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

Standing: TypeAlias = tuple[Square, Floats]
"""A ship's square, and how far (x and y, mm) from the middle of that it stands."""


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
        self._colours = looks.means[: len(COLOURS)].astype(np.float32)

    def told(self, scene: Scene, ships: Sequence[Standing]) -> Floats:
        """How likely each colour is for some ships, at least one: natural logarithms of probabilities, ships x 5."""
        planes = np.concatenate([strip.planes(self._colours) for strip in unrolled(scene, ships)])
        return np.asarray(shares(run(self._net, planes, 1).reshape(len(ships), -1)), np.float64)


def unrolled(scene: Scene, ships: Sequence[Standing]) -> list[Strip]:
    """The strips of some ships, at least one."""
    strays = np.array([stray for _, stray in ships], np.float64)
    about = [scene.about(name) for name, _ in ships]
    middles = np.array([middle for middle, _ in about]) + strays / MM_PER_PX
    eyes = np.array([eye for _, eye in about]) - np.pad(strays, ((0, 0), (0, 1)))
    tops = np.array([lean(eye, np.zeros((1, 2)), SHIP_MM)[0] for eye in eyes])
    angles = np.arctan2(-tops[:, 1], -tops[:, 0])[:, None] + ASIDE
    rays = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    # Along each ray, how far the wall's foot is from the rim; and how far the rim is from the middle.
    rim = (SHIP_RADIUS_MM * eyes[:, 2] / (eyes[:, 2] - SHIP_MM))[:, None]
    along, away = (rays @ tops[..., None])[..., 0], np.hypot(tops[:, :1], tops[:, 1:])
    foot = np.sqrt(np.maximum(along**2 - away**2 + SHIP_RADIUS_MM**2, 0)) - along - rim
    widest = away + SHIP_RADIUS_MM - rim
    step = np.maximum(STEP_MM, (WITHIN_MM + widest + BEYOND_MM) / (STEPS - 1))
    out = step * np.arange(STEPS) - WITHIN_MM

    def places(away_mm: Floats) -> Floats:
        """So far (ships x rays x N) along each ray from the middles of the ships' rims: ships * rays x N x 2, px of the
        maps."""
        along_rays = tops[:, None, None] + away_mm[..., None] * rays[:, :, None]
        return np.asarray(middles[:, None, None] + along_rays / MM_PER_PX).reshape(-1, away_mm.shape[-1], 2)

    walls = places(np.broadcast_to((rim + out)[:, None], (len(ships), RAYS, STEPS)))
    beside = places((rim + np.maximum(foot, 0))[..., None] + BESIDE_MM)
    # In units in which a network likes to have it.
    where = np.empty((len(ships), 3, RAYS, STEPS), np.float32)
    where[:, 0] = np.clip((foot[..., None] - out[:, None]) / (4 * step[..., None]), -1.5, 1.5)
    where[:, 1], where[:, 2] = np.clip(out / 4, -1, 2)[:, None], widest[..., None] / 10
    seen = logarithms_without(sampled(scene.gain, walls), sampled(scene.straight, on_canvas(walls)))
    board = sampled(scene.empty, beside).mean(axis=1)
    return list(map(Strip, seen.reshape(-1, RAYS, STEPS, 3), board.reshape(-1, RAYS, 3), where))
