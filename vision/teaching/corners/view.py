"""How a camera sees a flat board, and how that is made to fit the lines that it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board
from vision.geometry import Floats, Lens
from vision.grid import board_corners_mm
from vision.teaching.corners.printed import FAINT, Logs, lines_of, profiles, ridges

STEP_MM = 0.5
SMOOTH_MM = 0.7
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
        seen = points_mm @ self.homography[:, :2].T + self.homography[:, 2]
        return self.lens.bend(seen[:, :2] / seen[:, 2:])

    def corners_px(self, board: Board) -> Floats:
        """Where the printed board's corners are, 4 x 2."""
        return self.project(board_corners_mm(board))

    def fitted(self, board: Board, logs: Logs, reaches_mm: Sequence[float], bends: bool) -> View:
        """The view with which the lines between squares are where the picture shows them (Gauss and Newton's method,
        with weights that bits of other lines hardly have: Geman and McClure 1987).

        reaches_mm: how far from where they should be lines are looked for, one time after the other. bends: whether
        the bend of the lens is to be found too, and not only where the camera is.
        """
        view, free = self, slice(None) if bends else slice(8)
        for reach in reaches_mm:
            lines = lines_of(board, reach + ENDS_MM, STEP_MM)
            off, seen = _offsets(profiles(logs, view.project, lines.points), lines.offsets, reach)
            middles = view.project(lines.middles)
            across = view.project(lines.middles + lines.normals) - middles
            px_per_mm = np.linalg.norm(across, axis=1)
            across /= px_per_mm[:, None]
            moves = np.stack(
                [
                    np.sum((view._changed(step).project(lines.middles) - middles) * across, axis=1)
                    for step in np.diag(STEPS)[free]
                ],
                axis=1,
            )
            change = np.zeros(len(STEPS))
            change[free] = STEPS[free] * _solve(moves, off * px_per_mm, seen)
            view = view._changed(change)
        return view

    def _changed(self, by: Floats) -> View:
        numbers = (self.homography / self.homography[2, 2]).ravel() + np.append(by[:8], 0)
        k1 = float(np.clip(self.lens.k1 + by[8], -MOST_BENT, MOST_BENT))
        return View(replace(self.lens, k1=k1), numbers.reshape(3, 3))


def _offsets(shades: Floats, offsets_mm: Floats, reach_mm: float) -> tuple[Floats, NDArray[np.bool_]]:
    """How far off each line is that these profiles show best, and which of them show one at all."""
    found = cv2.GaussianBlur(ridges(shades, STEP_MM), (0, 0), sigmaX=SMOOTH_MM / STEP_MM, sigmaY=1e-3) ** 2
    found[:, np.abs(offsets_mm) > reach_mm] = 0
    best = np.clip(found.argmax(axis=1), 1, found.shape[1] - 2)
    before, top, after = (found[np.arange(len(best)), best + k] for k in (-1, 0, 1))
    bend = np.minimum(before - 2 * top + after, -1e-12)
    beside = np.clip(0.5 * (before - after) / bend, -1, 1)
    return offsets_mm[best] + STEP_MM * beside, np.sqrt(top) > FAINT


def _solve(moves: Floats, wanted: Floats, seen: NDArray[np.bool_]) -> Floats:
    """How often each step has to be taken so that lines move as far as they should (N), where each moves them so far
    (N x steps)."""
    times = np.zeros(moves.shape[1])
    for _ in range(ROUNDS if seen.any() else 0):
        miss = wanted - moves @ times
        spread = max(1.5 * float(np.median(np.abs(miss[seen]))), LEAST_SPREAD_PX)
        weighed = moves * (seen / (1 + (miss / spread) ** 2) ** 2)[:, None]
        times[:] = np.linalg.solve(weighed.T @ moves + 1e-9 * np.eye(len(times)), weighed.T @ wanted)
    return times
