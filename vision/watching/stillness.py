"""How much a picture differs from another, light aside, and whether things in it move.

Every frame passes through here, so that pictures are compared as small ones, in grey levels of one byte; what is smooth
over the picture, the light, is worked out on a coarse grid.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Part, Picture, channels
from vision.quantiles import medians

Small: TypeAlias = NDArray[np.uint8]
"""A picture made small by ``shrink``: height x ``WORK_WIDTH_PX`` x 3, BGR."""

Levels: TypeAlias = NDArray[np.float32]
"""The same in fractions of a grey level: what several frames gave."""

Mask: TypeAlias = NDArray[np.bool_]

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

_FIT_STEP = 8
_FIT_LIMITS = (0.35, 0.2, 0.12, 0.1)

_SQUARE = np.ones((2, 2), np.uint8)
_GREY = np.arange(256)
_LOGS = np.log(_GREY + _BLACK_OFFSET).astype(np.float32)
# Logarithms in whole parts, which OpenCV compares several times as fast.
_PARTS = 4096
_LOG_PARTS = np.round(_PARTS * np.log(_GREY + _BLACK_OFFSET)).astype(np.int16)
_WHOLE = 0.5 - 0.005
"""Less by so much, a step is rounded to what is whole of it: exact for all levels. They are whole numbers, which differ
by more than a step exactly when they differ by more than what is whole of it."""


def shrink(picture: Picture) -> Small:
    """A small, slightly smoothed copy to work on."""
    height = round(WORK_WIDTH_PX * picture.shape[0] / picture.shape[1])
    small: NDArray[np.uint8] = picture
    # Mean of two by two, again and again: any other factor costs OpenCV several times as much.
    while small.shape[1] >= 2 * WORK_WIDTH_PX:
        half = (small.shape[1] // 2, small.shape[0] // 2)
        small = np.asarray(cv2.resize(small, half, interpolation=cv2.INTER_AREA), np.uint8)
    if small.shape[:2] != (height, WORK_WIDTH_PX):
        small = np.asarray(cv2.resize(small, (WORK_WIDTH_PX, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    return np.asarray(cv2.GaussianBlur(small, (3, 3), 0), np.uint8)


@dataclass(frozen=True)
class Difference:
    """What sets a picture apart from an earlier one once the change of light is taken out.

    changed: the pixels that differ. relit: the earlier picture in the light of the new one. light: by how much the
    light changed, 0.1 being 10 %.
    """

    changed: Mask
    relit: Small
    light: float


def difference(picture: Small, earlier: Levels, part: Part = np.s_[:, :]) -> Difference:
    """Compare a small picture, or rows and columns of it, with what the same camera gave earlier. What changed of the
    light is told by all of it."""
    light = _light_change(picture, earlier)
    size = (picture.shape[1], picture.shape[0])
    # (earlier + offset) * gain - offset, of which as much as possible is done on the coarse grid.
    coarse = np.exp(light)
    gain, lift = (cv2.resize(layer, size)[part] for layer in (coarse, np.float32(_BLACK_OFFSET) * (coarse - 1)))
    relit = np.asarray(cv2.add(cv2.multiply(earlier[part], gain), lift, dtype=cv2.CV_8U), np.uint8)
    return Difference(moved(picture[part], relit), relit, float(np.mean(np.abs(light))))


def within(corners: NDArray[np.float64], picture: Small | Levels) -> Mask:
    """The pixels of a picture that show what has its corners there (N x 2, px; no corner points inwards)."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)
    return np.asarray(mask > 0)


