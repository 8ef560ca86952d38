from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from vision.quantiles import medians, quantile

VALUES = st.floats(-1e3, 1e3, width=32)


@given(st.integers(1, 40).flatmap(lambda count: arrays(np.float32, (count, 3), elements=VALUES)))
def test_half_of_each_channel_is_on_either_side_of_its_median(pixels: NDArray[np.float32]) -> None:
    found = medians(pixels)
    for channel, median in zip(pixels.T, found, strict=True):
        assert median in channel
        assert (channel < median).sum() <= len(channel) / 2
        assert (channel > median).sum() <= len(channel) / 2


@given(st.integers(1, 40).flatmap(lambda count: arrays(np.float32, (count, 2), elements=VALUES)), st.floats(0, 1))
def test_no_larger_share_is_below_a_quantile(values: NDArray[np.float32], share: float) -> None:
    found = quantile(values, share)
    assert found in values
    assert (values < found).mean() <= share
    assert (values <= found).mean() >= share or found == values.max()


def test_it_is_numpys_where_that_is_a_value() -> None:
    values = np.random.default_rng(1).normal(size=101).astype(np.float32)
    assert quantile(values, 0.9) == np.quantile(values, 0.9)
    assert medians(values[:, None]) == np.median(values)
