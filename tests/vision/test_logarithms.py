"""What a picture can show of colours in brighter light: no channel is brighter than white."""

from __future__ import annotations

import cv2
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.logarithms import BURNT, OFFSET, TO_BGR, Layers, as_shown, logarithms, logarithms_without

COLOURS = np.array([[(20, 40, 90), (250, 250, 250), (60, 200, 210), (0, 0, 0), (255, 120, 10)]], np.uint8)


def lit(times: float) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.uint8]], Layers]:
    """A picture of the colours in so many times as much light, and that as a gain."""
    picture = np.minimum(COLOURS * times, 255).round().astype(np.uint8)
    gain = np.zeros((1, len(COLOURS[0]), 3), np.float32)
    gain[..., 2] = np.log(times)
    return picture, gain


@given(st.floats(1, 4))
def test_what_is_burnt_out_is_expected_as_it_is_seen(times: float) -> None:
    picture, gain = lit(times)
    seen, expected = logarithms_without(gain, picture), as_shown(logarithms(COLOURS), gain, picture)
    burnt = (picture >= BURNT).any(axis=2)
    # Half a grey level is all that rounding leaves; and ``OFFSET`` is no light, so that no gain is taken from it.
    levels = [cv2.exp(cv2.transform(logs, TO_BGR)) for logs in (seen, expected)]
    assert np.allclose(levels[0][burnt], levels[1][burnt], atol=0.5 + OFFSET * (1 - 1 / times) + 0.01)


@given(st.floats(0.3, 4))
def test_all_else_is_expected_as_it_was(times: float) -> None:
    picture, gain = lit(times)
    before = logarithms(COLOURS)
    plain = (picture < BURNT).all(axis=2)
    assert np.array_equal(as_shown(before, gain, picture)[plain], before[plain])
