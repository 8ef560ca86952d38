"""The finest that is told of a picture: how bright it is at each pixel of the canvas, beside those round it."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.grid import SHRINK
from vision.light.appearance import Map
from vision.logarithms import OFFSET, brightness

DETAIL_PX = 9
"""How far round a pixel its brightness is compared: the width of two or three terraces of a pyramid."""
_TOGETHER = 64
"""Rows at a time, a multiple of ``SHRINK``: what they need fits into a small cache."""


def brightness_of(picture: Picture) -> Map:
    """The logarithm of how bright each pixel is."""
    return brightness(picture.astype(np.float32), OFFSET)


def details_of(straight: Picture, logs_of: Callable[[Picture], Map] = brightness_of) -> NDArray[np.float32]:
    """How the brightness of the four canvas pixels of each pixel of the maps differs from that round it, 4 x height x
    width; see ``vision.reading.evidence.Scene``.

    straight: a straightened picture, on the canvas. logs_of: how bright some rows of it are.
    """
    height, width = straight.shape[:2]
    found = np.empty((SHRINK, SHRINK, height // SHRINK, width // SHRINK), np.float32)
    for start in range(0, height, _TOGETHER):
        stop, first = min(start + _TOGETHER, height), max(start - DETAIL_PX // 2, 0)
        logs = logs_of(straight[first : stop + DETAIL_PX // 2])
        detail = (logs - mean_around(logs, DETAIL_PX))[start - first : stop - first]
        parts = detail.reshape(-1, SHRINK, width // SHRINK, SHRINK)
        found[:, :, start // SHRINK : stop // SHRINK] = parts.transpose(1, 3, 0, 2)
    return found.reshape(-1, *found.shape[2:])


def mean_around(layer: Map, side: int) -> Map:
    """The mean of the square of so many pixels round each.

    OpenCV's ``blur`` keeps running sums, which takes longer and leaves a little of what is there no more.
    """
    weights = np.full(side, 1 / side, np.float32)
    return np.asarray(cv2.sepFilter2D(layer, -1, weights, weights), np.float32)
