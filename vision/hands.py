"""Is there a hand? What has changed in a picture, taken apart into hands, things and light.

A hand or an arm reaches in from the picture's edge. Pieces that came or went stand alone on the board; a lamp or a
shadow changes brightness and leaves what is printed or grown there as it was. Areas are measured in squares of the
board.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.stillness import Difference, Mask, difference, share_percent

Small = NDArray[np.float32]

MIN_AREA_SQUARES = 0.1
"""The smallest change that counts: less than a stone. Fingers that just show at the picture's edge are larger."""

BORDER_PX = 2
"""What is so near to the picture's edge reaches in from outside."""

BIG_SQUARES = 7.0
"""More than a turn changes in one place on the board: pieces do not explain it."""

SPREAD = 0.55
"""When so much of the picture's tiles have changed, it is the lamp or the camera, not a hand."""

TILES = (8, 14)
"""Rows and columns of the tiles that ``SPREAD`` counts."""

TILE_SHARE = 0.04

SAME_PRINT = 0.6
"""Correlation of fine detail before and after, above which only the light has changed."""

SKIN_SHARE = 0.2
"""How much of a part must look like skin for it to be a hand."""

ON_BOARD_SQUARES = 1.0
"""What reaches in from outside and covers more of the board than this is a hand whatever it looks like."""

FINGERS_SQUARES = 5.0
"""Skin at the picture's edge, off the board, that is smaller than this may also be something of that colour."""

SUPPLY_SQUARES = 3.0
"""Players' supplies at the picture's edge are smaller than this; they come and go."""

AS_EMPTY_SHARE = 0.6
"""When so much of a part looks as it did on the empty table, nothing reaches in there."""

Kind = Literal["hand", "fingers", "thing", "piece", "big"]


@dataclass(frozen=True)
class Change:
    """One connected part of a picture that has changed.

    kind: a ``hand``; ``fingers``, what may be no more than fingers at the picture's edge; a ``thing`` there that is no
    skin; a ``piece``, as large as pieces are; or ``big``: too large for pieces, not reaching in. squares: its area.
    """

    kind: Kind
    squares: float


@dataclass(frozen=True)
class Changes:
    """What has changed since the table was last seen settled.

    spread: the share of the picture's tiles with a change. mask: all pixels that changed. hand_percent: the share of
    the picture covered by hands.
    """

    parts: tuple[Change, ...]
    spread: float
    mask: Mask
    hand_percent: float
    light: float

    @property
    def everywhere(self) -> bool:
        """Whether lamp or camera changed, so that hands cannot be told apart."""
        return self.spread > SPREAD

    def has(self, *kinds: Kind) -> bool:
        return any(part.kind in kinds for part in self.parts)


