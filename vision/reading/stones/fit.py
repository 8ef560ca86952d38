"""Finds the stones on a square by their shape: flat triangles, each evenly bright, that end where their sides do.

Networks know how stones look; this knows how one is made. It lays a stone on every place of a square as the camera
would see it, turned by any angle, and asks how much more of the picture is explained by an evenly bright upper face
than by bare board, lit or in shadow. What looks like that face just outside of it speaks against it as much: shadows,
pyramids and what is printed on the board do not end at a stone's sides.

Source: evenly bright regions that leave least unexplained are those of T. Chan and L. Vese, Active contours without
edges, 2001; here their outlines are known but for where the stone lies (see ``vision.reading.pyramids.fit`` too).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.frames import Part, Picture, channels
from vision.geometry import Floats
from vision.grid import READ_PX_PER_MM
from vision.light.appearance import MEDIAN_SQUARE, Looks, Map, bare_density, board_noise, edge_noise
from vision.logarithms import OFFSET, Layers
from vision.quantiles import quantile
from vision.reading.claim import CLOSE, Claim
from vision.reading.shapes import SHIP_MM, STONE_HIGH_MM
from vision.reading.stones.outline import LEAN_STEPS, MARGIN, MASK_PX, SIDE_PX, TURNS, Outline, Pixels, outline_of

UNEVEN, COARSE = (0.03**2, 0.03**2, 0.07**2), 12.0
"""How uneven the light on a face is: variances of its opponent logarithms; and how far off each channel is (grey
levels): JPEG keeps colours at half of the resolution, and the lens blurs them."""
SIDES_UNEVEN, SIDES_COUNT, FEWEST_PX = 4.0, 0.5, 6
"""How much more so are sides, how much they count beside the upper face, and how many pixels have to show them."""
UNLIKE = 15.0
"""What differs by more than so much (natural logarithms) tells no more: a speck is no sign that there is no stone."""
DARKEST = 2.5
"""What is darker (opponent logarithm) is no noisier."""
FIRST_TURNS = 6
"""In so many steps a stone is turned at first sight until it looks the same again."""
TRIED, AT_ONE_PLACE, FOUND, APART_MM, NEAR_PX = 14, 2, 4, 5.0, 4
"""So many stones are looked at closely, so many of them at one place (px); so many are found at most, so far apart."""
LEAST = 20.0
"""What explains less is no stone, if another was found."""
NEAR_TURNS = (-3, 0, 3)
"""So far beside the turn that it had at first sight each of them is tried; ..."""
TURNED = 4
"""... and how far to both sides the best are turned then, and moved by a px, until they stay where they are. As far as
turns hardly differ: the outlines of two stones that are turned by ten degrees cover much the same."""
AS_GOOD = 0.93
"""Turns of which a stone is worth this share of what it is worth at most are as good."""


class Spot(NamedTuple):
    """Where a stone may lie. x, y: the middle of its foot (px of the patch). turn: of ``TURNS``, or whole turns
    more or less."""

    x: int
    y: int
    turn: int


@dataclass(frozen=True)
class Lying:
    """A stone as it may lie. x, y, turn: see ``Spot``.

    top, beside, sides: how much an evenly bright upper face explains, in natural logarithms; how much of what lies
    beside it is explained by it too; and how much evenly bright sides explain.
    """

    x: int
    y: int
    turn: int
    top: float
    beside: float
    sides: float

    @property
    def worth(self) -> float:
        """How much speaks for it."""
        return self.top - self.beside + SIDES_COUNT * self.sides


@dataclass(frozen=True)
class Told:
    """What some pixels of each of some stones tell.

    planes: of ``Patch.told``, 7 x stones x pixels; where a stone has fewer of them than another, nothing. counts: how
    many each has.
    """

    planes: NDArray[np.float32]
    counts: NDArray[np.int64]

    def mean(self) -> Map:
        """The mean of what is seen of each stone, 3 x stones."""
        return np.asarray(self.planes[:3].sum(axis=-1) / np.maximum(self.counts, 1), np.float32)

    def explained(self, mean: Map, uneven: float = 1.0) -> Map:
        """How much better than bare board an even face explains each pixel, stones x pixels: natural logarithms.

        mean: that face, 3 x stones. uneven: how many times the usual variance it has.
        """
        off = self.planes[:3] - mean[..., None]
        off *= off
        off *= self.planes[3:6]
        unlike = np.minimum(off.sum(axis=0) / np.float32(2 * uneven), UNLIKE)
        there = np.arange(off.shape[-1]) < self.counts[:, None]
        return np.asarray(self.planes[6] - unlike - np.float32(1.5 * np.log(uneven)) * there, np.float32)


@dataclass(frozen=True)
class Patch:
    """What is seen about a square, as claims are turned (``vision.reading.rivals``), with a ``MARGIN``.

    layers, picture: the claim's. bare: how well each pixel fits bare board, a log density. weights: one over the
    variance of each of the three logarithms, on a face. level: a face's log density where it fits best. square_px: how
    large the square is, across and down. lean: how far a stone's upper face is seen from its foot, in steps of
    ``LEAN_STEPS``.
    """

    layers: Layers
    picture: Picture
    bare: Map
    weights: Layers
    level: Map
    square_px: tuple[float, float]
    lean: tuple[int, int]

    @staticmethod
    def of(claim: Claim, looks: Looks) -> Patch:
        """claim: with a ``MARGIN``."""
        layers = claim.layers()
        seen, empty = (np.ascontiguousarray(layers[..., part]) for part in (slice(3), slice(3, 6)))
        bare, scale = bare_closely(seen, empty, claim.fine_gain, looks)
        variance = _face_variance(claim.picture, float(looks.noise[:2, 1].mean()) * float(scale))
        level = np.asarray(-np.log(2 * np.pi * variance).sum(axis=-1) / 2, np.float32)
        across, down = (one * READ_PX_PER_MM for one in claim.square_mm)
        high = STONE_HIGH_MM / SHIP_MM * READ_PX_PER_MM * LEAN_STEPS
        lean = round(claim.leans[0] * high), round(claim.leans[1] * high)
        weights = np.asarray(1 / variance, np.float32)
        return Patch(layers, claim.picture, bare, weights, level, (across, down), lean)

    @cached_property
    def told(self) -> NDArray[np.float32]:
        """What each pixel tells, row after row: ``seen``, ``weights``, and how much better a face fits than bare board
        where it fits best; and at last what one would that told nothing (7 x N)."""
        better = np.asarray(self.level - self.bare, np.float32)[..., None]
        told = np.concatenate([self.seen, self.weights, better], axis=-1).reshape(-1, 7)
        return np.ascontiguousarray(np.pad(told, ((0, 1), (0, 0))).T)

    @property
    def seen(self) -> Layers:
        """The opponent logarithms of what is seen, with the light taken out."""
        return self.layers[..., :3]

    def off_square(self, x: ArrayLike, y: ArrayLike) -> Floats:
        """How far outside of the square places of the patch lie (px); less than 0 within."""
        middle = CLOSE.before + MARGIN + 0.5
        across, down = self.square_px
        return np.maximum(abs(np.asarray(x) - middle) - across / 2, abs(np.asarray(y) - middle) - down / 2)

    def window(self, x: int, y: int) -> Part | None:
        """The rows and columns of a mask about there, None where it reaches out of the patch."""
        top, left, side = y - MASK_PX // 2, x - MASK_PX // 2, len(self.bare)
        if min(top, left) < 0 or max(top, left) + MASK_PX > side:
            return None
        return slice(top, top + MASK_PX), slice(left, left + MASK_PX)

    def about(self, stone: Lying) -> tuple[Part, Outline]:
        """The window about a stone that lies there, and what is seen of it."""
        window = self.window(stone.x, stone.y)
        assert window is not None, "a stone lies within its patch"
        return window, outline_of(self.lean, stone.turn)

    def lay(self, spots: Sequence[Spot]) -> list[Lying]:
        """How well stones explain what is seen at some spots, in their order; but for those where the patch ends.

        All at once: there are so many that it counts how often numpy is called.
        """
        within = [(spot, window) for spot in spots if (window := self.window(spot.x, spot.y)) is not None]
        first = [rows.start * SIDE_PX + columns.start for _, (rows, columns) in within]
        outlines = [outline_of(self.lean, spot.turn % TURNS) for spot, _ in within]
        top = self._told_of(first, [outline.top_px for outline in outlines])
        sides = self._told_of(first, [outline.sides_px for outline in outlines])
        beside = self._told_of(first, [outline.beside_px for outline in outlines])
        mean = top.mean()
        much_beside = beside.explained(mean).clip(0).sum(axis=-1) * top.counts / np.maximum(beside.counts, 1)
        much_sides = sides.explained(sides.mean(), SIDES_UNEVEN).sum(axis=-1) * (sides.counts >= FEWEST_PX)
        much = np.column_stack([top.explained(mean).sum(axis=-1), much_beside, much_sides]).tolist()
        return [Lying(spot.x, spot.y, spot.turn % TURNS, *one) for (spot, _), one in zip(within, much, strict=True)]

    def _told_of(self, first: Sequence[int], pixels: Sequence[Pixels]) -> Told:
        """What some pixels of some masks tell. first: the number of the pixel where each mask begins. pixels: theirs,
        as those of an ``Outline``."""
        counts = np.array([len(one) for one in pixels], np.int64)
        there = np.full((len(pixels), counts.max(initial=0)), self.told.shape[1] - 1)
        for row, start, one in zip(there, first, pixels, strict=True):
            row[: len(one)] = one + start
        return Told(self.told.take(there, axis=1), counts)


def bare_closely(seen: Layers, empty: Layers, gain: Layers, looks: Looks) -> tuple[Map, np.float32]:
    """How well each pixel of a part of the straightened picture fits bare board, a log density; and by how much more
    than usual these vary there.

    seen, empty: its opponent logarithms with the light taken out, and the empty board's. gain: the light's.
    """
    brightness = np.maximum(seen[..., 2] + gain[..., 2], np.float32(DARKEST))
    difference = [np.asarray(plane, np.float32) for plane in channels(seen - empty)]
    noises = board_noise(looks, brightness, edge_noise(empty))
    # What covers the board is off in hue one way or the other: the channel tells that it covers least.
    off = min(quantile(plane**2 / noise, 0.5) for plane, noise in zip(difference[:2], noises, strict=False))
    scale = np.float32(max(off / MEDIAN_SQUARE, 1.0))
    return bare_density(difference, [noise * scale for noise in noises], looks.hue), scale


def _face_variance(picture: Picture, noise: float) -> Layers:
    """The variance of each opponent logarithm on a face. noise: of two channels' difference, in grey levels squared.

    The channels that a piece's colour has little of are dark, and in logarithms noisier than its brightness tells.
    """
    blue, green, red = np.moveaxis((noise / 2 + COARSE**2) / (picture + np.float32(OFFSET)) ** 2, -1, 0)
    off = np.stack([blue + green, red + green, (blue + green + red) / 9], axis=-1)
    return np.asarray(off + np.array(UNEVEN), np.float32)


def find_stones(patch: Patch) -> list[Lying]:
    """The stones that may lie on the square, at most ``FOUND``, what explains most first."""
    tried: list[Spot] = []
    for spot in _at_first_sight(patch):
        if sum((spot.x - x) ** 2 + (spot.y - y) ** 2 < NEAR_PX**2 for x, y, _ in tried) < AT_ONE_PLACE:
            tried.append(spot)
        if len(tried) == TRIED:
            break
    laid = _Laid(patch)
    first = laid.at([Spot(x, y, (turn + near) % TURNS) for x, y, turn in tried for near in NEAR_TURNS])
    best = _apart(sorted(first, key=lambda stone: -stone.worth))[:FOUND]
    moved = _closely(laid, [stone for index, stone in enumerate(best) if not index or stone.worth >= LEAST])
    # One that is moved beyond the square's edge is the next square's; they are found to a px.
    found = [stone for stone in moved if patch.off_square(stone.x, stone.y) <= 1]
    return _apart(sorted(found, key=lambda stone: -stone.worth))


class _Laid:
    """Stones on a patch. Each is laid once: those that are moved come to the same spots again and again."""

    def __init__(self, patch: Patch) -> None:
        self._patch = patch
        self._stones: dict[Spot, Lying] = {}

    def at(self, spots: Sequence[Spot]) -> list[Lying]:
        """See ``Patch.lay``; turns are less than ``TURNS``."""
        if new := [spot for spot in dict.fromkeys(spots) if spot not in self._stones]:
            for stone in self._patch.lay(new):
                self._stones[Spot(stone.x, stone.y, stone.turn)] = stone
        return [self._stones[spot] for spot in spots if spot in self._stones]


def _at_first_sight(patch: Patch) -> Iterator[Spot]:
    """Where stones may lie, and how they are turned, what explains most first."""
    # One weight a pixel will do for all three logarithms, each in units of what it usually varies.
    usual = np.median(patch.weights.reshape(-1, 3), axis=0)
    weight = np.ascontiguousarray((patch.weights / usual).mean(axis=-1))
    light = patch.seen * np.sqrt(usual)
    alone = patch.level - patch.bare - weight * (light**2).sum(axis=-1) / 2
    maps = [np.asarray(one, np.float32) for one in (alone, weight, *np.moveaxis(weight[..., None] * light, -1, 0))]
    y, x = np.ogrid[: len(alone), : len(alone)]
    # A stone's middle lies within its square.
    inside = patch.off_square(x, y) < -2
    found = []
    for turn in range(0, TURNS, TURNS // FIRST_TURNS):
        kernel = outline_of(patch.lean, turn).core.astype(np.float32)
        left, many, *sums = (cv2.filter2D(one, -1, kernel, borderType=cv2.BORDER_REPLICATE) for one in maps)
        worth = left + sum(one**2 for one in sums) / np.maximum(many, 1e-6) / 2
        worth = np.where(inside, worth, np.float32(-np.inf))
        peaks = (worth >= cv2.dilate(worth, np.ones((5, 5)))) & inside
        found += [(float(worth[row, column]), int(column), int(row), turn) for row, column in np.argwhere(peaks)]
    yield from (Spot(x, y, turn) for _, x, y, turn in sorted(found, reverse=True))


def _closely(laid: _Laid, stones: Sequence[Lying]) -> list[Lying]:
    """The same, each moved and turned a little until it explains most."""
    best = list(stones)
    moving = list(range(len(best)))
    while moving:
        before = [(best[index].x, best[index].y) for index in moving]
        # Both at once, too: where it lies askew, another turn explains less unless it is moved as well.
        for along in (0,), (-1, 0, 1):
            near = {index: _near(best[index], along) for index in moving}
            # Those of all stones at once: each is only looked up then.
            laid.at([spot for spots in near.values() for spot in spots])
            for index, spots in near.items():
                best[index] = max([best[index], *laid.at(spots)], key=lambda one: one.worth)
        # Where it lies elsewhere, another turn may explain more.
        moving = [index for index, was in zip(moving, before, strict=True) if (best[index].x, best[index].y) != was]
    return [_turned(stone, laid.at(_near(stone, (0,)))) for stone in best]


def _near(stone: Lying, along: Sequence[int]) -> list[Spot]:
    """The spots of the same turned by up to ``TURNED`` and moved by so much, across and down."""
    turns = [(stone.turn + turn) % TURNS for turn in range(-TURNED, TURNED + 1)]
    return [Spot(stone.x + x, stone.y + y, turn) for turn, x, y in product(turns, along, along)]


def _turned(stone: Lying, every: Sequence[Lying]) -> Lying:
    """The middle of the turns that are as good as a stone's own, of ``every`` one of those near it: from straight above
    turns hardly differ over twenty degrees."""
    as_good = [index for index, one in enumerate(every) if one.worth >= AS_GOOD * stone.worth]
    return every[round(sum(as_good) / len(as_good)) if as_good else TURNED]


def _apart(stones: list[Lying]) -> list[Lying]:
    """Those of some stones that lie far enough from the ones before them."""
    kept: list[Lying] = []
    for stone in stones:
        if all(np.hypot(stone.x - other.x, stone.y - other.y) > APART_MM * READ_PX_PER_MM for other in kept):
            kept.append(stone)
    return kept
