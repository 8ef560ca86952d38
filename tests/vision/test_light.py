"""Light that burns out a part of a picture."""

from __future__ import annotations

import numpy as np
import pytest

from vision.frames import Picture
from vision.light import compare
from vision.logarithms import BURNT, logarithms


@pytest.fixture
def board() -> Picture:
    """A print of patches, dark ones and some that are nearly white, 300 x 300 mm."""
    rng = np.random.default_rng(5)
    patches = rng.integers(40, 160, (20, 20, 3))
    patches[3:9, 3:9] = rng.integers(190, 240, (6, 6, 3))
    return np.asarray(np.kron(patches, np.ones((10, 10, 1))), np.uint8)


@pytest.mark.parametrize("factor", [1.2, 1.6])
def test_what_is_burnt_out_neither_spoils_the_light_nor_looks_changed(board: Picture, factor: float) -> None:
    brighter = np.asarray(np.clip(np.rint(board * factor), 0, 255), np.uint8)
    change = compare(brighter, logarithms(board), (0.0, 0.0))
    burnt = (brighter >= BURNT).any(axis=2)
    assert 0.03 < burnt.mean() < 0.3
    assert np.array_equal(change.burnt, burnt)
    assert np.abs(change.difference).max() < 0.06
    # The offset before the logarithm makes dark pixels a little less brighter.
    assert change.gain[..., 2] == pytest.approx(np.log(factor), abs=0.04)


def test_a_picture_without_burnt_pixels_has_none(board: Picture) -> None:
    assert not compare(board, logarithms(board), (0.0, 0.0)).burnt.any()