class HandFinder:
    """Compares pictures with the last settled one and with the empty board.

    empty: small picture of the board as it was taught. board_px: 4 x 2, its corners in it. square_px: the area of a
    square there.
    """

    def __init__(self, empty: Small, board_px: NDArray[np.float64], square_px: float) -> None:
        self._empty = empty
        self._aligned = empty
        self._corners = board_px
        self._square_px = square_px
        self._board = self._on_board(board_px)

    def board_moved(self, board_px: NDArray[np.float64]) -> None:
        """The board is seen elsewhere now (4 x 2, small px), because the camera or the board was knocked."""
        warp = cv2.getPerspectiveTransform(self._corners.astype(np.float32), board_px.astype(np.float32))
        size = (self._empty.shape[1], self._empty.shape[0])
        moved = cv2.warpPerspective(self._empty, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        self._aligned = np.asarray(moved, np.float32)
        self._board = self._on_board(board_px)

    def changes(self, picture: Small, settled: Small | None) -> Changes:
        """What is new in a small picture.

        settled: how the table looked when it was last settled; None when it never was: then the empty board counts, and
        small things at the picture's edge are taken for players' supplies unless they could be skin.
        """
        since = difference(picture, self._empty if settled is None else settled)
        bright = (since.changed & ~since.darker).astype(np.uint8)
        solid = cv2.morphologyEx(bright, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)) > 0
        # Where a hand had been taken for the table's own, the empty table shows again once it is gone.
        as_empty = ~difference(picture, self._aligned).changed if settled is not None and _reaches_in(solid) else None
        count, labels, stats, _ = cv2.connectedComponentsWithStats(solid.astype(np.uint8), connectivity=8)
        parts: list[Change] = []
        hands = np.zeros(solid.shape, bool)
        for label in range(1, count):
            area = float(stats[label, cv2.CC_STAT_AREA] / self._square_px)
            if area < MIN_AREA_SQUARES:
                continue
            where = labels == label
            if not _reaches_in(where):
                kind: Kind = "piece" if area < BIG_SQUARES else "big"
            elif as_empty is not None and np.mean(as_empty[where]) > AS_EMPTY_SHARE:
                kind = "piece"
            else:
                kind = self._reaching_in(where, area, picture, since, settled is None)
            if kind != "piece" and area > 1.0 and _same_print(picture, since.relit, where):
                continue
            parts.append(Change(kind, area))
            if kind in ("hand", "fingers"):
                hands |= where
        return Changes(tuple(parts), _spread(since.changed), since.changed, share_percent(hands), since.light)

    def _reaching_in(self, where: Mask, area: float, picture: Small, since: Difference, first: bool) -> Kind:
        """What a changed part is that touches the picture's edge."""
        if np.count_nonzero(where & self._board) > ON_BOARD_SQUARES * self._square_px:
            return "hand"
        skin = _skin_share(picture, where) > SKIN_SHARE
        if area < SUPPLY_SQUARES and (_was_taken(picture, since, where) or (first and not skin)):
            return "piece"
        if not skin or first:
            return "thing"
        return "fingers" if area < FINGERS_SQUARES else "hand"

    def _on_board(self, board_px: NDArray[np.float64]) -> Mask:
        mask = np.zeros(self._empty.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(board_px).astype(np.int32), 1)
        return np.asarray(mask > 0)


def _reaches_in(where: Mask) -> bool:
    """Whether a part touches the picture's edge."""
    edge = BORDER_PX
    return bool(where[:edge].any() or where[-edge:].any() or where[:, :edge].any() or where[:, -edge:].any())


def _spread(changed: Mask) -> float:
    tiles = cv2.resize(changed.astype(np.float32), TILES[::-1], interpolation=cv2.INTER_AREA)
    return float(np.mean(tiles > TILE_SHARE))


def _same_print(picture: Small, relit: Small, where: Mask) -> bool:
    """Whether the same fine detail is there as before, inside a part of the picture."""
    inner = cv2.erode(where.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    if np.count_nonzero(inner) < 40:
        return False
    now, before = (_detail(image)[inner] for image in (picture, relit))
    scale = float(np.sqrt(np.mean(now**2) * np.mean(before**2)))
    return scale > 1.0 and float(np.mean(now * before)) / scale > SAME_PRINT


def _was_taken(picture: Small, since: Difference, where: Mask) -> bool:
    """Whether a part looks like what is round it now and did not before: something was taken away there."""
    ring = cv2.dilate(where.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
    ring &= ~cv2.dilate(since.changed.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)
    if not np.any(ring):
        return False
    now, before = (
        float(np.abs(np.median(image[where], axis=0) - np.median(image[ring], axis=0)).max())
        for image in (picture, since.relit)
    )
    return now < 0.6 * before


def _detail(image: Small) -> NDArray[np.float32]:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return np.asarray(grey - cv2.GaussianBlur(grey, (0, 0), 3), np.float32)


def _skin_share(picture: Small, where: Mask) -> float:
    """How much of a part could be skin, of any tone, in the light of day or of a lamp."""
    blue, green, red = (np.log(picture[where][:, i] + 4.0) for i in range(3))
    warm = (red - green > 0.08) & (red - green < 0.95) & (green - blue > -0.05) & (green - blue < 0.95)
    return float(np.mean(warm & (red - blue < 1.7)))
