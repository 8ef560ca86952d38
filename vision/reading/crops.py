"""Crops of a scene, one for each square and colour that may stand there, as the networks take them.

Every crop is turned and mirrored so that what stands on its square leans to the right, or to the right and down: away
from the point below the camera. One crop asks after one colour; the others only matter as what is not that colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial, reduce
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS
from companion.squares import Square
from vision.frames import Part
from vision.grid import MM_PER_PX
from vision.reading.evidence import Scene
from vision.reading.shapes import SHIP_MM

Planes: TypeAlias = NDArray[np.float32]
Numbers: TypeAlias = NDArray[np.intp]
Asked: TypeAlias = tuple[Square, int]
"""A square, and a colour that may stand there."""

AT_ONCE, COARSE_AT_ONCE = 16, 64
"""Crops that are cut at a time, and coarse ones: what they need fits into a small cache."""
FIT_SCALE, DETAIL_HALF, LEAN_SCALE = 0.2, 0.06, 1 / 40
"""Of the networks' inputs. A detail of DETAIL_HALF counts half of what the strongest does: faint ones tell as much."""
_OTHERS, _SHARED, _SCALED, _SHADE, _DETAILS = 1, 2, 4, 8, 9
"""A crop's planes: its colour, the likeliest other one, six that are the same for all colours (the first two are log
densities as those before them), shade, less what is usual of its colour, in all but coarse crops four of details,
..."""
_ADDED = 3
"""... where the square is, and how far a ship's upper end leans, across and down."""
_NUMBERS = range(len(COLOURS))
OTHER_COLOURS = np.array([[other for other in _NUMBERS if other != colour] for colour in _NUMBERS])
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

    def window(self, x: int, y: int, window: Window) -> Part:
        """Rows and columns of the crop round a pixel of the maps, before it is turned, in steps of the window."""
        after = window.side - window.before - 1
        left, top = x - (after if self.across else window.before), y - (after if self.down else window.before)
        (height, width), left, top = window.shape, left // window.step, top // window.step
        return slice(top, top + height), slice(left, left + width)

    def pixels(self, rows: slice, columns: slice, width: int) -> Numbers:
        """Which pixels of a map so wide, counted row after row, the crop of these rows and columns shows where."""
        turned = _turned(self, (rows.stop - rows.start, columns.stop - columns.start), width)
        return np.asarray(turned + (rows.start * width + columns.start), np.intp)

    def turn(self, planes: NDArray[Any]) -> NDArray[Any]:
        """Planes (… x height x width) as the crop shows them."""
        turned = planes[..., :: -1 if self.down else 1, :: -1 if self.across else 1]
        return np.swapaxes(turned, -1, -2) if self.swapped else turned

    @property
    def parts(self) -> list[int]:
        """Which of the four parts of a pixel, row by row, is where after turning."""
        return [int(n) for n in _turned(self, (2, 2), 2)]


@cache
def _turned(way: Way, shape: tuple[int, int], width: int) -> Numbers:
    """``Way.pixels`` of so many rows and columns from the first on; not to be changed."""
    height, columns = shape
    return np.asarray(way.turn(np.arange(height)[:, None] * width + np.arange(columns)), np.intp).ravel()


