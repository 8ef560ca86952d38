"""Patterns and small drawings that prints and tables are made of."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Pattern = NDArray[np.float32]


def noise(rng: Generator, shape: tuple[int, int], grain_px: float, along: float = 1.0) -> Pattern:
    """Smooth noise, mean 0 and deviation 1; along stretches its grains in x."""
    rows = max(2, round(shape[0] / grain_px) + 2)
    columns = max(2, round(shape[1] / grain_px / along) + 2)
    coarse = rng.standard_normal((rows, columns)).astype(np.float32)
    smooth = cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return np.asarray((smooth - smooth.mean()) / max(float(smooth.std()), 1e-6), np.float32)


def motif(rng: Generator, shape: tuple[int, int], px_per_mm: float) -> Pattern:
    """A pattern for a district, 0 to 1."""
    y, x = np.mgrid[: shape[0], : shape[1]].astype(np.float32) / px_per_mm
    period = rng.uniform(2.5, 14)
    turn = rng.uniform(0, np.pi)
    along, across = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    match rng.choice(["plain", "hatched", "waves", "rings", "dots", "cloud", "chequered", "chevrons", "bricks"]):
        case "hatched":
            lines = (along / period % 1) < rng.uniform(0.1, 0.5)
        case "waves":
            lines = ((along + 1.5 * np.sin(across * 0.7)) / period % 1) < rng.uniform(0.1, 0.4)
        case "rings":
            cell = 30.0
            lines = (np.hypot(along % cell - cell / 2, across % cell - cell / 2) / period % 1) < 0.25
        case "dots":
            lines = np.hypot(along % period - period / 2, across % period - period / 2) < period * rng.uniform(
                0.15, 0.4
            )
        case "cloud":
            return np.asarray(np.clip(0.5 + 0.4 * noise(rng, shape, period * px_per_mm), 0, 1), np.float32)
        case "chequered":
            lines = (along // period + across // period) % 2 < 1
        case "chevrons":
            lines = ((along + np.abs(across % (2 * period) - period)) / period % 1) < 0.3
        case "bricks":
            shift = (across // period % 2) * period
            lines = (across % period < 0.5) | ((along + shift) % (2 * period) < 0.5)
        case _:
            return np.zeros(shape, np.float32)
    return np.asarray(lines, np.float32)


def ornament(
    rng: Generator, image: NDArray[np.uint8], at_px: NDArray[np.float64], size_px: float, colour: tuple[float, ...]
) -> None:
    """Draw a small sign: also such as resemble pieces from above, which a reader must not fall for."""
    middle = (round(float(at_px[0])), round(float(at_px[1])))
    turn = rng.uniform(0, 2 * np.pi)
    thick = max(1, round(size_px * rng.uniform(0.03, 0.15)))
    match rng.choice(["house", "tree", "triangle", "steps", "ring", "letter", "spiral", "star", "leaf"]):
        case "house":
            _polygon(
                image, middle, size_px * np.array([[-0.4, 0.5], [-0.4, 0], [0, -0.4], [0.4, 0], [0.4, 0.5]]), colour
            )
        case "tree":
            cv2.line(image, middle, (middle[0], middle[1] + round(size_px / 2)), colour, thick + 2, cv2.LINE_AA)
            cv2.circle(
                image, (middle[0], middle[1] - round(size_px / 8)), round(size_px * 0.33), colour, -1, cv2.LINE_AA
            )
        case "triangle":
            _polygon(image, middle, size_px * 0.5 * _corners(3, turn), colour)
        case "steps":
            for side in np.linspace(0.7, 0.15, int(rng.integers(2, 6))):
                points = np.round(np.add(middle, size_px * side * _corners(4, turn))).astype(np.int32)
                cv2.polylines(image, [points], True, colour, thick, cv2.LINE_AA)
        case "ring":
            cv2.circle(image, middle, round(size_px * 0.5), colour, thick, cv2.LINE_AA)
            if rng.random() < 0.4:
                cv2.circle(image, middle, round(size_px * 0.35), (20, 20, 20), -1, cv2.LINE_AA)
        case "letter":
            text = chr(rng.integers(65, 91))
            start = (middle[0] - round(size_px / 3), middle[1] + round(size_px / 3))
            cv2.putText(image, text, start, cv2.FONT_HERSHEY_TRIPLEX, size_px / 24, colour, thick, cv2.LINE_AA)
        case "spiral":
            angle = np.linspace(0, 5 * np.pi, 60)
            points = np.column_stack([np.cos(angle), np.sin(angle)]) * (angle / angle[-1] * size_px / 2)[:, None]
            cv2.polylines(image, [np.round(np.add(middle, points)).astype(np.int32)], False, colour, thick, cv2.LINE_AA)
        case "star":
            points = _corners(10, turn) * np.where(np.arange(10) % 2, 0.5, 0.22)[:, None] * size_px
            _polygon(image, middle, points, colour)
        case _:
            axes = (round(size_px * 0.5), round(size_px * 0.18))
            cv2.ellipse(image, middle, axes, float(np.degrees(turn)), 0, 360, colour, -1, cv2.LINE_AA)


def _corners(count: int, turn: float) -> NDArray[np.float64]:
    angle = turn + np.arange(count) * 2 * np.pi / count
    return np.column_stack([np.cos(angle), np.sin(angle)])


def _polygon(
    image: NDArray[np.uint8], middle: tuple[int, int], points: NDArray[np.float64], colour: tuple[float, ...]
) -> None:
    cv2.fillPoly(image, [np.round(np.add(middle, points)).astype(np.int32)], colour, cv2.LINE_AA)
