"""How much each pixel of a straightened picture speaks for a material rather than for the bare board."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.boards import Board
from vision.appearance import Looks, Map, bare_fit, material_fits
from vision.geometry import Floats
from vision.grid import Canvas
from vision.light import Change
from vision.logarithms import Layers

LIMIT = 4.0
"""No single pixel may say more than this (natural logarithm of odds): neighbours are not independent witnesses."""

UNSURE = 0.2
"""Where the empty board's logarithms are uncertain by as much, a pixel says half of what it else would."""
BURNT = 245
"""Grey level above which a pixel's darkest channel tells nothing of its colour."""


@dataclass
class Scene:
    """One picture, as the readers of pieces see it.

    odds: height x width x materials, logarithm of the odds of each material against bare board, within ±LIMIT; 0 where
    the picture does not reach. colour: light-free logarithms. difference: how they differ from those of the empty
    board. blind: how little each pixel can tell, from 0 to 1: burnt out, or in a mirrored lamp. free: pixels not yet
    explained by a piece that was found. eye: see ``Pose``.
    """

    board: Board
    canvas: Canvas
    eye: Floats
    odds: Layers
    colour: Layers
    difference: Layers
    blind: Map
    free: NDArray[np.bool_]

    def material(self, index: int) -> Map:
        return np.asarray(self.odds[..., index])


def weigh(
    board: Board,
    canvas: Canvas,
    eye: Floats,
    change: Change,
    looks: Looks,
    contrast: Layers,
    reached: NDArray[np.bool_],
) -> Scene:
    """The scene of a picture. reached: the canvas pixels that the picture, and the empty one, do show."""
    bare = bare_fit(change, looks, contrast)
    odds = material_fits(change.colour, looks) - bare[..., None]
    np.clip(odds, -LIMIT, LIMIT, out=odds)
    blind = (change.darkest > BURNT).astype(np.float32)
    if change.doubt is not None:
        sight = 1 / (1 + (change.doubt / UNSURE) ** 2)
        odds *= sight[..., None]
        blind = np.maximum(blind, 1 - sight)
    odds[~reached] = 0
    return Scene(board, canvas, eye, odds, change.colour, change.difference, blind, reached.copy())
