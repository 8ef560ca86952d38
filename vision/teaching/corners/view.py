"""How a camera sees a flat board, and how that is made to fit the lines that it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board
from vision.geometry import Floats, Lens
from vision.grid import board_corners_mm
from vision.parabola import vertex
from vision.teaching.corners.printed import (
    FAINT,
    SHARE_OF_LARGEST,
    SHOWN_MM,
    Logs,
    frames_of,
    lines_of,
    profiles,
    ridges,
    steps,
)

STEP_MM = 0.5
SMOOTH_MM = 0.7
EDGE_WEIGHT = 0.5
"""What an edge counts beside a line: a little inside of the board's own something may be printed, and its side be seen
beyond."""
MOST_LINES = 0.75
"""Where as many lines are in their places they are printed between all squares."""
ENDS_MM = 3.0
"""Lines are looked at so much further out than they may be, as a line is told by what lies to both of its sides."""
STEPS = np.array([1e-6, 1e-6, 1e-3, 1e-6, 1e-6, 1e-3, 1e-7, 1e-7, 1e-3])
"""By how much each number of a view is changed to see what that does: eight of its homography, and the bend."""
MOST_BENT = 0.25
LEAST_SPREAD_PX = 0.15
ROUNDS = 8


@dataclass(frozen=True)
class View:
    """lens: with its bend. homography: from board mm to ideal offsets (``Lens.ideal``), 3 x 3."""

    lens: Lens
    homography: Floats

    @staticmethod
    def of(board: Board, lens: Lens, offsets: Floats) -> View:
        """The view of the printed board's corners at these ideal offsets, 4 x 2."""
        found = cv2.getPerspectiveTransform(board_corners_mm(board).astype(np.float32), offsets.astype(np.float32))
        return View(lens, np.asarray(found, np.float64))

    def project(self, points_mm: Floats) -> Floats:
        """Px (N x 2) of points on the board (N x 2, mm)."""
        x, y = points_mm.T
        across, down, away = (row[0] * x + row[1] * y + row[2] for row in self.homography)
        return self.lens.bend(np.column_stack([across / away, down / away]))

    def corners_px(self, board: Board) -> Floats:
        """Where the printed board's corners are, 4 x 2."""
        return self.project(board_corners_mm(board))

    def fitted(self, board: Board, logs: Logs, reaches_mm: Sequence[float], bends: bool) -> View:
        """The view with which the board's lines and edges are where the picture shows them (Gauss and Newton's method,
        with weights that bits of other lines hardly have: Geman and McClure 1987).

        reaches_mm: how far from where they should be they are looked for, one time after the other. bends: whether the
        bend of the lens is to be found too, and not only where the camera is.
        """
        view, free = self, slice(None) if bends else slice(8)
        for reach in reaches_mm:
            off = _off(board, logs, view, reach)
            middles = view.project(off.middles)
            across = view.project(off.middles + off.normals) - middles
            px_per_mm = np.linalg.norm(across, axis=1)
            across /= px_per_mm[:, None]
            moves = np.stack(
                [
                    np.sum((view._changed(step).project(off.middles) - middles) * across, axis=1)
                    for step in np.diag(STEPS)[free]
                ],
                axis=1,
            )
            change = np.zeros(len(STEPS))
            change[free] = STEPS[free] * _solve(moves, off.mm * px_per_mm, off.weights)
            view = view._changed(change)
        return view

    def _changed(self, by: Floats) -> View:
        numbers = (self.homography / self.homography[2, 2]).ravel() + np.append(by[:8], 0)
        k1 = float(np.clip(self.lens.k1 + by[8], -MOST_BENT, MOST_BENT))
        return View(replace(self.lens, k1=k1), numbers.reshape(3, 3))


class _Off(NamedTuple):
    """How far off stretches of lines and edges are, mm along their normals, and how much each counts: not at all where
    nothing is seen. N of all."""

    middles: Floats
    normals: Floats
    mm: Floats
    weights: Floats


