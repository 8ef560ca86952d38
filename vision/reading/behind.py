"""What a ship hides: it is so tall that a stone on the square behind it may not be seen at all."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from companion.squares import Square
from vision.grid import MM_PER_PX
from vision.reading.evidence import Scene
from vision.reading.shapes import fill, hidden_by_ship


def behind_ships(scene: Scene, ships: Collection[Square]) -> dict[Square, float]:
    """How much of each square other than the ships' own they hide from the camera, those left out that are all seen."""
    names = scene.places.names
    hidden = np.zeros(scene.bare.shape, np.uint8)
    for name in ships:
        middle, eye = scene.about(name)
        # The outline's own pixels are filled too: half a pixel more than what is hidden.
        fill(hidden, middle + hidden_by_ship(eye, -MM_PER_PX / 2) / MM_PER_PX)
    shares = scene.places.sums(hidden) / scene.places.areas
    return {names[index]: float(shares[index]) for index in np.flatnonzero(shares) if names[index] not in ships}
