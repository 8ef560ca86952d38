"""What a ship hides: it is so tall that a stone on the square behind it may not be seen at all."""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np

from companion.squares import Square
from vision.grid import MM_PER_PX
from vision.reading.evidence import Scene
from vision.reading.shapes import SHIP_MM, SHIP_RADIUS_MM


def behind_ships(scene: Scene, ships: Collection[Square]) -> dict[Square, float]:
    """How much of each square other than the ships' own they hide from the camera, those left out that are all seen."""
    names, middles = scene.places.names, scene.places.middles
    tops = middles + scene.places.leans(scene.eye, SHIP_MM)
    hidden = np.zeros(scene.bare.shape, np.uint8)
    for index in (names.index(name) for name in ships):
        foot, top = (tuple(int(px) for px in ends[index].round()) for ends in (middles, tops))
        cv2.line(hidden, foot, top, 1, round(2 * SHIP_RADIUS_MM / MM_PER_PX))
    shares = scene.places.sums(hidden) / scene.places.areas
    return {names[index]: float(shares[index]) for index in np.flatnonzero(shares) if names[index] not in ships}
