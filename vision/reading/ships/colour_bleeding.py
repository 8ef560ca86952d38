"""Tells ships' colours by the light that they throw on the board beside them.

A coloured wall tints what lies at its foot (colour bleeding). The camera sees that also where it looks straight down on
a ship, of which it sees nothing but the opening then.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS
from companion.squares import Square
from vision.geometry import Floats
from vision.grid import MM_PER_PX, tilt
from vision.light.appearance import Looks
from vision.logarithms import lights_of
from vision.reading.evidence import BLIND, Scene
from vision.reading.places import cut
from vision.reading.shapes import fill, hidden_by_ship

ASIDE = 6.0
"""From further aside than this (degrees) enough is seen of the wall itself."""
SIDE_PX = 96
"""How much of the maps is looked at round the middle of a square."""
FROM_MM, TO_MM, NEAR_MM = 1.0, 40.0, 6.0
"""The board is looked at between so far from what the ship hides and so far. The tint is less by a factor of e every so
many millimetres, ..."""
LEAST_PX = 15
"""... and tells nothing where fewer pixels are as near as that."""
SHADOW = -0.3
"""Where it became darker than this (logarithm) the board is in another lamp's light."""
BOARD = 1.0
"""What a piece or a ship's inside fits better than bare board by less than this (log density) is board."""
TINTS, UNLIKE = 0.12, 0.02
"""How much of its light a wall gives to the tint of the board at its foot; and how unlike that tints are (standard
deviation of opponent logarithms)."""
TAIL = 4
"""Degrees of freedom of Student's distribution: now and then something else tints the board."""


class ColourBleeding:
    """Tells the colours of ships on the pictures of one table by the tint of the board beside them."""

    def __init__(self, looks: Looks) -> None:
        light = lights_of(looks.means[: len(COLOURS)])
        self._tints = TINTS * (light[:, [0, 2]] - light[:, [1]])

    def told(self, scene: Scene, name: Square) -> Floats:
        """How much speaks for each colour of the ship on a square: natural logarithms of odds, 0 for the likeliest; 0
        for all where the camera does not look down on it, or sees too little of the board beside it."""
        tint = _tint(scene, name)
        if tint is None:
            return np.zeros(len(COLOURS))
        off = (((tint - self._tints) / UNLIKE) ** 2).sum(axis=1)
        odds = -(TAIL + 2) / 2 * np.log1p(off / TAIL)
        return np.asarray(odds - odds.max(), np.float64)


def _tint(scene: Scene, name: Square) -> Floats | None:
    """By how much blue - green and red - green differ right beside a ship from what they are further away (opponent
    logarithms)."""
    middle, eye = scene.about(name)
    if tilt(eye) > ASIDE:
        return None
    away = _away(eye)
    seen = (away > FROM_MM) & (away < TO_MM) & (cut(scene.blind, middle, SIDE_PX) < BLIND)
    seen &= np.max([cut(fit, middle, SIDE_PX) for fit in scene.fits], axis=0) - cut(scene.bare, middle, SIDE_PX) < BOARD
    seen &= cut(scene.burnt.view(np.uint8), middle, SIDE_PX) == 0
    difference = cut(scene.difference, middle, SIDE_PX)
    seen &= difference[..., 2] > SHADOW
    if np.count_nonzero(seen & (away < NEAR_MM)) < LEAST_PX:
        return None
    near = np.exp(-away[seen] / NEAR_MM)
    near -= near.mean()
    return np.asarray(near @ difference[seen][:, :2] / (near @ near), np.float64)


def _away(eye: Floats) -> NDArray[np.float32]:
    """How far (mm) each pixel round the middle of a ship's foot is from what the ship hides."""
    hidden = np.zeros((SIDE_PX, SIDE_PX), np.uint8)
    fill(hidden, hidden_by_ship(eye) / MM_PER_PX + (SIDE_PX - 1) / 2)
    away = cv2.distanceTransform(1 - hidden, cv2.DIST_L2, cv2.DIST_MASK_PRECISE) * np.float32(MM_PER_PX)
    return np.asarray(away, np.float32)
