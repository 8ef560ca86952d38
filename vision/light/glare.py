"""Where a lamp is mirrored in the board now and was not when it was taught, or the other way round.

A mirrored lamp adds light of its own colour, smoothly over the board; shadows and lamps multiply. So the glare is the
light that, added to the empty board or taken from it, makes its print the print that is seen, times a gain.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture, Shades, channels
from vision.grid import MM_PER_PX
from vision.logarithms import GAMMA, OFFSET, Hue, Layers, light_of, logarithms_of
from vision.quantiles import medians

Map: TypeAlias = NDArray[np.float32]

STEP = 6
"""Glare is worked out on every sixth pixel (9 mm)."""
_MM = 1 / STEP / MM_PER_PX
"""Cells a millimetre."""
AMOUNTS = np.array(
    [-0.8, -0.6, -0.45, -0.33, -0.24, -0.17, -0.12, -0.08, -0.045, -0.02, 0, 0.02, 0.05, 0.1, 0.18, 0.3, 0.5, 0.8],
    np.float32,
)
"""What is tried, in shares of the light that makes a pixel white: from less than before to more."""
_NONE = int(np.flatnonzero(AMOUNTS == 0)[0])
_MORE = slice(_NONE + 1, None)
COST = 0.05
"""Log evidence for each pixel by which glare must fit better than none."""
DECIDED = 30.0
POOL_MM = 8.0
"""Glare is as smooth as that, ..."""
GAIN_MM = 40.0
"""... and the light that falls on the board as this."""
HUE_SPREAD, SHADE_SPREAD, BRIGHT_SPREAD = 0.06, 0.08, 0.05
"""How exactly bare board fits: its hue, that in shadow for each unit of darkness, and its contrast."""
UNKNOWN = 0.12
"""The share of the glare, or of what is left without it, that is not known."""
DIMMED = 0.3
"""Where a lamp begins to be mirrored the board is not darker than before, but for this."""
STRANGE = 0.003
"""Density of pixels that are not bare board, beside those that fit exactly."""
UNBURNT = 0.9
"""Where less of a cell is not burnt out it tells nothing: a colour of which one channel is cut off looks paler, as if
white light lay over it."""
LEAST, LEAST_MM = 0.03, 56.0
"""Less glare than this, or nowhere as wide, is none: a piece and its shadow may look a little like glare."""
_NOTHING = np.float32(-60)
"""The logarithm of what counts for nothing. Of much less the processor makes numbers that it is slow at."""
_BLACK = float(np.log(OFFSET)) + 0.03
_DISC = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (int(LEAST_MM * _MM),) * 2)
FAINT = 0.003
"""Glare that is not worth its arithmetic."""
_LIGHT = ((np.arange(256) / 255) ** GAMMA).astype(np.float32)
"""The light of each grey level, 1 is white."""


@dataclass(frozen=True)
class Glare:
    """amount: what light the empty board must be given (or, negative, be rid of), for each ``STEP`` pixels, as shares
    of white. lamp: its colour (blue, green, red, with a mean of 1).
    """

    amount: Map
    lamp: Map

    def amounts(self, shape: tuple[int, ...]) -> Map:
        """The amount for each pixel of a straightened picture, or its maps, of that shape (height and width first)."""
        return np.asarray(cv2.resize(self.amount, shape[1::-1], interpolation=cv2.INTER_LINEAR), np.float32)

    def over(self, empty: Picture, amount: Map) -> Picture:
        """A part of the straightened empty board (BGR) as a picture shows it with so much of that light (``amounts`` of
        the same part)."""
        light = np.maximum(cv2.LUT(empty, _LIGHT) + amount[..., None] * self.lamp, 0)
        return np.asarray(np.minimum(cv2.pow(light, 1 / GAMMA) * np.float32(255), 255).round(), np.uint8)

    def on(self, empty: Layers) -> tuple[Layers, Map]:
        """The empty board's logarithms with that light, and how uncertain each pixel then is (standard deviation)."""
        amount = self.amounts(empty.shape)
        doubt = np.zeros_like(amount)
        touched = np.abs(amount) > FAINT
        light = light_of(empty[touched][None])[0]
        changed = light + amount[touched][:, None] * self.lamp
        lit = empty.copy()
        lit[touched] = logarithms_of(changed[None])[0]
        # What the print itself gives is the less of the two: mirrored light tells nothing.
        doubt[touched] = _doubt(np.minimum(changed, light), amount[touched])
        return lit, doubt


