"""Counts floors in the picture itself, where the maps are too coarse.

A terrace is but three pixels of the straightened picture wide. What the camera saw round a pyramid is straightened once
more, finer, and a small network says how many floors it has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS, MAX_FLOORS
from companion.squares import Square
from vision.frames import Picture
from vision.geometry import Floats
from vision.grid import MM_PER_PX
from vision.light.appearance import Looks
from vision.logarithms import Layers, logarithms_without
from vision.reading.crops import LEAN_SCALE, Asked, way_of
from vision.reading.evidence import Scene
from vision.reading.nets import check_overstated, load, run, shares
from vision.reading.places import sampled

NETWORK = "close_floors.onnx"
TEMPERATURE = 1.5
"""By how much it overstates how sure it is."""
SIDE, PX_PER_MM, BEFORE_MM = 96, 2.0, 18.0
"""A close-up's side in pixels, how fine they are, and how far it begins before the middle of its square."""
COARSER = 3
"""The maps are sampled at one for so many of these pixels, in both directions."""
ASIDE = 3
"""It is also looked so many pixels to each side: five looks err less than one."""
CHANNELS = 8
"""What the network sees of each pixel: how it differs from the colour that is asked after and from the empty board,
three channels each, and how far a ship's upper end leans, across and down."""
LIMIT = 3.0
"""Differences of logarithms that are larger tell no more."""
_KNOTS = 8
"""Where in the picture it lies is worked out for so many points across and down, and is smooth in between."""


@dataclass(frozen=True)
class Closeup:
    """What is seen about a square, turned as crops are (``vision.reading.crops``), with a margin on all sides.

    picture: what the camera saw, BGR. gain, difference: the same of a scene's, one pixel for ``COARSER``. leans: see
    ``way_of``.
    """

    picture: Picture
    gain: Layers
    difference: Layers
    leans: tuple[float, float]

    def layers(self, colour: NDArray[np.float32]) -> Layers:
        """What its pixels tell of a colour (opponent logarithms): height x width x 6."""
        size = self.picture.shape[1::-1]
        gain, difference = (np.asarray(cv2.resize(one, size), np.float32) for one in (self.gain, self.difference))
        seen = logarithms_without(gain, self.picture)
        return np.concatenate([seen - colour, difference], axis=-1, dtype=np.float32)


def planes(layers: Layers, leans: Sequence[float]) -> NDArray[np.float32]:
    """What the network sees of a close-up's layers (``SIDE`` x ``SIDE`` x 6): channels x height x width."""
    seen = np.empty((CHANNELS, SIDE, SIDE), np.float32)
    np.clip(np.moveaxis(layers, -1, 0), -LIMIT, LIMIT, out=seen[:-2])
    seen[-2], seen[-1] = (lean * LEAN_SCALE for lean in leans)
    return seen


def closeup(scene: Scene, name: Square, margin: int) -> Closeup:
    """The close-up of a square, with so many pixels on all sides; a multiple of ``COARSER``."""
    way, leans = way_of(scene, name)
    side, begin = SIDE + 2 * margin, BEFORE_MM + margin / PX_PER_MM
    across, down = (-1 if turned else 1 for turned in (way.across, way.down))

    def about(along: Floats) -> Floats:
        """Points about the square's middle (rows x columns x 2, mm) that lie so far along the close-up's sides."""
        x, y = np.meshgrid(along, along)
        return np.stack((y * across, x * down) if way.swapped else (x * across, y * down), axis=-1)

    middle, knots = scene.board.centre_mm(name), about(np.linspace(-begin, side / PX_PER_MM - begin, _KNOTS))
    places = scene.photo.project(knots.reshape(-1, 2) + middle).reshape(_KNOTS, _KNOTS, 2)
    # How much each knot tells of each row, or column, of pixels.
    knot = (np.arange(side) + 0.5) / side * (_KNOTS - 1)
    share = np.maximum(1 - np.abs(knot[:, None] - np.arange(_KNOTS)), 0)
    x, y = ((share @ places[..., axis] @ share.T).astype(np.float32) for axis in (0, 1))
    coarse = about((np.arange(side // COARSER, dtype=np.float64) + 0.5) * COARSER / PX_PER_MM - begin)
    coarse = coarse / MM_PER_PX + scene.about(name)[0]
    gain, difference = (sampled(layer, coarse) for layer in (scene.gain, scene.difference))
    return Closeup(
        np.asarray(cv2.remap(scene.photo.picture, x, y, cv2.INTER_LINEAR), np.uint8), gain, difference, leans
    )


class CloseLook:
    """Counts floors on the pictures of one table."""

    def __init__(self, looks: Looks, overstated: float = 1.0) -> None:
        """overstated: by how much more than usual its network overstates how sure it is on this table, as
        ``vision.reading.pyramids.floors.learn_overstated`` says. Raises ValueError for what that never says."""
        check_overstated(overstated)
        self._overstated = overstated
        self._net = load(NETWORK)
        self._colours = looks.means[: len(COLOURS)].astype(np.float32)

    def count(
        self, scene: Scene, wanted: Sequence[Asked], likely: NDArray[np.float64] | None = None
    ) -> NDArray[np.float64]:
        """Logarithms of how likely each number of floors is for squares with a pyramid of such a colour, N x 5,
        whatever was ``likely`` before."""
        return np.array([self._told(scene, *asked) for asked in wanted], np.float64).reshape(-1, MAX_FLOORS)

    def _told(self, scene: Scene, name: Square, colour: int) -> Floats:
        close = closeup(scene, name, ASIDE)
        layers = close.layers(self._colours[colour])
        looks = [
            planes(layers[top : top + SIDE, left : left + SIDE], close.leans)
            for left, top in ((ASIDE, ASIDE), (0, ASIDE), (2 * ASIDE, ASIDE), (ASIDE, 0), (ASIDE, 2 * ASIDE))
        ]
        said = run(self._net, looks, MAX_FLOORS)
        return np.asarray(shares(said.mean(axis=0, keepdims=True) / (TEMPERATURE * self._overstated))[0], np.float64)
