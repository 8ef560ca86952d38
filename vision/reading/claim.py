"""What is seen close about a square: the straightened picture itself, with the maps and the empty board beside it.

The networks that read squares look at maps that are coarser than the picture. Where these leave a doubt, ``rivals``
and ``stones`` look closer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.squares import Square
from vision.frames import Picture
from vision.grid import READ_PX_PER_MM, SHRINK
from vision.logarithms import WHITE, Layers, as_shown, logarithms, logarithms_without
from vision.reading.crops import Planes, Window, square_plane, way_of
from vision.reading.evidence import Scene
from vision.reading.places import on_canvas

CLOSE = Window(27, 64)
"""What is seen of the straightened picture, in pixels of that: 48 mm, 20 of them before the square's middle."""
MAP_RANGES = np.array([*[(-7.0, 5.0)] * 7, (0.0, 1.0), (0.0, 1.0), (-1.0, 1.0)], np.float32)
"""The maps that are seen too: how well each pixel fits five colours, a ship's inside and bare board; how blind it is,
how much print there is, and how well it is seen. What is lower or higher on each tells no more."""
MAPS_FROM = 7
"""From this layer on the maps are seen (``Claim.layers``)."""


@dataclass(frozen=True)
class Claim:
    """What is seen close about a square, turned as crops are (``vision.reading.crops``), with a margin on all sides.

    picture, empty: what the straightened pictures show, with pieces and without, under the same mirrored lamps, BGR.
    gain: of the light, and maps: those of ``MAP_RANGES``; one pixel for four of the pictures'. square_mm: how large the
    square is, across and down. leans: see ``way_of``.
    """

    picture: Picture
    empty: Picture
    gain: Layers
    maps: Planes
    square_mm: tuple[float, float]
    leans: tuple[float, float]

    @staticmethod
    def of(scene: Scene, name: Square, margin: int) -> Claim:
        """What a scene shows about a square, with so many px (an even number) on all sides; at its edge what is
        nearest."""
        way, leans = way_of(scene, name)
        x, y = on_canvas(scene.about(name)[0]).round().astype(int).tolist()
        fine, coarse = [], []
        for part, most in zip(way.window(x, y, CLOSE), scene.bare.shape, strict=True):
            # It begins with a whole pixel of the maps.
            begin = (part.start - margin) // SHRINK
            end = begin + (CLOSE.side + 2 * margin) // SHRINK
            coarse.append(np.clip(np.arange(begin, end), 0, most - 1))
            fine.append(np.clip(np.arange(SHRINK * begin, SHRINK * end), 0, SHRINK * most - 1))
        closely, about = np.ix_(*fine), np.ix_(*coarse)

        def turned(layers: NDArray[Any]) -> NDArray[Any]:
            return np.ascontiguousarray(np.moveaxis(way.turn(np.moveaxis(layers, -1, 0)), 0, -1))

        layers = [*scene.fits, scene.bare, scene.blind, scene.printed, scene.shown]
        maps = np.clip(np.stack([layer[about] for layer in layers]), MAP_RANGES[:, :1, None], MAP_RANGES[:, 1:, None])
        width, height = scene.board.square_mm
        sides = (height, width) if way.swapped else (width, height)
        return Claim(
            turned(scene.straight[closely]),
            turned(scene.empty_at(*closely)),
            turned(scene.gain[about]),
            np.ascontiguousarray(way.turn(maps)),
            sides,
            leans,
        )

    @property
    def fine_gain(self) -> Layers:
        """``gain``, for each pixel of the pictures."""
        side = len(self.picture)
        return np.asarray(cv2.resize(self.gain, (side, side)), np.float32)

    def layers(self) -> Layers:
        """What is seen, pixel by pixel, height x width x 18: opponent logarithms with the light taken out (3), the
        empty board's (3), how much darker than white it is; the maps (10), and where the square is."""
        gain = self.fine_gain
        maps = np.moveaxis(self.maps, 0, -1).repeat(SHRINK, 0).repeat(SHRINK, 1)
        seen, empty = logarithms_without(gain, self.picture), as_shown(logarithms(self.empty), gain, self.picture)
        dark = logarithms(self.picture)[..., 2:] - np.float32(WHITE)
        return np.concatenate([seen, empty, dark, maps, self.square()[..., None]], axis=-1, dtype=np.float32)

    def square(self) -> NDArray[np.float32]:
        """1 on the square, 0 round it; not to be changed."""
        side = len(self.picture)
        window = Window(CLOSE.before + (side - CLOSE.side) // 2, side)
        return square_plane(self.square_mm, False, window, 1 / READ_PX_PER_MM)
