"""What the pieces of Pacal's Rocket look like, from pictures of known pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board
from companion.errors import BadSetup
from companion.games.pacal.pieces import COLOURS, Piece, Pyramid, Ship
from companion.squares import Square
from vision.frames import Picture
from vision.geometry import Floats
from vision.grid import MM_PER_PX, SHRINK, Canvas, lean
from vision.light.appearance import INSIDE, Looks
from vision.light.comparison import Change
from vision.logarithms import Hue, Layers
from vision.reading.evidence import Photo
from vision.reading.places import to_map
from vision.reading.shapes import FLOOR_MM, SHIP_MM

MATERIALS = (*COLOURS, INSIDE)

SPREAD_FACTOR = 1.5
"""Pieces elsewhere on the board are lit a little differently from those that were taught."""
LEAST_SPREAD = np.diag([0.05, 0.05, 0.15]) ** 2
SEEN_LEAST, ENOUGH = 0.1, 10
"""As much of a square's print is expected as all but such a share show of so many others whose print is as strong."""
ROUND_MM = 24.0
"""A piece, wherever it stands on its square, keeps within this of the line from the square's middle to its own top."""


@dataclass(frozen=True)
class Sample:
    """A picture of known pieces, straightened and compared.

    taken: the squares that hold a piece, or may. bare: the maps' pixels that show no piece. reached: those that this
    picture and the empty one show. print_left: see ``vision.reading.evidence.Scene``.
    """

    name: str
    pieces: Mapping[Square, Piece]
    taken: frozenset[Square]
    straight: Picture
    change: Change
    photo: Photo
    bare: NDArray[np.bool_]
    reached: NDArray[np.bool_]
    print_left: Floats


def clear_of_pieces(board: Board, canvas: Canvas, eye: Floats, pieces: Mapping[Square, Piece]) -> NDArray[np.bool_]:
    """The pixels of the maps on the grid that show no piece, wherever on its square each stands."""
    width, height = canvas.size[0] // SHRINK, canvas.size[1] // SHRINK
    covered = np.ones((height, width), np.uint8)
    left, top, right, bottom = board.grid_mm
    (x0, y0), (x1, y1) = to_map(canvas, np.array([(left, top), (right, bottom)])).round().astype(int)
    covered[y0:y1, x0:x1] = 0
    for name, piece in pieces.items():
        tall = SHIP_MM if isinstance(piece, Ship) else FLOOR_MM * (piece.floors if isinstance(piece, Pyramid) else 1)
        foot = np.array([board.centre_mm(name)])
        ends = to_map(canvas, np.concatenate([foot, lean(eye, foot, tall)])).round().astype(int)
        cv2.line(covered, ends[0].tolist(), ends[1].tolist(), 1, round(2 * ROUND_MM / MM_PER_PX))
    return np.asarray(covered == 0)


def learn_looks(board: Board, canvas: Canvas, samples: Sequence[Sample], noise: Floats, hue: Hue) -> Looks:
    """What each material looks like. Raises BadSetup when a colour or a ship's inside is in none of the pictures."""
    pixels: list[list[Layers]] = [[] for _ in MATERIALS]
    for sample in samples:
        eye = sample.photo.pose.eye
        for name, piece in sample.pieces.items():
            centre = np.array([board.centre_mm(name)])
            if isinstance(piece, Pyramid):
                place = lean(eye, centre, FLOOR_MM * piece.floors / 2)
                pixels[COLOURS.index(piece.colour)].append(_around(sample.change.colour, canvas, place, 6))
            elif isinstance(piece, Ship):
                pixels[len(COLOURS)].append(_around(sample.change.colour, canvas, lean(eye, centre, SHIP_MM), 5))
    for material, found in zip(MATERIALS, pixels, strict=True):
        if not found:
            what = "no ship" if material == INSIDE else f"no pyramid in {material}"
            raise BadSetup(f"the palettes show {what}; together they must show every colour")
    means = np.array([np.concatenate(found).mean(axis=0) for found in pixels], np.float64)
    spreads = np.array([np.cov(np.concatenate(found).T) * SPREAD_FACTOR + LEAST_SPREAD for found in pixels])
    return Looks(MATERIALS, means, spreads, noise, hue)


def learn_print(taken: NDArray[np.bool_], seen: Floats, itself: Floats) -> NDArray[np.float32]:
    """How much is usually seen of the print of each square of the board where nothing stands.

    As much as the picture shows that shows most: in the others something may lean over it. Where something stands in
    all of them, as much as of most of the others whose print is just as strong, or a little stronger; 0 where there are
    too few others.

    taken: on which squares something stands, or may, in each picture (pictures x squares). seen: the share of each
    square's print that each shows. itself: the same of the empty picture: less than all where it is faint.
    """
    usual = np.where(taken, 0, seen).max(axis=0, initial=0.0)
    always = taken.all(axis=0)
    others = np.flatnonzero(~always)
    others = others[np.argsort(itself[others], kind="stable")]
    if len(others) >= ENOUGH:
        weaker = np.minimum(np.searchsorted(itself[others], itself[always]), len(others) - ENOUGH)
        usual[always] = [np.quantile(usual[others[first:][:ENOUGH]], SEEN_LEAST) for first in weaker]
    return np.asarray(usual, np.float32)


def _around(colour: Layers, canvas: Canvas, place_mm: Floats, half: int) -> Layers:
    """The pixels of a square round a place (1 x 2 mm), N x 3."""
    x, y = to_map(canvas, place_mm)[0].round().astype(int)
    return colour[max(0, y - half) : y + half + 1, max(0, x - half) : x + half + 1].reshape(-1, 3)
