"""Which way a board lies: the two directions, at right angles, that most straight lines in a picture have.

Lines that are parallel on the table meet in one point of the picture, their vanishing point. Two of them, of directions
at right angles, are all that has to be known to see a plane from straight above (Caprile and Torre 1990).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.frames import Shades
from vision.geometry import Floats, Lens

SHORTEST_PX = 14
"""Shorter bits of lines tell little of where they point."""
TRIED = 4000
"""So many triples of lines are asked for the directions that they would have."""
KEPT = 8
"""A cloth or planks have directions of their own; so many of the most frequent are looked at."""
STEEPEST = math.cos(math.radians(50))
"""The cosine of how far the camera looks down from straight above at most."""
PARALLEL = math.sin(math.radians(1.2))
"""The sine of the angle by which a line may miss its vanishing point; a bent lens makes it a degree."""
APART = 0.001
"""Directions that differ by less (about two degrees) are taken for the same."""
AT_ONCE = 200


@dataclass(frozen=True)
class Bits:
    """Straight bits of lines: where they begin and end, as rays from the camera (N x 3, the third 1)."""

    start: Floats
    end: Floats

    @staticmethod
    def of(lines: Floats, lens: Lens) -> Bits:
        """What a lens shows as such lines (``find_lines``)."""
        return Bits(_rays(lens, lines[:, :2]), _rays(lens, lines[:, 2:]))

    @property
    def length(self) -> Floats:
        return np.asarray(np.linalg.norm(self.end - self.start, axis=1), np.float64)


def find_lines(shades: Shades) -> Floats:
    """The straight bits of lines in a picture, where they begin and end in px, N x 4 (LSD: Grompone von Gioi et al.
    2010)."""
    found = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD).detect(shades)[0]
    ends = np.zeros((0, 4)) if found is None else np.asarray(found, np.float64).reshape(-1, 4)
    return ends[np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1]) > SHORTEST_PX]


def without_grain(bits: Bits, rng: Generator) -> Bits:
    """Bits of lines but for those of the one direction that most of them have: a table top's, where it is of planks."""
    if len(bits.start) < 3:
        return bits
    chosen = _planes(bits, rng, 2)
    directions, crossing = _unit(np.cross(chosen[:, 0], chosen[:, 1]))
    if not crossing.any():
        return bits
    directions = directions[crossing]
    grain = directions[_support(bits, directions).argmax()]
    others = _pointing(bits, grain[None])[0] == 0
    return Bits(bits.start[others], bits.end[others])


def find_directions(bits: Bits, rng: Generator) -> list[Floats]:
    """Rotations (3 x 3) whose first two columns are directions on the table that many lines have, as the camera sees
    them, and whose third points down into the table; the most frequent first."""
    if len(bits.start) < 3:
        return []
    chosen = _planes(bits, rng, 3)
    first, usable = _unit(np.cross(chosen[:, 0], chosen[:, 1]))
    second, crossing = _unit(np.cross(first, chosen[:, 2]))
    down = np.cross(first, second)
    seen = usable & crossing & (np.abs(down[:, 2]) > STEEPEST)
    first, second, down = first[seen], second[seen], down[seen]
    support = np.sqrt(_support(bits, first) * _support(bits, second))
    kept: list[Floats] = []
    for k in np.argsort(-support):
        turn = np.column_stack([first[k], second[k], down[k]])
        if down[k, 2] < 0:
            turn[:, 1:] *= -1
        if not any(_alike(turn, other) for other in kept):
            kept.append(turn)
        if len(kept) == KEPT:
            break
    return kept


def _planes(bits: Bits, rng: Generator, count: int) -> Floats:
    """``TRIED`` times so many lines, longer ones more often: the planes in which camera and line lie, as normals of
    length one, TRIED x count x 3."""
    planes = np.cross(bits.start, bits.end)
    planes /= np.linalg.norm(planes, axis=1, keepdims=True)
    chosen = planes[rng.choice(len(planes), (TRIED, count), p=bits.length / bits.length.sum())]
    return np.asarray(chosen, np.float64)


def _support(bits: Bits, directions: Floats) -> Floats:
    """How long the lines are together that point to each direction's vanishing point."""
    parts = np.array_split(directions, max(1, len(directions) // AT_ONCE))
    return np.concatenate([_pointing(bits, part) @ bits.length for part in parts])


def _pointing(bits: Bits, directions: Floats) -> Floats:
    """How well each line points to each direction's vanishing point, from 0 to 1: directions x lines."""
    along = (bits.end - bits.start)[:, :2]
    along /= bits.length[:, None]
    middle = (bits.start + bits.end) / 2
    towards = directions[:, None, :2] - directions[:, None, 2:] * middle[None, :, :2]
    towards /= np.maximum(np.linalg.norm(towards, axis=2, keepdims=True), 1e-9)
    miss = np.abs(towards[..., 0] * along[:, 1] - towards[..., 1] * along[:, 0])
    return np.asarray(np.clip(1 - miss / PARALLEL, 0, 1), np.float64)


def _alike(turn: Floats, other: Floats) -> bool:
    """Whether two rotations differ by quarter turns and little else."""
    same = np.abs(other.T @ turn)
    return bool(max(same[0, 0] + same[1, 1], same[0, 1] + same[1, 0]) + same[2, 2] > 3 - APART)


def _unit(vectors: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Vectors of length one, and which of them had a length at all."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.maximum(length, 1e-9), np.asarray(length[:, 0] > 1e-3)


def _rays(lens: Lens, points_px: Floats) -> Floats:
    return np.column_stack([lens.ideal(points_px), np.ones(len(points_px))])
