from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.frames import Picture
from vision.measuring.changes import noise
from vision.noise import noise_of, smoothed


@pytest.fixture
def squares() -> Picture:
    """Even squares of two colours with thin lines between them."""
    picture = np.full((240, 320, 3), (60, 120, 90), np.uint8)
    for number in range(12):
        left, top = 80 * (number % 4), 80 * (number // 4)
        if number % 2:
            cv2.rectangle(picture, (left, top), (left + 79, top + 79), (150, 70, 110), -1)
        cv2.rectangle(picture, (left, top), (left + 79, top + 79), (30, 30, 30), 1)
    return picture


@pytest.mark.parametrize("sigma", [3.0, 6.0, 15.0])
def test_noise_is_measured_whatever_is_printed(squares: Picture, sigma: float) -> None:
    assert noise_of(squares) == 0
    assert noise_of(noise(squares, 1, sigma)) == pytest.approx(sigma, rel=0.1)


def test_a_picture_no_noisier_than_usual_stays_as_it_is(squares: Picture) -> None:
    noisy = noise(squares, 1, 6.0)
    assert smoothed(squares, 0.0) is squares
    assert smoothed(noisy, noise_of(noisy)) is noisy


def test_noise_is_smoothed_and_edges_stay(squares: Picture) -> None:
    noisy = noise(squares, 1, 6.0)
    smooth = smoothed(noisy, 0.0)
    inside = np.s_[90:150, 90:150]
    assert smooth[inside].std(axis=(0, 1)).max() < 0.6 * noisy[inside].std(axis=(0, 1)).min()
    # Beside the line and across it the colours are as far apart as they were.
    beside = smooth[20:60, 76].mean(axis=0) - smooth[20:60, 83].mean(axis=0)
    assert np.abs(beside - (squares[40, 76] - squares[40, 83].astype(float))).max() < 6
