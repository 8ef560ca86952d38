"""Tells the colour of a stone in which a lamp is mirrored: a part of its light is its colour's, the rest is white.

The white hides the colour, but not its hue, and it covers no face quite evenly: where there is least of it the colour
shows best.

Source: the dichromatic reflection model of S. Shafer, Using color to separate reflection components, 1985.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.games.pacal.pieces import COLOURS
from vision.geometry import Floats
from vision.light.appearance import Looks
from vision.logarithms import TO_BGR, Layers, levels_without, lights_of, logarithms_of
from vision.reading.stones.fit import Lying, Patch

LEAST_WHITE, FEWEST_PX = 0.1, 5
"""What is seen on such a share of a face, where it is least white, is looked at, and so many pixels at least."""
SHADES = np.geomspace(0.2, 2.5, 30)
"""A stone is lit so brightly, beside those of the palettes; ..."""
WHITES = np.concatenate([[0.0], np.geomspace(0.001, 3.0, 113)])
"""... and mirrors so much light of a lamp, beside that of a white sheet. By steps so small that the colour which is
there does not fall between two of them, and another fit better."""
SPREAD, DARK_SPREAD = 0.05, 3.0
"""How far off the logarithm of a channel may be, and its grey level: no lamp is quite white."""
FARTHEST = -40.0
"""What fits worse (natural logarithms) tells no more."""
_WHITE = np.full((1, 1, 3), 255, np.uint8)


class StoneLight:
    """How stones of each colour look on one table, lit by any light, with any lamp mirrored in them."""

    def __init__(self, looks: Looks) -> None:
        own = lights_of(looks.means[: len(COLOURS)])
        light = SHADES[:, None, None] * own[:, None, None, :] + WHITES[:, None]
        # Colours x shades and whites x blue, green and red.
        self._logs = _levels(logarithms_of(np.asarray(light.reshape(len(COLOURS), -1, 3), np.float32)))

    def fits(self, patch: Patch, stones: Sequence[Lying]) -> Floats:
        """How well each colour explains what is seen of stones that lie on a patch's square: stones x colours, natural
        logarithms."""
        return np.array([self._fit(patch, stone) for stone in stones]).reshape(-1, len(COLOURS))

    def _fit(self, patch: Patch, stone: Lying) -> Floats:
        face, gain = (_on_face(layers, patch, stone) for layers in (patch.seen, patch.gain))
        levels = _levels(face)
        whites = levels.min(axis=1)
        least = np.argsort(whites, kind="stable")[: max(int(LEAST_WHITE * len(whites)), FEWEST_PX)]
        seen = levels[least].mean(axis=0)
        # Nothing brighter than white is to be seen in a picture.
        most = np.log(levels_without(gain[least].mean(axis=0, dtype=np.float32)[None, None], _WHITE)[0, 0])
        variance = SPREAD**2 + (DARK_SPREAD * np.exp(-seen)) ** 2
        off = ((np.minimum(self._logs, most) - seen) ** 2 / variance).sum(axis=-1)
        return np.asarray(np.maximum(-off.min(axis=1) / 2, FARTHEST), np.float64)


def whiteness(patch: Patch, stone: Lying) -> float:
    """How much white there is in the light of a stone's upper face, beside that of a white sheet."""
    return float(lights_of(_on_face(patch.seen, patch, stone).mean(axis=0)[None]).min())


def _on_face(layers: Layers, patch: Patch, stone: Lying) -> Floats:
    """What is seen of a patch's layers on a stone's upper face: pixels x 3."""
    window, outline = patch.about(stone)
    return np.asarray(layers[window][outline.top], np.float64)


def _levels(logs: Floats | Layers) -> Floats:
    """The logarithms of each channel's grey levels (blue, green, red; … x 3), of opponent logarithms."""
    return np.asarray(logs @ TO_BGR.T, np.float64)