def _off(board: Board, logs: Logs, view: View, reach_mm: float) -> _Off:
    lines = lines_of(board, reach_mm + ENDS_MM, STEP_MM)
    line_mm, line_weights = _lines_off(profiles(logs, view.project, lines), lines.offsets, reach_mm)
    frames = frames_of(board, reach_mm + ENDS_MM, STEP_MM)
    edge_mm, edge_weights = _edges_off(profiles(logs, view.project, frames), frames.offsets, reach_mm)
    return _Off(
        np.concatenate([lines.middles, frames.middles]),
        np.concatenate([lines.normals, frames.normals]),
        np.concatenate([line_mm, edge_mm]),
        np.concatenate([line_weights, EDGE_WEIGHT * edge_weights]),
    )


def _lines_off(shades: Floats, offsets_mm: Floats, reach_mm: float) -> tuple[Floats, Floats]:
    """Where the plainest line is in each profile, and whether there is one. Where few are printed districts' edges
    count as well."""
    found = _smooth(ridges(shades, STEP_MM))
    at_home = (np.abs(offsets_mm[found.argmax(axis=1)]) <= SHOWN_MM) & (found.max(axis=1) > FAINT)
    if at_home.mean() < MOST_LINES:
        found = _either(shades)
    found[:, np.abs(offsets_mm) > reach_mm] = 0
    best, top = _peak(found, found.argmax(axis=1))
    return offsets_mm[0] + STEP_MM * best, (top > FAINT).astype(np.float64)


def _edges_off(shades: Floats, offsets_mm: Floats, reach_mm: float) -> tuple[Floats, Floats]:
    """Where the nearest edge is in each profile that is about as plain as any, and whether there is one; beside the
    grid's edges a line may be printed, and then that is where they are."""
    half = len(shades) // 2
    found = np.concatenate([_smooth(steps(shades[:half], STEP_MM)) / 2, _either(shades[half:])])
    found[:, np.abs(offsets_mm) > reach_mm] = 0
    tops = np.zeros_like(found, bool)
    tops[:, 1:-1] = (found[:, 1:-1] >= found[:, :-2]) & (found[:, 1:-1] >= found[:, 2:])
    tops &= found >= SHARE_OF_LARGEST * found.max(axis=1, keepdims=True)
    best, top = _peak(found, np.where(tops, np.abs(offsets_mm), np.inf).argmin(axis=1))
    return offsets_mm[0] + STEP_MM * best, (top > FAINT).astype(np.float64)


def _either(shades: Floats) -> Floats:
    """How plain a line is at each point of profiles, or an edge."""
    return np.maximum(_smooth(ridges(shades, STEP_MM)), _smooth(steps(shades, STEP_MM)) / 2)


def _smooth(profiles_of: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(profiles_of, (0, 0), sigmaX=SMOOTH_MM / STEP_MM, sigmaY=1e-3), np.float64)


def _peak(found: Floats, at: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """Where each row's peak at some index is between the values, and how high."""
    at = np.clip(at, 1, found.shape[1] - 2)
    three = np.array([found[np.arange(len(at)), at + k] for k in (-1, 0, 1)])
    return at + vertex(three), three[1]


def _solve(moves: Floats, wanted: Floats, weights: Floats) -> Floats:
    """How often each step has to be taken so that lines move as far as they should (N), where each moves them so far
    (N x steps)."""
    times = np.zeros(moves.shape[1])
    seen = weights > 0
    for _ in range(ROUNDS if seen.any() else 0):
        miss = wanted - moves @ times
        spread = max(1.5 * float(np.median(np.abs(miss[seen]))), LEAST_SPREAD_PX)
        weighed = moves * (weights / (1 + (miss / spread) ** 2) ** 2)[:, None]
        times[:] = np.linalg.solve(weighed.T @ moves + 1e-9 * np.eye(len(times)), weighed.T @ wanted)
    return times
