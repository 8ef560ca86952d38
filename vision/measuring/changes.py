"""What may come over a picture between two looks at the same table: other light, blur, noise, a bump, a hand, and
a board that lies otherwise.

Each function takes a picture and gives a changed copy of it; the same arguments always give the same picture. They are
for measuring how well the reader bears such changes, in ``companion bench`` and in tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Protocol, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board
from companion.squares import Square
from vision.frames import Picture
from vision.geometry import Floats, Lens
from vision.grid import board_corners_mm
from vision.measuring.changed_board import with_bend
from vision.measuring.changed_hand import hand_mask, with_hand

Corners: TypeAlias = Sequence[Sequence[float]] | Floats
"""The printed board's four corners in a picture, in px: the one at A1, then clockwise as seen from above."""

BRIGHT, DIM = 1.4, 0.5
WARM = (0.7, 0.95, 1.2)
"""What a lamp in place of daylight makes of blue, green and red."""
VEIL = (-25.0, 0.0, 25.0)
"""What another black level or white balance, or stray light on the lens, may add to blue, green and red."""
SHADOW = 0.45
BLUR_PX, BLUR_WIDTH_PX = 3.0, 1536
"""Standard deviation of the blur in a picture so wide; in others in proportion."""
NOISE_LEVELS = 15.0
TURN_DEG = 3.0


class Change(Protocol):
    """Changes a picture."""

    def __call__(self, picture: Picture) -> Picture: ...


def brightness(picture: Picture, factor: float) -> Picture:
    """Every grey level times ``factor``; what is brighter than white is white."""
    return cast(picture, (factor, factor, factor))


def cast(picture: Picture, gains: tuple[float, float, float]) -> Picture:
    """Light of another colour: blue, green and red each times its gain."""
    return _rounded(picture.astype(np.float32) * np.array(gains, np.float32))


def veil(picture: Picture, levels: tuple[float, float, float] = VEIL) -> Picture:
    """As many grey levels more, or fewer, of blue, green and red everywhere."""
    return _rounded(picture.astype(np.float32) + np.array(levels, np.float32))


def shadow(picture: Picture, side: int = 0, least: float = SHADOW) -> Picture:
    """Light that falls evenly from all at one side of the picture to the share ``least`` at the other.

    side: the dark one; 0 right, 1 left, 2 bottom, 3 top.
    """
    height, width = picture.shape[:2]
    fall = np.linspace(1, least, width if side < 2 else height, dtype=np.float32)
    if side % 2:
        fall = fall[::-1]
    return _rounded(picture * (fall[None, :, None] if side < 2 else fall[:, None, None]))


def blur(picture: Picture, px: float = BLUR_PX) -> Picture:
    """Out of focus: a Gaussian blur of standard deviation ``px`` in a picture 1536 px wide, in proportion in others."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), px * picture.shape[1] / BLUR_WIDTH_PX), np.uint8)


def noise(picture: Picture, seed: int, sigma: float = NOISE_LEVELS) -> Picture:
    """Normal noise of standard deviation ``sigma``, in grey levels, on every pixel and channel by itself."""
    grain = np.random.default_rng(seed).standard_normal(picture.shape, np.float32)
    return _rounded(picture + np.float32(sigma) * grain)


def turn(picture: Picture, degrees: float = TURN_DEG, aside: float = 0.0) -> Picture:
    """The whole picture turned about its middle, anticlockwise, as if the camera had been bumped.

    aside: the share of its width by which it is moved to the right as well. What the picture does not show is filled
    with its edge.
    """
    height, width = picture.shape[:2]
    matrix = turn_matrix((width, height), degrees, aside)
    turned = cv2.warpAffine(picture, matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(turned, np.uint8)


def turn_matrix(size: tuple[int, int], degrees: float = TURN_DEG, aside: float = 0.0) -> Floats:
    """Where ``turn`` moves points of a picture of this width and height, 2 x 3."""
    matrix = cv2.getRotationMatrix2D(((size[0] - 1) / 2, (size[1] - 1) / 2), degrees, 1.0)
    matrix[0, 2] += aside * size[0]
    return np.asarray(matrix, np.float64)


def all_changes(board: Board, corners_px: Corners, lens: Lens, seed: int) -> dict[str, Change]:
    """Every change that the reader must bear, by its name.

    corners_px: the printed board's four corners in the picture, that at A1 first. lens: the picture's. seed: makes the
    noise, the shadow's side, where the hand comes from, and how the board bends.
    """
    return {
        "dim": partial(brightness, factor=DIM),
        "bright": partial(brightness, factor=BRIGHT),
        "warm": partial(cast, gains=WARM),
        "veil": veil,
        "shadow": partial(shadow, side=seed % 4),
        "blur": blur,
        "noise": partial(noise, seed=seed),
        "hand": partial(with_hand, grid_px=grid_px(board, corners_px), squares=board.columns * board.rows, seed=seed),
        "bend": partial(with_bend, lens=lens, board=board, corners_px=corners_px, seed=seed),
        # The last, because a reader that follows the board must find it anew afterwards too.
        "turn": turn,
    }


NAMES = ("dim", "bright", "warm", "veil", "shadow", "blur", "noise", "hand", "bend", "turn")
"""Of all changes, in their order."""
BY_CHANCE = ("shadow", "noise", "hand", "bend")
"""Those that differ from seed to seed."""


def under_hand(board: Board, corners_px: Corners, seed: int, picture: Picture) -> dict[Square, float]:
    """The squares that the hand of ``all_changes`` with the same arguments covers or touches, and their shares."""
    squares = board.columns * board.rows
    return shares_under(hand_mask(picture.shape, grid_px(board, corners_px), squares, seed), board, corners_px)


def shares_under(mask: NDArray[np.uint8], board: Board, corners_px: Corners) -> dict[Square, float]:
    """The squares of which a mask (0 or more, height x width) has any part, and how much of each."""
    inside = mask > 0
    width, height = board.square_mm
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (width / 2, height / 2)
    found = {}
    for name in board.squares:
        area = np.zeros(mask.shape, np.uint8)
        outline = _on_picture(board, corners_px, corners + board.centre_mm(name))
        cv2.fillConvexPoly(area, np.round(outline).astype(np.int32), 1)
        if np.any(covered := inside[area > 0]):
            found[name] = float(covered.mean())
    return found


def grid_px(board: Board, corners_px: Corners) -> Floats:
    """The corners of the board's grid of squares in a picture, in the same order as the printed board's; 4 x 2."""
    left, top, right, bottom = board.grid_mm
    return _on_picture(board, corners_px, np.array([[left, top], [right, top], [right, bottom], [left, bottom]]))


def _on_picture(board: Board, corners_px: Corners, points_mm: Floats) -> Floats:
    """Px of points on the board, as if the lens did not bend: some 3 px off at most."""
    flat = cv2.getPerspectiveTransform(board_corners_mm(board).astype(np.float32), np.array(corners_px, np.float32))
    return np.asarray(cv2.perspectiveTransform(points_mm[:, None].astype(np.float64), flat)[:, 0], np.float64)


def _rounded(levels: NDArray[np.float32]) -> Picture:
    return np.asarray(np.clip(np.rint(levels), 0, 255), np.uint8)
