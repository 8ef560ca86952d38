"""What the pieces of Pacal's Rocket look like, from pictures of known pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board
from companion.errors import BadSetup
from companion.games.pacal.pieces import COLOURS, Piece, Pyramid, Ship
from companion.squares import Square
from vision.appearance import Looks
from vision.frames import Picture
from vision.geometry import Floats
from vision.grid import Canvas, lean
from vision.light import Change
from vision.logarithms import Hue, Layers
from vision.reading.evidence import weigh
from vision.reading.measuring import measure_pyramids, measure_ships
from vision.reading.pacal import INSIDE, MATERIALS, Pieces
from vision.reading.pyramids import Patch
from vision.reading.shading import learn_shading
from vision.reading.shapes import Sizes, Window, pyramid_outline, ship_mask
from vision.reading.ships import ShipPatch, find_ships

SPREAD_FACTOR = 1.5
"""Pieces elsewhere on the board are lit a little differently from those that were taught."""
LEAST_SPREAD = np.diag([0.05, 0.05, 0.15]) ** 2


@dataclass(frozen=True)
class Sample:
    """A picture of known pieces, straightened and compared. reached: see ``weigh``. bare: pixels that show no piece."""

    name: str
    pieces: Mapping[Square, Piece]
    straight: Picture
    change: Change
    eye: Floats
    reached: NDArray[np.bool_]
    bare: NDArray[np.bool_]


def clear_of_pieces(board: Board, canvas: Canvas, eye: Floats, pieces: Mapping[Square, Piece]) -> NDArray[np.bool_]:
    """The canvas pixels on the grid that show no piece, wherever on its square each stands."""
    covered = np.ones((canvas.size[1], canvas.size[0]), np.uint8)
    left, top, right, bottom = board.grid_mm
    (x0, y0), (x1, y1) = canvas.to_px([(left, top), (right, bottom)]).round().astype(int)
    covered[y0:y1, x0:x1] = 0
    grow = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (21, 21))
    for name, piece in pieces.items():
        centre = board.centre_mm(name)
        window = Window.round(canvas, centre, 66.0)
        mask = window.blank()
        if isinstance(piece, Ship):
            mask[ship_mask(Sizes(), window, eye, centre) > 0] = 1
        else:
            floors = piece.floors if isinstance(piece, Pyramid) else 1
            window.fill(mask, pyramid_outline(Sizes(), eye, centre, floors, 0.0), 1)
        covered[window.key] |= np.asarray(cv2.dilate(mask, grow), np.uint8)
    return np.asarray(covered == 0)


def learn_pieces(
    board: Board, canvas: Canvas, samples: Sequence[Sample], noise: Floats, hue: Hue, contrast: Layers
) -> Pieces:
    """All that is to be known of the pieces. Raises BadSetup as ``learn_materials`` does."""
    sizes = Sizes()
    looks = learn_materials(board, canvas, samples, noise, hue, sizes)
    scenes = [weigh(board, canvas, sample.eye, sample.change, looks, contrast, sample.reached) for sample in samples]
    usual = Pieces(looks, learn_shading([]), sizes).usual
    ships = []
    for sample, scene in zip(samples, scenes, strict=True):
        for name, piece in sample.pieces.items():
            centre = np.array(board.centre_mm(name))
            if isinstance(piece, Ship):
                ship = ShipPatch.of(scene, sizes, centre, len(COLOURS), INSIDE)
                ships.append(replace(ship, odds=ship.odds[..., [COLOURS.index(piece.colour)]]))
    sizes = measure_ships(sizes, ships)
    pyramids = []
    for sample, scene in zip(samples, scenes, strict=True):
        find_ships(scene, sizes, len(COLOURS), INSIDE)
        for name, piece in sample.pieces.items():
            if isinstance(piece, Pyramid):
                centre, colour = np.array(board.centre_mm(name)), COLOURS.index(piece.colour)
                patch = Patch.of(scene, sizes, centre, colour, float(usual[colour]))
                pyramids.append((patch, piece.floors))
    sizes, shading = measure_pyramids(sizes, pyramids)
    return Pieces(looks, shading, sizes)


def learn_materials(
    board: Board, canvas: Canvas, samples: Sequence[Sample], noise: Floats, hue: Hue, sizes: Sizes
) -> Looks:
    """What each material looks like. Raises BadSetup when a colour or a ship's inside is in none of the pictures."""
    pixels: list[list[Layers]] = [[] for _ in MATERIALS]
    for sample in samples:
        for name, piece in sample.pieces.items():
            centre = np.array([board.centre_mm(name)])
            if isinstance(piece, Pyramid):
                x, y = lean(sample.eye, centre, sizes.floor * piece.floors / 2)[0]
                place = sample.change.colour[canvas.window((x, y), 9.0)]
                pixels[COLOURS.index(piece.colour)].append(place.reshape(-1, 3))
            elif isinstance(piece, Ship):
                x, y = lean(sample.eye, centre, sizes.ship_height)[0]
                pixels[INSIDE].append(sample.change.colour[canvas.window((x, y), 7.0)].reshape(-1, 3))
    for material, found in zip(MATERIALS, pixels, strict=True):
        if not found:
            what = "no ship" if material == "inside" else f"no pyramid in {material}"
            raise BadSetup(f"the palettes show {what}; together they must show every colour")
    means = np.array([np.concatenate(found).mean(axis=0) for found in pixels], np.float64)
    spreads = np.array([np.cov(np.concatenate(found).T) * SPREAD_FACTOR + LEAST_SPREAD for found in pixels])
    return Looks(MATERIALS, means, spreads, noise, hue)
