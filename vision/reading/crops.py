"""Crops of a scene, one for each square and colour that may stand there, as the network takes them.

Every crop is turned and mirrored so that what stands on its square leans to the right, or to the right and down: away
from the point below the camera. One crop asks after one colour; the others only matter as what is not that colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.squares import Square
from vision.appearance import STRANGE
from vision.grid import MM_PER_PX
from vision.reading.evidence import Scene
from vision.reading.shapes import SHIP_MM

Planes = NDArray[np.float32]

BEFORE, SIDE = 21, 48
"""How far a crop begins before its square's middle, and its side, in px of the maps (31.5 and 72 mm)."""
NEAR = slice(9, 41)
"""The part of a crop, in both directions, that shows the whole of a pyramid on its square."""
COLOURS = 5
"""The first materials of a scene are the pieces' colours, the next is the inside of ships."""
CHANNELS = 16

LEAST_PX, LEAST_DULL_PX = 4, 6
"""So many pixels of a square must most likely show a colour for it to be asked after; and so many, if they may be a
ship's inside as well, as dull or dark ones may."""
LEAST_INSIDE_PX, CLEARLY_PX, PRINT_HIDDEN = 48, 24, 0.75
"""Where so many show a ship's inside, as high as it is, all colours are asked after, unless one shows clearly: seen
from above a ship shows hardly any. No larger share of the square's print may be seen then: a ship hides it, shadows,
which may look like an inside, do not."""
CLEARLY_BESIDE = 0.25
"""Beside a large inside so much of it: a ship's rim, mixed with what is round it, may look like any colour."""
PRINT_GONE, HARDLY_BARE = 0.15, 3.0
"""If something shows on a square, but of its print no more than such a share, bare board must fit by so much better (in
log density) than a colour: lamplight can make a pale piece look like the board, but not like its print."""
FIT_SCALE, DETAIL_HALF, LEAN_SCALE = 0.2, 0.06, 1 / 40
"""Of the network's inputs. A detail of DETAIL_HALF counts half of what the strongest does: faint ones tell as much."""


@dataclass(frozen=True)
class Way:
    """How a crop is turned: first mirrored left to right, then top to bottom, then its axes swapped."""

    across: bool
    down: bool
    swapped: bool

    @staticmethod
    def of(offset: NDArray[np.float64]) -> Way:
        """The way for a square so far (x, y) from the point below the camera."""
        return Way(bool(offset[0] < 0), bool(offset[1] < 0), bool(abs(offset[1]) > abs(offset[0])))

    def window(self, x: int, y: int) -> tuple[slice, slice]:
        """Rows and columns of the crop round a pixel, before it is turned."""
        after = SIDE - BEFORE
        left, top = (x - after + 1 if self.across else x - BEFORE), (y - after + 1 if self.down else y - BEFORE)
        return slice(top, top + SIDE), slice(left, left + SIDE)

    def turn(self, planes: Planes) -> Planes:
        """Planes (… x height x width) as the crop shows them."""
        turned = planes[..., :: -1 if self.down else 1, :: -1 if self.across else 1]
        return np.swapaxes(turned, -1, -2) if self.swapped else turned

    def parts(self) -> list[int]:
        """Which of the four parts of a pixel, row by row, is where after turning."""
        return [int(n) for n in self.turn(np.arange(4, dtype=np.float32).reshape(2, 2)).ravel()]


@dataclass(frozen=True)
class Layer:
    """The planes of a scene in the order in which crops take them; ``usual``: the usual shade of each colour."""

    fits: Planes
    rest: Planes
    shade: Planes
    details: Planes
    usual: Sequence[float]

    @staticmethod
    def of(scene: Scene, usual: Sequence[float]) -> Layer:
        rest = np.stack([scene.fits[COLOURS], scene.bare, scene.blind, scene.darker, scene.printed, scene.shown])
        return Layer(scene.fits[:COLOURS], rest, scene.shade, squashed(scene.details), usual)


def squashed(details: Planes) -> Planes:
    """Details between -1 and 1."""
    return np.asarray(details / (np.abs(details) + np.float32(DETAIL_HALF)), np.float32)


def candidates(scene: Scene) -> dict[Square, list[int]]:
    """For each square that may hold something the colours that may be there."""
    colours, inside = scene.fits[:COLOURS], scene.fits[COLOURS]
    most = np.maximum(np.maximum(colours.max(axis=0), scene.bare), np.float32(STRANGE + 0.1))
    clear = np.maximum(most, inside)
    counts = _counts(scene, colours >= clear)
    insides = scene.places.sums_above(_solid(inside >= clear), scene.eye, SHIP_MM)
    shown = (counts >= LEAST_PX) | (_counts(scene, colours >= most) >= LEAST_DULL_PX)
    hollow = (insides >= LEAST_INSIDE_PX) & (scene.print_left < PRINT_HIDDEN)
    shown[hollow & (counts.max(axis=1) < np.maximum(CLEARLY_PX, CLEARLY_BESIDE * insides))] = True
    for index in np.flatnonzero(shown.any(axis=1) & (scene.print_left < PRINT_GONE)).tolist():
        shown[index] |= _like_the_board(scene, index)
    return {
        scene.places.names[index]: np.flatnonzero(shown[index]).tolist() for index in np.flatnonzero(shown.any(axis=1))
    }


