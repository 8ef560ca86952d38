"""What is seen of a stone, a flat triangle, however it is turned and however the camera looks at it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.grid import READ_PX_PER_MM
from vision.reading.claim import CLOSE
from vision.reading.shapes import STONE_MM

Mask: TypeAlias = NDArray[np.bool_]
Pixels: TypeAlias = NDArray[np.intp]

MARGIN = 8
"""So many px more than rivals are told by are looked at on all sides: stones lie at a square's edge too."""
SIDE_PX = CLOSE.side + 2 * MARGIN
"""The side of a patch."""
MASK_PX = 35
"""The side of the masks that show one stone, in px of the straightened picture; its foot's middle is their middle."""
TURNS = 36
"""In so many steps a stone is turned until it looks the same again."""
INSIDE_MM, SIDES_FROM_MM, OUTSIDE_MM, FIRST_INSIDE_MM = 0.5, 0.3, (0.7, 2.2), 1.4
"""So far within its outline a face is seen unmixed; so far from the upper face a side; and from the first to the
second outside of all of it lies what it has to end before. At first sight only what lies further within, by the last,
is looked at: that is seen however the stone is turned between two of those steps."""
LEAN_STEPS = 2
"""Leans are rounded to so many steps a pixel, so that a mask serves again."""
_FINER, _FRACTION = 4, 4
"""Masks are drawn so much finer, to so many bits of a pixel."""


class Outline(NamedTuple):
    """What the pixels of a mask show of a stone: its upper face, its sides, and what lies just beside it; and which of
    its three sides each pixel is nearest to.

    core: the innermost part of its upper face, in as small a square about the mask's middle as shows it: filters are
    the quicker the smaller they are. top_px, sides_px, beside_px: the parts as numbers of a patch's pixels, row after
    row, less that of the mask's first one.
    """

    top: Mask
    core: Mask
    sides: Mask
    beside: Mask
    nearest: NDArray[np.uint8]
    top_px: Pixels
    sides_px: Pixels
    beside_px: Pixels


@lru_cache(maxsize=1024)
def outline_of(lean: tuple[int, int], turn: int) -> Outline:
    """What is seen of a stone whose upper face leans so far (``LEAN_STEPS`` a px), turned by so much of ``TURNS``."""
    angles = turn * 2 * np.pi / 3 / TURNS + np.pi / 3 + np.arange(3) * 2 * np.pi / 3
    corners = STONE_MM / np.sqrt(3) * READ_PX_PER_MM * np.column_stack([np.cos(angles), np.sin(angles)])
    leaning = np.array(lean) / LEAN_STEPS
    hull = cv2.convexHull(np.concatenate([corners, corners + leaning]).astype(np.float32))[:, 0]
    top, whole = _drawn(corners + leaning), _drawn(np.asarray(hull, np.float64))
    near, far = (cv2.dilate(whole, _disc(mm)) for mm in OUTSIDE_MM)
    beside = far - near
    sides = np.asarray(whole * (1 - cv2.dilate(top, _disc(SIDES_FROM_MM))), np.uint8)
    y, x = np.mgrid[:MASK_PX, :MASK_PX] - MASK_PX // 2
    outwards = np.stack([x - leaning[0] / 2, y - leaning[1] / 2], axis=-1) @ -corners.T
    face, core = (_shrunk(cv2.erode(top, _disc(mm))) for mm in (INSIDE_MM, FIRST_INSIDE_MM))
    parts = face, _shrunk(sides), _shrunk(beside)
    pixels = (rows * SIDE_PX + columns for rows, columns in map(np.nonzero, parts))
    return Outline(face, _trimmed(core), *parts[1:], np.asarray(outwards.argmax(axis=-1), np.uint8), *pixels)


def _drawn(outline: Floats) -> NDArray[np.uint8]:
    """A convex outline (N x 2, px from the mask's middle), filled, so much finer."""
    mask = np.zeros((MASK_PX * _FINER, MASK_PX * _FINER), np.uint8)
    px = (outline + MASK_PX // 2 + 0.5) * _FINER - 0.5
    cv2.fillConvexPoly(mask, (px * 2**_FRACTION).round().astype(np.int32), 1, shift=_FRACTION)
    return mask


def _disc(mm: float) -> NDArray[np.uint8]:
    side = 2 * round(mm * READ_PX_PER_MM * _FINER) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)


def _shrunk(mask: NDArray[Any]) -> Mask:
    """The pixels of which more than half is set."""
    shares = cv2.resize(np.asarray(mask, np.float32), (MASK_PX, MASK_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(shares > 0.5)


def _trimmed(mask: Mask) -> Mask:
    """The smallest square about a mask's middle that holds all that is set."""
    middle = MASK_PX // 2
    reach = int(np.abs(np.argwhere(mask) - middle).max(initial=0))
    return np.ascontiguousarray(mask[middle - reach : middle + reach + 1, middle - reach : middle + reach + 1])
