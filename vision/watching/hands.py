"""Is there a hand? What has changed in a picture, taken apart into hands, things and light.

A hand or an arm reaches in from the picture's edge. Pieces that came or went stand alone on the board; a lamp or a
shadow changes brightness and leaves what is printed or grown there as it was. Areas are measured in squares of the
board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Part, channels
from vision.watching.stillness import Difference, Levels, Mask, Small, difference, shadows, within

MIN_AREA_SQUARES = 0.1
"""The smallest change that counts: less than a stone. Fingers that just show at the picture's edge are larger."""

BORDER_PX = 2
"""What is so near to the picture's edge reaches in from outside."""

BIG_SQUARES = 7.0
"""More than a turn changes in one place: pieces do not explain it."""

SPREAD = 0.55
"""When so much of the picture's tiles have changed, it is the lamp or the camera, not a hand."""

TILES = (8, 14)
"""Rows and columns of the tiles that ``SPREAD`` counts."""

TILE_SHARE = 0.04

SAME_PRINT = 0.6
"""Correlation of fine detail before and after, above which only the light has changed."""

SAME_PRINT_PX = 40
"""Fewer pixels than these tell nothing of detail."""

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

_EDGE = np.ones((5, 5), np.uint8)
"""As thick as the edges of things are at most that are seen from elsewhere."""
_DETAIL_PX = 3.0
# As far as the detail of a pixel depends on its neighbours.
_MARGIN_PX = 12
_SKIN_LOGS = np.log(np.arange(256) + 4.0).astype(np.float32)

Kind = Literal["hand", "fingers", "thing", "piece", "big"]


@dataclass(frozen=True)
class Change:
    """One connected part of a picture that has changed.

    kind: a ``hand``, or what looks like one; ``fingers``, what may be no more than fingers at the picture's edge; a
    ``thing`` there that is no skin; a ``piece``, as large as pieces are; or ``big``: too large for pieces, not reaching
    in. squares: its area.
    """

    kind: Kind
    squares: float


