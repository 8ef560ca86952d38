"""Gaussians over the three logarithms of a pixel, for many pixels at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.logarithms import cut_off

_TOGETHER = 8192
"""Pixels at a time: what they need fits into a small cache."""
_PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


@dataclass(frozen=True)
class Gaussians:
    """Log densities as sums of products of a pixel's logarithms.

    means: M x 3. centre: taken from the logarithms first, so that single precision is enough. weights: M x 10, for the
    products of two logarithms as in ``_PAIRS``, the logarithms themselves and 1.
    """

    means: NDArray[np.float32]
    centre: NDArray[np.float32]
    weights: NDArray[np.float32]

    @staticmethod
    def of(means: Floats, spreads: Floats) -> Gaussians:
        """means: M x 3. spreads: M x 3 x 3, covariances."""
        centre = means.mean(axis=0)
        weights = np.empty((len(means), 10))
        for row, (mean, spread) in enumerate(zip(means - centre, spreads, strict=True)):
            inverse = np.linalg.inv(spread)
            weights[row, :6] = [inverse[i, j] * (-0.5 if i == j else -1.0) for i, j in _PAIRS]
            weights[row, 6:9] = inverse @ mean
            weights[row, 9] = -0.5 * (mean @ inverse @ mean + np.log(np.linalg.det(2 * np.pi * spread)))
        return Gaussians(means.astype(np.float32), centre.astype(np.float32), weights.astype(np.float32))

    def log_densities(self, channels: Sequence[NDArray[np.float32]], least: float = -np.inf) -> NDArray[np.float32]:
        """M x N, of N pixels whose three logarithms these are, each in one row; none is less than ``least``."""
        found = np.empty((len(self.means), len(channels[0])), np.float32)
        for start in range(0, len(channels[0]), _TOGETHER):
            part = slice(start, start + _TOGETHER)
            some = self.weights @ self._terms([channel[part] for channel in channels])
            np.maximum(some, np.float32(least), out=found[:, part])
        return found

    def log_densities_of(
        self,
        channels: Sequence[NDArray[np.float32]],
        burnt: NDArray[np.int64],
        gain: NDArray[np.float32],
        least: float = -np.inf,
    ) -> NDArray[np.float32]:
        """The same, where the pixels ``burnt`` (indices) are cut off at white, in light that adds ``gain`` to them."""
        found = self.log_densities(channels, least)
        pixels = np.stack([channel[burnt] for channel in channels], axis=1)
        found[:, burnt] = np.maximum(self.burnt_log_densities(pixels, gain), np.float32(least))
        return found

    def burnt_log_densities(self, pixels: NDArray[np.float32], gain: NDArray[np.float32]) -> NDArray[np.float32]:
        """M x N, of N pixels (N x 3) that are cut off at white in light that adds so much (N x 3): what each Gaussian's
        mean loses there is given back to them."""
        if len(pixels) == 0:
            return np.zeros((len(self.means), 0), np.float32)
        # All pixels under the first Gaussian, then all under the next.
        shown = (pixels + cut_off(self.means[:, None], gain)).reshape(-1, 3)
        terms = self._terms(shown.T).reshape(len(self.weights[0]), len(self.means), len(pixels))
        return np.asarray(np.einsum("mt,tmn->mn", self.weights, terms), np.float32)

    def _terms(self, channels: Sequence[NDArray[np.float32]] | NDArray[np.float32]) -> NDArray[np.float32]:
        terms = np.empty((10, len(channels[0])), np.float32)
        for row, channel, centre in zip(terms[6:9], channels, self.centre, strict=True):
            np.subtract(channel, centre, out=row)
        for row, (first, second) in zip(terms, _PAIRS, strict=False):
            np.multiply(terms[6 + first], terms[6 + second], out=row)
        terms[9] = 1
        return terms
