"""Noise: what a camera adds to its pictures in the dark; told by their finest texture, and smoothed away."""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.frames import Picture

LEAST = 2.5
"""Standard deviation in grey levels from which on noise is smoothed."""
REACH_PX, FALL_PX = 5, 1.5
"""How wide is smoothed, and the standard deviation of how less and less it counts what is further away."""
ALIKE = 4.0
"""Pixels that differ by so much of the noise, all channels together, hardly count as the same surface."""

_CROSS = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
"""Nothing of even and of sloping surfaces is left by it, nor of straight edges along the rows or columns."""
_MOST = 8 * 255
"""The most that it leaves."""
_GAIN = 6 * 0.6745
"""Standard deviation of what it leaves of noise of 1, times the median of a normal deviate without its sign."""


def noise_of(picture: Picture) -> float:
    """The standard deviation of a picture's noise in grey levels, with the fine texture of what it shows.

    picture: BGR uint8 height x width x 3; its middle is looked at. Source: J. Immerkær, Fast noise variance estimation,
    1996; the median in place of the mean, so that a print's lines do not count.
    """
    height, width = picture.shape[:2]
    middle = picture[height // 4 : height - height // 4, width // 4 : width - width // 4, 1]
    texture = np.abs(cv2.filter2D(middle, cv2.CV_16S, _CROSS)).view(np.uint16)
    # They are whole numbers: counting them takes a fifth of the time of sorting them.
    counts = cv2.calcHist([texture], [0], None, [_MOST + 1], [0, _MOST + 1])
    return float(np.searchsorted(np.cumsum(counts), texture.size // 2, side="right")) / _GAIN


def more_than(picture: Picture, usual: float) -> float:
    """The standard deviation of the noise that a picture has beyond what is usual (``noise_of``), in grey levels."""
    return math.sqrt(max(noise_of(picture) ** 2 - usual**2, 0.0))


def smoothed(picture: Picture, usual: float) -> Picture:
    """A picture that is noisier than usual (``noise_of``), with even surfaces and all edges; any other as it is.

    In noise a pixel by itself fits no colour, or all: with those of the same surface round it, it does.
    """
    return without_noise(picture, more_than(picture, usual))


def without_noise(picture: Picture, noise: float) -> Picture:
    """The same of a picture, or a part of one, that has so much noise beyond what is usual."""
    if noise < LEAST:
        return picture
    return np.asarray(cv2.bilateralFilter(picture, REACH_PX, ALIKE * noise, FALL_PX), np.uint8)
