"""Pieces that mirror a lamp: what they give back besides is white, and hides how saturated they are.

A colour's Gaussian is learned from pyramids in the palettes, of which next to nothing is glossy. That of another colour
may then fit a glossy face better than its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.gaussians import Gaussians
from vision.geometry import Floats
from vision.light import Change
from vision.logarithms import light_of, logarithms_of

AMOUNTS = (0.03, 0.5)
"""What a face mirrors, in shares of the light that makes a pixel white."""
TINT = 0.15
"""How far the lamp's colour may be from the picture's white (standard deviation of a channel's logarithm)."""
SHARE = 0.1
"""How much of a piece is glossy."""
LEAST_SPREAD = np.diag([0.05, 0.05, 0.1]) ** 2
UNEXPLAINED, NOT_BARE = -1.0, -3.0
"""Only pixels that fit the plain colours, and bare board, worse than so may be glossy ones."""
_DRAWN = 400


@dataclass(frozen=True)
class Gloss:
    """How glossy faces of some materials look."""

    faces: Gaussians

    @staticmethod
    def of(means: Floats, spreads: Floats) -> Gloss:
        """means (M x 3) and spreads (M x 3 x 3): of the materials in opponent logarithms."""
        rng = np.random.default_rng(0)
        faces = [_glossy(rng.multivariate_normal(*plain, _DRAWN), rng) for plain in zip(means, spreads, strict=True)]
        return Gloss(
            Gaussians.of(
                np.stack([face.mean(axis=0) for face in faces]),
                np.stack([np.cov(face.T) + LEAST_SPREAD for face in faces]),
            )
        )

    def explain(self, fits: NDArray[np.float32], bare: NDArray[np.float32], change: Change) -> None:
        """Raise log densities (``fits``, M x height x width) where nothing plain fits a pixel, but a glossy face does.

        bare: log densities of bare board. change: what is seen.
        """
        where = np.flatnonzero((bare < NOT_BARE) & (np.maximum.reduce(fits) < UNEXPLAINED))
        burnt = np.flatnonzero(change.burnt.ravel()[where])
        channels, gain = change.colour.reshape(-1, 3)[where].T, change.gain.reshape(-1, 3)[where[burnt]]
        glossy = self.faces.log_densities_of(list(channels), burnt, gain) + np.float32(np.log(SHARE))
        for row, gloss in zip(fits.reshape(len(fits), -1), glossy, strict=True):
            row[where] = np.maximum(row[where], gloss)


def _glossy(plain: Floats, rng: np.random.Generator) -> Floats:
    """Pixels (N x 3, opponent logarithms) with mirrored light of some amount added to each."""
    low, high = np.log(AMOUNTS)
    added = np.exp(rng.uniform(low, high, (1, len(plain), 1)) + rng.normal(0, TINT, (1, len(plain), 3)))
    light = np.minimum(light_of(plain[None].astype(np.float32)) + added.astype(np.float32), 1)
    return np.asarray(logarithms_of(np.asarray(light, np.float32))[0], np.float64)
