"""Where in a picture a die may lie: places beside the board that are white, small and spotted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture, least_and_most
from vision.geometry import Floats
from vision.noise import more_than, without_noise
from vision.reading.die.changed import Region
from vision.reading.die.templates import EDGE_MM, Grey, Layer

_SEARCH_WIDTH_PX = 768
_USUAL_NOISE = 4.0
"""Grey levels, at that width. More of it has as many dark spots on a bright table as a die."""
_AROUND_MM = 11.0
_LEAST_RISE = 0.1
"""How much whiter than its table a die counts at the least: on a white one its pips are all that shows."""
_ENOUGH_DARK = 0.03
"""How much darker pips make a face on average, where 1 is all dark: two are enough, more is not more of a die."""

_WEAVE = 0.25
"""Spots that are darker than the white round them by less than this share of it may be the weave of a cloth."""


@dataclass(frozen=True)
class Light:
    """What makes places as white as they are, for as long as neither the camera nor the light changes.

    noise: what is smoothed (``vision.noise.more_than``). balance: what makes the margin of the board white: a level for
    each of 256 of blue, green and red.
    """

    noise: float
    balance: Grey


@dataclass(frozen=True)
class Whiteness:
    """How white each place is: bright, and with little colour in this light. Grey layers of a picture, which has
    ``_SEARCH_WIDTH_PX`` of their pixels along its longer side, or of a part of it.

    plain: with the board blanked out. filled: the same without dark spots. outside: where there is no die to be looked
    for, as on the board. scale: px of the layers for one px of the picture; px_per_mm: their size on the board, on
    average. start_px: where in the picture they begin.
    """

    plain: Grey
    filled: Grey
    outside: NDArray[np.bool_]
    scale: float
    px_per_mm: float
    light: Light
    start_px: tuple[int, int] = (0, 0)

    @classmethod
    def of(cls, picture: Picture, corners_px: Floats, board_mm: tuple[float, float]) -> Whiteness:
        scale = _SEARCH_WIDTH_PX / max(picture.shape[:2])
        small = _shrunk(picture, scale)
        noise = more_than(small, _USUAL_NOISE)
        small = without_noise(small, noise)
        corners = np.asarray(corners_px) * scale
        board = _inside(corners, small)
        # The margin of the board is nearly white, and it has the light of the table.
        paper = np.percentile(small[::4, ::4][board[::4, ::4]], 97, axis=0) if board[::4, ::4].any() else 160.0
        balance = np.clip(np.outer(np.arange(256), 160 / np.maximum(paper, 1) * np.ones(3)), 0, 255).astype(np.uint8)
        px_per_mm = float(np.sqrt(cv2.contourArea(_whole(corners)) / (board_mm[0] * board_mm[1])))
        return cls._in(Light(noise, balance), small, board, scale, px_per_mm)

    def of_region(self, shown: Picture, corners_px: Floats, region: Region) -> Whiteness:
        """That of what a region shows of another picture, of the same camera in the same place and the same light."""
        small = without_noise(_shrunk(shown, self.scale), self.light.noise)
        board = _inside((np.asarray(corners_px) - region.start_px) * self.scale, small)
        made = Whiteness._in(self.light, small, board, self.scale, self.px_per_mm)
        return replace(made, outside=board | ~region.within(board.shape), start_px=region.start_px)

    @classmethod
    def _in(cls, light: Light, small: Picture, board: NDArray[np.bool_], scale: float, px_per_mm: float) -> Whiteness:
        least, most = least_and_most(np.asarray(cv2.LUT(small, light.balance[None]), np.uint8))
        plain = np.asarray(cv2.addWeighted(least, 1.5, most, -0.5, 0), np.uint8)
        beside = plain[::4, ::4][~board[::4, ::4]]
        plain[board] = np.median(beside) if beside.size else 0
        filled = cv2.morphologyEx(plain, cv2.MORPH_CLOSE, _brush(5, px_per_mm))
        return cls(plain, np.asarray(filled, np.uint8), board, scale, px_per_mm, light)

    @cached_property
    def without_pips(self) -> Grey:
        """What is left of it when dark spots are filled that have white on all sides; lines and edges stay."""
        side = int(5 * self.px_per_mm) | 1
        slope = np.eye(side, dtype=np.uint8)
        lines = (np.ones((1, side), np.uint8), np.ones((side, 1), np.uint8), slope, np.ascontiguousarray(slope[::-1]))
        closed = [cv2.morphologyEx(self.plain, cv2.MORPH_CLOSE, line) for line in lines]
        return np.asarray(np.minimum.reduce(closed), np.uint8)

    def place_px(self, x: float, y: float) -> tuple[float, float]:
        """Where in the picture one of their pixels is."""
        left, top = self.start_px
        return (x + 0.5) / self.scale - 0.5 + left, (y + 0.5) / self.scale - 0.5 + top

    @property
    def spots(self) -> Grey:
        """How much darker such spots are than what is round them."""
        return np.asarray(cv2.subtract(self.without_pips, self.plain), np.uint8)


def _shrunk(picture: Picture, scale: float) -> Picture:
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _whole(corners: Floats) -> NDArray[np.int32]:
    return np.round(corners).astype(np.int32)


def _inside(corners: Floats, small: Picture) -> NDArray[np.bool_]:
    """What of a picture is between four places in it."""
    mask = np.zeros(small.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, _whole(corners), 1)
    return np.asarray(mask > 0)


def _brush(side_mm: float, px_per_mm: float) -> Grey:
    return np.ones((int(side_mm * px_per_mm) | 1,) * 2, np.uint8)


def likely_places(white: Whiteness, most: int, apart_mm: float) -> list[tuple[float, float]]:
    """Px of the picture where a die is likeliest, the best first.

    most: so many at most; apart_mm: so far from each other. No one sign of a die holds on every table: each of several
    has its turn to name the place that is best by it.
    """
    return _peaks(white, _signs(white), most, apart_mm)


def spotted_places(white: Whiteness, most: int, apart_mm: float) -> list[tuple[float, float]]:
    """Px of the picture where there are the darkest pips in something white, however little of it: the best first."""
    around = white.without_pips
    spots = cv2.subtract(white.spots, cv2.convertScaleAbs(around, alpha=_WEAVE))
    return _peaks(white, [_smooth(white, _around(spots, white.px_per_mm) / _level(white))], most, apart_mm)


def _peaks(white: Whiteness, signs: list[Layer], most: int, apart_mm: float) -> list[tuple[float, float]]:
    places: list[tuple[float, float]] = []
    shrunk = white.plain.shape[1] / signs[0].shape[1]
    apart = int(apart_mm * white.px_per_mm / shrunk)
    for number in range(most):
        _, best, _, (x, y) = cv2.minMaxLoc(signs[number % len(signs)])
        if best <= 0:
            continue
        places.append(white.place_px((x + 0.5) * shrunk - 0.5, (y + 0.5) * shrunk - 0.5))
        # What is suppressed about a place is searched from it, so no die is lost between two.
        for sign in signs:
            cv2.circle(sign, (x, y), apart, 0, -1)
    return places


def _signs(white: Whiteness) -> list[Layer]:
    """How much of a die is around each place: white things with pips, pips, and white things with dark on them.

    The layers are half as large as those of the whiteness.
    """
    solid = cv2.morphologyEx(white.filled, cv2.MORPH_OPEN, _brush(EDGE_MM / 2, white.px_per_mm))
    broad = cv2.morphologyEx(solid, cv2.MORPH_OPEN, _brush(2 * EDGE_MM, white.px_per_mm))
    coarse = cv2.resize(white.filled, None, fx=1 / 6, fy=1 / 6, interpolation=cv2.INTER_AREA)
    table = cv2.resize(cv2.medianBlur(coarse, 15), white.filled.shape[::-1], interpolation=cv2.INTER_LINEAR)
    level = _level(white)
    rise = _around(cv2.subtract(solid, cv2.max(table, broad)), white.px_per_mm) / level
    dark = _around(cv2.subtract(white.filled, white.plain), white.px_per_mm) / level
    pips = _around(white.spots, white.px_per_mm) / level
    signs = [pips * (rise + _LEAST_RISE), pips, rise * dark / (dark + _ENOUGH_DARK)]
    return [_smooth(white, sign) for sign in signs]


def _level(white: Whiteness) -> Layer:
    return _around(white.filled, white.px_per_mm) + np.float32(30)


def _smooth(white: Whiteness, sign: Layer) -> Layer:
    """A sign that is 0 where no die is looked for, and has its peaks in the middle of one."""
    outside = white.outside.astype(np.uint8)
    there = np.asarray(cv2.resize(outside, sign.shape[::-1], interpolation=cv2.INTER_AREA) == 0)
    return np.asarray(cv2.blur(sign, _brush(EDGE_MM / 2, white.px_per_mm / 2).shape) * there, np.float32)


def _around(layer: NDArray[Any], px_per_mm: float) -> Layer:
    """The mean around each place, of half the layer's size."""
    half = cv2.resize(layer, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.boxFilter(half, cv2.CV_32F, _brush(_AROUND_MM, px_per_mm / 2).shape), np.float32)
