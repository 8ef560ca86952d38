"""The finest that is told of a picture: how bright it is at each pixel of the canvas, beside those round it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.appearance import Map
from vision.frames import Picture
from vision.grid import SHRINK
from vision.logarithms import OFFSET

DETAIL_PX = 9
"""How far round a pixel its brightness is compared: the width of two or three terraces of a pyramid."""
_MEAN_SQUARE = np.array([[1 / 3, 1 / 3, 1 / 3, OFFSET**2]], np.float32)
"""The mean of three squares, and what is added to it."""
_TOGETHER = 64
"""Rows at a time, a multiple of ``SHRINK``: what they need fits into a small cache."""


def details_of(straight: Picture) -> NDArray[np.float32]:
    """How the brightness of the four canvas pixels of each pixel of the maps differs from that round it, 4 x height x
    width; see ``vision.reading.evidence.Scene``. straight: a straightened picture, on the canvas."""
    height, width = straight.shape[:2]
    found = np.empty((SHRINK, SHRINK, height // SHRINK, width // SHRINK), np.float32)
    for start in range(0, height, _TOGETHER):
        stop, first = min(start + _TOGETHER, height), max(start - DETAIL_PX // 2, 0)
        logs = _brightness(straight[first : stop + DETAIL_PX // 2])
        detail = (logs - cv2.blur(logs, (DETAIL_PX, DETAIL_PX)))[start - first : stop - first]
        parts = detail.reshape(-1, SHRINK, width // SHRINK, SHRINK)
        found[:, :, start // SHRINK : stop // SHRINK] = parts.transpose(1, 3, 0, 2)
    return found.reshape(-1, *found.shape[2:])


def _brightness(straight: Picture) -> Map:
    """The logarithm of the root mean square of each pixel's three channels.

    Of saturated colours, as pieces have them, it has the least noise: it goes by the channels that are bright, whereas
    the usual grey goes mostly by green.
    """
    squares = cv2.multiply(straight, straight, dtype=cv2.CV_32F)
    return half_log(np.asarray(cv2.transform(squares, _MEAN_SQUARE), np.float32))


def half_log(squares: Map) -> Map:
    """The logarithms of what was squared."""
    logs = cv2.log(squares)
    return np.asarray(np.multiply(logs, np.float32(0.5), out=logs), np.float32)
