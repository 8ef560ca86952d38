"""Which corner of a board is the one at A1, where its lines look the same from several sides: the palettes tell.

Seen from the right side pieces stand on the squares that a palette's JSON names, and on no others.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

import cv2
import numpy as np

from companion.boards import Board
from companion.errors import BadSetup
from companion.squares import Square, reading_order
from vision.frames import Picture
from vision.geometry import Floats
from vision.grid import board_corners_mm

Shown: TypeAlias = tuple[Picture, Collection[Square]]
"""A palette's picture, and the squares on which something stands in it."""

PX_PER_MM = 0.5
MIDDLE = 0.6
"""Of a square, across and down, so much is looked at."""
DARKEST = 8
"""Grey levels that are added before logarithms are taken."""
LEAST, AHEAD = 5.0, 3.0
"""By so many standard deviations squares with something on them must have changed more than bare ones; and by so many
more than if the board lay any other way. On 29 tables it was 6.9 at least in one palette, and 3.5 at most for any other
way."""
NEAR = 0.75
"""Of a square: ways in which no corner is further off differ by less than a square, which palettes need not tell."""


def likeliest(board: Board, empty: Picture, palettes: Sequence[Shown], ways: Sequence[Floats]) -> Floats:
    """Of the ways in which a board may lie (``finding.find_ways``, the best first) the one that fits the palettes, or
    the first that differs from it by less than a square and fits them about as well.

    Raises BadSetup when they do not tell.
    """
    if len(ways) == 1:
        return ways[0]
    fits = [sum(_fit(board, empty, palette, way) for palette in palettes) / len(palettes) ** 0.5 for way in ways]
    best = int(np.argmax(fits))
    near = [_near(board, way, ways[best]) for way in ways]
    others = [fit for fit, same in zip(fits, near, strict=True) if not same]
    if fits[best] < LEAST or fits[best] < max(others, default=-np.inf) + AHEAD:
        raise BadSetup("the palettes do not tell which of its corners is the one at A1, or where it lies")
    # The palettes tell squares apart, no more than that.
    return next(way for way, fit, same in zip(ways, fits, near, strict=True) if same and fit > fits[best] - AHEAD)


def _near(board: Board, way: Floats, other: Floats) -> bool:
    """Whether no corner of a board is further from where it lies otherwise than ``NEAR``."""
    across, down = np.linalg.norm(other[0] - other[1]), np.linalg.norm(other[1] - other[2])
    square = min(across / board.size_mm[0] * board.square_mm[0], down / board.size_mm[1] * board.square_mm[1])
    return bool(np.linalg.norm(way - other, axis=1).max() < NEAR * square)


def _fit(board: Board, empty: Picture, palette: Shown, corners: Floats) -> float:
    """By how many standard deviations squares that should hold something have changed more than the others do
    (Mann and Whitney 1947)."""
    picture, taken = palette
    names = sorted(board.squares, key=reading_order)
    held = np.array([name in taken for name in names])
    changed = _changed(board, empty, picture, corners, names)
    ranks = np.empty(len(names))
    ranks[changed.argsort()] = np.arange(len(names))
    many, few = int(held.sum()), int((~held).sum())
    if not many or not few:
        return 0.0
    spread = np.sqrt(many * few * (len(names) + 1) / 12)
    return float((ranks[held].sum() - many * (len(names) - 1) / 2) / spread)


def _changed(board: Board, empty: Picture, picture: Picture, corners: Floats, names: Sequence[Square]) -> Floats:
    """How much the middle of each square differs from the empty board, beyond what most of them do."""
    there = _straight(board, picture, corners) - _straight(board, empty, corners)
    there = np.abs(there - np.median(there, axis=(0, 1))).mean(axis=2)
    half = np.array(board.square_mm) * MIDDLE / 2
    sums = []
    for name in names:
        middle = np.array(board.centre_mm(name))
        (left, top), (right, bottom) = np.rint((middle - half) * PX_PER_MM), np.rint((middle + half) * PX_PER_MM)
        sums.append(there[int(top) : int(bottom) + 1, int(left) : int(right) + 1].mean())
    return np.array(sums)


def _straight(board: Board, picture: Picture, corners: Floats) -> Floats:
    """The board from straight above, as logarithms; a lens that bends moves nothing by a square."""
    flat = cv2.getPerspectiveTransform(
        corners.astype(np.float32), (board_corners_mm(board) * PX_PER_MM).astype(np.float32)
    )
    width, height = (round(side * PX_PER_MM) for side in board.size_mm)
    return np.log(np.asarray(cv2.warpPerspective(picture, flat, (width, height)), np.float64) + DARKEST)
