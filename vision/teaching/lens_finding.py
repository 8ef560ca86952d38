"""The lens of a camera, from one picture of an empty board whose corners are known: no chessboard is needed.

How strongly it bends shows in the printed lines, which are straight; how far it sees, in how much smaller the far side
of a board of known size appears. A board seen from right above does not tell the latter, and then the usual is taken.
"""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board
from companion.errors import BadSetup
from vision.frames import Picture, grey
from vision.geometry import Floats, Lens, find_pose
from vision.grid import Canvas, board_corners_mm
from vision.parabola import vertex

MAX_CORNER_ERROR_PX = 6.0
"""Corners that are further off than this from any camera's view of such a board are not the board's corners."""
CORNER_PX = 0.5
"""How exactly people say where a corner is (standard deviation)."""
FOCAL_SPREAD = 0.08
"""How far a lens' focal length usually is from that of the Camera Module 3, as a share."""
SHARES = np.arange(0.7, 1.401, 0.01)
"""The focal lengths that are tried, in shares of the usual one."""
BENDS, NEAR_BENDS = np.arange(-0.2, 0.2001, 0.01), np.arange(-0.02, 0.0201, 0.01)
"""The values of k1 (see ``vision.geometry``) that are tried at first, and then about the best of those."""
OTHER_FOCAL, MOST_LOOKS = 0.05, 3
"""A bend that was found with a focal length that is off by more is looked for again, but only so often: a board that is
seen at a slant by another lens than the usual one seems bent."""
COARSE_MM, FINE_MM = 0.5, 0.25
"""How far apart the points of the board are that are looked at then. Where they are further apart than the camera's own
pixels, how they fall on its lines tells more than whether these are straight."""
BESIDE_MM = 6.0
"""So much of the table round the board is looked at too: its edges are straight as well."""


def find_lens(board: Board, corners_px: Floats, empty: Picture) -> Lens:
    """The lens that took the empty picture.

    corners_px: where the printed board's corners are in it, 4 x 2. Raises BadSetup when they fit no camera above such
    a board.
    """
    size = (empty.shape[1], empty.shape[0])
    logs = np.log(grey(empty).astype(np.float32) + 8)
    lens, focal = Lens.straight(size), math.inf
    for _ in range(MOST_LOOKS):
        if abs(lens.focal / focal - 1) < OTHER_FOCAL:
            break
        focal = lens.focal
        lens = _bent(board, corners_px, logs, lens, BENDS, COARSE_MM)
        lens = _focused(board, corners_px, lens)
    lens = _bent(board, corners_px, logs, lens, lens.k1 + NEAR_BENDS, FINE_MM)
    fit = find_pose(lens, board_corners_mm(board), corners_px)
    if fit is None or fit[1] > MAX_CORNER_ERROR_PX:
        raise BadSetup(
            f"board_corners_px fit no camera's view of a board of {board.size_mm[0]:g} x {board.size_mm[1]:g} mm; "
            "they must be the printed board's corners, beginning at the one at A1, clockwise"
        )
    return lens


def _focused(board: Board, corners_px: Floats, lens: Lens) -> Lens:
    """The lens with the focal length that fits the corners and is not too unusual; the bend in px stays."""
    lenses = [replace(lens, focal=lens.focal * share, k1=lens.k1 * share**2) for share in SHARES]
    fits = [find_pose(one, board_corners_mm(board), corners_px) for one in lenses]
    errors = np.array([MAX_CORNER_ERROR_PX * 10 if fit is None else fit[1] for fit in fits])
    unlikely = len(corners_px) * (errors / CORNER_PX) ** 2 + ((SHARES - 1) / FOCAL_SPREAD) ** 2
    share = _top(SHARES, -unlikely)
    return replace(lens, focal=lens.focal * share, k1=lens.k1 * share**2)


def _bent(
    board: Board, corners_px: Floats, logs: NDArray[np.float32], lens: Lens, tried: Floats, step_mm: float
) -> Lens:
    """The lens with the k1, of about those tried, that makes printed lines straightest."""
    bent = [replace(lens, k1=float(k1)) for k1 in tried]
    return replace(
        lens, k1=_top(tried, np.array([_straightness(board, corners_px, logs, one, step_mm) for one in bent]))
    )


def _top(values: Floats, scores: Floats) -> float:
    """Where scores of values that are equally far apart are highest: the vertex of a parabola through the best three,
    but never beyond these."""
    best = int(np.clip(scores.argmax(), 1, len(values) - 2))
    return float(values[best] + (values[1] - values[0]) * vertex(scores[best - 1 : best + 2]))


def _straightness(board: Board, corners_px: Floats, logs: NDArray[np.float32], lens: Lens, step_mm: float) -> float:
    """How sharply columns and rows of the straightened board differ: most where printed lines come out straight."""
    fit = find_pose(lens, board_corners_mm(board), corners_px)
    if fit is None:
        return 0.0
    width, height = (math.ceil((side + 2 * BESIDE_MM) / step_mm) for side in board.size_mm)
    canvas = Canvas(-BESIDE_MM, -BESIDE_MM, (width, height), 1 / step_mm)
    straight = cv2.remap(logs, *canvas.picture_map(lens, fit[0]), cv2.INTER_LINEAR)
    columns, rows = np.diff(straight, axis=1).mean(axis=0), np.diff(straight, axis=0).mean(axis=1)
    return float(np.sum(columns**2) + np.sum(rows**2))