def moved_along(earlier: Levels, picture: Small, before: NDArray[np.float64], now: NDArray[np.float64]) -> Levels:
    """An earlier picture with the board where it is now: moved as a whole, as when the camera was knocked, or only the
    board in it, as when that was pushed; whichever is more like what is seen now (``picture``).

    before, now: 4 x 2, the board's corners in it, px.
    """
    warp = cv2.getPerspectiveTransform(before.astype(np.float32), now.astype(np.float32))
    size, seen = (picture.shape[1], picture.shape[0]), picture.astype(np.float32)
    # What was not in view then, or lay under the board, is taken to be as it is now.
    all_of_it = seen.copy()
    cv2.warpPerspective(earlier, warp, size, all_of_it, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)
    board = earlier.copy()
    for corners, levels in ((before, seen), (now, all_of_it)):
        there = within(corners, picture)
        board[there] = levels[there]
    return min((all_of_it, board), key=lambda levels: np.count_nonzero(difference(picture, levels).changed))


def moved(picture: Small, other: Small) -> Mask:
    """The pixels that differ between two small pictures in the same light."""
    steps = cv2.convertScaleAbs(cv2.min(picture, other), alpha=MIN_STEP_SHARE, beta=MIN_STEP - _WHOLE)
    blue, green, red = channels(cv2.compare(cv2.absdiff(picture, other), steps, cv2.CMP_GT))
    rough = cv2.bitwise_or(cv2.bitwise_or(blue, green), red)
    # Opened by two by two. OpenCV's own opening moves everything by a pixel when the square has no middle.
    kept = cv2.erode(rough, _SQUARE, anchor=(0, 0))
    return np.asarray(cv2.dilate(kept, _SQUARE, anchor=(1, 1)) > 0)


def shadows(picture: Small, relit: Small) -> Mask:
    """The pixels that are just darker than in an earlier picture (``Difference.relit``), with the same hue."""
    # Each channel by itself: numpy is slow at the least and greatest of three neighbours.
    blue, green, red = channels(cv2.subtract(cv2.LUT(picture, _LOG_PARTS), cv2.LUT(relit, _LOG_PARTS)))
    most, least = cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red)
    twice = most + least
    even = most - least < round(_PARTS * SHADOW_HUE)
    return np.asarray(even & (twice < 0) & (twice > round(2 * _PARTS * SHADOW_DEPTH)))


def largest_px(mask: Mask) -> int:
    """The area of the largest connected part of a mask in which there is something, in px."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8, ltype=cv2.CV_16U)
    return int(stats[1:, cv2.CC_STAT_AREA].max())


def share_percent(mask: Mask) -> float:
    """How much of a picture a mask covers, in %."""
    return 100.0 * float(np.count_nonzero(mask)) / mask.size


def _light_change(picture: Small, earlier: Levels) -> Levels:
    """The smooth part of a picture's log ratio to another, which a lamp or the camera's exposure made.

    A surface of second degree for each channel, fitted to what most of the picture agrees on: an arm that comes in is
    left out of the fit. Returns it at every ``_FIT_STEP``-th pixel, rows x columns x 3.
    """
    half = _FIT_STEP // 2
    now, before = (image[half::_FIT_STEP, half::_FIT_STEP] for image in (picture, earlier))
    rows, columns = now.shape[:2]
    terms = _terms(rows, columns)
    values = (_LOGS[now] - np.log(before + np.float32(_BLACK_OFFSET))).reshape(-1, 3).T.copy()
    fit = np.zeros((3, len(terms)), np.float32)
    fit[:, 0] = medians(values.T)
    for limit in _FIT_LIMITS:
        agrees = np.abs(values - fit @ terms).max(axis=0) < limit
        if np.count_nonzero(agrees) < values.shape[1] // 8:
            break
        some = terms * agrees
        # By singular values, as too few points may agree to tell all terms.
        fit = cv2.solve(some @ terms.T, some @ values.T, flags=cv2.DECOMP_SVD)[1].T
    return np.ascontiguousarray((fit @ terms).T.reshape(rows, columns, 3), np.float32)


@cache
def _terms(rows: int, columns: int) -> NDArray[np.float32]:
    """What a surface of second degree is made of, at each point of a grid: 6 x points."""
    y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j]
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y]).reshape(6, -1).astype(np.float32)
