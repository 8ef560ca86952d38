from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.gaussians import Gaussians
from vision.logarithms import OFFSET, TO_BGR, cut_off


@given(st.integers(0, 2**31), st.integers(1, 6))
def test_log_densities_are_those_of_the_formula(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    means = rng.normal(0, 2, (count, 3)) + rng.uniform(-3, 6, 3)
    axes = rng.normal(0, 0.4, (count, 3, 3))
    spreads = axes @ axes.transpose(0, 2, 1) + 0.05 * np.eye(3)
    pixels = rng.normal(means[rng.integers(count, size=20)], 0.5)
    found = Gaussians.of(means, spreads).log_densities(list(pixels.T.astype(np.float32)))
    assert found.shape == (count, 20)
    for row, mean, spread in zip(found, means, spreads, strict=True):
        off = pixels - mean
        distance = np.einsum("ni,ij,nj->n", off, np.linalg.inv(spread), off)
        expected = -0.5 * (distance + np.log(np.linalg.det(2 * np.pi * spread)))
        assert row == pytest.approx(expected, abs=2e-3, rel=2e-3)


@given(st.integers(0, 2**31))
def test_in_light_that_burns_them_pixels_fit_as_well_as_before(seed: int) -> None:
    rng = np.random.default_rng(seed)
    means = np.column_stack([rng.normal(0, 1, (4, 2)), rng.uniform(3, 5, 4)])
    gaussians = Gaussians.of(means, np.broadcast_to(np.diag([0.1, 0.1, 0.2]) ** 2, (4, 3, 3)))
    gain = np.array([[0.0, 0.0, rng.uniform(0, 1.5)]], np.float32)
    for index, mean in enumerate(means.astype(np.float32)):
        seen = mean[None] - cut_off(mean[None], gain)
        levels = np.exp((seen + gain) @ TO_BGR.T)
        assert levels.max() < 255 + OFFSET + 0.5
        usual = gaussians.log_densities(list(mean[:, None]))[index]
        assert gaussians.burnt_log_densities(seen, gain)[index] == pytest.approx(usual, abs=1e-2)
