"""Counts the floors of pyramids by their terraces: another sort of opinion than the networks' (``fit``)."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS, MAX_FLOORS, Pyramid
from companion.squares import Square
from vision.geometry import Floats
from vision.grid import SHRINK
from vision.light.appearance import Looks
from vision.logarithms import BURNT, OFFSET, TO_BGR
from vision.noise import noise_of
from vision.reading.crops import Asked
from vision.reading.evidence import BLIND, Scene, Shown
from vision.reading.places import cut, on_canvas
from vision.reading.pyramids.fit import FINER, REACH_PX, Patch, Plane, explained_by_floors
from vision.reading.shapes import USUAL_PYRAMID, PyramidSize

SIDE_PX = 72
"""How much of the canvas is looked at round the middle of a square: as far as the top of a pyramid may lean."""
MIDDLE_PX, MANY = 14, 0.1
"""If so many of the pixels round the middle of a square are burnt out in a channel, that tells nothing of faces, ..."""
FAINT = 6.0
"""... and what the other channels tell is noisier by so many grey levels: of a piece's colour they have little."""
COUNTS, MOST = 0.02, 3.0
"""What a unit of what pyramids explain counts in natural logarithms of odds: pixels side by side err together; and how
much it, or any other that counts closer, speaks against a number of floors at most."""
SIZE_STEP, SIZES_APART = 0.05, 0.15
"""In what steps the size of a table's pyramids is looked for, and how far from the usual one."""
CLEARLY = 5.0
"""Any other size must explain the palettes so much better than the usual one, in natural logarithms of odds."""
TRUSTED, TRUSTED_USUAL = -0.65, -0.9
"""What counting must tell of known pyramids, on average, for a table to trust it: where it told less it misled the
networks. The latter where they are of the usual size, and so most likely the game's. Guessing tells -1.6."""


class TerraceCounter:
    """Counts floors on the pictures of one table."""

    def __init__(self, looks: Looks, size: PyramidSize) -> None:
        self._size = size
        levels = np.maximum(np.exp(looks.means[: len(COLOURS)] @ TO_BGR.T) - OFFSET, 1)
        self._bright = (levels / np.linalg.norm(levels, axis=1, keepdims=True)).astype(np.float32)

    @staticmethod
    def of(looks: Looks, size: float) -> TerraceCounter | None:
        """For pyramids so large beside the usual ones, as ``learn_size`` says; None where that is 0. Raises ValueError
        for what that never says."""
        if size != 0 and not abs(size - 1) <= SIZES_APART:
            raise ValueError(f"pyramids are not {size} times as large as usual")
        return TerraceCounter(looks, USUAL_PYRAMID.times(size)) if size else None

    def count(self, scene: Scene, wanted: Sequence[Asked], likely: NDArray[np.float64]) -> NDArray[np.float64]:
        """For squares with a pyramid of such a colour how much speaks against each number of floors, N x 5: natural
        logarithms of odds, 0 for the likeliest number, ``-MOST`` at least.

        likely: how likely each number is without it, N x 5 natural logarithms. What it cannot make the likeliest any
        more is not looked at closely; but where that explains most all the same, nothing is told of the others.
        """
        noise = noise_of(scene.straight)
        explained = [
            self._explained(scene, name, colour, noise, np.flatnonzero(before >= before.max() - MOST) + 1)
            for (name, colour), before in zip(wanted, likely, strict=True)
        ]
        found = np.array(explained, np.float64).reshape(-1, MAX_FLOORS)
        return np.asarray(np.maximum(COUNTS * (found - found.max(axis=1, keepdims=True)), -MOST), np.float64)

    def _explained(self, scene: Scene, name: Square, colour: int, noise: float, closely: NDArray[np.int64]) -> Floats:
        """What a pyramid of each number of floors explains there."""
        middle, eye = scene.about(name)
        px, side = SIDE_PX + 2 * REACH_PX, (SIDE_PX + 2 * REACH_PX) // SHRINK
        # A ship's inside is left out: walls in their own shadow look like one.
        fits = [cut(plane, middle, side) for plane in (*scene.fits[:-1], scene.bare)]
        own = fits.pop(colour) - np.maximum.reduce(fits)
        own[cut(scene.blind, middle, side) > BLIND] = 0
        seen = cut(scene.straight, on_canvas(middle), px, cv2.CV_32F)
        weights = self.channels(seen, colour)
        brightness = np.asarray(cv2.transform(seen, weights), np.float32)
        noise += 0 if weights.all() else FAINT
        coarse, fine = (
            Patch.of(_enlarged(brightness, times), _enlarged(own, times * SHRINK), noise, times, eye)
            for times in (1, FINER)
        )
        return explained_by_floors(coarse, fine, self._size, closely.tolist())

    def channels(self, seen: Plane, colour: int) -> Plane:
        """How much each channel counts in a piece's brightness, 1 x 3: as much as it is bright, but not burnt out."""
        middle = slice(len(seen) // 2 - MIDDLE_PX, len(seen) // 2 + MIDDLE_PX)
        burnt = (seen[middle, middle] >= BURNT).mean(axis=(0, 1)) > MANY
        kept = np.where(burnt & ~burnt.all(), 0, self._bright[colour])
        return np.asarray(kept[None] / np.linalg.norm(kept), np.float32)


def learn_size(shown: Sequence[Shown], looks: Looks) -> float:
    """How large the pyramids on pictures of known pieces are beside the usual ones; 0 where counting their terraces
    tells too little to be trusted, as their terraces may be others."""
    size, told = 1.0, _told(shown, looks, 1.0)
    for step in (-SIZE_STEP, SIZE_STEP):
        other = 1.0 + step
        while abs(other - 1.0) < SIZES_APART:
            better = _told(shown, looks, other)
            if better.sum() < told.sum() + (CLEARLY if size == 1.0 else 0.0):
                break
            size, told, other = other, better, other + step
    return size if told.mean() > (TRUSTED_USUAL if size == 1.0 else TRUSTED) else 0.0


def _told(shown: Sequence[Shown], looks: Looks, size: float) -> Floats:
    """What counting tells of each pyramid that is shown, if they are so large: the logarithm of how likely it makes the
    number of floors that is there."""
    counter, found = TerraceCounter(looks, USUAL_PYRAMID.times(size)), []
    for scene, pieces in shown:
        there = [(name, piece) for name, piece in pieces.items() if isinstance(piece, Pyramid)]
        asked = [(name, COLOURS.index(piece.colour)) for name, piece in there]
        odds = counter.count(scene, asked, np.zeros((len(asked), MAX_FLOORS)))
        floors = [piece.floors - 1 for _, piece in there]
        found.append(odds[np.arange(len(there)), floors] - np.log(np.exp(odds).sum(axis=1)))
    return np.concatenate(found)


def _enlarged(plane: Plane, times: int) -> Plane:
    """The same with so many pixels for each in both directions."""
    return np.asarray(cv2.resize(plane, None, fx=times, fy=times, interpolation=cv2.INTER_LINEAR), np.float32)
