"""One set of pieces as solids: their colours, gloss and sizes are drawn once, for all pictures of a set-up."""

from __future__ import annotations

import colorsys
from typing import TypeAlias

import bpy
import numpy as np
from numpy.random import Generator

from companion.games.pacal.pieces import COLOURS
from training.rendering.placing import PieceSizes, Standing
from training.rendering.solids import Colour, lathe, linear, material, prism, put, solid

_Range: TypeAlias = tuple[float, float]

# Middle and spread of hue (degrees), then the ranges of saturation and of value.
_TINTS = {
    "red": (1, 6, (0.75, 0.98), (0.5, 0.88)),
    "yellow": (46, 5, (0.65, 0.97), (0.72, 0.97)),
    "green": (130, 16, (0.55, 0.95), (0.28, 0.62)),
    "blue": (222, 9, (0.65, 0.95), (0.35, 0.78)),
    "purple": (281, 9, (0.45, 0.85), (0.28, 0.62)),
}
_USUAL_TINTS = {
    "red": (1, 5, (0.8, 0.95), (0.6, 0.85)),
    "yellow": (46, 4, (0.75, 0.95), (0.78, 0.95)),
    "green": (130, 10, (0.6, 0.9), (0.35, 0.6)),
    "blue": (222, 7, (0.7, 0.92), (0.42, 0.75)),
    "purple": (281, 7, (0.5, 0.8), (0.35, 0.6)),
}
"""Those of one print run: hues that vary a bit."""


class PiecesBox:
    """A set of pieces. It makes each mesh once, in a few variants, and puts copies of it on the table."""

    def __init__(self, rng: Generator, sizes: PieceSizes, tilt: float, usual: bool, glossy: bool) -> None:
        """tilt: of the camera, in degrees. From straight above only its upper end can tell a ship's colour. usual:
        whether colours are the game's, and ships grey inside. glossy: whether lamps are seen in all of them."""
        self.sizes = sizes
        self._rng = rng
        self._meshes: dict[tuple[str, int, int], bpy.types.Mesh] = {}
        wooden = rng.random() < 0.5
        self._uneven = float(rng.choice([0.0, 0.3, 0.8]))
        gloss = rng.uniform(0.35, 0.7) if wooden else rng.uniform(0.12, 0.45)
        if glossy:
            gloss = rng.uniform(0.08, 0.3)
        grain = rng.uniform(0.05, 0.3) if wooden else 0.0
        self.notes = f"{'wooden' if wooden else 'plastic'} pieces, roughness {gloss:.2f}"
        tints = {name: _tint(rng, *(_USUAL_TINTS if usual else _TINTS)[name]) for name in COLOURS}
        self._paints = {name: material(f"piece-{name}", linear(tints[name]), gloss, grain) for name in COLOURS}
        draw_part = _usual_part if usual else _ship_part
        inside, rim, band = (draw_part(rng, part) for part in ("inside", "rim", "band"))
        if tilt < 18 and not usual:
            rim = None
        self._insides = self._parts(inside, tints, 0.7, 0.35)
        self._rims = self._parts(rim, tints, gloss, 1.0)
        self._bands = self._parts(band, tints, gloss, 1.0)
        self._band_heights = sorted(rng.uniform(0.12, 0.88, int(rng.choice([0, 1, 2, 2]))))
        self._band_mm = rng.uniform(1.0, 3.0)

    def put(self, piece: Standing, name: str) -> list[bpy.types.Object]:
        """Put a piece on the board; all objects that belong to it."""
        if piece.kind == "ship":
            return self._ship(piece, name)
        variant = int(self._rng.integers(3))
        key = piece.kind, piece.floors, variant
        if key not in self._meshes:
            self._meshes[key] = self._stone() if piece.kind == "stone" else self._pyramid(piece.floors)
        # A copy, as it is the mesh that wears the paint.
        mesh = self._meshes[key].copy()
        made = solid(name, mesh, self._paints[piece.colour])
        put(made, piece.at, piece.turn, 0.0 if piece.square else -3.0)
        return [made]

    def _stone(self) -> bpy.types.Mesh:
        angle = np.pi / 3 + np.arange(3) * 2 * np.pi / 3
        outline = self.sizes.stone_side / np.sqrt(3) * np.column_stack([np.cos(angle), np.sin(angle)])
        return prism("stone", [outline], [(0.0, self.sizes.stone_height)], min(self.sizes.bevel, 0.45))

    def _pyramid(self, floors: int) -> bpy.types.Mesh:
        outlines, heights = [], []
        for floor in range(floors):
            half = (self.sizes.base - self.sizes.step * floor) / 2
            turn = self._rng.normal(0, np.radians(2 * self._uneven)) if floor else 0.0
            angle = turn + np.pi / 4 + np.arange(4) * np.pi / 2
            shift = self._rng.uniform(-self._uneven, self._uneven, 2) * (floor > 0)
            outlines.append(shift + half * np.sqrt(2) * np.column_stack([np.cos(angle), np.sin(angle)]))
            heights.append((self.sizes.floor * floor, self.sizes.floor * (floor + 1)))
        return prism("pyramid", outlines, heights, self.sizes.bevel)

    def _ship(self, piece: Standing, name: str) -> list[bpy.types.Object]:
        radius, high, wall = self.sizes.ship_radius, self.sizes.ship_height, self.sizes.ship_wall
        edge = min(0.4, wall / 4)
        hollow = radius - wall
        parts = [
            ([(radius, 0), (radius, high - edge), (radius - 0.3, high - edge), (radius - 0.3, 0)], self._paints),
            (self._inside(hollow, high - edge), self._insides),
            (
                [(radius, high - edge), (radius - edge, high), (hollow + edge, high), (hollow, high - edge)],
                self._rims,
            ),
        ]
        for share in self._band_heights:
            low, out = share * (high - self._band_mm), radius + 0.15
            ring = [(out, low), (out, low + self._band_mm), (radius - 0.1, low + self._band_mm), (radius - 0.1, low)]
            parts.append((ring, self._bands))
        made = []
        for at, (profile, paints) in enumerate(parts):
            key = "ship", at, 0
            if key not in self._meshes:
                self._meshes[key] = lathe("ship", profile)
            one = solid(f"{name}/{at}", self._meshes[key].copy(), paints[piece.colour])
            put(one, piece.at, piece.turn, 0.0 if piece.square else -3.0)
            made.append(one)
        return made

    def _inside(self, hollow: float, high: float) -> list[tuple[float, float]]:
        bottom = self.sizes.ship_bottom
        closed = [(hollow, bottom), (0.01, bottom), (0.01, 0.0)] if bottom else [(hollow, 0.0)]
        return [(hollow + 0.3, 0.0), (hollow + 0.3, high), (hollow, high), *closed]

    def _parts(
        self, own: Colour | None, tints: dict[str, Colour], gloss: float, shade: float
    ) -> dict[str, bpy.types.Material]:
        """What a part of the ships is painted with: one colour for all, or each ship's own, darker."""
        if own is not None:
            return dict.fromkeys(COLOURS, material("ship-part", linear(own), gloss))
        shaded = {name: (tint[0] * shade, tint[1] * shade, tint[2] * shade) for name, tint in tints.items()}
        return {name: material(f"ship-{name}", linear(shaded[name]), gloss) for name in COLOURS}


