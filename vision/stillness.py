"""How much a picture differs from another, light aside, and whether things in it move."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture

WORK_WIDTH_PX = 384
"""Pictures are made this wide first: a stone of the game is then still some five pixels across, and noise is small."""

MIN_STEP = 6.0
"""Grey levels by which a pixel must differ at least to have changed; noise of a small picture stays below."""

MIN_STEP_SHARE = 0.14
"""The same as a share of its brightness: printing and lens make bright places less exact."""

SHADOW_HUE = 0.16
"""How far the log ratios of a shadow's channels may be apart: it takes light of every colour away alike."""

SHADOW_DEPTH = -1.1
"""The log ratio of the deepest shadow: less than a third of the light is left."""

_BLACK_OFFSET = 12.0
"""Added to grey levels before ratios are taken, so that the dark does not count for too much."""

_FIT_STEP = 6
_FIT_LIMITS = (0.35, 0.2, 0.12, 0.1)

Mask = NDArray[np.bool_]


def shrink(picture: Picture) -> NDArray[np.float32]:
    """A small, slightly smoothed copy to work on: height x ``WORK_WIDTH_PX`` x 3, BGR, float32."""
    height = round(WORK_WIDTH_PX * picture.shape[0] / picture.shape[1])
    small = cv2.resize(picture, (WORK_WIDTH_PX, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (3, 3), 0), np.float32)


@dataclass(frozen=True)
class Difference:
    """What sets a picture apart from an earlier one once the change of light is taken out.

    changed: the pixels that differ. darker: those of them that are just darker, with the same hue: a shadow.
    relit: the earlier picture in the light of the new one. light: by how much the light changed, 0.1 being 10 %.
    """

    changed: Mask
    darker: Mask
    relit: NDArray[np.float32]
    light: float


def difference(picture: NDArray[np.float32], earlier: NDArray[np.float32]) -> Difference:
    """Compare two small pictures (see ``shrink``) of the same camera."""
    logs = np.log(picture + _BLACK_OFFSET) - np.log(earlier + _BLACK_OFFSET)
    light = _light_change(logs)
    left = logs - light
    relit = np.asarray((earlier + _BLACK_OFFSET) * np.exp(light) - _BLACK_OFFSET, np.float32)
    changed = _differs(picture, relit)
    # Each channel by itself: numpy is slow at the least and greatest of three neighbours.
    blue, green, red = cv2.split(left)
    most, least = cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red)
    middle = (most + least) / 2
    even = (most - least < SHADOW_HUE) & (middle < 0) & (middle > SHADOW_DEPTH)
    return Difference(changed, changed & np.asarray(even), relit, float(np.mean(cv2.mean(np.abs(light))[:3])))


def moved(picture: NDArray[np.float32], before: NDArray[np.float32]) -> Mask:
    """The pixels that differ between two small pictures taken one after the other."""
    return _differs(picture, before)


def share_percent(mask: Mask) -> float:
    """How much of a picture a mask covers, in %."""
    return 100.0 * float(np.count_nonzero(mask)) / mask.size


def _differs(picture: NDArray[np.float32], other: NDArray[np.float32]) -> Mask:
    blue, green, red = cv2.split(cv2.absdiff(picture, other) - MIN_STEP_SHARE * cv2.min(picture, other))
    rough = (cv2.max(cv2.max(blue, green), red) > MIN_STEP).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(rough, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)) > 0)


def _light_change(logs: NDArray[np.float32]) -> NDArray[np.float32]:
    """The smooth part of a picture's log ratio to another, which a lamp or the camera's exposure made.

    A surface of second degree for each channel, fitted to what most of the picture agrees on: an arm that comes in is
    left out of the fit.
    """
    height, width = logs.shape[:2]
    rough = logs[::_FIT_STEP, ::_FIT_STEP]
    y, x = np.mgrid[-1 : 1 : rough.shape[0] * 1j, -1 : 1 : rough.shape[1] * 1j]
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1).reshape(-1, 6).astype(np.float32)
    values = rough.reshape(-1, 3)
    fit = np.zeros((6, 3), np.float32)
    fit[0] = np.median(values, axis=0)
    for limit in _FIT_LIMITS:
        agrees = np.abs(values - terms @ fit).max(axis=1) < limit
        if np.count_nonzero(agrees) < len(values) // 8:
            break
        fit = np.linalg.lstsq(terms[agrees], values[agrees], rcond=None)[0].astype(np.float32)
    surface = (terms @ fit).reshape(*rough.shape[:2], 3)
    return np.asarray(cv2.resize(surface, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
