"""Stones of which the picture hardly shows the colour: the networks may see one in the shadow of another, on board of
its colour, or miss one that fits what stands there no better than its neighbour does."""

from __future__ import annotations

import numpy as np

from companion.games.pacal.pieces import COLOURS, Stones
from companion.observation import Odds, likeliest
from companion.squares import Square
from vision.reading.evidence import Scene

PX, MARGIN = 12, 4.0
"""A colour is hardly shown if fewer pixels than the first of a square fit it better than they do all else by the second
(logarithms of densities)."""
SURE = 0.999
"""What is surer than this is right however little it shows."""
DOUBT = 0.05
"""How much is doubted of stones that are hardly shown: of 63 looks at such squares, in 1,120 pictures of 112 tables,
plain and in bright light, said with 0.993 on average, four were misread."""


def hardly_shown(scene: Scene, name: Square, odds: Odds) -> bool:
    """Whether the stones that a square most likely holds, but not for sure, have a colour that is hardly shown."""
    stones = likeliest(odds)
    if not isinstance(stones, Stones) or odds[stones] > SURE:
        return False
    there = (slice(None), *scene.places.window(scene.places.names.index(name)))
    fits = np.concatenate([scene.fits[: len(COLOURS) + 1][there], scene.bare[None][there]])
    for colour in map(COLOURS.index, stones.colours):
        better = fits[colour] - np.delete(fits, colour, axis=0).max(axis=0)
        if np.count_nonzero(better >= MARGIN) < PX:
            return True
    return False
