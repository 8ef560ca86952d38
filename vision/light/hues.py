"""Whether a picture shows the board in the colours that were taught, and not in those of other settings of the camera.

Light changes a channel by one factor where it falls, so that hues beside each other stay as far apart as they were. In
a toned or pale picture they are nearer, and where red and blue are exchanged so are the distances.
"""

from __future__ import annotations

import numpy as np

from vision.frames import Part, Picture
from vision.light import windows
from vision.logarithms import Layers, opponent

PALEST = 0.45
"""Hues that are nearer to each other than such a share of what they were are not those that were taught. On 65 tables,
plain, in bright and warm light, in noise and under a veil, and on glossy ones under several lamps, a quarter of the
windows says 0.58 or more; toned, 0.06 at most; with a third of the taught colour, 0.4."""
EXCHANGED = 0.1
"""By how much better, as a share of how far both are apart, three quarters of the windows must fit with red and blue
exchanged. In those pictures that is -0.53 at most, with red and blue exchanged 0.15 or more."""
TELLING = 0.03
"""With less contrast of hues (standard deviation of logarithms) a board tells nothing."""
DARK = 3.0
"""Grey levels: what noise there is in the dark counts for no more than this."""


class Hues:
    """The hues of a table's empty board."""

    def __init__(self, empty: Picture, board: Part) -> None:
        """empty: the straightened empty picture in the size of the maps (``vision.grid.shrink``). board: its rows and
        columns that show the board."""
        self._board = board
        levels = windows.coarse(empty[board])
        self._known = windows.telling(levels)
        self._taught = _hues(levels)
        blue, red = self._taught[..., :1], self._taught[..., 1:]
        self._own = np.concatenate([self._taught, self._taught**2, blue * red], axis=2)

    def trouble(self, small: Picture) -> str | None:
        """What is wrong with the colours of a straightened picture of that size; None when nothing is."""
        levels = windows.coarse(small[self._board])
        known = (self._known * windows.telling(levels))[..., None]
        taught, seen = self._taught, _hues(levels)
        layers = np.concatenate([self._own, seen, taught * seen, taught * seen[..., ::-1]], axis=2) * known
        area = windows.mean(known)[..., None] + np.float32(1e-4)
        usual, squared, product, now, both, crossed = np.split(
            windows.mean(layers) / area, np.cumsum([2, 2, 1, 2, 2]), axis=2
        )
        contrast = squared - usual**2
        straight, exchanged = both - usual * now, crossed - usual * now[..., ::-1]
        apart = contrast.sum(axis=2, keepdims=True) - 2 * (product - usual[..., :1] * usual[..., 1:])
        better = (exchanged - straight).sum(axis=2, keepdims=True) / np.maximum(apart, 1e-5)
        told = apart * area
        (least,) = windows.quantiles(better, told, [0.25])
        if windows.average(told)[0] > TELLING**2 and least[0] > EXCHANGED:
            return "red and blue are exchanged in the picture; is the camera set to another format?"
        told = contrast * area
        (near,) = windows.quantiles(straight / np.maximum(contrast, 1e-5), told, [0.75])
        if (near[windows.average(told) > TELLING**2] < PALEST).any():
            return "the colours are not those that were taught; is the light coloured, or the camera set otherwise?"
        return None


def _hues(levels: Layers) -> Layers:
    """How far blue, and red, is from green: logarithms, height x width x 2."""
    return opponent(levels + np.float32(DARK))[..., :2]