@dataclass(frozen=True)
class Changes:
    """What has changed since the table was last seen settled.

    spread: the share of the picture's tiles with a change. mask: all pixels that changed. hand_percent: the share of
    the picture covered by hands. light: see ``Difference``.
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
        self._empty = empty.astype(np.float32)
        self._aligned: Levels = self._empty
        self._corners = board_px
        self._square_px = square_px
        self._board = within(board_px, self._empty)

    def board_moved(self, board_px: NDArray[np.float64]) -> None:
        """The board is seen elsewhere now (4 x 2, small px), because the camera or the board was knocked."""
        warp = cv2.getPerspectiveTransform(self._corners.astype(np.float32), board_px.astype(np.float32))
        size = (self._empty.shape[1], self._empty.shape[0])
        moved = cv2.warpPerspective(self._empty, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        self._aligned = np.asarray(moved, np.float32)
        self._board = within(board_px, self._empty)

    def changes(self, picture: Small, settled: Levels | None, from_elsewhere: bool = False) -> Changes:
        """What is new in a small picture.

        settled: how the table looked when it was last settled; None when it never was: then the empty board counts, any
        number of pieces may stand on it, and what lies at the picture's edge, off the board, is taken for players'
        supplies unless it is large. from_elsewhere: whether the camera was knocked since, so that what stands up, and
        what the lens bends, is not quite where it is expected: changes as thin as such edges do not count.
        """
        since = difference(picture, self._aligned if settled is None else settled)
        spread, mask = _spread(since.changed), since.changed
        if from_elsewhere:
            since = replace(since, changed=cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, _EDGE) > 0)
        spots = _spots(picture, since, self._square_px)
        as_empty = None
        if settled is not None and (reaching := [spot.region for spot in spots if spot.reaches_in]):
            # Where a hand had been taken for the table's own, the empty table shows again once it is gone.
            around = _around(reaching)
            as_empty = np.zeros(since.changed.shape, np.bool_)
            as_empty[around] = ~difference(picture, self._aligned, around).changed
        parts: list[Change] = []
        for spot in spots:
            kind = self._kind(spot, picture, since, as_empty, first=settled is None)
            if kind == "piece" or spot.squares <= 1.0 or not _same_print(picture, since.relit, spot):
                parts.append(Change(kind, spot.squares))
        hands_px = self._square_px * sum(part.squares for part in parts if part.kind in ("hand", "fingers"))
        return Changes(tuple(parts), spread, mask, 100 * hands_px / mask.size, since.light)

    def _kind(self, spot: _Spot, picture: Small, since: Difference, as_empty: Mask | None, first: bool) -> Kind:
        """What a changed part is. as_empty: where the picture is as on the empty table. first: never settled yet."""
        if not spot.reaches_in:
            return "piece" if first or spot.squares < BIG_SQUARES else "big"
        if as_empty is not None and np.mean(as_empty[spot.region][spot.where]) > AS_EMPTY_SHARE:
            return "piece"
        if np.count_nonzero(spot.where & self._board[spot.region]) > ON_BOARD_SQUARES * self._square_px:
            return "hand"
        if first:
            # Supplies lie there, of any colour, and where others lay the table shows.
            return "piece" if spot.squares < BIG_SQUARES else "thing"
        if spot.squares < SUPPLY_SQUARES and _was_taken(picture, since, spot):
            return "piece"
        if _skin_share(picture, spot) < SKIN_SHARE:
            return "thing"
        return "fingers" if spot.squares < FINGERS_SQUARES else "hand"


class _Spot(NamedTuple):
    """A connected part of the pixels that changed.

    region: what is cut out of the picture round it, with ``_MARGIN_PX``. where: its pixels in that. squares: its area.
    reaches_in: whether it touches the picture's edge.
    """

    region: Part
    where: Mask
    squares: float
    reaches_in: bool


def _spots(picture: Small, since: Difference, square_px: float) -> list[_Spot]:
    """The parts that changed, are no shadow, and count."""
    if not since.changed.any():
        return []
    bright = (since.changed & ~shadows(picture, since.relit)).astype(np.uint8)
    solid = cv2.morphologyEx(bright, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(solid, connectivity=8, ltype=cv2.CV_16U)
    height, width = solid.shape
    spots = []
    for label in 1 + np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] >= MIN_AREA_SQUARES * square_px):
        left, top, wide, high, px = stats[label].tolist()
        right, bottom = left + wide, top + high
        reaches_in = min(left, top) < BORDER_PX or right > width - BORDER_PX or bottom > height - BORDER_PX
        region = (
            slice(max(top - _MARGIN_PX, 0), bottom + _MARGIN_PX),
            slice(max(left - _MARGIN_PX, 0), right + _MARGIN_PX),
        )
        spots.append(_Spot(region, labels[region] == label, px / square_px, reaches_in))
    return spots


def _around(parts: Sequence[Part]) -> Part:
    """The rows and columns that take in those of some parts, at least one."""
    rows, columns = (
        slice(min(one.start for one in sides), max(one.stop for one in sides)) for sides in zip(*parts, strict=True)
    )
    return rows, columns


def _spread(changed: Mask) -> float:
    """The share of the picture's tiles in which something changed."""
    (height, width), (rows, columns) = changed.shape, TILES
    y, x = np.arange(rows + 1) * height // rows, np.arange(columns + 1) * width // columns
    upto = cv2.integral(changed.astype(np.uint8))[y][:, x]
    inside = upto[1:, 1:] - upto[:-1, 1:] - upto[1:, :-1] + upto[:-1, :-1]
    return float(np.mean(inside > TILE_SHARE * np.diff(y)[:, None] * np.diff(x)))


def _same_print(picture: Small, relit: Small, spot: _Spot) -> bool:
    """Whether the same fine detail is there as before, inside a part of the picture."""
    inner = cv2.erode(spot.where.astype(np.uint8), np.ones((5, 5), np.uint8))
    if np.count_nonzero(inner) < SAME_PRINT_PX:
        return False
    now, before = (_detail(image[spot.region]) for image in (picture, relit))
    products = cv2.mean(cv2.merge((now * now, before * before, now * before)), inner)
    scale = float(np.sqrt(products[0] * products[1]))
    return scale > 1.0 and products[2] / scale > SAME_PRINT


def _was_taken(picture: Small, since: Difference, spot: _Spot) -> bool:
    """Whether a part looks like what is round it now and did not before: something was taken away there."""
    ring = cv2.dilate(spot.where.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
    ring &= ~cv2.dilate(since.changed[spot.region].astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)
    if not np.any(ring):
        return False
    now, before = (
        float(np.abs(np.median(image[spot.where], axis=0) - np.median(image[ring], axis=0)).max())
        for image in (picture[spot.region], since.relit[spot.region])
    )
    return now < 0.6 * before


def _detail(image: Small) -> Levels:
    grey = cv2.cvtColor(image.astype(np.float32), cv2.COLOR_BGR2GRAY)
    return np.asarray(grey - cv2.GaussianBlur(grey, (0, 0), _DETAIL_PX), np.float32)


def _skin_share(picture: Small, spot: _Spot) -> float:
    """How much of a part could be skin, of any tone, in the light of day or of a lamp."""
    blue, green, red = (_SKIN_LOGS[channel[spot.where]] for channel in channels(picture[spot.region]))
    warm = (red - green > 0.08) & (red - green < 0.95) & (green - blue > -0.05) & (green - blue < 0.95)
    return float(np.mean(warm & (red - blue < 1.7)))
