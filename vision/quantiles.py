"""Quantiles of pixels, in a fraction of numpy's time: of thousands it does not matter what lies between two of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def quantile(values: NDArray[Any], share: float) -> float:
    """The value of an array, not empty, below which such a share of its values are; of the two about an even half the
    larger."""
    rank = min(int(share * values.size), values.size - 1)
    return float(np.partition(values.ravel(), rank)[rank])


def medians(pixels: NDArray[np.float32]) -> NDArray[np.float32]:
    """The median of each channel of pixels, N x channels with N at least 1."""
    rank = len(pixels) // 2
    return np.asarray(np.partition(np.ascontiguousarray(pixels.T), rank, axis=1)[:, rank], np.float32)
