"""How bare board and pieces look on a taught table, and how well each pixel of a picture fits either.

Pixels are opponent logarithms with the light taken out (``vision.light.comparison``). Bare board is what the empty
picture shows, within noise that was measured, or darkened by a shadow. Each material of the pieces is a Gaussian: how
saturated a colour is changes with how bright it is lit, and the covariance knows that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import channels
from vision.gaussians import Gaussians
from vision.geometry import Floats
from vision.light.comparison import Change
from vision.light.unlike import Unlike, unlike
from vision.logarithms import Hue, Layers
from vision.quantiles import quantile

Map = NDArray[np.float32]
"""height x width, float32: one number a pixel."""

INSIDE = "inside"
"""The material that ships are hollowed out of: the only one that mirrors no lamp."""
STRANGE = float(np.log(1e-3))
"""Log density of what neither the bare board nor a material explains, per unit of the three logarithms."""
SHADOW_SHARE = 0.15
SHADOW_DEPTH = 1.8
"""How much of the board may be in new shadow, and how dark such a shadow may be (in logarithms)."""
BRIGHTER = 0.4
"""How much brighter than before bare board may be where another lamp is on."""
HUE_SPREAD = 0.16
"""How far the hue of a shadow may be from that of the picture's other shadows, for each unit of darkness."""
EDGE = 0.25
"""Share of the local contrast of the print that counts as noise: the picture is never laid on it exactly."""

_LIT = float(np.log((1 - SHADOW_SHARE) * (2 * np.pi) ** -1.5))
_SHADED = float(np.log(SHADOW_SHARE / (2 * np.pi) / (SHADOW_DEPTH + BRIGHTER)))
"""The logarithms of what densities are multiplied with; that of a shadow is even over how dark it may be."""

MEDIAN_SQUARE = 0.455
"""The median of a squared normal deviate."""


@dataclass(frozen=True)
class Looks:
    """What was learned of a table's pixels.

    materials: their names, ``INSIDE`` last. means (M x 3) and spreads (M x 3 x 3, covariances): in opponent logarithms.
    noise: 3 x 2, for each channel the variance of bare board at bright pixels and the part that grows as pixels get
    dark. hue: see ``vision.light.comparison``.
    """

    materials: tuple[str, ...]
    means: Floats
    spreads: Floats
    noise: Floats
    hue: Hue

    @cached_property
    def plain(self) -> Gaussians:
        """The materials as they usually look."""
        return Gaussians.of(self.means, self.spreads)

    @cached_property
    def unlike(self) -> tuple[Unlike, ...]:
        """How all materials but the last, ``INSIDE``, look where they do not look as they were taught."""
        return unlike(self.means[:-1], self.spreads[:-1])

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
        spreads = arrays["spreads"].astype(np.float64).reshape(count, 3, 3)
        if not (np.linalg.eigvalsh(spreads) > 0).all():
            raise ValueError("the spreads are no covariances")
        return Looks(
            tuple(materials),
            arrays["means"].astype(np.float64).reshape(count, 3),
            spreads,
            arrays["noise"].astype(np.float64).reshape(3, 2),
            (float(arrays["hue"][0]), float(arrays["hue"][1])),
        )


def edge_contrast(empty: Layers) -> Layers:
    """How much the empty board changes round each pixel, for each channel."""
    kernel = np.ones((3, 3), np.uint8)
    return np.asarray(cv2.dilate(empty, kernel) - cv2.erode(empty, kernel), np.float32) * np.float32(0.5)


def edge_noise(empty: Layers) -> list[Map]:
    """The variance that the print's edges add to each channel."""
    return [np.asarray((plane * np.float32(EDGE)) ** 2, np.float32) for plane in _planes(edge_contrast(empty))]


