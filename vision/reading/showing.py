"""What the pixels of each square show: ``vision.reading.candidates`` goes by that."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS
from vision.geometry import Floats
from vision.light.appearance import STRANGE, Map
from vision.reading.evidence import Scene
from vision.reading.shapes import SHIP_MM

INSIDE = len(COLOURS)
"""The number of a scene's material that is the inside of ships; those before it are the pieces' colours."""
UNKNOWN = np.float32(STRANGE + 0.1)
"""What fits a pixel no better than this (log density) fits it as little as anything does."""
MOST_OF_NINE, SOME_OF_NINE = 6, 4
"""So many of a pixel and its neighbours make it solid; and so many are enough where colours are mixed."""
CHANGED = 0.3
"""What differs from the empty board by more than this (a logarithm) has changed."""
_SHOWS = 15
"""Nine votes fit into the bits of it: two sorts of them are counted at a time."""


def best_fit(materials: NDArray[np.float32], bare: Map) -> Map:
    """How well each pixel (height x width) is fitted by the best of some materials (M x height x width) and bare board,
    or by what fits nothing much better than anything does: log densities."""
    return np.asarray(np.maximum(np.maximum(materials.max(axis=0), bare), UNKNOWN), np.float32)


@dataclass(frozen=True)
class Showing:
    """The part of a scene's maps that shows all squares, with a pixel more to each side, and what is counted on it.

    best_of_all: ``best_fit`` of colours and bare board, of the whole scene. colours, inside, bare, brighter: as of
    ``Scene``. best: that part of ``best_of_all``. shown: which pixels show each colour, which fits them as well as the
    best (colours x height x width).
    """

    scene: Scene
    best_of_all: Map
    colours: NDArray[np.float32]
    inside: Map
    bare: Map
    brighter: Map
    best: Map
    shown: NDArray[np.bool_]

    @staticmethod
    def of(scene: Scene) -> Showing:
        best_of_all, part = best_fit(scene.fits[:INSIDE], scene.bare), scene.places.around
        fits, best = scene.fits[:, *part], best_of_all[part]
        colours = fits[:INSIDE]
        bare, brighter = scene.bare[part], scene.brighter[part]
        return Showing(scene, best_of_all, colours, fits[INSIDE], bare, brighter, best, colours >= best)

    @cached_property
    def solid(self) -> Floats:
        """On how many pixels of each square each colour shows (squares x colours), as it does on most beside them."""
        return self.scene.places.counts(self._votes >= (_SHOWS + 1) * MOST_OF_NINE)

    @cached_property
    def dull(self) -> Floats:
        """The same where a ship's inside may fit better."""
        return self.scene.places.counts(self._votes & _SHOWS >= MOST_OF_NINE)

    @cached_property
    def mixed(self) -> Floats:
        """The same, as on some beside them."""
        return self.scene.places.counts(self._votes & _SHOWS >= SOME_OF_NINE)

    @cached_property
    def scattered(self) -> Floats:
        """The same, whatever shows beside them."""
        return self.count(self.shown)

    @cached_property
    def insides(self) -> Floats:
        """How many solid pixels of each square, raised as high as a ship, look like the inside of one."""
        solid = np.zeros(self.best_of_all.shape, np.uint8)
        _inner(solid)[...] = votes(self.scene.fits[INSIDE] >= self.best_of_all) >= MOST_OF_NINE
        return self.scene.places.sums_above(solid, self.scene.eye, SHIP_MM)

    @cached_property
    def changed(self) -> Floats:
        """How many pixels of each square have changed."""
        difference = self.scene.difference[self.scene.places.around]
        return self.count(cv2.inRange(difference, (-CHANGED,) * 3, (CHANGED,) * 3) == 0)

    def count(self, masks: NDArray[np.bool_]) -> Floats:
        """How many pixels of each square show each mask of this part (… x height x width): squares x …"""
        found = self.scene.places.counts(_inner(masks.reshape(-1, *masks.shape[-2:])))
        return found if masks.ndim > 2 else found[:, 0]

    def fitted(self, least: Map, where: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which of some pixels each colour fits better than so (colours x height x width): none of all others."""
        fitted = np.zeros(self.colours.shape, np.bool_)
        # They are so few that it is quicker to look at each of them.
        rows, columns = np.divmod(np.flatnonzero(where), where.shape[1])
        fitted[:, rows, columns] = self.colours[:, rows, columns] > least[rows, columns]
        return fitted

    def count_votes(self, masks: NDArray[np.bool_], least: int) -> Floats:
        """How many pixels of each square are shown by each mask of this part at least so often, with their neighbours
        (colours x height x width): squares x colours."""
        return self.scene.places.counts(votes(masks) >= least)

    @cached_property
    def _votes(self) -> NDArray[np.uint8]:
        """How many of each inner pixel and its neighbours show each colour (colours x height x width), and ``_SHOWS`` +
        1 times how many of those show a colour no less than a ship's inside."""
        counted = (self.best >= self.inside) * np.uint8(_SHOWS + 1) + np.uint8(1)
        return votes(self.shown * counted)


def votes(counted: NDArray[Any]) -> NDArray[np.uint8]:
    """The sum of each inner pixel of some maps (… x height x width, of bytes) and its neighbours."""
    counted = counted.view(np.uint8)
    across = counted[..., :-2] + counted[..., 1:-1]
    across += counted[..., 2:]
    summed = across[..., :-2, :] + across[..., 1:-1, :]
    summed += across[..., 2:, :]
    return np.asarray(summed, np.uint8)


def _inner(layers: NDArray[Any]) -> NDArray[Any]:
    """Maps (… x height x width) without their outermost pixels."""
    return layers[..., 1:-1, 1:-1]
