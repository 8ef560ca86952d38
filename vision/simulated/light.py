"""The lamp over the simulated table: how bright each place of a picture is, and how a face is shaded."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulated.view import Floats, View

CELL_PX = 16
"""Light changes slowly across a picture; it is computed for one pixel in so many."""


@dataclass(frozen=True)
class Light:
    """A lamp and the light that comes from everywhere.

    lamp_mm: x, y and height over the board. level: brightness of a white surface below the lamp, 1 being just not too
    bright. ambient: the share of it that throws no shadow. colour: gains of B, G, R. softness_mm: how far the edge of
    a ship's shadow is spread.
    """

    lamp_mm: tuple[float, float, float] = (-120.0, 40.0, 900.0)
    level: float = 0.92
    ambient: float = 0.55
    colour: tuple[float, float, float] = (0.92, 0.98, 1.0)
    softness_mm: float = 7.0


DAYLIGHT = Light()
WARM_LAMP = Light((420.0, -160.0, 760.0), 0.8, 0.42, (0.72, 0.93, 1.04), 5.0)


class LightField:
    """How bright each pixel of a view is lit, the lens's dark corners included."""

    def __init__(self, light: Light, view: View) -> None:
        self.light = light
        width, height = view.size
        x, y = np.meshgrid(np.arange(0, width + CELL_PX, CELL_PX), np.arange(0, height + CELL_PX, CELL_PX))
        pixels = np.column_stack([x.ravel(), y.ravel()])
        offsets = np.linalg.norm(pixels - view.middle_px, axis=1) / view.focal_px
        gain = self._falling(view.on_plane(pixels)) * (1 - 0.38 * offsets**2)
        self._cells = (gain.reshape(x.shape)[..., None] * np.array(light.colour)).astype(np.float32)

    def whole(self, size: tuple[int, int]) -> NDArray[np.float32]:
        """The gain of every pixel, height x width x 3."""
        grown = cv2.resize(
            self._cells,
            (self._cells.shape[1] * CELL_PX, self._cells.shape[0] * CELL_PX),
            interpolation=cv2.INTER_LINEAR,
        )
        half = CELL_PX // 2
        return np.asarray(grown[half : half + size[1], half : half + size[0]], np.float32)

    def at(self, pixel: Floats) -> Floats:
        """Gains of B, G, R at a pixel."""
        row, column = (int(np.clip(round(pixel[i] / CELL_PX), 0, self._cells.shape[1 - i] - 1)) for i in (1, 0))
        return np.asarray(self._cells[row, column], np.float64)

    def shade(self, normals: Floats, place_mm: Floats) -> Floats:
        """How bright faces with these unit normals (N x 3, the third up) are, a level one being 1."""
        ray = np.array(self.light.lamp_mm) - np.array([*place_mm[:2], 0.0])
        ray /= np.linalg.norm(ray)
        ambient = self.light.ambient * (0.72 + 0.28 * normals[:, 2])
        lit = (1 - self.light.ambient) * np.maximum(normals @ ray, 0.0)
        return np.asarray((ambient + lit) / (self.light.ambient + (1 - self.light.ambient) * ray[2]))

    def shadow_of(self, points_mm: Floats) -> Floats:
        """Where points (N x 3, mm) throw their shadow on the board, N x 2 mm."""
        lamp = np.array(self.light.lamp_mm)
        heights = np.minimum(points_mm[:, 2:], lamp[2] * 0.8)
        return np.asarray(points_mm[:, :2] + (points_mm[:, :2] - lamp[:2]) * heights / (lamp[2] - heights))

    def _falling(self, places_mm: Floats) -> Floats:
        """Brightness of level places on the table, farther from the lamp darker."""
        lamp = np.array(self.light.lamp_mm)
        away = np.sum((places_mm - lamp[:2]) ** 2, axis=1)
        lit = (lamp[2] ** 2 / (lamp[2] ** 2 + 0.6 * away)) ** 1.2
        return np.asarray(self.light.level * (self.light.ambient + (1 - self.light.ambient) * lit))
