"""How well a picture shows a board's printed lines and its edges where they should be. How far off they are: ``view``.

Lines between squares are thin and darker, or brighter, than the board to both their sides; unlike edges of districts
and of art, such ridges are seen at the same place whatever is printed beside them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.boards import Board
from vision.frames import Picture, grey
from vision.geometry import Floats

Logs = NDArray[np.float32]
"""Logarithms of a picture's brightness: height x width, float32."""

RIDGE_MM, BESIDE_MM = 2.0, 1.0
"""A line's middle is compared with what is so far to both of its sides; what is so far to both sides of an edge with
each other."""
SAMPLES = 8
"""Points across a stretch of a line that is as long as a square, of whose middle four fifths they are."""
MIDDLE = 0.8
STRETCHES = 16
"""The board's edges, and those of its grid, are looked at in so many stretches each."""
LINES_REACH_MM, FRAMES_REACH_MM, STEP_MM = 10.0, 8.0, 1.0
"""So far to both sides of their places lines and edges are looked at, and so closely."""
SHOWN_MM = 1.6
"""A stretch is shown where the line is seen no further from its place."""
FAINT = 0.004
"""The least difference of logarithms that is a line."""
FAINT_EDGE, SHARE_OF_LARGEST = 0.02, 0.4
"""The least that is an edge, and that as a share of the largest nearby: beside the edge something may be printed."""


class Stretches(NamedTuple):
    """Stretches of lines, each with a profile across it.

    middles: on the board, N x 2 mm. normals: across the line, N x 2. offsets: of the profiles, along the normal, K mm.
    points: those at the first, the middle and the last offset, N x samples x 3 x 2 mm.
    """

    middles: Floats
    normals: Floats
    offsets: Floats
    points: Floats


@dataclass(frozen=True)
class PrintShown:
    """How a board's print is shown: the share of its lines that are where they should be, and of each of the edges of
    the board and of its grid (left, right, top and bottom of both)."""

    lines: float
    edges: tuple[float, ...]

    @property
    def outline(self) -> tuple[float, ...]:
        """Of the board's own edges."""
        return self.edges[:4]

    @property
    def score(self) -> float:
        """The higher, the likelier the board lies there: a board that is off by a square has most lines, not all
        edges."""
        return 0.5 * self.lines + 0.25 * min(self.edges) + 0.25 * sum(self.edges) / len(self.edges)


def logs_of(picture: Picture) -> Logs:
    """Of its grey levels, smoothed over about a pixel."""
    return np.asarray(np.log(cv2.GaussianBlur(grey(picture), (0, 0), 1.0).astype(np.float32) + 8), np.float32)


def lines_of(board: Board, reach_mm: float, step_mm: float) -> Stretches:
    """The lines between squares, in stretches as long as a square; not the grid's outermost, which may be a frame's."""
    left, top, *_ = board.grid_mm
    width, height = board.square_mm
    columns, rows = np.arange(board.columns), np.arange(board.rows)
    upright = _grid(left + columns[1:] * width, top + (rows + 0.5) * height)
    level = _grid(left + (columns + 0.5) * width, top + rows[1:] * height)
    return _joined(
        _stretches(upright, (1.0, 0.0), height, reach_mm, step_mm),
        _stretches(level, (0.0, 1.0), width, reach_mm, step_mm),
    )


def frames_of(board: Board, reach_mm: float, step_mm: float) -> Stretches:
    """The printed board's edges, left, right, top and bottom, and then those of the grid, each in ``STRETCHES``."""
    return _joined(
        *(
            _stretches(_grid(*places), normal, length / STRETCHES, reach_mm, step_mm)
            for left, top, right, bottom in ((0.0, 0.0, *board.size_mm), board.grid_mm)
            for places, normal, length in (
                ((left, _middles(top, bottom)), (1.0, 0.0), bottom - top),
                ((right, _middles(top, bottom)), (1.0, 0.0), bottom - top),
                ((_middles(left, right), top), (0.0, 1.0), right - left),
                ((_middles(left, right), bottom), (0.0, 1.0), right - left),
            )
        )
    )


