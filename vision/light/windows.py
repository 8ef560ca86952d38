"""Windows over the board, so small that one light falls on each: what is printed there changes more from place to place
than the light does, and what stands there hides but a part of it. All of them together tell what holds everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.logarithms import Layers

STEP = 8
"""What is looked at is every eighth pixel of the maps (12 mm)."""
WIDE = 7
"""A window is so many of these to a side (84 mm)."""
BLACK, BURNT = 4, 245
"""Where any channel is darker or brighter it may be cut off, and tells nothing."""
_INSIDE = slice(WIDE // 2, -(WIDE // 2), 2)


def coarse(picture: Picture) -> Layers:
    """The mean grey levels of every so many pixels of a picture in the size of the maps."""
    height, width = (side // STEP for side in picture.shape[:2])
    small = cv2.resize(picture[: height * STEP, : width * STEP], (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def telling(levels: Layers) -> NDArray[np.float32]:
    """1 where ``coarse`` grey levels tell anything, else 0."""
    return np.asarray(cv2.inRange(levels, (BLACK,) * 3, (BURNT,) * 3) / np.float32(255), np.float32)


def mean(layers: NDArray[np.float32]) -> NDArray[np.float32]:
    """The mean of each window of such maps, at its middle."""
    return np.asarray(cv2.blur(layers, (WIDE, WIDE)), np.float32)


def quantiles(
    said: NDArray[np.float32], told: NDArray[np.float32], shares: Sequence[float]
) -> list[NDArray[np.float32]]:
    """What windows say together (both height x width x channels): so large shares of them say less, for each channel.

    told: how much each counts. Every other one of those that lie on the board is asked.
    """
    some, weights = (layer[_INSIDE, _INSIDE].reshape(-1, layer.shape[2]) for layer in (said, told))
    order = np.argsort(some, axis=0)
    some, total = np.take_along_axis(some, order, 0), np.cumsum(np.take_along_axis(weights, order, 0), axis=0)
    channels = np.arange(some.shape[1])
    return [some[np.minimum((total < share * total[-1]).sum(axis=0), len(some) - 1), channels] for share in shares]


def average(layers: NDArray[np.float32]) -> NDArray[np.float32]:
    """The mean of the same windows, for each channel."""
    return np.asarray(layers[_INSIDE, _INSIDE].reshape(-1, layers.shape[2]).mean(axis=0), np.float32)
