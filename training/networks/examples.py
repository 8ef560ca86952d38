"""Packed examples, cut into crops and changed a little by chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS
from training.packing.packs import from_bytes
from training.packing.squares import RANGES
from vision.reading.crops import LEAN_SCALE, NEAR, WHOLE, Layer, Way, Window, square_plane, within

Floats = NDArray[np.float32]

PYRAMID = 3
"""From this class on (``training.packing.squares.truth_of``) it is a pyramid, of one floor more for each."""

COVERED, TOUCHED = 0.7, 0.1
"""The share of a square that must be covered for nothing to be known of it, and that from which on it tells that
something lies there. Of what is covered less than COVERED the truth is learned as far as it can be seen."""
WHOLLY = 0.4
"""From this share on a square is as surely covered as can be."""

SIDE = WHOLE.side
_MIDDLE = slice(WHOLE.before - NEAR.before, WHOLE.before - NEAR.before + NEAR.side)
"""The part of a whole crop, in both directions, that a near one shows."""
_LOW = RANGES[:, :1, None]
_NOISE = np.random.default_rng(0).normal(0, 1, 2_000_000).astype(np.float32)


class Pack:
    """The examples of one set-up.

    truth: for each square of each picture the class of each colour, as far as it is asked after. asked: which colours a
    reader would ask after. squares: those that are asked after and can be seen, all that can be learned from. lost: how
    many squares hold something that is not asked after. cover: how surely something lies over each square, from 0 to 1.
    covered: those of which nothing can be known.
    """

    def __init__(self, file: Path) -> None:
        with np.load(file) as data:
            self.name = file.stem
            self.planes = data["planes"]
            self.rows = data["rows"]
            self.usual = [float(shade) for shade in data["usual"]]
            width, height = (float(mm) for mm in data["square_mm"])
            self.square_mm = (width, height)
            self.pictures = [str(name) for name in data["names"]]
        truth, self.asked = self.rows[:, 8:13].astype(np.int64), self.rows[:, 13:18] > 0
        self.truth = np.where(self.asked, truth, 0)
        hidden, shares = self.rows[:, 18] > 0, self.rows[:, 19]
        self.covered, self.cover = shares >= COVERED, ((shares - TOUCHED) / (WHOLLY - TOUCHED)).clip(0, 1)
        lost = (truth != self.truth).any(axis=1) & ~hidden & (shares < TOUCHED)
        self.squares = np.flatnonzero(self.asked.any(axis=1) & ~lost & ~hidden)
        self.lost = int(lost.sum())

    def colours(self, square: int) -> list[int]:
        """The colours that are asked after on a square."""
        return [int(colour) for colour in np.flatnonzero(self.asked[square])]

    def truth_or_guess(self, square: int, rng: Generator | None) -> NDArray[np.int64]:
        """The class of each colour; of a covered square anything, so that nothing is learned but not to be sure."""
        truth: NDArray[np.int64] = self.truth[square]
        if rng is None or not self.covered[square]:
            return truth
        guess = np.zeros_like(truth)
        if rng.random() < 0.7:
            guess[rng.choice(self.colours(square))] = rng.choice([1, 2, PYRAMID])
        return guess

    def crops(self, square: int, colours: Sequence[int], window: Window, rng: Generator | None) -> Floats:
        """Whole or coarse crops of a square for some colours, changed by chance if a generator is given."""
        row = self.rows[square]
        x, y = int(row[1]), int(row[2])
        across, down, swapped = (bool(flag) for flag in row[3:6])
        leans = row[6:8]
        if rng is not None:
            x, y = x + int(rng.integers(-1, 2)), y + int(rng.integers(-1, 2))
            # Where next to nothing leans, every way of turning is as good.
            if leans.max() < 5 and rng.random() < 0.5:
                across, down = bool(rng.random() < 0.5), bool(rng.random() < 0.5)
            if abs(leans[0] - leans[1]) < 4 and rng.random() < 0.5:
                swapped, leans = not swapped, leans[::-1]
        way = Way(across, down, swapped)
        # Pairs of pixels that are one in a coarse crop are so in the whole picture.
        planes = self.planes[int(row[0])]
        # Moved by chance, a crop at the edge would reach out of the maps.
        top, left = (part.start * window.step for part in way.window(x, y, window))
        rows, columns = within(slice(top, top + SIDE), slice(left, left + SIDE), planes.shape[1:])
        cut = from_bytes(planes[:, rows, columns], RANGES)
        if rng is not None:
            cut = _changed(cut, rng)
        usual = np.array(self.usual, np.float32)
        layer = Layer([cut[:12]], cut[12:], usual)
        if window.step > 1:
            layer = layer.halved()
        blob = np.empty((len(colours), layer.channels, *window.shape), np.float32)
        height, width = window.shape
        layer.fill(blob, way, (slice(0, height), slice(0, width)), colours)
        blob[:, -3] = square_plane(self.square_mm, way.swapped, window)
        blob[:, -2], blob[:, -1] = leans * LEAN_SCALE
        return blob


def _changed(cut: Floats, rng: Generator) -> Floats:
    """Planes (as packed) of a piece that stands or is made a little otherwise, in another light, softer, noisier."""
    if rng.random() < 0.7:
        cut = _turned(cut, float(rng.normal(0, 6.0)), float(rng.uniform(0.93, 1.07)))
    if rng.random() < 0.25:
        blurred = cv2.GaussianBlur(cut.transpose(1, 2, 0), (0, 0), rng.uniform(0.4, 1.0))
        cut = np.ascontiguousarray(blurred.transpose(2, 0, 1))
    if rng.random() < 0.6:
        cut[: len(COLOURS)] += rng.normal(0, 0.5, (len(COLOURS), 1, 1)).astype(np.float32)
        cut[5:7] += rng.normal(0, 0.4, (2, 1, 1)).astype(np.float32)
        np.clip(cut[:7], _LOW[:7], -_LOW[:7], out=cut[:7])
    shade: Floats | np.float32 = np.float32(rng.normal(0, 0.12))
    if rng.random() < 0.3:
        shade = shade + _shadow_edge(rng)
    cut[8] += shade
    cut[11] += shade
    if rng.random() < 0.5:
        cut[12:] *= np.float32(np.exp(rng.uniform(-0.7, 0.5)))
    if rng.random() < 0.5:
        start = int(rng.integers(len(_NOISE) - cut.size))
        noise = _NOISE[start : start + cut.size].reshape(cut.shape)
        # Mostly a little, sometimes as much as a camera gives that sees next to nothing.
        much = rng.uniform(1, 3) if rng.random() < 0.3 else rng.uniform(0, 1)
        cut[12:] += np.float32(0.04 * much) * noise[12:]
        cut[:7] += np.float32(0.5 * much) * noise[:7]
    return cut


def _turned(cut: Floats, degrees: float, scale: float) -> Floats:
    """Planes turned and scaled about their middle; the details of the four parts of a pixel as one finer plane."""
    coarse = cv2.getRotationMatrix2D(((SIDE - 1) / 2, (SIDE - 1) / 2), degrees, scale)
    fine = cv2.getRotationMatrix2D((SIDE - 0.5, SIDE - 0.5), degrees, scale)
    details = np.empty((2 * SIDE, 2 * SIDE), np.float32)
    for part, plane in enumerate(cut[12:]):
        details[part // 2 :: 2, part % 2 :: 2] = plane
    details = np.asarray(cv2.warpAffine(details, fine, details.shape, borderMode=cv2.BORDER_REFLECT), np.float32)
    turned = np.empty_like(cut)
    for plane, target in zip(cut[:12], turned[:12], strict=True):
        cv2.warpAffine(plane, coarse, plane.shape, dst=target, borderMode=cv2.BORDER_REFLECT)
    for part in range(4):
        turned[12 + part] = details[part // 2 :: 2, part % 2 :: 2]
    return turned


def _shadow_edge(rng: Generator) -> Floats:
    """The edge of a shadow somewhere across a crop: 0 on one side of it, darker on the other."""
    angle = rng.uniform(0, 2 * np.pi)
    ramp = np.linspace(-1, 1, SIDE, dtype=np.float32)
    place = np.cos(angle) * ramp[None] + np.sin(angle) * ramp[:, None] - rng.uniform(-1, 1)
    depth = rng.uniform(0.1, 0.7) / (1 + np.exp(-np.clip(place / rng.uniform(0.05, 1), -20, 20)))
    return np.asarray(-depth, np.float32)


@dataclass(frozen=True)
class Batch:
    """Crops, the square (counted within the batch) and colour of each; the classes of each square's colours, and how
    surely something lies over it, from 0 to 1."""

    crops: Floats
    squares: NDArray[np.int64]
    colours: NDArray[np.int64]
    truth: NDArray[np.int64]
    cover: Floats


def batch_of(chosen: Sequence[tuple[Pack, int]], window: Window, rng: Generator | None) -> Batch:
    """All that is asked after on some squares."""
    asked = [pack.colours(square) for pack, square in chosen]
    crops = [pack.crops(square, colours, window, rng) for (pack, square), colours in zip(chosen, asked, strict=True)]
    return Batch(
        np.concatenate(crops),
        np.repeat(np.arange(len(chosen)), [len(colours) for colours in asked]),
        np.concatenate(asked),
        np.stack([pack.truth_or_guess(square, rng) for pack, square in chosen]),
        np.array([pack.cover[square] for pack, square in chosen], np.float32),
    )


def pyramids(pack: Pack) -> list[int]:
    """The squares that hold a pyramid."""
    return [int(square) for square in pack.squares if pack.truth[square].max() >= PYRAMID and not pack.covered[square]]


def floors_of(chosen: Sequence[tuple[Pack, int]], rng: Generator | None) -> tuple[Floats, NDArray[np.int64]]:
    """The near crops of pyramids, each for its own colour, and their numbers of floors less one."""
    crops = [pack.crops(square, [int(pack.truth[square].argmax())], WHOLE, rng)[0] for pack, square in chosen]
    return np.stack(crops)[..., _MIDDLE, _MIDDLE], np.array(
        [int(pack.truth[square].max()) - PYRAMID for pack, square in chosen]
    )


def drawn_by_chance(
    squares: Sequence[tuple[Pack, int]], weights: Sequence[float], size: int, count: int, rng: Generator
) -> Iterator[list[tuple[Pack, int]]]:
    """So many times so many of the squares, the more often the more they weigh."""
    chance = np.array(weights) / np.sum(weights)
    for _ in range(count):
        yield [squares[int(index)] for index in rng.choice(len(squares), size, p=chance)]
