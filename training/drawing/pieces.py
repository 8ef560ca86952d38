"""Sets of pieces for drawn pictures: their sizes and paints, and each piece as flat faces."""

from __future__ import annotations

import colorsys
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.random import Generator

from vision.geometry import Floats
from vision.simulated.light import Light
from vision.simulated.shapes import Face, Solid, ends, level, regular, wall

HUES = {"red": (1, 6), "yellow": (46, 6), "green": (128, 16), "blue": (220, 10), "purple": (282, 10)}

Paint = tuple[int, int, int]


@dataclass(frozen=True)
class Pieces:
    """One set of pieces: sizes in mm, paints BGR."""

    base: float
    step: float
    floor: float
    radius: float
    tall: float
    wall: float
    stone: float
    stone_tall: float
    uneven: float
    bevel: float
    paints: Mapping[str, Paint]
    inside: Paint | None
    rim: Paint | None
    bands: tuple[tuple[float, float], ...]
    band: Paint

    @staticmethod
    def draw(rng: Generator, square_mm: float) -> Pieces:
        base = rng.uniform(22, min(28, 0.87 * square_mm))
        paints = {}
        for name, (hue, spread) in HUES.items():
            value = rng.uniform(0.65, 0.97) if name == "yellow" else rng.uniform(0.4, 0.88)
            paints[name] = _bgr((hue + rng.normal(0, spread / 2)) / 360 % 1, rng.uniform(0.6, 0.95), value)
        dark = int(rng.integers(15, 150))
        grey = (dark, dark + 2, dark + 6)
        bands = tuple((low, low + rng.uniform(0.03, 0.09)) for low in rng.uniform(0.1, 0.85, rng.integers(0, 3)))
        return Pieces(
            base, min(rng.uniform(4.0, 5.6), (base - 3.5) / 4), rng.uniform(4.8, 6.2),
            rng.uniform(11.5, min(17, 0.46 * square_mm)), rng.uniform(28, 42), rng.uniform(1.2, 4.0),
            rng.uniform(11.7, 14.6), rng.uniform(3.2, 5.0), float(rng.choice([0, 0.3, 0.8])),
            rng.uniform(0.15, 0.7), paints,
            grey if rng.random() < 0.7 else None, None if rng.random() < 0.6 else grey, bands,
            (30, 30, 34) if rng.random() < 0.5 else (200, 205, 210),
        )  # fmt: skip


def _bgr(hue: float, saturation: float, value: float) -> Paint:
    red, green, blue = (round(255 * part) for part in colorsys.hsv_to_rgb(hue, saturation, value))
    return blue, green, red


def _shaded(paint: Paint, tone: float) -> Paint:
    return tuple(min(255, round(part * tone)) for part in paint)  # type: ignore[return-value]


def _falling(light: Light, at: Floats, height: float) -> Floats:
    """How far the shadow of something so high reaches, x and y in mm."""
    lamp = np.array(light.lamp_mm)
    return np.asarray((at - lamp[:2]) * height / lamp[2])


def _up(outline: Floats) -> bool:
    """Whether an outline runs as a face must that looks up."""
    x, y = outline.T
    mine = float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))
    square = regular(4, 1.0, 0.0)
    return mine * float(np.sum(square[:, 0] * np.roll(square[:, 1], -1) - square[:, 1] * np.roll(square[:, 0], -1))) > 0


def solid_of(rng: Generator, box: Pieces, light: Light, kind: str, colour: str, floors: int, at: Floats) -> Solid:
    """One piece where it stands, turned by chance."""
    paint = box.paints[colour]
    x, y = at
    faces: list[Face] = []
    if kind == "ship":
        inside = box.inside or _shaded(paint, 0.3)
        circle = regular(24, box.radius, 0.0)
        levels = sorted({0.0, 1.0, *(edge for band in box.bands for edge in band)})
        for low, high in pairwise(levels):
            banded = any(start <= low < end for start, end in box.bands)
            faces += wall(circle, circle, x, y, low * box.tall, high * box.tall, box.band if banded else paint)
        faces.append(Face(level(circle, x, y, box.tall), box.rim or paint, 1.1))
        hollow = circle * (1 - box.wall / box.radius)
        faces.append(Face(level(hollow, x, y, box.tall), inside, 1.0))
        side = rng.uniform(0, 2 * np.pi)
        inner = hollow * 0.8 + box.radius * 0.18 * np.array([np.cos(side), np.sin(side)])
        faces.append(Face(level(inner, x, y, box.tall), inside, rng.uniform(0.35, 0.8)))
        return Solid(tuple(faces), (x, y), ends(circle, x, y, 0, box.tall))
    if kind == "stone":
        base = regular(3, box.stone / 3**0.5, rng.uniform(0, 6.3))
        faces = wall(base, base * 0.9, x, y, 0, box.stone_tall, paint)
        faces.append(Face(level(base * 0.9, x, y, box.stone_tall), paint, rng.uniform(0.95, 1.1)))
        return Solid(tuple(faces), (x, y), ends(base, x, y, 0, box.stone_tall))
    turn = rng.normal(0, 0.1) if rng.random() < 0.85 else rng.uniform(0, 1.57)
    outline: list[Floats] = []
    grain = rng.uniform(0.9, 1.08)
    falling = _falling(light, at, box.floor)
    below = np.inf
    for floor in range(floors):
        half = (box.base - box.step * floor) / 2
        shift = rng.uniform(-box.uneven, box.uneven, 2) * (floor > 0)
        turned = turn + np.pi / 4 + rng.normal(0, 0.03 * box.uneven) * (floor > 0)
        base = regular(4, half * 2**0.5, turned) + shift
        low, high = floor * box.floor, (floor + 1) * box.floor
        if floor:
            # The floor's shadow on the terrace below it, and the dusk at its foot.
            room = np.clip(np.abs(falling).max(), 0, 0.9 * (below - half))
            moved = base + falling / max(np.abs(falling).max(), 1e-6) * room
            shadow = cv2.convexHull(np.concatenate([base, moved]).astype(np.float32))[::-1, 0].astype(float)
            shadow = shadow if _up(shadow) else shadow[::-1]
            dusk = regular(4, (half + rng.uniform(0.3, 0.9)) * 2**0.5, turned) + shift
            faces.append(Face(level(dusk, x, y, low), paint, grain * rng.uniform(0.75, 0.95)))
            faces.append(Face(level(shadow, x, y, low), paint, grain * (1 - 0.9 * (1 - light.ambient))))
        bevel = box.bevel
        edge = regular(4, (half - bevel) * 2**0.5, turned) + shift
        faces += [face._replace(tone=grain) for face in wall(base, base, x, y, low, high - bevel, paint)]
        faces += [face._replace(tone=grain) for face in wall(base, edge, x, y, high - bevel, high, paint)]
        faces.append(Face(level(edge, x, y, high), paint, grain * (1 + rng.normal(0, 0.01))))
        outline.append(ends(base, x, y, low, high))
        below = half
    return Solid(tuple(faces), (x, y), np.concatenate(outline))
