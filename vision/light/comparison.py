"""What changed against the empty board once the light is taken out of it.

Everything is in logarithms of the pixel values, where a change of light, exposure or white balance adds the same number
everywhere it reaches: that number, smooth over the board, is the *gain*.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Part, Picture, channels
from vision.grid import MM_PER_PX
from vision.light.glare import Glare, GlareFinder
from vision.logarithms import (
    BURNT,
    TO_BGR,
    WHITE,
    Hue,
    Layers,
    brightness,
    cut_off,
    levels_without,
    logarithms,
    opponent,
)
from vision.quantiles import medians

_SMOOTH_MM = 25.0
_SHRINK = 4
"""The gain is worked out on every fourth pixel (6 mm)."""
_SIGMA = _SMOOTH_MM / MM_PER_PX / _SHRINK
_REACH = (2 * round(2.5 * _SIGMA) + 1,) * 2
"""How wide it is smoothed: what is further away hardly counts."""
_OVEREXPOSED = 0.1
"""If so large a share of the picture is burnt out, that tells how bright the light is at least."""
_WHITE_BOARD = 1.0
"""What is burnt out though it should be further from white than this (logarithm) is no bare board."""
_SHADOW = 0.35
"""How much darker a place must be than before for its hue to tell of shadows."""
HUE_REACH = 0.4
"""How far the hue of a picture's shadows may be from what is usual on the table."""
_BARE_SPREAD = 0.12
"""A pixel whose colour changed by more than this (in logarithms, apart from brightness) is no bare board."""


@dataclass(frozen=True)
class Change:
    """A straightened picture compared with the empty board.

    colour: logarithms of the picture with the gain taken away: as if the light were that of the empty picture.
    shade: the logarithm of the picture's brightness (height x width), without the gain as well.
    difference: colour minus the empty board's logarithms. gain: what was taken away.
    hue: how shadows change the hue in this picture. All layers have the channels blue - green, red - green, and mean.
    burnt: the pixels (height x width) of which a channel is as bright as a picture can show, or brighter; their
    difference is from what the empty board would show then.
    glare: the mirrored lamps that came or went, None where none did; and doubt: how uncertain the empty board's
    logarithms are where these were reckoned with (standard deviation, height x width), None then too.
    """

    colour: Layers
    shade: NDArray[np.float32]
    difference: Layers
    gain: Layers
    hue: Hue
    burnt: NDArray[np.bool_]
    glare: Glare | None
    doubt: NDArray[np.float32] | None


def compare(
    straight: Picture, empty: Layers, hue: Hue, glares: GlareFinder | None = None, board: Part | None = None
) -> Change:
    """What changed in a straightened picture (``MM_PER_PX``) against the empty board's ``logarithms``.

    hue: how new shadows on this table usually change the hue. glares: finds mirrored lamps; None to look for none.
    board: rows and columns that show the board; None for all. What lies beside it tells nothing of the light, as things
    come and go there.
    """
    logs = logarithms(straight)
    doubt = None
    plain = np.asarray(cv2.inRange(straight, (0, 0, 0), (BURNT - 1,) * 3), np.uint8)
    burnt = plain == 0
    glare = None if glares is None else glares.find(logs, hue, plain)
    if glare is not None:
        empty, doubt = glare.on(empty)
    height, width = logs.shape[:2]
    # Every so many pixels is enough for something as smooth as the gain.
    small, known = _shrunk(logs) - _shrunk(empty), np.asarray((_shrunk(plain) / np.float32(255)) ** 2, np.float32)
    if board is not None:
        known = _within(known, board)
    usual = _middle(small, known)
    hue = shadow_hue(np.asarray((small - usual).reshape(-1, 3), np.float32), hue)
    coarse = _bright_enough(_gain(small, known, usual, hue), known, straight, empty)
    gain = np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
    levels = levels_without(gain, straight)
    colour = opponent(levels)
    difference = colour - empty
    # Where few pixels are meant their numbers are found in a fraction of the time that a mask takes.
    where = np.flatnonzero(burnt)
    difference.reshape(-1, 3)[where] += cut_off(empty.reshape(-1, 3)[where], gain.reshape(-1, 3)[where])
    return Change(colour, brightness(levels), difference, gain, hue, burnt, glare, doubt)


