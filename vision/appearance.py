"""How bare board and pieces look on a taught table, and how well each pixel of a picture fits either.

Pixels are opponent logarithms with the light taken out (``vision.light``). Bare board is what the empty picture shows,
within noise that was measured, or darkened by a shadow. Each material of the pieces is a Gaussian: how saturated a
colour is changes with how bright it is lit, and the covariance knows that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.light import Change
from vision.logarithms import Hue, Layers

Map = NDArray[np.float32]
"""height x width, float32: one number a canvas pixel."""

OUTLIER = 1e-3
"""Density of what neither the bare board nor a material explains, per unit of the three logarithms."""
SHADOW_SHARE = 0.15
SHADOW_DEPTH = 1.8
"""How much of the board may be in new shadow, and how dark such a shadow may be (in logarithms)."""
HUE_SPREAD = 0.16
"""How far the hue of a shadow may be from that of the picture's other shadows, for each unit of darkness."""
GLARE_SHARE, GLARE_RANGE = 0.1, 2.0
"""How much of the board may mirror a lamp, and how much brighter (in logarithms) that may make it."""
GLARE_LEAST = 0.04
GLARE_DOUBT = 0.5
"""Glare is thought of where the board is that much brighter and fits that badly (a density) without."""
GLARE_LOST = 0.5
"""Board that mirrored a lamp when it was taught gets darker by no more than this when it mirrors it no longer."""
GLARE_HUE = 0.2
"""How far the hue of pure glare may be from that of the paper."""
GAMMA = 2.2
"""Of the camera's pictures: light is its grey levels to this power."""
EDGE = 0.25
"""Share of the local contrast of the print that counts as noise: the picture is never laid on it exactly."""


@dataclass(frozen=True)
class Looks:
    """What was learned of a table's pixels.

    materials: their names. means (M x 3) and spreads (M x 3 x 3, covariances): in opponent logarithms. noise: 3 x 2,
    for each channel the variance of bare board at bright pixels and the part that grows as pixels get dark. hue: see
    ``vision.light``.
    """

    materials: tuple[str, ...]
    means: Floats
    spreads: Floats
    noise: Floats
    hue: Hue

    def to_arrays(self) -> dict[str, NDArray[np.float32]]:
        """The form in which a table keeps it."""
        return {
            "means": self.means.astype(np.float32),
            "spreads": self.spreads.astype(np.float32),
            "noise": self.noise.astype(np.float32),
            "hue": np.array(self.hue, np.float32),
        }

    @staticmethod
    def from_arrays(materials: Sequence[str], arrays: Mapping[str, NDArray[np.float32]]) -> Looks:
        """The inverse of ``to_arrays``. Raises KeyError, IndexError or ValueError for arrays that do not fit."""
        count = len(materials)
        return Looks(
            tuple(materials),
            arrays["means"].astype(np.float64).reshape(count, 3),
            arrays["spreads"].astype(np.float64).reshape(count, 3, 3),
            arrays["noise"].astype(np.float64).reshape(3, 2),
            (float(arrays["hue"][0]), float(arrays["hue"][1])),
        )


def edge_contrast(empty: Layers) -> Layers:
    """How much the empty board changes round each pixel, for each channel."""
    kernel = np.ones((3, 3), np.uint8)
    return np.asarray(cv2.dilate(empty, kernel) - cv2.erode(empty, kernel), np.float32) * np.float32(0.5)


def bare_fit(change: Change, looks: Looks, contrast: Layers) -> Map:
    """Logarithm of the density of each pixel if it is bare board, lit or in shadow."""
    brightness = change.colour[..., 2] + change.gain[..., 2]
    dark = np.exp(-2 * brightness)
    off, log_norm = np.zeros_like(dark), np.zeros_like(dark)
    if change.doubt is not None:
        # The print is plainer, or fainter, than when it was taught.
        contrast = edge_contrast(change.colour - change.difference)
    variances = []
    for channel in range(3):
        steady, growing = (np.float32(value) for value in looks.noise[channel])
        variances.append(steady + growing * dark + (np.float32(EDGE) * contrast[..., channel]) ** 2)
    scale = _noise_scale(change, variances)
    if change.doubt is not None:
        variances = [variance + change.doubt**2 / scale for variance in variances]
    difference = change.difference
    depth = np.clip(-difference[..., 2], 0, SHADOW_DEPTH)
    shade = depth * np.float32(HUE_SPREAD)
    shadow_off, shadow_norm = np.zeros_like(dark), np.zeros_like(dark)
    for channel in (0, 1):
        variance = variances[channel] * scale
        off += difference[..., channel] ** 2 / variance
        log_norm += np.log(variance)
        variance = variance + shade**2
        shadow_off += (difference[..., channel] + np.float32(change.hue[channel]) * depth) ** 2 / variance
        shadow_norm += np.log(variance)
    variance = variances[2] * scale
    off += difference[..., 2] ** 2 / variance
    log_norm += np.log(variance)
    lit = np.exp(-0.5 * (off + log_norm)) * np.float32((1 - SHADOW_SHARE) * (2 * np.pi) ** -1.5)
    inside = (difference[..., 2] > -SHADOW_DEPTH) & (difference[..., 2] < 0.4)
    shadow = np.exp(-0.5 * (shadow_off + shadow_norm)) * np.float32(SHADOW_SHARE / (2 * np.pi) / (SHADOW_DEPTH + 0.4))
    density = lit + shadow * inside
    _add_glare(density, change, variances, scale)
    return np.asarray(np.log(density + np.float32(OUTLIER)), np.float32)