class GlareFinder:
    """Finds glare in pictures of one table. How its empty board looks with each amount is worked out once."""

    def __init__(self, empty: Layers) -> None:
        """empty: the board's opponent logarithms."""
        small = _small(empty)
        self._shown = small[..., 2] > _BLACK
        self._light = light_of(small)
        self._lamp = _paper(self._light)
        height, width = small.shape[:2]
        lit = self._light + AMOUNTS[:, None, None, None] * self._lamp
        flat = logarithms_of(lit.reshape(-1, width, 3)).reshape(len(AMOUNTS), height, width, 3)
        self._expected = [np.ascontiguousarray(flat[..., channel]) for channel in range(3)]
        self._empty = np.ascontiguousarray(flat[_NONE])
        self._contrasts = np.stack([_contrast(shades) for shades in self._expected[2]])
        doubt = np.asarray(_doubt(lit, AMOUNTS[:, None, None]) ** 2, np.float32)
        self._steady, self._steady_hue = (np.float32(spread**2) + doubt for spread in (BRIGHT_SPREAD, HUE_SPREAD))
        possible = np.float32(HUE_SPREAD**2 * BRIGHT_SPREAD) * (lit.min(axis=3) >= 0)
        self._most = np.asarray(possible / np.sqrt(self._steady), np.float32)

    def find(self, seen: Layers, hue: Hue, unburnt: Shades) -> Glare | None:
        """The glare that differs between a picture (opponent logarithms) and the empty board; None where none does.

        hue: how shadows change the hue (``vision.light.comparison``). unburnt: 255 for each pixel of which no channel
        is burnt out, else 0.
        """
        seen = _small(seen)
        # Where either picture does not reach it is black.
        shown = (self._shown & (seen[..., 2] > _BLACK) & (_small(unburnt) > 255 * UNBURNT)).astype(np.float32)
        usual = medians((seen - self._empty).reshape(-1, 3))
        gain: Layers = np.broadcast_to(usual, seen.shape)
        for _ in range(2):
            amount = self._amount(seen - gain, hue, shown)
            if not amount.any():
                return None
            gain = _gain(seen - logarithms_of(self._light + amount[..., None] * self._lamp), usual, hue)
        return Glare(amount, self._lamp)

    def _amount(self, seen: Layers, hue: Hue, shown: Map) -> Map:
        """The amount of glare that best explains what is ``seen``, the gain taken away."""
        pool = POOL_MM * _MM
        fits = np.ascontiguousarray((self._fit(seen, hue) * shown).transpose(1, 2, 0))
        scores = cv2.GaussianBlur(fits, (0, 0), pool) - np.float32(COST) * (AMOUNTS != 0)
        apart = np.float32(DECIDED) * (scores - scores.max(axis=2, keepdims=True))
        weights = cv2.exp(np.maximum(apart, _NOTHING))
        # Where nothing tells of it there is none.
        amount = weights @ AMOUNTS / weights.sum(axis=2) * cv2.GaussianBlur(shown, (0, 0), pool)
        amount = cv2.GaussianBlur(amount.astype(np.float32), (0, 0), pool / 2)
        wide = cv2.morphologyEx((np.abs(amount) > LEAST).astype(np.uint8), cv2.MORPH_OPEN, _DISC)
        near = cv2.GaussianBlur(cv2.dilate(wide, _DISC).astype(np.float32), (0, 0), pool / 2)
        return np.asarray(amount * near, np.float32)

    def _fit(self, seen: Layers, hue: Hue) -> Map:
        """Log density of each cell as bare board, lit or in shadow, with each amount of glare; amounts first."""
        planes = channels(seen)
        blue, red, shade = (plane - expected for plane, expected in zip(planes, self._expected, strict=True))
        depth = np.minimum(np.maximum(-shade, 0), np.float32(1.8))
        variance = (np.float32(SHADE_SPREAD) * depth) ** 2 + self._steady_hue
        off = (blue + np.float32(hue[0]) * depth) ** 2 + (red + np.float32(hue[1]) * depth) ** 2
        off /= variance
        off += (_contrast(planes[2]) - self._contrasts) ** 2 / self._steady
        off[_MORE] += (depth[_MORE] / np.float32(DIMMED)) ** 2
        density = np.exp(np.float32(-0.5) * off) * self._most / variance
        return np.asarray(np.log(density + np.float32(STRANGE)), np.float32)


def _contrast(shades: Map) -> Map:
    """How brightness (logarithms) differs from that round it."""
    return np.asarray(shades - cv2.GaussianBlur(shades, (0, 0), 1.0), np.float32)


def _doubt(lit: Layers, amount: Map) -> Map:
    return np.asarray(UNKNOWN * np.abs(amount) / (np.maximum(lit, 0).mean(axis=-1) + 0.02), np.float32)


def _gain(difference: Layers, usual: Map, hue: Hue) -> Layers:
    """The light that falls on the board, smooth, from the pixels that look bare."""
    rest = difference - usual
    off = (rest[..., 0] - hue[0] * rest[..., 2]) ** 2 + (rest[..., 1] - hue[1] * rest[..., 2]) ** 2
    weight = np.exp(-0.5 * (off / (2 * HUE_SPREAD) ** 2 + (rest[..., 2] / DIMMED) ** 2)).astype(np.float32) + 1e-4
    sigma = GAIN_MM * _MM
    total = cv2.GaussianBlur(weight, (0, 0), sigma)
    return np.asarray(cv2.GaussianBlur(difference * weight[..., None], (0, 0), sigma) / total[..., None], np.float32)


def _paper(light: Layers) -> Map:
    """The colour of the light: that of the bright part of the board, its paper, but not of what is burnt out."""
    shades = light.reshape(-1, 3)
    brightness = shades.sum(axis=1)
    low, high = np.quantile(brightness, (0.8, 0.95))
    paper = np.median(shades[(brightness >= low) & (brightness <= high)], axis=0)
    return np.asarray(paper / max(float(paper.mean()), 1e-6), np.float32)


def _small(layers: NDArray[Any]) -> NDArray[Any]:
    height, width = layers.shape[:2]
    return np.asarray(cv2.resize(layers, (width // STEP, height // STEP), interpolation=cv2.INTER_AREA))