def shadow_hue(differences: Layers, usual: Hue, reach: float = HUE_REACH) -> Hue:
    """How shadows change the hue in a picture whose differences (N x 3) these are, of bare board for the most part.

    Dark pixels whose hue changed by more than ``reach`` beside the usual do not count; where few do, it is the usual.
    """
    dark = differences[(differences[:, 2] < -_SHADOW) & (differences[:, 2] > -3 * _SHADOW)]
    slopes = dark[:, :2] / dark[:, 2:]
    slopes = slopes[np.abs(slopes - np.array(usual, np.float32)).max(axis=1) < reach]
    if len(slopes) == 0:
        return usual
    trust = len(slopes) / (len(slopes) + 0.01 * len(differences))
    found = medians(slopes)
    return tuple(float(u + trust * (f - u)) for u, f in zip(usual, found, strict=True))  # type: ignore[return-value]


def _shrunk(layers: NDArray[Any]) -> NDArray[Any]:
    """The mean of every so many pixels; without the last few where the number of pixels is no multiple of that: to find
    the mean of parts of pixels takes thrice as long."""
    height, width = (side // _SHRINK for side in layers.shape[:2])
    whole = layers[: height * _SHRINK, : width * _SHRINK]
    return np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA))


def _within(known: NDArray[np.float32], board: Part) -> NDArray[np.float32]:
    """The same, but nothing is known beside the board."""
    rows, columns = (slice(-(-part.start // _SHRINK), part.stop // _SHRINK) for part in board)
    found = np.zeros_like(known)
    found[rows, columns] = known[rows, columns]
    return found


def _bright_enough(gain: Layers, known: NDArray[np.float32], straight: Picture, empty: Layers) -> Layers:
    """The gain, raised where the board would not be burnt out otherwise, if much of the picture is.

    Nothing else tells of the light there but dark lines, and a shadow beside it.
    """
    height, width = known.shape
    at = tuple(slice(_SHRINK // 2, side * _SHRINK, _SHRINK) for side in (height, width))
    burnt = straight[at] >= BURNT
    some = burnt.any(axis=2)
    if some.mean() < _OVEREXPOSED:
        return gain
    white = np.float32(WHITE) - cv2.transform(np.ascontiguousarray(empty[at]), TO_BGR)
    raised = gain.copy()
    for _ in range(2):
        short = np.asarray(((white - cv2.transform(raised, TO_BGR)) * burnt).max(axis=2), np.float32)
        board = (some & (short < _WHITE_BOARD)).astype(np.float32)
        total = cv2.GaussianBlur(board + known, _REACH, _SIGMA) + np.float32(1e-4)
        raised[..., 2] += cv2.GaussianBlur(np.maximum(short, 0) * board, _REACH, _SIGMA) / total
    return raised


def _middle(small: Layers, known: NDArray[np.float32]) -> NDArray[np.float32]:
    """The median of each channel where it is known; every fourth pixel tells it."""
    layers, telling = small[::2, ::2], known[::2, ::2] > 0.5
    pixels = layers[telling] if telling.any() else layers.reshape(-1, 3)
    return medians(pixels)


def _gain(small: Layers, known: NDArray[np.float32], usual: NDArray[np.float32], hue: Hue) -> Layers:
    """The light that falls on the board, smooth. known: how much of each pixel tells of it. usual: its median."""
    # Where nothing is known it is that all around, or, where that is too far away, the usual one.
    seen = [plane * known + middle * (1 - known) for plane, middle in zip(channels(small), usual, strict=True)]
    gain = [np.full_like(known, middle) for middle in usual]
    for spread in (2 * _BARE_SPREAD, _BARE_SPREAD, _BARE_SPREAD):
        blue, red, shade = (plane - light for plane, light in zip(seen, gain, strict=True))
        # A shadow is no change of the board: along its hue the difference may be large.
        off = ((blue - hue[0] * shade) ** 2 + (red - hue[1] * shade) ** 2) / spread**2
        weight = np.exp(-0.5 * (off + (shade / (4 * spread)) ** 2)) * known + np.float32(1e-4)
        total = cv2.GaussianBlur(weight, _REACH, _SIGMA)
        gain = [cv2.GaussianBlur(plane * weight, _REACH, _SIGMA) / total for plane in seen]
    return np.asarray(cv2.merge(gain), np.float32)