def _tint(rng: Generator, hue: float, spread: float, saturation: _Range, value: _Range) -> Colour:
    """A colour, BGR 0 to 255."""
    turned = (hue + np.clip(rng.normal(0, spread / 2), -spread, spread)) / 360 % 1
    return _bgr(turned, rng.uniform(*saturation), rng.uniform(*value))


def _ship_part(rng: Generator, part: str) -> Colour | None:
    """The colour of a part of the ships, None when it has each ship's own."""
    own = {"inside": 0.4, "rim": 0.6, "band": 0.1}[part]
    if rng.random() < own:
        return None
    if part == "inside":
        return _bgr(rng.uniform(0.05, 0.12), rng.uniform(0, 0.5), rng.uniform(0.03, 0.5))
    return _bgr(rng.uniform(0.08, 0.14), rng.uniform(0, 0.5), rng.uniform(0.15, 0.95))


def _usual_part(rng: Generator, part: str) -> Colour | None:
    """The colour of a part of the reference scenes' ships."""
    if part == "band":
        return _bgr(rng.uniform(0.07, 0.11), rng.uniform(0.2, 0.6), rng.uniform(0.3, 0.8))
    return _bgr(rng.uniform(0.05, 0.12), rng.uniform(0.05, 0.25), rng.uniform(0.35, 0.6))


def _bgr(hue: float, saturation: float, value: float) -> Colour:
    red, green, blue = colorsys.hsv_to_rgb(hue, saturation, value)
    return 255 * blue, 255 * green, 255 * red
