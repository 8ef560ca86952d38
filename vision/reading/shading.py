"""How the faces of a pyramid are lit: what tells its floors apart when they are seen from above.

A pyramid's faces fall into few classes that are lit alike: its uppermost face, the steps on each of its four sides, and
the upright faces on each side. How bright each class is, beside the uppermost, is learned as a Gaussian from the
pyramids of a palette. How well a number of floors explains the pixels is then the evidence of that linear model: the
brightness of the classes integrated out, so that more classes are not an advantage in themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.appearance import Map
from vision.geometry import Floats
from vision.grid import lean
from vision.logarithms import Layers
from vision.reading.shapes import Mask, Sizes, Window, fill_corners, floor_squares

TOP, STEPS, SIDES = 1, 2, 6
"""Labels of faces: the uppermost; the steps of side 0 to 3; the upright faces of side 0 to 3. 0 is outside."""
FACES = 9

PIXEL_SPREAD = 0.09
"""Standard deviation (in logarithms) of pixels of one class about their mean: noise, bevels, soft shadows."""
CORRELATED = 6.0
"""So many neighbouring pixels say as much as one independent one."""
ANY_BRIGHTNESS = 0.6
"""Standard deviation of the brightness of a whole pyramid, and of pixels of which nothing is known."""


@dataclass(frozen=True)
class Shading:
    """means (9) and spreads (9 x 9): brightness of each class of faces, in logarithms, less that of the uppermost."""

    means: Floats
    spreads: Floats

    def to_arrays(self) -> dict[str, NDArray[np.float32]]:
        return {
            "shading_means": self.means.astype(np.float32),
            "shading_spreads": self.spreads.astype(np.float32),
        }

    @staticmethod
    def from_arrays(arrays: Mapping[str, NDArray[np.float32]]) -> Shading:
        """The inverse of ``to_arrays``. Raises KeyError or ValueError when arrays are missing or of another shape."""
        means = arrays["shading_means"].astype(np.float64).reshape(FACES)
        return Shading(means, arrays["shading_spreads"].astype(np.float64).reshape(FACES, FACES))


def brightness(colour: Layers) -> Map:
    """Logarithm of the sum of the three channels, of opponent logarithms."""
    green = colour[..., 2] - (colour[..., 0] + colour[..., 1]) / 3
    return np.asarray(green + np.log(1 + np.exp(colour[..., 0]) + np.exp(colour[..., 1])), np.float32)


def face_labels(sizes: Sizes, window: Window, eye: Floats, centre_mm: ArrayLike, turn: float, floors: int) -> Mask:
    """The class of face that each pixel of the window shows, 0 outside the pyramid."""
    labels = window.blank()
    squares = floor_squares(sizes, centre_mm, floors, turn)
    low = window.corners(lean(eye, squares, sizes.floor * np.arange(floors)[:, None, None]))
    high = window.corners(lean(eye, squares, sizes.floor * np.arange(1, floors + 1)[:, None, None]))
    towards = _faces_the_eye(squares[0], eye)
    for floor in range(floors):
        for side in towards:
            after = (side + 1) % 4
            outline = np.array([low[floor, side], low[floor, after], high[floor, after], high[floor, side]])
            fill_corners(labels, outline, SIDES + side)
        if floor == floors - 1:
            fill_corners(labels, high[floor], TOP)
        else:
            middle = high[floor].mean(axis=0).astype(np.int32)
            for side in range(4):
                outline = np.array([middle, high[floor, side], high[floor, (side + 1) % 4]])
                fill_corners(labels, outline, STEPS + side)
    return labels


def _faces_the_eye(square: Floats, eye: Floats) -> list[int]:
    """The sides of an upright square that the camera sees: those with the camera on their outer side."""
    along = np.roll(square, -1, axis=0) - square
    to_eye = eye[:2] - square
    return [int(side) for side in np.flatnonzero(along[:, 0] * to_eye[:, 1] - along[:, 1] * to_eye[:, 0] < 0)]


def face_means(values: Map, labels: Mask, free: NDArray[np.bool_]) -> tuple[Floats, Floats, float]:
    """For each class of faces its pixels' number and mean, and the sum of squares about these means."""
    flat = labels[free]
    shown = values[free]
    counts = np.bincount(flat, minlength=FACES + 1)[1:].astype(np.float64)
    sums = np.bincount(flat, shown, minlength=FACES + 1)[1:]
    inside = shown[flat > 0]
    squares = float(np.dot(inside, inside))
    means = sums / np.maximum(counts, 1)
    return counts, means, squares - float(np.sum(counts * means**2))


def evidence(values: Map, labels: Mask, free: NDArray[np.bool_], shading: Shading, mean: float) -> float:
    """Logarithm of how much better the labelled faces explain the brightness than no knowledge of it does.

    values: brightness (h x w). mean: the piece's usual brightness.
    """
    counts, means, within = face_means(values, labels, free)
    seen = counts > 0.5
    if not seen.any():
        return 0.0
    number = counts[seen] / CORRELATED
    variance = PIXEL_SPREAD**2
    prior = shading.spreads[np.ix_(seen, seen)] + ANY_BRIGHTNESS**2
    total = prior + np.diag(variance / number)
    rest = means[seen] - mean - shading.means[seen]
    _, log_det = np.linalg.slogdet(total)
    between = -0.5 * float(rest @ np.linalg.solve(total, rest)) - 0.5 * float(log_det)
    between += 0.5 * float(np.sum(np.log(variance / number)))
    inside = -within / CORRELATED / (2 * variance) + number.sum() * np.log(ANY_BRIGHTNESS / PIXEL_SPREAD)
    # No knowledge: every pixel on its own, about the usual brightness.
    blind = -0.5 * (within + float(np.sum(counts[seen] * (means[seen] - mean) ** 2))) / CORRELATED / ANY_BRIGHTNESS**2
    return float(inside + between - blind)


def learn_shading(seen: Sequence[tuple[Floats, Floats]]) -> Shading:
    """Shading from the class numbers and means (``face_means``) of pyramids that were seen whole."""
    rows = []
    for counts, means in seen:
        if counts[0] < 20:
            continue
        rows.append(np.where(counts >= 20, means - means[0], np.nan))
    table = np.array(rows) if rows else np.full((1, FACES), np.nan)
    known = np.sum(np.isfinite(table), axis=0)
    filled = np.where(np.isfinite(table), table, 0.0)
    # A few imagined pyramids, lit evenly, keep classes that were hardly seen near what is reasonable.
    imagined, usual = 2.0, np.array([0.0, *[-0.1] * 4, *[-0.35] * 4])
    means = (filled.sum(axis=0) + imagined * usual) / (known + imagined)
    rest = np.where(np.isfinite(table), table - means, 0.0)
    both = np.isfinite(table).astype(float)
    pairs = both.T @ both
    spreads = (rest.T @ rest + imagined * 0.25**2 * np.eye(FACES)) / (pairs + imagined)
    values, vectors = np.linalg.eigh((spreads + spreads.T) / 2)
    spreads = (vectors * np.maximum(values, 0.05**2)) @ vectors.T
    spreads[0, :] = spreads[:, 0] = 0.0
    spreads[0, 0] = 0.02**2
    means[0] = 0.0
    return Shading(means, spreads)