def bare_fit(change: Change, looks: Looks, edges: Sequence[Map]) -> Map:
    """Logarithm of the density of each pixel if it is bare board, lit or in shadow. edges: ``edge_noise`` of the board
    as it was taught."""
    if change.doubt is not None:
        # The print is plainer, or fainter, than when it was taught.
        edges = edge_noise(change.colour - change.difference)
    planes = _planes(change.difference)
    brightness = np.asarray(cv2.extractChannel(change.colour, 2) + cv2.extractChannel(change.gain, 2), np.float32)
    noises = board_noise(looks, brightness, edges)
    if (scale := _noise_scale(planes, noises)) > 1:
        noises = [noise * np.float32(scale) for noise in noises]
    if change.doubt is not None:
        doubt = change.doubt**2
        noises = [noise + doubt for noise in noises]
    return bare_density(planes, noises, change.hue)


def board_noise(looks: Looks, brightness: Map, edges: Sequence[Map]) -> list[Map]:
    """The variance of each channel of bare board: the darker, and the nearer to an edge of the print, the larger.

    brightness: the third of a picture's opponent logarithms. edges: see ``edge_noise``.
    """
    dark = cv2.exp(brightness * np.float32(-2))
    return [
        np.asarray(cv2.addWeighted(edge, 1.0, dark, growing, steady), np.float32)
        for edge, (steady, growing) in zip(edges, looks.noise.tolist(), strict=True)
    ]


def bare_density(planes: Sequence[Map], variances: Sequence[Map], hue: Hue) -> Map:
    """The log density of pixels that are off bare board by so much, with such variances, lit or in shadow.

    planes, variances: of each channel. hue: how shadows change the hue.
    """
    off, *others = (plane * plane / variance for plane, variance in zip(planes, variances, strict=True))
    for other in others:
        off += other
    hues = variances[0] * variances[1]
    lit = np.float32(-0.5) * (off + cv2.log(hues * variances[2])) + np.float32(_LIT)
    found = np.ascontiguousarray(np.maximum(lit, np.float32(STRANGE)))
    # No shadow fits a pixel better than this: most of those that are lit need not be looked at.
    most = _SHADED - float(np.log(cv2.minMaxLoc(hues)[0])) / 2
    where = np.flatnonzero((found < most) & (planes[2] >= -SHADOW_DEPTH) & (planes[2] <= BRIGHTER))
    some, noises = ([layer.ravel()[where] for layer in layers] for layers in (planes, variances))
    flat = found.ravel()
    flat[where] = np.maximum(flat[where], _shadow_density(some, noises, hue))
    return found


def _shadow_density(planes: Sequence[Map], variances: Sequence[Map], hue: Hue) -> Map:
    """The same if they are in shadow, or in light that is no brighter than it may be."""
    depth = np.maximum(-planes[2], 0)
    spread = (depth * np.float32(HUE_SPREAD)) ** 2
    blue, red = (variance + spread for variance in variances[:2])
    off = (planes[0] + np.float32(hue[0]) * depth) ** 2 / blue + (planes[1] + np.float32(hue[1]) * depth) ** 2 / red
    return np.asarray(np.float32(-0.5) * (off + np.log(blue * red)) + np.float32(_SHADED), np.float32)


def _planes(layers: Layers) -> list[Map]:
    """The channels, each in one piece."""
    return [np.asarray(plane, np.float32) for plane in channels(layers)]


def _noise_scale(planes: Sequence[Map], usual: Sequence[Map]) -> float:
    """How much noisier (or softer) this picture is than those it was learned from: a factor of at least 1. planes: how
    far its hues are off bare board. usual: ``board_noise`` of them."""
    # Every sixteenth pixel tells it.
    some = np.s_[::4, ::4]
    blue, red = (quantile(planes[i][some] ** 2 / usual[i][some], 0.5) for i in (0, 1))
    return max(1.0, (blue + red) / 2 / MEDIAN_SQUARE)


def material_fits(change: Change, looks: Looks) -> NDArray[np.float32]:
    """Logarithm of the density of each pixel under each material, burnt out ones as a picture shows them: M x height x
    width."""
    planes = [plane.ravel() for plane in _planes(change.colour)]
    burnt = np.flatnonzero(change.burnt)
    fits = looks.plain.log_densities_of(planes, burnt, change.gain.reshape(-1, 3)[burnt], STRANGE)
    return fits.reshape(-1, *change.colour.shape[:2])


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