def _like_the_board(scene: Scene, index: int) -> NDArray[np.bool_]:
    """Which colours may be on a square whose print is gone, though bare board fits somewhat better."""
    left, top, right, bottom = scene.places.edges[:, index]
    fits, bare = scene.fits[: COLOURS + 1, top:bottom, left:right], scene.bare[top:bottom, left:right] - HARDLY_BARE
    best = np.where(fits.max(axis=0) > np.maximum(bare, STRANGE), fits.argmax(axis=0), COLOURS)
    return np.bincount(best.ravel(), minlength=COLOURS + 1)[:COLOURS] >= CLEARLY_PX


def _counts(scene: Scene, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
    """How many solid pixels of each mask (M x height x width) each square has, squares x M."""
    return np.stack([scene.places.sums(_solid(mask)) for mask in masks], axis=1)


def _solid(mask: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """The pixels of which most neighbours are so too: single ones are noise, or edges of the print."""
    votes = cv2.boxFilter(mask.view(np.uint8), -1, (3, 3), normalize=False)
    return (votes >= 6).view(np.uint8)


def way_of(scene: Scene, name: Square) -> tuple[Way, NDArray[np.float64]]:
    """How a square's crop is turned, and how far a ship's upper end leans there, across and down the crop (mm)."""
    offset = np.array(scene.board.centre_mm(name)) - scene.eye[:2]
    way = Way.of(offset)
    # The lean of ``vision.grid`` is a scaling about the point below the camera.
    leans = np.abs(offset) * (SHIP_MM / (scene.eye[2] - SHIP_MM))
    return way, leans[::-1] if way.swapped else leans


def fill(crops: Planes, layer: Layer, colours: Sequence[int], rows: slice, columns: slice, way: Way) -> None:
    """Fill the crops of one square for some colours (each CHANNELS x SIDE x SIDE) but for their last three planes."""
    fits = way.turn(layer.fits[:, rows, columns]) * np.float32(FIT_SCALE)
    first = crops[0]
    first[2:8] = way.turn(layer.rest[:, rows, columns])
    first[2:4] *= FIT_SCALE
    first[8] = way.turn(layer.shade[rows, columns])
    first[9:13] = way.turn(layer.details[:, rows, columns])[way.parts()]
    crops[1:, 2:13] = first[2:13]
    for crop, colour in zip(crops, colours, strict=True):
        crop[0] = fits[colour]
        crop[1] = np.maximum.reduce([fits[other] for other in range(COLOURS) if other != colour])
        crop[8] -= np.float32(layer.usual[colour])


def cut(scene: Scene, usual: Sequence[float], wanted: Sequence[tuple[Square, int]], together: int) -> Iterator[Planes]:
    """The crops of squares and colours, so many together: N x CHANNELS x SIDE x SIDE.

    Always the same array is filled, which stays in a small cache: take out of it what is needed later. It goes quickest
    when the colours of a square are side by side.
    """
    layer = Layer.of(scene, usual)
    blob = np.empty((together, CHANNELS, SIDE, SIDE), np.float32)
    middles = dict(zip(scene.places.names, scene.places.middles.round().astype(int), strict=True))
    squares = {swapped: square_plane(scene.board.square_mm, Way(False, False, swapped)) for swapped in (False, True)}
    for begin in range(0, len(wanted), together):
        filled = 0
        for name, pairs in groupby(wanted[begin : begin + together], key=lambda pair: pair[0]):
            colours = [colour for _, colour in pairs]
            crops, filled = blob[filled : filled + len(colours)], filled + len(colours)
            way, leans = way_of(scene, name)
            rows, columns = way.window(*middles[name])
            fill(crops, layer, colours, rows, columns, way)
            crops[:, 13] = squares[way.swapped]
            crops[:, 14], crops[:, 15] = leans * LEAN_SCALE
        yield blob[:filled]


def square_plane(square_mm: tuple[float, float], way: Way) -> Planes:
    """1 on the square, 0 round it, as the crop shows it."""
    width, height = (mm / MM_PER_PX for mm in (square_mm[::-1] if way.swapped else square_mm))
    plane = np.zeros((SIDE, SIDE), np.float32)
    y0, y1 = round(BEFORE + 0.5 - height / 2), round(BEFORE + 0.5 + height / 2)
    x0, x1 = round(BEFORE + 0.5 - width / 2), round(BEFORE + 0.5 + width / 2)
    plane[y0:y1, x0:x1] = 1
    return plane
