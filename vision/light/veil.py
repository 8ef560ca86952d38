"""A veil: grey levels that lie over all of a picture, as stray light on the lens or another black level adds them.

Light multiplies, a veil adds: it makes dark print paler, or of another hue, and hardly changes what is bright. So where
dark and bright print lie under the same light, what is seen of both tells the two apart.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Part, Picture
from vision.light import windows
from vision.logarithms import Layers

Veil: TypeAlias = NDArray[np.float32]
"""Grey levels of blue, green and red; negative where the veil lay over the empty board when it was taught."""

HINT, LEAST = 5.0, 8.0
"""Grey levels: less than ``HINT`` in a first look are no veil, nor less than ``LEAST`` after that: those do no harm."""
AGREE = 0.5
"""Half of what is seen agrees to as small a share of the veil. What mirrored lamps add is here so much, there none."""
TOLD = 40.0
"""The least variance of the empty board's grey levels within windows that are seen as a veil leaves them: with less
contrast nothing is told of one."""
DARK_SHARE, DARK_NOISE = 0.002, 4.0
"""Nothing is darker than a veil: but for so few pixels, and by so many grey levels."""
ROUNDS = 6
"""It is worked out again as often. That it hardly changed once tells nothing: what counts as bare still may."""
ODD, USUAL = 2.0, 0.02
"""What differs from bare board by so many times as much as is usual, and that is at least so much, hardly counts."""


class _Look(NamedTuple):
    """veil: what half of the board's windows say is less. spread: between what a quarter and three quarters say. told:
    how much contrast tells it. All are of blue, green and red."""

    veil: Veil
    spread: Veil
    told: Veil


class VeilFinder:
    """Finds veils over pictures of one table."""

    def __init__(self, empty: Picture, board: Part) -> None:
        """empty: the straightened empty picture in the size of the maps (``vision.grid.shrink``). board: its rows and
        columns that show the board."""
        self._board = board
        self._taught = windows.coarse(empty[board])
        self._squared = self._taught * self._taught
        self._known = windows.telling(self._taught)

    def find(self, small: Picture, reached: NDArray[np.bool_]) -> Veil | None:
        """The veil over a straightened picture of that size; None where there is none, or nothing tells of it.

        reached: which pixels the picture shows; the others are black.
        """
        seen = windows.coarse(small[self._board])
        known = weight = self._known * windows.telling(seen)
        look = self._look(seen, weight, known)
        veil = look.veil
        if float(np.abs(veil).max()) < HINT:
            return None
        for _ in range(ROUNDS):
            weight = known * self._bare(seen - veil, weight, known)
            look = self._look(seen - veil, weight, known)
            veil = veil + look.veil
        much = float(np.abs(veil).max())
        if much < LEAST or float(look.spread.max()) > AGREE * much or float(look.told.min()) < TOLD:
            return None
        darkest = np.quantile(small[self._board][reached[self._board]], DARK_SHARE, axis=0)
        return veil if (veil <= darkest + DARK_NOISE).all() else None

    def _look(self, seen: Layers, weight: NDArray[np.float32], known: NDArray[np.float32]) -> _Look:
        """What lies over grey levels that are ``seen`` of the board. weight: how much each of them counts; known: which
        tell anything."""
        taught, each = self._taught, weight[..., None]
        area = windows.mean(weight)[..., None] + np.float32(1e-4)
        usual, now = np.split(windows.mean(np.concatenate([taught, seen], axis=2) * each) / area, 2, axis=2)
        # Light that falls on the board evenly more and more is no contrast of its print.
        light = np.maximum(now, 1) / np.maximum(usual, 1)
        flat = seen / light
        sums = np.concatenate([flat, flat * taught, flat * flat, self._squared], axis=2) * each
        mean, both, own, squared = np.split(windows.mean(sums) / area, 4, axis=2)
        contrast = squared - usual * usual
        shared = both - usual * mean
        slope = shared / np.maximum(contrast, 1)
        alike = shared * slope / np.maximum(own - mean * mean, 1)
        # Of a window in which bright print is cut off the rest tells nothing.
        whole = windows.mean(known)[..., None] ** 8
        told = contrast * np.clip(alike, 0, 1) ** 4 * area * whole
        low, middle, high = windows.quantiles((mean - slope * usual) * light, told, (0.25, 0.5, 0.75))
        return _Look(middle, high - low, windows.average(told))

    def _bare(self, lit: Layers, weight: NDArray[np.float32], known: NDArray[np.float32]) -> NDArray[np.float32]:
        """How much like bare board grey levels without a veil are, from 0 to 1."""
        each = weight[..., None]
        gain = windows.mean(lit * self._taught * each) / np.maximum(windows.mean(self._squared * each), 1e-3)
        expected = gain * self._taught
        off = np.sqrt((((lit - expected) / np.maximum(expected, 8)) ** 2).mean(axis=2))
        some = off[known > 0]
        usual = max(float(np.median(some)), USUAL) if some.size else USUAL
        return np.asarray(1 / (1 + (off / (ODD * usual)) ** 4), np.float32)


def without(veil: Veil, picture: Picture) -> Picture:
    """A picture without its veil. What is cut off then is black, or white."""
    lit = np.asarray(cv2.subtract(picture, np.array([*veil, 0], np.float64)), np.uint8)
    for channel in np.flatnonzero(veil < 0):
        # What the veil made black was at most as bright as this. Most of it is dark in all channels.
        black = np.flatnonzero(picture[..., channel] <= windows.BLACK)
        pixels = lit.reshape(-1, 3)[black]
        pixels[:, channel] = np.minimum(pixels[:, channel], np.delete(pixels, channel, axis=1).max(axis=1))
        lit.reshape(-1, 3)[black] = pixels
    return lit
