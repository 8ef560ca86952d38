"""What may come over a picture that was rendered in good light: the same picture, spoilt a little by chance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.frames import Picture
from vision.geometry import Floats
from vision.measuring.changed_hand import SKINS, covered_with, hand_mask
from vision.measuring.changes import blur, brightness, cast, noise

NOISY = 0.6
"""How often a spoilt picture is noisy."""
DIMMED = 0.4
"""How often one that is only noisy has other light too."""
HAND = 0.7
"""How often what covers a part of the board is a hand."""
ROUND, NOISY_TOO = 0.75, 0.35
"""How often a shadow is that of something round, and how often a picture with shadows is noisy too."""
SHADOWS, WIDE, LONG = (4, 8), (0.6, 2.4), (0.2, 4.0)
"""How many shadows fall, and how wide and how much longer than wide they are, in squares."""


def spoilt(picture: Picture, rng: Generator) -> Picture:
    """A copy of a picture (BGR uint8) with one or two troubles; noise is the last of them, as in a camera."""
    noisy = rng.random() < NOISY
    for index in rng.choice(len(TROUBLES), int(rng.integers(1 - noisy, 3 - noisy)), replace=False):
        picture = TROUBLES[index](picture, rng)
    return _noisy(picture, rng, 4, 18) if noisy else picture


def only_noisy(picture: Picture, rng: Generator) -> Picture:
    """A copy of a picture with much noise, in light that may be dimmer."""
    if rng.random() < DIMMED:
        picture = brightness(picture, float(rng.uniform(0.5, 1.3)))
    return _noisy(picture, rng, 7, 19)


def covered(picture: Picture, grid_px: Floats, squares: int, seed: int) -> tuple[Picture, NDArray[np.uint8]]:
    """A copy of a picture over which something lies, and where: more than 0 in a mask of its height and width.

    A hand comes in from a side, or a part of one, or of a sleeve or cloth, lies anywhere. grid_px, squares: see
    ``vision.measuring.changed_hand.with_hand``.
    """
    rng = np.random.default_rng(seed)
    if rng.random() < HAND:
        mask, tone = hand_mask(picture.shape, grid_px, squares, seed), SKINS[seed % len(SKINS)]
    else:
        mask, tone = _patch(picture.shape, grid_px, squares, rng), _tone(rng)
    return covered_with(picture, mask, tone, grid_px, squares, seed), mask


def shadowed(picture: Picture, grid_px: Floats, squares: int, rng: Generator) -> Picture:
    """A copy of a picture over which shadows fall as ships and things beside the board throw them, all to about one
    side, hard or soft; it may be noisy too. grid_px, squares: see ``vision.measuring.changed_hand.with_hand``."""
    side = _side_px(grid_px, squares)
    dark, angle = np.zeros(picture.shape[:2], np.float32), rng.uniform(0, 2 * np.pi)
    soft = max(side * rng.choice([0.02, 0.04, 0.08, 0.15]), 0.6)
    for _ in range(rng.integers(SHADOWS[0], SHADOWS[1] + 1)):
        turn, wide, long = angle + rng.normal(0, 0.15), side * rng.uniform(*WIDE), side * rng.uniform(*LONG)
        foot, way = _within(grid_px, rng), np.array([np.cos(turn), np.sin(turn)])
        mask = np.zeros(picture.shape[:2], np.uint8)
        if rng.random() < ROUND:
            ends = [tuple(point.round().astype(int).tolist()) for point in (foot, foot + long * way)]
            cv2.line(mask, ends[0], ends[1], 255, max(round(wide), 2), cv2.LINE_AA)
        else:
            box = (foot.tolist(), (long + wide, wide), float(np.degrees(turn)))
            cv2.fillConvexPoly(mask, np.round(cv2.boxPoints(box)).astype(np.int32), 255, cv2.LINE_AA)
        share = cv2.GaussianBlur(mask.astype(np.float32) / 255, (0, 0), soft)
        dark = np.maximum(dark, share * np.float32(rng.uniform(0.35, 0.75)))
    found = _rounded(picture * _fall(np.log(1 - dark), rng.normal(0, 0.06, 3)))
    return _noisy(found, rng, 3, 15) if rng.random() < NOISY_TOO else found


def _side_px(grid_px: Floats, squares: int) -> float:
    """About how long a square's side is."""
    return float(np.sqrt(cv2.contourArea(grid_px.astype(np.float32)) / squares))


def _within(grid_px: Floats, rng: Generator) -> Floats:
    """A point somewhere on the grid, px."""
    across, down = rng.uniform(0, 1, 2)
    upper = grid_px[0] * (1 - across) + grid_px[1] * across
    lower = grid_px[3] * (1 - across) + grid_px[2] * across
    return np.asarray(upper * (1 - down) + lower * down, np.float64)


def _tone(rng: Generator) -> tuple[float, float, float]:
    """What a thing gives back of blue, green and red light: mostly about that of skin."""
    tone = np.array(SKINS[int(rng.integers(len(SKINS)))]) if rng.random() < 0.6 else rng.uniform(0.05, 0.9, 3)
    blue, green, red = (tone * np.exp(rng.normal(0, 0.1, 3))).tolist()
    return blue, green, red


def _patch(shape: tuple[int, ...], grid_px: Floats, squares: int, rng: Generator) -> NDArray[np.uint8]:
    """An oval or a box somewhere on the grid, three to eight squares large: smaller dark ones would look like ships."""
    side = _side_px(grid_px, squares)
    middle = _within(grid_px, rng)
    size, ratio = side * np.sqrt(rng.uniform(3, 8)), rng.uniform(0.6, 1.6)
    box = (middle.tolist(), (size * np.sqrt(ratio), size / np.sqrt(ratio)), float(rng.uniform(0, 180)))
    mask = np.zeros(shape[:2], np.uint8)
    if rng.random() < 0.5:
        cv2.ellipse(mask, box, 255, -1)
    else:
        cv2.fillConvexPoly(mask, np.round(cv2.boxPoints(box)).astype(np.int32), 255)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), max(shape[1] / 1500, 0.5)), np.uint8)


def _noisy(picture: Picture, rng: Generator, least: float, most: float) -> Picture:
    """Noise of a standard deviation between these, in grey levels."""
    return noise(picture, int(rng.integers(2**31)), float(rng.uniform(least, most)))


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
    return _rounded(picture * cv2.resize(_fall(gain, rng.normal(0, 0.08, 3)), (width, height)))


def _fall(gain: NDArray[Any], hue: Floats) -> NDArray[np.float32]:
    """How much of each channel a shadow leaves. gain: a logarithm. hue: by how much more or less each channel loses."""
    return np.asarray(np.exp(gain[..., None] * (1 + hue - hue.mean())), np.float32)


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


def _rounded(levels: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> Picture:
    return np.asarray(np.clip(np.rint(levels), 0, 255), np.uint8)


TROUBLES: tuple[Callable[[Picture, Generator], Picture], ...] = (_lit, _tinted, _shaded, _glared, _soft)
