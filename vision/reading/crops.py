"""Crops of a scene, one for each square and colour that may stand there, as the networks take them.

Every crop is turned and mirrored so that what stands on its square leans to the right, or to the right and down: away
from the point below the camera. One crop asks after one colour; the others only matter as what is not that colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import groupby
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.squares import Square
from vision.grid import MM_PER_PX
from vision.reading.candidates import COLOURS
from vision.reading.evidence import Scene
from vision.reading.shapes import SHIP_MM

Planes: TypeAlias = NDArray[np.float32]
Asked: TypeAlias = tuple[Square, int]
"""A square, and a colour that may stand there."""

BATCH = 8
"""Crops that are cut, and read, at a time: what they need fits into a small cache."""
FIT_SCALE, DETAIL_HALF, LEAN_SCALE = 0.2, 0.06, 1 / 40
"""Of the networks' inputs. A detail of DETAIL_HALF counts half of what the strongest does: faint ones tell as much."""
_OTHERS, _SHARED, _SCALED, _SHADE, _DETAILS = 1, 2, 4, 8, 9
"""A crop's planes: its colour, the likeliest other one, six that are the same for all colours (the first two are log
densities as those before them), shade, less what is usual of its colour, in all but coarse crops four of details,
..."""
_ADDED = 3
"""... where the square is, and how far a ship's upper end leans, across and down."""
OTHER_COLOURS = np.array([[other for other in range(COLOURS) if other != colour] for colour in range(COLOURS)])
"""Of each colour."""


@dataclass(frozen=True)
class Window:
    """What a crop shows. before: how far it begins before its square's middle. side: px of the maps. step: so many of
    these, in both directions, are one pixel of the crop."""

    before: int
    side: int
    step: int = 1

    @property
    def shape(self) -> tuple[int, int]:
        """Of a plane of the crop."""
        return self.side // self.step, self.side // self.step


WHOLE = Window(21, 48)
"""72 mm, 31.5 of them before the square's middle."""
COARSE = Window(21, 48, 2)
"""The same at half the resolution, which is enough for what is plain."""
NEAR = Window(12, 32)
"""The part that shows the whole of a pyramid on its square."""


@dataclass(frozen=True)
class Way:
    """How a crop is turned: first mirrored left to right, then top to bottom, then its axes swapped."""

    across: bool
    down: bool
    swapped: bool

    @staticmethod
    def of(x: float, y: float) -> Way:
        """The way for a square so far from the point below the camera."""
        return Way(x < 0, y < 0, abs(y) > abs(x))

    def window(self, x: int, y: int, window: Window) -> tuple[slice, slice]:
        """Rows and columns of the crop round a pixel of the maps, before it is turned, in steps of the window."""
        after = window.side - window.before - 1
        left, top = x - (after if self.across else window.before), y - (after if self.down else window.before)
        (height, width), left, top = window.shape, left // window.step, top // window.step
        return slice(top, top + height), slice(left, left + width)

    def turn(self, planes: Planes) -> Planes:
        """Planes (… x height x width) as the crop shows them."""
        turned = planes[..., :: -1 if self.down else 1, :: -1 if self.across else 1]
        return np.swapaxes(turned, -1, -2) if self.swapped else turned

    @property
    def parts(self) -> list[int]:
        """Which of the four parts of a pixel, row by row, is where after turning."""
        return [int(n) for n in self.turn(np.arange(4, dtype=np.float32).reshape(2, 2)).ravel()]


@dataclass(frozen=True)
class Layer:
    """What a scene, or a part of it, gives to crops.

    fits: of the colours. shared: of a ship's inside and bare board, blind, brighter, printed and shown, in stacks of
    any size. shade: as one. details: four, or none in what is coarse. usual: the usual shade of each colour.
    """

    fits: Planes
    shared: Sequence[Planes]
    shade: Planes
    details: Planes
    usual: Planes

    @staticmethod
    def of_scene(scene: Scene, usual: Sequence[float]) -> Layer:
        """All of a scene."""
        shared = (scene.fits[COLOURS], scene.bare, scene.blind, scene.brighter, scene.printed, scene.shown)
        stacks = [plane[None] for plane in shared]
        return Layer(scene.fits[:COLOURS], stacks, scene.shade[None], scene.details, np.array(usual, np.float32))

    def halved(self) -> Layer:
        """The same at half the resolution, without details."""
        shared = np.concatenate([halves(stack) for stack in self.shared])
        return Layer(halves(self.fits), [shared], halves(self.shade), self.details[:0], self.usual)

    @property
    def channels(self) -> int:
        """How many planes a crop of it has."""
        return _DETAILS + len(self.details) + _ADDED

    def fill(self, crops: Planes, colours: Sequence[int], rows: slice, columns: slice, way: Way) -> None:
        """Fill the crops of one square for some colours (each ``channels`` planes) but for their last three planes."""
        fits, shade = (way.turn(planes[:, rows, columns]) for planes in (self.fits, self.shade))
        begin = _SHARED
        for stack in self.shared:
            end = begin + len(stack)
            crops[:, begin:end] = way.turn(stack[:, rows, columns])
            begin = end
        for crop, colour in zip(crops, colours, strict=True):
            crop[0] = fits[colour]
            np.maximum.reduce(fits[OTHER_COLOURS[colour]], out=crop[_OTHERS])
            np.subtract(shade[0], self.usual[colour], out=crop[_SHADE])
        crops[:, :_SCALED] *= np.float32(FIT_SCALE)
        if len(self.details):
            details = way.turn(self.details[:, rows, columns])[way.parts]
            crops[:, _DETAILS:-_ADDED] = details / (np.abs(details) + np.float32(DETAIL_HALF))


