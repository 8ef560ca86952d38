"""What a table looks like: wood, cloth, chequered, plain, and the room around it as light from all sides."""

from __future__ import annotations

import colorsys

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from training.rendering.patterns import noise

Image = NDArray[np.uint8]

KINDS = ("wood", "planks", "cloth", "chequered", "plain", "stripes", "stone")
SIDE_MM = 2400
_PX_PER_MM = 0.85


def draw_table(rng: Generator) -> tuple[str, Image]:
    """A kind of table and its picture, square, of ``SIDE_MM`` a side; BGR."""
    kind = str(rng.choice(KINDS))
    side = round(SIDE_MM * _PX_PER_MM)
    shape = (side, side)
    first, second = _colour(rng, kind), _colour(rng, kind)
    y, x = np.mgrid[:side, :side].astype(np.float32) / _PX_PER_MM
    mix = np.zeros(shape, np.float32)
    tone = 1 + 0.03 * noise(rng, shape, 1.5)
    match kind:
        case "wood" | "planks":
            fibres = noise(rng, shape, 3, 40) + 0.8 * noise(rng, shape, 14, 30) + 0.5 * noise(rng, shape, 200)
            tone = 1 + rng.uniform(0.04, 0.16) * fibres
            second = tuple(0.7 * part for part in first)
            if kind == "planks":
                width = rng.uniform(70, 220)
                tone *= 1 + 0.1 * rng.standard_normal(200)[(y // width).astype(int)]
                tone[(y % width) < 2.5] *= 0.35
        case "cloth":
            mix = (((x / rng.uniform(1.5, 4) % 1) < 0.5) ^ ((y / rng.uniform(1.5, 4) % 1) < 0.5)).astype(
                np.float32
            ) * 0.25
            tone = 1 + 0.05 * noise(rng, shape, 40) + 0.05 * noise(rng, shape, 1.5)
        case "chequered":
            width = rng.uniform(14, 90)
            mix = ((x // width % 2) + (y // width % 2)) / 2
            tone = 1 + 0.08 * noise(rng, shape, 1.5)
        case "stripes":
            width = rng.uniform(10, 80)
            mix = ((x + rng.uniform(0, 30) * np.sin(y / 120)) / width % 1 < rng.uniform(0.1, 0.6)).astype(np.float32)
        case "stone":
            mix = np.clip(0.5 + 0.3 * noise(rng, shape, 60) + 0.2 * noise(rng, shape, 8), 0, 1)
        case _:
            tone = 1 + 0.02 * noise(rng, shape, 80)
    cover = np.asarray(first) * (1 - mix[..., None]) + np.asarray(second) * mix[..., None]
    image = np.asarray(np.clip(cover * tone[..., None], 0, 255), np.uint8)
    return kind, np.ascontiguousarray(np.rot90(image, int(rng.integers(4))))


def _colour(rng: Generator, kind: str) -> tuple[float, ...]:
    hue, saturation, value = rng.uniform(0, 1), rng.uniform(0, 0.8), rng.choice([0.05, 0.15, 0.4, 0.7, 0.95])
    if kind in ("wood", "planks"):
        hue, saturation, value = rng.uniform(0.04, 0.11), rng.uniform(0.3, 0.75), rng.uniform(0.12, 0.85)
    elif rng.random() < 0.3:
        saturation = 0.03
    red, green, blue = colorsys.hsv_to_rgb(hue, saturation, min(1.0, value * rng.uniform(0.8, 1.1)))
    return 255 * blue, 255 * green, 255 * red


def draw_room(rng: Generator) -> NDArray[np.float32]:
    """Light from all sides: a map of the directions (32 x 64 x 3, linear RGB, mean 1), the zenith in the last row."""
    around = np.clip(1 + 0.5 * noise(rng, (32, 64), 10), 0.1, None)
    around[:16] *= 0.5
    around[24:] *= rng.uniform(0.4, 2.5)
    for _ in range(int(rng.integers(0, 4))):
        column, wide = int(rng.integers(0, 56)), int(rng.integers(3, 9))
        around[18:27, column : column + wide] *= rng.uniform(2, 12)
    around = cv2.GaussianBlur(np.hstack([around] * 3), (0, 0), 1.0)[:, 64:128]
    tint = 1 + rng.uniform(-0.15, 0.15) * np.array([1.0, 0.0, -1.0])
    room = around[..., None] * tint
    return np.asarray(room / room.mean(), np.float32)
