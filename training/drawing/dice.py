"""Draws dice, each unlike all others, on what pictures show of a table.

A die is drawn as the camera sees it that looks at its table from above: its upper face, turned by any angle, and below
that what is seen of its sides, the shadow that it throws, and a lamp that it may mirror.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.reading.die.templates import EDGE_MM, FACES, JOINED, SLIM, SQUARE, STOUT, turned

Canvas = NDArray[np.float32]
"""Side x side x 3, BGR as shares of the brightest."""

_CIRCLE = np.column_stack([f(np.linspace(0, 2 * np.pi, 20, endpoint=False)) for f in (np.cos, np.sin)])
_CORNERS = [(-1, -1), (1, 1), (1, -1), (-1, 1)]
_PIPS = {2: _CORNERS[:2], 3: [*_CORNERS[:2], (0, 0)], 4: _CORNERS, 5: [*_CORNERS, (0, 0)], 1: [(0, 0)],
         6: [*_CORNERS, (-1, 0), (1, 0)]}  # fmt: skip
_DOUBLE = tuple(
    np.array(part, float) * way
    for part in ([[2.2, -2.6], [2.2, 2.6], [6.2, 0]], [[-2.2, -0.9], [-2.2, 0.9], [2.2, 0.9], [2.2, -0.9]])
    for way in (1, -1)
)
"""An arrow with two heads, in parts."""
OTHER_MARKS = (0, 1, 6)
"""Pips of what is no face of this die."""


def marks_of(face: int | str, rng: Generator) -> list[Floats]:
    """The outlines of what is drawn on a face, or on another with as many pips, in mm from its middle."""
    if face == "arrows":
        size, sort = rng.uniform(0.9, 1.1), int(rng.integers(4))
        if sort == 3:
            return [part * size for part in _DOUBLE]
        many = 2 if sort == 2 and rng.random() < 0.7 else 4
        arrow = np.array((SLIM, JOINED, STOUT)[sort]) * size
        return [turned(arrow, quarter * 2 * np.pi / many) for quarter in range(many)]
    far, radius = rng.uniform(3.3, 4.4), rng.uniform(1.2, 1.8)
    return [radius * _CIRCLE + far * np.array(pip) for pip in _PIPS.get(int(face), [])]


def draw_die(canvas: Canvas, mm: float, marks: Sequence[Floats], drop_mm: float, light: Floats, rng: Generator) -> None:
    """Draw a die in the middle of a patch of a picture that is turned so that its sides are below its upper face.

    mm: the patch's side. marks: of its upper face (``marks_of``). drop_mm: how far below that the lower face appears.
    light: what a white sheet looks like there, BGR.
    """
    side, down = len(canvas), np.array([0.0, drop_mm])

    def fill(layer: NDArray[np.float32], outline: Floats, colour: Sequence[float]) -> None:
        px = (outline / mm + 0.5) * side - 0.5
        cv2.fillPoly(layer, [np.round(px * 8).astype(np.int32)], tuple(map(float, colour)), cv2.LINE_AA, 3)

    def shade(outline: Floats, blur_mm: float, much: float) -> None:
        layer = np.zeros((side, side), np.float32)
        fill(layer, outline, (1.0,))
        np.multiply(canvas, 1 - much * cv2.GaussianBlur(layer, (0, 0), blur_mm * side / mm)[..., None], out=canvas)

    turn, edge = rng.uniform(0, 2 * np.pi), EDGE_MM + rng.uniform(-0.7, 0.5)
    top = turned(_rounded(edge, rng.uniform(0.8, 3.0)), turn)
    whole = _hull(top, top + down)
    shade(_hull(top + down, top + down + rng.uniform(-10, 10, 2)), rng.uniform(0.3, 2.5), rng.uniform(0, 0.75))
    shade(whole, rng.uniform(0.5, 2.0), rng.uniform(0, 0.5))
    white = light * np.array([rng.uniform(0.72, 1), rng.uniform(0.9, 1), 1.0]) * rng.uniform(0.6, 1.1)
    ink = rng.uniform(0, 0.25) * rng.uniform(0.7, 1.3, 3) if rng.random() < 0.8 else rng.uniform(0, 0.5, 3)
    fill(canvas, whole, white * rng.uniform(0.4, 0.9))
    corners = turned(edge * SQUARE, turn)
    for first, second in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if (first + second)[1] <= 0.6 or drop_mm < 0.8:
            continue
        wall, pale = white * rng.uniform(0.3, 1.05), rng.uniform(0, 0.5) * (rng.random() < 0.3)
        middle = (first + second + down) / 2
        fill(canvas, 0.97 * (np.array([first, second, second + down, first + down]) - middle) + middle, wall)
        along = (second - first) / np.hypot(*(second - first))
        for mark in marks_of(FACES[int(rng.integers(len(FACES)))], rng):
            fill(
                canvas,
                middle + mark[:, :1] * along + mark[:, 1:] * down / EDGE_MM,
                ink * 0.8 * (1 - pale) + wall * pale,
            )
    fill(canvas, top, white)
    pale = rng.uniform(0, 0.75) if rng.random() < 0.3 else rng.uniform(0, 0.15)
    for mark in marks:
        fill(canvas, turned(mark, turn), ink * (1 - pale) + white * pale)
    _lit(canvas, rng)
    # As soft as pictures are, or softer.
    canvas[:] = cv2.GaussianBlur(canvas, (0, 0), rng.uniform(0.25, 0.7) * side / mm)


def _lit(canvas: Canvas, rng: Generator) -> None:
    """Let a shadow's edge fall over a patch now and then, or a lamp be mirrored in it."""
    y, x = np.mgrid[: len(canvas), : len(canvas)] / len(canvas) - 0.5
    if rng.random() < 0.15:
        turn = rng.uniform(0, 2 * np.pi)
        far = x * np.cos(turn) + y * np.sin(turn) - rng.uniform(-0.3, 0.3)
        canvas *= 1 - (rng.uniform(0.2, 0.7) / (1 + np.exp(-far * rng.uniform(20, 200))))[..., None].astype(np.float32)
    if rng.random() < 0.2:
        across, down = rng.uniform(-0.25, 0.25, 2)
        far = np.hypot(x - across, y - down) / rng.uniform(0.05, 0.25)
        canvas += (rng.uniform(0.1, 0.7) * np.exp(-(far**2) / 2))[..., None].astype(np.float32)


def _rounded(edge_mm: float, radius_mm: float) -> Floats:
    """The outline of a square with round corners, mm from its middle."""
    quarter = np.linspace(0, np.pi / 2, 5)
    corner = (edge_mm / 2 - radius_mm) + radius_mm * np.column_stack([np.cos(quarter), np.sin(quarter)])
    return np.concatenate([turned(corner, number * np.pi / 2) for number in range(4)])


def _hull(*outlines: Floats) -> Floats:
    return np.asarray(cv2.convexHull(np.concatenate(outlines).astype(np.float32))[:, 0], np.float64)
