"""What a lens, a sensor and a camera's processor make of the light that Blender rendered."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.geometry import Lens

Linear = NDArray[np.float32]
Image = NDArray[np.uint8]


@dataclass(frozen=True)
class Sensor:
    """What stays the same in all pictures of a set-up. automatic: the camera meters each picture anew.

    blur_px: defocus. noise: shot noise of a bright room. colour_error: how much further out red lies than blue.
    """

    automatic: bool
    brightness: float
    whitening: float
    cast: tuple[float, float, float]
    vignetting: float
    colour_error: float
    blur_px: float
    noise: float
    calming: float
    contrast: float
    saturation: float
    sharpening: float
    quality: int

    @staticmethod
    def draw(rng: Generator) -> Sensor:
        cast = np.exp(rng.normal(0, 0.045, 3))
        return Sensor(
            automatic=bool(rng.random() < 0.6),
            brightness=float(np.exp(rng.normal(0, 0.28))),
            whitening=float(rng.uniform(0.3, 1.0)),
            cast=(float(cast[0]), float(cast[1]), float(cast[2])),
            vignetting=float(rng.uniform(0, 0.45)),
            colour_error=float(rng.uniform(-0.0012, 0.0012)),
            blur_px=float(rng.choice([0.3, 0.5, 0.7, 1.0], p=[0.35, 0.35, 0.2, 0.1])),
            noise=float(rng.uniform(0.0001, 0.0008)),
            calming=float(rng.uniform(0.2, 0.9)),
            contrast=float(rng.uniform(0.0, 0.5)),
            saturation=float(rng.uniform(0.85, 1.25)),
            sharpening=float(rng.uniform(0.2, 1.2)),
            quality=int(rng.integers(84, 93)),
        )


@dataclass(frozen=True)
class Metering:
    """How strongly the camera amplifies red, green and blue (for light of about 1), and how dim it thinks it is."""

    gains: tuple[float, float, float]
    dim: float


def wide_lens(lens: Lens, scale: float) -> tuple[tuple[int, int], float]:
    """Size in px and field of view (radians, horizontal) of the straight picture that ``photograph`` needs.

    scale: px of the straight picture for each px of the photograph.
    """
    more = scale * (1.012 + max(0.0, lens.k1) * 0.58)
    size = (round(lens.size[0] * more), round(lens.size[1] * more))
    return size, 2 * float(np.arctan(size[0] / 2 / (lens.focal * scale)))


def meter(sensor: Sensor, light: Linear, colour: tuple[float, ...], dim: float) -> Metering:
    """Exposure and white balance for a picture. colour: of the light on the board, dim: 1 in a bright room."""
    tall, wide = light.shape[:2]
    middle = light[tall // 8 : -tall // 8, wide // 6 : -wide // 6]
    seen = float(np.mean(np.clip(middle.mean(axis=2), 0, np.quantile(middle.mean(axis=2), 0.97))))
    gain = 0.17 * sensor.brightness * dim**0.3 / max(seen, 1e-6)
    white = np.array(colour) / np.mean(colour)
    gains = gain * np.array(sensor.cast) / white**sensor.whitening
    return Metering((float(gains[0]), float(gains[1]), float(gains[2])), dim)


def photograph(rng: Generator, sensor: Sensor, metering: Metering, lens: Lens, light: Linear, scale: float) -> Image:
    """The photograph (BGR) of a straight picture of linear light (RGB)."""
    bent = _bend(sensor, lens, light, scale)
    x, y = np.meshgrid(*(np.arange(n, dtype=np.float32) for n in lens.size))
    far = ((x - lens.middle[0]) ** 2 + (y - lens.middle[1]) ** 2) / float(np.sum(lens.middle**2))
    signal = bent * (1 - sensor.vignetting * far)[..., None] * np.array(metering.gains, np.float32)
    signal = cv2.GaussianBlur(np.clip(signal, 0, 8), (0, 0), sensor.blur_px)
    amplified = sensor.noise / metering.dim**0.6
    deviation = np.sqrt(amplified * np.clip(signal, 0, None) + (amplified / 3) ** 2 + 1e-7)
    signal = signal + deviation * rng.standard_normal(signal.shape).astype(np.float32)
    shown = _tone(sensor, signal)
    calm = cv2.bilateralFilter(shown, 5, 0.08, 1.6)
    shown = shown + sensor.calming * (calm - shown)
    blurred = cv2.GaussianBlur(shown, (0, 0), 1.2)
    shown = shown + sensor.sharpening * (shown - blurred)
    return np.asarray(np.round(np.clip(shown, 0, 1)[..., ::-1] * 255), np.uint8)


def _bend(sensor: Sensor, lens: Lens, light: Linear, scale: float) -> Linear:
    """The straight picture as the lens shows it; red and blue are a little smaller or larger than green."""
    x, y = np.meshgrid(*(np.arange(n, dtype=np.float64) for n in lens.size))
    ideal = lens.ideal(np.column_stack([x.ravel(), y.ravel()])) * (lens.focal * scale)
    middle = (np.array(light.shape[1::-1]) - 1) / 2
    channels = []
    empty = np.empty(0, np.float32)
    for channel, error in enumerate((sensor.colour_error, 0.0, -sensor.colour_error)):
        at = (ideal * (1 + error) + middle).astype(np.float32).reshape(*lens.size[::-1], 2)
        channels.append(cv2.remap(light[..., channel], at, empty, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE))
    return np.asarray(np.dstack(channels), np.float32)


def _tone(sensor: Sensor, signal: Linear) -> Linear:
    """Linear light as display values 0 to 1: soft highlights, sRGB's curve, some more contrast and colour."""
    signal = np.clip(signal, 0, None)
    soft = np.where(signal < 0.7, signal, 0.7 + 0.3 * (1 - np.exp(-(signal - 0.7) / 0.5)))
    shown = np.where(soft <= 0.0031308, 12.92 * soft, 1.055 * np.maximum(soft, 1e-6) ** (1 / 2.4) - 0.055)
    curved = shown * shown * (3 - 2 * shown)
    shown = shown + sensor.contrast * (curved - shown)
    grey = shown.mean(axis=2, keepdims=True)
    return np.asarray(np.clip(grey + sensor.saturation * (shown - grey), 0, 1), np.float32)
