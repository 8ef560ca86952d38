"""What may come over a picture that was rendered in good light: the same picture, spoilt a little by chance."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.random import Generator

from vision.changes import blur, brightness, cast, noise
from vision.frames import Picture


def spoilt(picture: Picture, rng: Generator) -> Picture:
    """A copy of a picture (BGR uint8) with one or two troubles."""
    for index in rng.choice(len(TROUBLES), int(rng.integers(1, 3)), replace=False):
        picture = TROUBLES[index](picture, rng)
    return picture


def _lit(picture: Picture, rng: Generator) -> Picture:
    return brightness(picture, float(np.exp(rng.uniform(-1.0, 0.45))))


def _tinted(picture: Picture, rng: Generator) -> Picture:
    blue, green, red = np.exp(rng.normal(0, 0.15, 3)).tolist()
    return cast(picture, (blue, green, red))


def _shaded(picture: Picture, rng: Generator) -> Picture:
    """A shadow whose edge, hard or soft, lies anywhere; it has the hue of the light that is left."""
    height, width = picture.shape[:2]
    x, y = np.meshgrid(np.linspace(-1, 1, width // 4), np.linspace(-0.6, 0.6, height // 4))
    angle, place = rng.uniform(0, 2 * np.pi), rng.uniform(-0.5, 0.5)
    edge = (x * np.cos(angle) + y * np.sin(angle) - place) / rng.choice([0.005, 0.03, 0.15, 0.4])
    gain = np.log(1 - rng.uniform(0.2, 0.7) / (1 + np.exp(-np.clip(edge, -30, 30))))
    hue = rng.normal(0, 0.08, 3)
    fall = np.exp(gain[..., None] * (1 + hue - hue.mean())).astype(np.float32)
    return _rounded(picture * cv2.resize(fall, (width, height)))


def _glared(picture: Picture, rng: Generator) -> Picture:
    """A lamp that is mirrored somewhere."""
    height, width = picture.shape[:2]
    x, y = np.meshgrid(np.linspace(-1, 1, width // 4), np.linspace(-0.6, 0.6, height // 4))
    across, down = rng.uniform(-0.5, 0.5), rng.uniform(-0.4, 0.4)
    wide, long = rng.uniform(0.05, 0.2, 2)
    spot = np.exp(-((x - across) ** 2) / 2 / wide**2 - (y - down) ** 2 / 2 / long**2) * rng.uniform(0.05, 0.5)
    added = (spot[..., None] * (1 + rng.normal(0, 0.08, 3))).astype(np.float32)
    # Light adds up before the camera's tone curve, which is about a square.
    light = (picture / np.float32(255)) ** 2 + cv2.resize(added, (width, height))
    return _rounded(np.sqrt(light) * 255)


def _soft(picture: Picture, rng: Generator) -> Picture:
    return blur(picture, float(rng.uniform(0.5, 2.2)))


def _noisy(picture: Picture, rng: Generator) -> Picture:
    return noise(picture, int(rng.integers(2**31)), float(rng.uniform(3, 17)))


def _rounded(levels: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> Picture:
    return np.asarray(np.clip(np.rint(levels), 0, 255), np.uint8)


TROUBLES: tuple[Callable[[Picture, Generator], Picture], ...] = (_lit, _tinted, _shaded, _glared, _soft, _noisy)