def halves(planes: Planes) -> Planes:
    """Planes (N x height x width, of even sides) at half the resolution."""
    count, height, width = planes.shape
    # All in one, one below the other.
    small = cv2.resize(planes.reshape(-1, width), (width // 2, count * height // 2), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32).reshape(count, height // 2, width // 2)


def way_of(scene: Scene, name: Square) -> tuple[Way, tuple[float, float]]:
    """How a square's crop is turned, and how far a ship's upper end leans there, across and down the crop (mm)."""
    (x, y), (eye_x, eye_y, eye_height) = scene.board.centre_mm(name), scene.eye.tolist()
    way = Way.of(x - eye_x, y - eye_y)
    # The lean of ``vision.grid`` is a scaling about the point below the camera.
    scale = SHIP_MM / (eye_height - SHIP_MM)
    across, down = abs(x - eye_x) * scale, abs(y - eye_y) * scale
    return way, (down, across) if way.swapped else (across, down)


class Cutter:
    """Cuts crops of one scene."""

    def __init__(self, scene: Scene, usual: Sequence[float]) -> None:
        """usual: the usual shade of each colour (``vision.reading.evidence``)."""
        self.scene = scene
        fine = Layer.of_scene(scene, usual)
        self._layers = {1: fine, 2: fine.halved()}
        self._way_of = cache(partial(way_of, scene))
        self._middles = dict(zip(scene.places.names, scene.places.middles.round().astype(int).tolist(), strict=True))

    def cut(self, wanted: Sequence[Asked], window: Window, aside: tuple[int, int] = (0, 0)) -> Iterator[Planes]:
        """The crops of squares and colours, at most ``BATCH`` together: N x channels x height x width.

        aside: so many px of the maps further to the right and down, as far as they reach.
        Always the same array is filled, which stays in a small cache: take out of it what is needed later. It goes
        quickest when the colours of a square are side by side.
        """
        layer = self._layers[window.step]
        blob = np.empty((BATCH, layer.channels, *window.shape), np.float32)
        square_mm = self.scene.board.square_mm
        squares = [square_plane(square_mm, Way(False, False, swapped), window) for swapped in (False, True)]
        for begin in range(0, len(wanted), BATCH):
            filled = 0
            for name, pairs in groupby(wanted[begin : begin + BATCH], key=lambda pair: pair[0]):
                colours = [colour for _, colour in pairs]
                crops, filled = blob[filled : filled + len(colours)], filled + len(colours)
                (x, y), (way, leans) = self._middles[name], self._way_of(name)
                rows, columns = way.window(x + aside[0], y + aside[1], window)
                layer.fill(crops, colours, *within(rows, columns, layer.fits.shape[1:]), way)
                crops[:, -3] = squares[way.swapped]
                crops[:, -2], crops[:, -1] = (lean * LEAN_SCALE for lean in leans)
            yield blob[:filled]


def within(rows: slice, columns: slice, shape: Sequence[int]) -> tuple[slice, slice]:
    """The nearest rows and columns, as many, that a map of such a shape has."""
    return _nearest(rows, shape[0]), _nearest(columns, shape[1])


def _nearest(part: slice, length: int) -> slice:
    side = part.stop - part.start
    start = min(max(part.start, 0), length - side)
    return slice(start, start + side)


@cache
def square_plane(square_mm: tuple[float, float], way: Way, window: Window, mm_per_px: float = MM_PER_PX) -> Planes:
    """1 on the square, 0 round it, as the crop shows it; not to be changed."""
    width, height = (mm / mm_per_px for mm in (square_mm[::-1] if way.swapped else square_mm))
    plane = np.zeros((window.side, window.side), np.float32)
    middle = window.before + 0.5
    y0, y1 = round(middle - height / 2), round(middle + height / 2)
    x0, x1 = round(middle - width / 2), round(middle + width / 2)
    plane[max(y0, 0) : y1, max(x0, 0) : x1] = 1
    return plane if window.step == 1 else halves(plane[None])[0]
