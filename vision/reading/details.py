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
"""Rows at a time: what they need fits into a small cache."""


def details_of(straight: Picture) -> NDArray[np.float32]:
    """How the brightness of the four canvas pixels of each pixel of the maps differs from that round it, 4 x height x
    width; see ``vision.reading.evidence.Scene``. straight: a straightened picture, on the canvas."""
    logs = _brightness(straight)
    detail = logs - cv2.blur(logs, (DETAIL_PX, DETAIL_PX))
    return np.stack([detail[row::SHRINK, column::SHRINK] for row in range(SHRINK) for column in range(SHRINK)])


def _brightness(straight: Picture) -> Map:
    """The logarithm of the root mean square of each pixel's three channels.

    Of saturated colours, as pieces have them, it has the least noise: it goes by the channels that are bright, whereas
    the usual grey goes mostly by green.
    """
    logs = np.empty(straight.shape[:2], np.float32)
    for start in range(0, len(straight), _TOGETHER):
        part = slice(start, start + _TOGETHER)
        squares = cv2.multiply(straight[part], straight[part], dtype=cv2.CV_32F)
        logs[part] = half_log(np.asarray(cv2.transform(squares, _MEAN_SQUARE), np.float32))
    return logs


def half_log(squares: Map) -> Map:
    """The logarithms of what was squared."""
    logs = cv2.log(squares)
    return np.asarray(np.multiply(logs, np.float32(0.5), out=logs), np.float32)
