"""What changed against the empty board once the light is taken out of it.

Everything is in logarithms of the pixel values, where a change of light, exposure or white balance adds the same number
everywhere it reaches: that number, smooth over the board, is the *gain*.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.grid import PX_PER_MM

Layers = NDArray[np.float32]
"""height x width x 3, float32."""

OFFSET = 6.0
"""Added before the logarithm, in grey levels: what sensor noise there is in the dark counts for no more than this."""

_LOG = np.log(np.arange(256, dtype=np.float32) + OFFSET).astype(np.float32)
_TILE_MM = 12.0
_SMOOTH_MM = 25.0
_SHRINK = 8
"""The gain is worked out on every eighth pixel (4 mm)."""
_BARE_SPREAD = 0.12
"""A pixel whose colour changed by more than this (in logarithms, apart from brightness) is no bare board."""


@dataclass(frozen=True)
class Change:
    """A straightened picture compared with the empty board.

    colour: logarithms of the picture with the gain taken away: as if the light were that of the empty picture.
    difference: colour minus the empty board's logarithms. gain: what was taken away.
    All have the channels blue - green, red - green, and mean (``to_opponent``).
    """

    colour: Layers
    difference: Layers
    gain: Layers


def grey(picture: Picture) -> NDArray[np.uint8]:
    """The picture without its colours, height x width, uint8."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def logarithms(straight: Picture) -> Layers:
    """Opponent logarithms of a picture: blue - green, red - green, and the mean of the three."""
    logs = cv2.LUT(straight, _LOG)
    return np.asarray(cv2.transform(logs, _OPPONENT), np.float32)


_OPPONENT = np.array([[1, -1, 0], [0, -1, 1], [1 / 3, 1 / 3, 1 / 3]], np.float32)


def compare(straight: Picture, empty: Layers) -> Change:
    """What changed in a straightened picture against the empty board's ``logarithms``."""
    logs = logarithms(straight)
    difference = logs - empty
    gain = _gain(difference)
    difference -= gain
    return Change(logs - gain, difference, gain)


def _gain(difference: Layers) -> Layers:
    height, width = difference.shape[:2]
    # Every so many pixels is enough for something this smooth; a blur first keeps the noise out.
    small = cv2.resize(difference, (width // _SHRINK, height // _SHRINK), interpolation=cv2.INTER_AREA)
    centre = np.median(small.reshape(-1, 3), axis=0).astype(np.float32)
    gain = np.broadcast_to(centre, small.shape)
    sigma = _SMOOTH_MM * PX_PER_MM / _SHRINK
    for spread in (3 * _BARE_SPREAD, _BARE_SPREAD, _BARE_SPREAD):
        rest = small - gain
        off = (rest[..., 0] ** 2 + rest[..., 1] ** 2) / spread**2 + (rest[..., 2] / (4 * spread)) ** 2
        weight = np.exp(-0.5 * off).astype(np.float32) + np.float32(1e-4)
        total = cv2.GaussianBlur(weight, (0, 0), sigma)
        gain = cv2.GaussianBlur(small * weight[..., None], (0, 0), sigma) / total[..., None]
    return np.asarray(cv2.resize(gain, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
