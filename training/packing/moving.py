"""Moves, turns and mirrors what is seen about a square a little, by chance."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

TURN, ANY_TURN, ANY = 4.0, 25.0, 0.4
"""How far it is turned (degrees, standard deviation), and how far either way a share of it; ..."""
LARGER = 0.06
"""... and how much larger or smaller it becomes."""
LEANS_LITTLE, ALIKE = 4.0, 4.0
"""What leans no further (mm) may be mirrored; and its axes swapped, what leans nearly as far to both sides."""


def moved(
    layers: NDArray[np.float32], leans: Sequence[float], foot: float, side: int, aside: float, rng: Generator
) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """The part of some layers without their margin, turned and moved, and how a ship's upper end leans there.

    layers: height x width x channels, with as wide a margin on all sides. leans: across and down. foot: in both
    directions, where in the part the square's middle is (px). side: of the part, in px. aside: how far it is moved
    (px, standard deviation).
    """
    turn, larger = np.radians(rng.normal(0, TURN)), rng.uniform(1 - LARGER, 1 + LARGER)
    mirrored = [-1.0 if lean < LEANS_LITTLE and rng.random() < 0.5 else 1.0 for lean in leans]
    if rng.random() < ANY:
        turn = rng.uniform(-np.radians(ANY_TURN), np.radians(ANY_TURN))
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ np.diag(mirrored)
    margin = (len(layers) - side) // 2
    to = foot + rng.normal(0, aside, 2) - larger * turned @ np.full(2, foot + margin)
    part = cv2.warpAffine(
        layers,
        np.column_stack([larger * turned, to]),
        (side, side),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(part, np.float32), turned @ np.array(leans)


def swapped(
    layers: NDArray[np.float32], leans: NDArray[np.float64], rng: Generator
) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """The same, now and then with axes swapped where that is as good."""
    if abs(leans[0] - leans[1]) < ALIKE and rng.random() < 0.5:
        return layers.swapaxes(0, 1), leans[::-1]
    return layers, leans