@dataclass(frozen=True)
class Layer:
    """What a scene, or a part of it, gives to crops.

    stacks: of maps. The first begins with the fits of all colours; then, in it or others, come a ship's inside, bare
    board, blind, brighter, printed, shown, and shade. details: four, or none in what is coarse. usual: the usual shade
    of each colour.
    """

    stacks: Sequence[Planes]
    details: Planes
    usual: Planes

    @staticmethod
    def of_scene(scene: Scene, usual: Sequence[float]) -> Layer:
        """All of a scene."""
        others = (scene.bare, scene.blind, scene.brighter, scene.printed, scene.shown, scene.shade)
        stacks = [scene.fits[: len(COLOURS) + 1], *(plane[None] for plane in others)]
        return Layer(stacks, scene.details, np.array(usual, np.float32))

    def halved(self) -> Layer:
        """The same at half the resolution, without details."""
        return Layer([halves(stack) for stack in self.stacks], self.details[:0], self.usual)

    @property
    def shape(self) -> tuple[int, int]:
        """Of the maps."""
        height, width = self.stacks[0].shape[1:]
        return height, width

    @property
    def channels(self) -> int:
        """How many planes its crops have."""
        return _DETAILS + len(self.details) + _ADDED

    def fill(self, crops: Planes, way: Way, part: Part, colours: Sequence[int]) -> None:
        """Fill crops of one place for some colours (N x channels x height x width), but for their last three planes.

        way: how they are turned. part: the rows and columns of the maps that they show.
        """
        rows, columns = part
        maps = [layer[part] for layer in chain.from_iterable(self.stacks)]
        for plane, layer in enumerate(maps[len(COLOURS) : -1], _SHARED):
            crops[0, plane] = way.turn(layer)
        crops[0, _SHARED:_SCALED] *= np.float32(FIT_SCALE)
        crops[1:, _SHARED:_SHADE] = crops[0, _SHARED:_SHADE]
        for crop, colour in zip(crops, colours, strict=True):
            crop[0] = way.turn(maps[colour])
            crop[_OTHERS] = way.turn(reduce(np.maximum, (maps[other] for other in OTHER_COLOURS[colour])))
            crop[_SHADE] = way.turn(maps[-1] - self.usual[colour])
        crops[:, :_SHARED] *= np.float32(FIT_SCALE)
        if len(self.details):
            details = self.details[:, rows, columns]
            told = details / (np.abs(details) + np.float32(DETAIL_HALF))
            crops[:, _DETAILS:-_ADDED] = way.turn(told)[way.parts]

    def crops(self, pixels: Numbers, places: Numbers, colours: Numbers) -> Planes:
        """Crops of several places, without details, for some colours (N) at some of these places (N), but for their
        last three planes: N x channels x pixels.

        pixels: what the crops of each place show of the maps (places x pixels).
        """
        taken = [_taken(stack, pixels) for stack in self.stacks]
        fits, (*shared, shade) = taken[0], list(chain.from_iterable(taken))[len(COLOURS) :]
        crops = np.empty((len(places), self.channels, pixels.shape[1]), np.float32)
        crops[:, 0] = fits[colours, places]
        crops[:, _OTHERS] = fits[OTHER_COLOURS[colours].T, places].max(axis=0)
        for plane, layer in enumerate(shared, _SHARED):
            crops[:, plane] = layer[places]
        crops[:, :_SCALED] *= np.float32(FIT_SCALE)
        np.subtract(shade[places], self.usual[colours, None], out=crops[:, _SHADE])
        return crops


