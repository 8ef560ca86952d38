"""How much of the board's own print can be seen: what lies on it hides lines and figures, light and shadow do not."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.light.appearance import Map
from vision.logarithms import OFFSET, TO_BGR, Layers
from vision.reading.details import mean_around

WINDOW_PX = 7
"""How far round a pixel of the maps the print is compared (10.5 mm)."""
FAINT = 0.02
"""Details of this strength (logarithms) count half: noise is as strong."""


class Print:
    """The fine print of the empty board, ready to be looked for.

    strength: how much of it there is round each pixel, from 0 to 1.
    """

    def __init__(self, details: NDArray[np.float32]) -> None:
        """details: of the empty board, 4 x height x width (``vision.reading.evidence``)."""
        self._details = details
        self._energy = _energy(details)
        strong = np.asarray(np.sqrt(self._energy), np.float32)
        self.strength: Map = strong / (strong + np.float32(FAINT))

    def shown(self, details: NDArray[np.float32]) -> Map:
        """How well the details of a picture fit the print: their correlation round each pixel, from -1 to 1, and near 0
        where there is no print."""
        own = _energy(details) * self._energy
        np.sqrt(own, out=own)
        own += np.float32(FAINT**2)
        shown = _around(details, self._details)
        shown /= own
        return shown


def in_light(empty: Picture, gain: Layers) -> Picture:
    """The straightened empty board as a picture would show it in light that adds so much to its opponent logarithms
    (``vision.light.comparison``; on the maps): what is brighter than white is cut off."""
    size = empty.shape[1::-1]
    factor = cv2.resize(cv2.exp(cv2.transform(gain, TO_BGR)), size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.clip((empty + np.float32(OFFSET)) * factor - np.float32(OFFSET), 0, 255), np.uint8)


def _energy(details: NDArray[np.float32]) -> Map:
    """The mean square of a stack of details round each pixel."""
    return _around(details, details)


def _around(one: NDArray[np.float32], other: NDArray[np.float32]) -> Map:
    """The mean of the products of two stacks of details round each pixel."""
    total = np.zeros(one.shape[1:], np.float32)
    for first, second in zip(one, other, strict=True):
        cv2.accumulateProduct(first, second, total)
    return mean_around(total, WINDOW_PX) * np.float32(1 / len(one))
