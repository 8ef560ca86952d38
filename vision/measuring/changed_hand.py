"""A hand laid into a picture of a table: skin from the picture's edge to as much of the board as four squares."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.geometry import Floats

SQUARES = 4
"""How many squares' area of the grid the hand covers."""

SKINS = ((0.50, 0.62, 0.86), (0.33, 0.44, 0.66), (0.16, 0.23, 0.38))
"""How much of white light light, brown and dark skin give back: blue, green, red."""

LIMBS = (
    ((-0.98, 0.55), (-0.80, 2.0), 0.22, 0.29),
    ((-0.34, 0.10), (-0.28, 2.0), 0.24, 0.31),
    ((0.32, 0.00), (0.28, 2.0), 0.24, 0.31),
    ((0.98, 0.30), (0.80, 2.0), 0.23, 0.30),
    ((-1.90, 2.20), (-0.80, 3.4), 0.26, 0.48),
    ((-0.45, 2.4), (-0.25, 4.0), 0.74, 0.62),
    ((0.45, 2.4), (0.25, 4.0), 0.74, 0.62),
    ((0.0, 4.0), (0.0, 7.5), 0.82, 1.05),
    ((0.0, 7.5), (0.0, 60.0), 1.05, 1.3),
)
"""Four fingers, thumb, palm and arm: from and to, (sideways, back from the finger tips), and the half width at both.

In sides of a square; with squares of 32 mm the palm is 76 mm wide."""

_SHIFT = 4
_GRAIN_LEVELS = 3.0
_STEP = 0.25
"""In sides of a square: how much further the hand reaches in at a time until it covers enough."""


def with_hand(picture: Picture, grid_px: Floats, squares: int, seed: int) -> Picture:
    """A copy of a picture with a hand in it.

    grid_px: the corners of the board's grid of squares (4 x 2, in order). squares: how many that has room for. seed:
    says over which of the grid's sides the hand comes, where, and of what skin.
    """
    mask = hand_mask(picture.shape[:2], grid_px, squares, seed)
    return covered_with(picture, mask, SKINS[seed % len(SKINS)], grid_px, squares, seed)


def covered_with(
    picture: Picture,
    mask: NDArray[np.uint8],
    tone: tuple[float, float, float],
    grid_px: Floats,
    squares: int,
    seed: int,
) -> Picture:
    """A copy of a picture in which something round covers what is in the mask (0 to 255, height x width).

    tone: how much of white light it gives back: blue, green, red. grid_px, squares: see ``with_hand``. seed: makes its
    grain.
    """
    # Light and dark as a round thing has it: the deeper inside, the brighter.
    depth = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 5)
    round_ = 0.62 + 0.38 * np.minimum(depth / (0.5 * _side(grid_px, squares)), 1) ** 0.5
    white = np.percentile(picture[_filled(picture.shape[:2], grid_px) > 0], 90, axis=0)
    skin = (white * np.array(tone)).astype(np.float32) * round_[..., None].astype(np.float32)
    grain = np.random.default_rng(seed).standard_normal(picture.shape, np.float32) * np.float32(_GRAIN_LEVELS)
    share = mask[..., None].astype(np.float32) / 255
    return np.asarray(np.clip(np.rint(picture * (1 - share) + (skin + grain) * share), 0, 255), np.uint8)


def hand_mask(shape: tuple[int, ...], grid_px: Floats, squares: int, seed: int) -> NDArray[np.uint8]:
    """Where ``with_hand`` lays the hand into a picture of this height and width: 255 in it, less at its soft edge."""
    chance = np.random.default_rng(seed)
    grid = np.asarray(grid_px, np.float64)
    corner = int(chance.integers(4))
    start, end = grid[corner], grid[(corner + 1) % 4]
    edge = start + chance.uniform(0.2, 0.8) * (end - start)
    outwards = edge - grid.mean(axis=0)
    outwards /= np.linalg.norm(outwards)
    side = _side(grid, squares)
    inside = _filled(shape, grid) > 0
    wanted = SQUARES / squares * np.count_nonzero(inside)
    mask = np.zeros(shape[:2], np.uint8)
    reach = 0.0
    while np.count_nonzero(mask[inside] > 127) < wanted:
        reach += _STEP
        mask = _drawn(shape, edge - reach * side * outwards, outwards, side)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), max(shape[1] / 1500, 0.5)), np.uint8)


def _drawn(shape: tuple[int, ...], tips: Floats, outwards: Floats, side: float) -> NDArray[np.uint8]:
    """The mask of a hand whose middle fingers end at a place."""
    mask = np.zeros(shape[:2], np.uint8)
    axes = side * np.array([[-outwards[1], outwards[0]], outwards])
    angles = np.arange(24) * np.pi / 12
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    for start, end, first, last in LIMBS:
        rings = [
            tips + place @ axes + half * side * circle
            for place, half in ((np.array(start), first), (np.array(end), last))
        ]
        outline = cv2.convexHull(np.concatenate(rings).astype(np.float32))
        cv2.fillConvexPoly(mask, np.round(outline * (1 << _SHIFT)).astype(np.int32), 255, cv2.LINE_8, _SHIFT)
    return mask


def _side(grid_px: Floats, squares: int) -> float:
    """The side of a square, in px."""
    return float(np.sqrt(cv2.contourArea(np.asarray(grid_px, np.float32)) / squares))


def _filled(shape: tuple[int, ...], corners_px: Floats) -> NDArray[np.uint8]:
    mask = np.zeros(shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners_px).astype(np.int32), 1)
    return mask