def _taken(stack: Planes, pixels: Numbers) -> Planes:
    """What maps (N x height x width) show at some pixels (… counted row after row): N x …"""
    # All are inside, so nothing is clipped; but asking for that is quicker.
    return stack.reshape(len(stack), -1).take(pixels, axis=1, mode="clip")


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
        self._usual = usual
        fine = Layer.of_scene(scene, usual)
        self._layers = {1: fine, 2: fine.halved()}
        self._way_of = cache(partial(way_of, scene))
        self._middles = dict(zip(scene.places.names, scene.places.middles.round().astype(int).tolist(), strict=True))

    def on(self, scene: Scene) -> Cutter:
        """The same of another scene."""
        return Cutter(scene, self._usual)

    def cut(self, wanted: Sequence[Asked], window: Window, aside: tuple[int, int] = (0, 0)) -> Iterator[Planes]:
        """The crops of squares and colours, one after the other: channels x height x width each.

        aside: so many px of the maps further to the right and down, as far as they reach.
        """
        at_once, cut = (AT_ONCE, self._fine) if window.step == 1 else (COARSE_AT_ONCE, self._coarse)
        for begin in range(0, len(wanted), at_once):
            yield from cut(wanted[begin : begin + at_once], window, aside)

    def _fine(self, wanted: Sequence[Asked], window: Window, aside: tuple[int, int]) -> Planes:
        """Crops at the resolution of the maps, place by place: each is as much as a cache holds."""
        layer = self._layers[1]
        crops = np.empty((len(wanted), layer.channels, *window.shape), np.float32)
        last = 0
        for name, asked in groupby(wanted, itemgetter(0)):
            colours = [colour for _, colour in asked]
            first, last = last, last + len(colours)
            way, leans = self._way_of(name)
            layer.fill(crops[first:last], way, self._part(name, layer, window, aside), colours)
            crops[first:last, -3] = self._square(window, way.swapped)
            crops[first:last, -2], crops[first:last, -1] = (lean * LEAN_SCALE for lean in leans)
        return crops

    def _coarse(self, wanted: Sequence[Asked], window: Window, aside: tuple[int, int]) -> Planes:
        """Coarser crops, all at once: they are small and many, and one by one they take half as long again."""
        layer = self._layers[window.step]
        index = {name: place for place, name in enumerate(dict.fromkeys(name for name, _ in wanted))}
        places, colours = np.array([(index[name], colour) for name, colour in wanted], np.intp).T
        ways, leans = zip(*(self._way_of(name) for name in index), strict=True)
        parts = [self._part(name, layer, window, aside) for name in index]
        pixels = np.stack([way.pixels(*part, layer.shape[1]) for way, part in zip(ways, parts, strict=True)])
        crops = layer.crops(pixels, places, colours)
        squares = [self._square(window, swapped) for swapped in (False, True)]
        crops[:, -3] = np.reshape(squares, (2, -1))[[int(way.swapped) for way in ways]][places]
        crops[:, -2:] = (np.array(leans) * LEAN_SCALE)[places, :, None]
        return crops.reshape(*crops.shape[:2], *window.shape)

    def _part(self, name: Square, layer: Layer, window: Window, aside: tuple[int, int]) -> Part:
        """The rows and columns of a layer that a square's crop shows."""
        (x, y), (way, _) = self._middles[name], self._way_of(name)
        return within(*way.window(x + aside[0], y + aside[1], window), layer.shape)

    def _square(self, window: Window, swapped: bool) -> Planes:
        return square_plane(self.scene.board.square_mm, swapped, window)


def within(rows: slice, columns: slice, shape: Sequence[int]) -> Part:
    """The nearest rows and columns, as many, that a map of such a shape has."""
    return _nearest(rows, shape[0]), _nearest(columns, shape[1])


def _nearest(part: slice, length: int) -> slice:
    side = part.stop - part.start
    start = min(max(part.start, 0), length - side)
    return slice(start, start + side)


@cache
def square_plane(square_mm: tuple[float, float], swapped: bool, window: Window, mm_per_px: float = MM_PER_PX) -> Planes:
    """1 on the square, 0 round it, as a crop shows it whose axes are swapped or not; not to be changed."""
    width, height = (mm / mm_per_px for mm in (square_mm[::-1] if swapped else square_mm))
    plane = np.zeros((window.side, window.side), np.float32)
    middle = window.before + 0.5
    y0, y1 = round(middle - height / 2), round(middle + height / 2)
    x0, x1 = round(middle - width / 2), round(middle + width / 2)
    plane[max(y0, 0) : y1, max(x0, 0) : x1] = 1
    return plane if window.step == 1 else halves(plane[None])[0]


def those(wanted: Sequence[Asked], chosen: NDArray[np.bool_]) -> list[Asked]:
    """What is chosen of what is wanted."""
    return [wanted[index] for index in np.flatnonzero(chosen).tolist()]