def _add_glare(density: Map, change: Change, variances: list[Map], scale: np.float32) -> None:
    """Add the density of board that mirrors a lamp now, or did when it was taught: light on top of the board's own."""
    # The gain, where it is high, may be nothing but glare: here it is taken to be the same all over the board.
    usual = np.median(change.gain[::8, ::8].reshape(-1, 3), axis=0).astype(np.float32)
    brighter = change.difference[..., 2] + change.gain[..., 2] - usual[2]
    changed = (brighter > GLARE_LEAST) | (brighter < -GLARE_LEAST) & (brighter > -GLARE_LOST)
    place = np.nonzero(changed & (density < np.float32(GLARE_DOUBT)))
    if len(place[0]) == 0:
        return
    before = change.colour[place] - change.difference[place]
    seen = change.colour[place] + change.gain[place] - usual
    light_seen, light_before = _light(seen), _light(before)
    added = (light_seen.sum(axis=1) - light_before.sum(axis=1)) / 3
    expected = np.maximum(light_before + added[:, None] * _lamp(change), 0.02 * light_before)
    share = np.minimum(3 * np.abs(added) / light_seen.sum(axis=1), 1.5)
    logs = np.log(expected) / np.float32(GAMMA)
    rest = np.column_stack([logs[:, 0] - logs[:, 1], logs[:, 2] - logs[:, 1]]) - seen[:, :2]
    off, norm = np.zeros_like(share), np.zeros_like(share)
    for channel in (0, 1):
        variance = variances[channel][place] * scale + (np.float32(GLARE_HUE) * share) ** 2
        off += rest[:, channel] ** 2 / variance
        norm += np.log(variance)
    density[place] += np.exp(-0.5 * (off + norm)) * np.float32(GLARE_SHARE / (2 * np.pi) / GLARE_RANGE)


def _light(colour: Layers) -> Layers:
    """Amounts of light (blue, green, red; N x 3) of opponent logarithms."""
    green = colour[:, 2] - (colour[:, 0] + colour[:, 1]) / 3
    logs = np.column_stack([green + colour[:, 0], green, green + colour[:, 1]])
    return np.asarray(np.exp(np.float32(GAMMA) * logs), np.float32)


def _lamp(change: Change) -> Layers:
    """The colour of the light, with a mean of 1: that of the brightest of the board as it was, which is its paper."""
    before = (change.colour - change.difference)[::5, ::5].reshape(-1, 3)
    paper = before[before[:, 2] > np.quantile(before[:, 2], 0.95)]
    light = np.median(_light(paper), axis=0)
    return np.asarray(light / light.mean(), np.float32)


def _noise_scale(change: Change, variances: list[Map]) -> np.float32:
    """How much noisier (or softer) this picture is than those it was learned from: a factor of at least 1."""
    step = 5
    ratios = [
        np.median(change.difference[::step, ::step, channel] ** 2 / variances[channel][::step, ::step])
        for channel in (0, 1)
    ]
    # 0.455 is the median of a squared normal deviate.
    return np.float32(max(1.0, float(np.mean(ratios)) / 0.455))


def material_fits(colour: Layers, looks: Looks) -> Layers:
    """Logarithm of the density of each pixel under each material: height x width x M."""
    fits = np.empty((*colour.shape[:2], len(looks.materials)), np.float32)
    for index, (mean, spread) in enumerate(zip(looks.means, looks.spreads, strict=True)):
        # The Mahalanobis distance is a plain length after this linear map.
        root = np.linalg.cholesky(np.linalg.inv(spread)).T
        rest = cv2.transform(colour, np.column_stack([root, -root @ mean]).astype(np.float32))
        off = cv2.transform(rest * rest, np.ones((1, 3), np.float32))
        density = np.exp(-0.5 * off) * np.float32((2 * np.pi) ** -1.5 / np.sqrt(np.linalg.det(spread)))
        fits[..., index] = np.log(density + np.float32(OUTLIER))
    return fits


def learn_noise(changes: Sequence[Change], bare: Sequence[NDArray[np.bool_]], contrast: Layers) -> Floats:
    """The ``noise`` of ``Looks`` from pictures whose bare pixels are known."""
    calm = contrast.max(axis=2) < 0.1
    brightness = np.concatenate(
        [(change.colour + change.gain)[..., 2][mask & calm] for change, mask in zip(changes, bare, strict=True)]
    )
    noise = np.empty((3, 2))
    edges = np.quantile(brightness, np.linspace(0, 1, 9))
    bins = np.clip(np.searchsorted(edges, brightness, side="right") - 1, 0, 7)
    dark = np.array([np.exp(-2 * brightness[bins == index]).mean() for index in range(8)])
    for channel in range(3):
        values = np.concatenate(
            [change.difference[..., channel][mask & calm] for change, mask in zip(changes, bare, strict=True)]
        )
        variance = np.array([(np.median(np.abs(values[bins == index])) / 0.6745) ** 2 for index in range(8)])
        design = np.column_stack([np.ones(8), dark]) / variance[:, None]
        steady, growing = np.linalg.lstsq(design, np.ones(8), rcond=None)[0]
        noise[channel] = max(steady, 1e-4), max(growing, 0.0)
    return noise