def ridges(shades: Floats, step_mm: float) -> Floats:
    """How much darker, or brighter, each point of profiles (N x K) is than what lies to both of its sides; 0 at the
    ends."""
    far = max(1, round(RIDGE_MM / step_mm))
    one, other, middle = shades[:, 2 * far :], shades[:, : -2 * far], shades[:, far:-far]
    found = np.zeros_like(shades)
    found[:, far:-far] = np.nan_to_num(np.maximum(np.minimum(one, other) - middle, middle - np.maximum(one, other)))
    return np.maximum(found, 0)


def steps(shades: Floats, step_mm: float) -> Floats:
    """How much the board differs from one side of each point of profiles (N x K) to the other; 0 at the ends."""
    far = max(1, round(BESIDE_MM / step_mm))
    found = np.zeros_like(shades)
    found[:, far:-far] = np.nan_to_num(np.abs(shades[:, 2 * far :] - shades[:, : -2 * far]))
    return found


def profiles(logs: Logs, project: Callable[[Floats], Floats], stretches: Stretches) -> Floats:
    """Mean logarithm at each offset of some stretches, N x K; not a number beyond the picture.

    project: px of board mm.
    """
    count, samples = stretches.points.shape[:2]
    # Along so short a line a view is a parabola to a thousandth of a pixel: its ends and its middle tell the rest.
    told = project(stretches.points.reshape(-1, 2)).reshape(-1, 3, 2)
    along = stretches.offsets / stretches.offsets[-1]
    shares = np.stack([along * (along - 1) / 2, 1 - along**2, along * (along + 1) / 2])
    x, y = ((told[..., axis] @ shares).astype(np.float32) for axis in (0, 1))
    shades = cv2.remap(logs, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=np.nan)
    return np.asarray(shades.reshape(count, samples, -1).mean(axis=1), np.float64)


class Probes(NamedTuple):
    """Where a board's print is looked at to see whether the board lies there: ``lines_of`` and ``frames_of`` it."""

    lines: Stretches
    frames: Stretches

    @staticmethod
    def of(board: Board) -> Probes:
        return Probes(lines_of(board, LINES_REACH_MM, STEP_MM), frames_of(board, FRAMES_REACH_MM, STEP_MM))

    def look(self, logs: Logs, project: Callable[[Floats], Floats]) -> PrintShown:
        """How the board's print is shown if the board lies where ``project`` (px of board mm) has it."""
        lines, frames = self
        found = ridges(profiles(logs, project, lines), STEP_MM)
        at = lines.offsets[found.argmax(axis=1)]
        shown = (np.abs(at) <= SHOWN_MM) & (found.max(axis=1) > FAINT)
        edges = np.abs(np.diff(np.nan_to_num(profiles(logs, project, frames)), axis=1))
        near = np.abs(frames.offsets[:-1] + STEP_MM / 2) <= SHOWN_MM
        least = np.maximum(SHARE_OF_LARGEST * edges.max(axis=1), FAINT_EDGE)
        sides = (edges[:, near].max(axis=1) >= least).reshape(-1, STRETCHES).mean(axis=1)
        return PrintShown(float(shown.mean()), tuple(float(side) for side in sides))


def _middles(start: float, end: float) -> Floats:
    return start + (np.arange(STRETCHES) + 0.5) / STRETCHES * (end - start)


def _grid(across: ArrayLike, down: ArrayLike) -> Floats:
    return np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)


def _stretches(
    middles: Floats, normal: tuple[float, float], length_mm: float, reach_mm: float, step_mm: float
) -> Stretches:
    count = round(reach_mm / step_mm)
    offsets = np.arange(-count, count + 1) * step_mm
    along = (np.arange(SAMPLES) + 0.5 - SAMPLES / 2) / SAMPLES * MIDDLE * length_mm
    across, direction = np.array(normal), np.array(normal[::-1])
    points = middles[:, None, None] + along[:, None, None] * direction + offsets[[0, count, -1], None] * across
    return Stretches(middles, np.broadcast_to(across, middles.shape), np.asarray(offsets, np.float64), points)


def _joined(*parts: Stretches) -> Stretches:
    return Stretches(
        np.concatenate([part.middles for part in parts]),
        np.concatenate([part.normals for part in parts]),
        parts[0].offsets,
        np.concatenate([part.points for part in parts]),
    )
