"""What is physically on the simulated table, as values, and the picture that a camera takes of it."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import cv2
import numpy as np

from companion.games.pacal.pieces import Pyramid, Ship
from companion.squares import Square
from vision.frames import Picture
from vision.simulated import shapes
from vision.simulated.brush import draw_shadows, draw_solids
from vision.simulated.hand import HandPose, draw_hand
from vision.simulated.light import DAYLIGHT, Light, LightField
from vision.simulated.printed import PrintedBoard
from vision.simulated.surroundings import Cover, draw_surroundings
from vision.simulated.view import View

STONE_RING_MM = 9.0
"""How far from the square's middle stones lie, so that five of them have room."""
NOISE_PX = 1024
"""The side of the field of noise."""


class Standing(NamedTuple):
    """Everything that physically is on one square; stones in or under a ship are here too, one entry a stone."""

    ship: Ship | None = None
    pyramid: Pyramid | None = None
    stones: tuple[str, ...] = ()


@dataclass(frozen=True)
class SceneState:
    """What a camera could see at one moment."""

    squares: Mapping[Square, Standing] = field(default_factory=dict)
    hands: tuple[HandPose, ...] = ()
    light: Light = DAYLIGHT

    def placed(self, square: Square, standing: Standing) -> SceneState:
        """The scene with this, and nothing else, on a square."""
        squares = {name: here for name, here in self.squares.items() if name != square}
        if standing != Standing():
            squares[square] = standing
        return replace(self, squares=squares)


class Renderer:
    """Takes pictures of scenes; keeps what did not change since the last one.

    printed: the board. cover: what the table is made of. seed: of the grain, the spare pieces and the camera's noise.
    noise: its standard deviation in grey levels. The same scene, view and t give the same picture. Any thread may
    use it.
    """

    def __init__(self, printed: PrintedBoard, cover: Cover = "wood", seed: int = 1, noise: float = 1.6) -> None:
        self.printed = printed
        self._cover = cover
        self._seed = seed
        grain = np.random.default_rng([seed, 3]).normal(0, noise, (NOISE_PX, NOISE_PX, 3))
        self._noise = np.round(grain).astype(np.int16)
        self._lock = threading.Lock()
        self._empty: tuple[tuple[View, Light], Picture, LightField] | None = None
        self._still: tuple[Mapping[Square, Standing], Picture] | None = None

    def render(self, scene: SceneState, view: View, t: float = 0.0) -> Picture:
        """The picture (BGR uint8, of the view's size) that a camera takes at a time in seconds."""
        with self._lock:
            still, light = self._without_hands(scene, view)
        picture = still.copy()
        for hand in scene.hands:
            draw_hand(picture, hand, view, light)
        self._add_noise(picture, t)
        return picture

    def _without_hands(self, scene: SceneState, view: View) -> tuple[Picture, LightField]:
        key = (view, scene.light)
        if self._empty is None or self._empty[0] != key:
            light = LightField(scene.light, view)
            empty = draw_surroundings(self.printed, self._cover, view, light, self._seed)
            self._empty, self._still = (key, empty, light), None
        _, empty, light = self._empty
        if self._still is None or self._still[0] != scene.squares:
            picture = empty.copy()
            solids = [solid for name in scene.squares for solid in self.solids(name, scene.squares[name])]
            draw_shadows(picture, solids, view, light)
            draw_solids(picture, solids, view, light)
            self._still = (dict(scene.squares), picture)
        return self._still[1], light

    def solids(self, square: Square, standing: Standing) -> list[shapes.Solid]:
        """The pieces of a square that can be seen, a little out of place, as people put them."""
        x, y = self.printed.board.centre_mm(square)
        chance = np.random.default_rng([self._seed, zlib.crc32(square.encode())])
        aside, turn = chance.normal(0, 1.2, 2).clip(-2.5, 2.5), chance.normal(0, 0.12)
        if standing.ship is not None:
            return [shapes.ship(standing.ship.colour, x + aside[0], y + aside[1])]
        if standing.pyramid is not None:
            return [shapes.pyramid(*standing.pyramid, x + aside[0], y + aside[1], turn)]
        spots = chance.uniform(0, 2 * np.pi) + np.arange(5) * 2 * np.pi / 5
        turns = chance.uniform(0, 2 * np.pi, 5)
        taken: list[int] = []
        stones = []
        for colour in standing.stones:
            # A colour has its own spot, so that stones that stay do not jump when another comes.
            first = list(shapes.PAINT).index(colour)
            spot = next((s % 5 for s in range(first, first + 5) if s % 5 not in taken), first)
            taken.append(spot)
            across, down = STONE_RING_MM * np.cos(spots[spot]), STONE_RING_MM * np.sin(spots[spot])
            stones.append(shapes.stone(colour, x + across, y + down, float(turns[spot])))
        return stones

    def _add_noise(self, picture: Picture, t: float) -> None:
        """A camera's noise: another part of a large field of it in each frame, laid beside itself."""
        chance = np.random.default_rng([self._seed, zlib.crc32(repr(round(t, 4)).encode())])
        down, right = chance.integers(0, NOISE_PX, 2).tolist()
        for top in range(down - NOISE_PX, picture.shape[0], NOISE_PX):
            for left in range(right - NOISE_PX, picture.shape[1], NOISE_PX):
                part = picture[max(top, 0) : top + NOISE_PX, max(left, 0) : left + NOISE_PX]
                noise = self._noise[max(-top, 0) :, max(-left, 0) :][: part.shape[0], : part.shape[1]]
                cv2.add(part, noise, dst=part, dtype=cv2.CV_8U)
