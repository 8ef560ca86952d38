"""Pieces that do not look as the palettes showed them: they mirror a lamp, the light has another colour, or they stand
in a ship's shadow.

A colour's Gaussian is learned from pyramids in the palettes, of which next to nothing is glossy, in one light. Another
colour may then fit a glossy face better than its own, and in the evening, in a lamp's light, none may: a camera's
pictures keep the hue of what is saturated far less well than that of a board. In a ship's shadow, which is too narrow
for the light that is taken out of a picture (``vision.light.comparison``) to follow, none does either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.gaussians import Gaussians
from vision.geometry import Floats
from vision.light.comparison import Change
from vision.logarithms import light_of, logarithms_of

AMOUNTS = (0.03, 0.5)
"""What a face mirrors, in shares of the light that makes a pixel white."""
TINT = 0.15
"""How far the lamp's colour may be from the picture's white (standard deviation of a channel's logarithm)."""
LEAST_SPREAD = np.diag([0.05, 0.05, 0.1]) ** 2
_DRAWN = 400
OFF_COLOUR = 0.3
"""How far each logarithm of a colour may be from what was taught in another light (standard deviation)."""
SHADOW, SHADOWS = 1.0, np.diag([0.4, 0.4, 0.35]) ** 2
"""How much darker than taught a colour is in a shadow (logarithm), and how much its logarithms differ from shadow to
shadow (covariance): the light that is left is another lamp's, or the sky's."""
DARKER = 0.8
"""What is darker than the empty board by so much may be in a shadow. The dark side of a ship's wall is darker by less,
and may fit another ship's colour in a shadow better than its own."""
NOT_BARE = -3.0
"""Only pixels that fit bare board worse than so may be pieces unlike those that were taught."""


@dataclass(frozen=True)
class Unlike:
    """How some materials look where they do not look as they were taught.

    share: how much of a piece looks so. less: only pixels that fit everything better known worse than so may; and only
    those that are brighter than the empty board by less than ``brighter`` (logarithm).
    """

    faces: Gaussians
    share: float
    less: float
    brighter: float = np.inf


def unlike(means: Floats, spreads: Floats) -> tuple[Unlike, ...]:
    """What materials may look like beside how they were taught, the better known first: glossy, in another light, or in
    shadow.

    means (M x 3) and spreads (M x 3 x 3): of the materials in opponent logarithms.
    """
    rng = np.random.default_rng(0)
    glossy = [_glossy(rng.multivariate_normal(*plain, _DRAWN), rng) for plain in zip(means, spreads, strict=True)]
    faces = Gaussians.of(
        np.stack([face.mean(axis=0) for face in glossy]), np.stack([np.cov(face.T) + LEAST_SPREAD for face in glossy])
    )
    in_other_light = Gaussians.of(means, spreads + OFF_COLOUR**2 * np.eye(3))
    in_shadow = Gaussians.of(means - (0, 0, SHADOW), spreads + SHADOWS)
    return (
        Unlike(faces, 0.1, -1.0),
        Unlike(in_other_light, 0.05, -5.0),
        Unlike(in_shadow, 0.03, -5.0, brighter=-DARKER),
    )


def explain(unlikes: Sequence[Unlike], fits: NDArray[np.float32], bare: NDArray[np.float32], change: Change) -> None:
    """Raise log densities (``fits``, M x height x width) where pixels show a material unlike it was taught.

    bare: log densities of bare board. change: what is seen.
    """
    where = np.flatnonzero(bare < NOT_BARE)
    colours, gains, burnt = change.colour.reshape(-1, 3), change.gain.reshape(-1, 3), change.burnt.ravel()
    brighter = change.difference.reshape(-1, 3)[:, 2]
    rows = fits.reshape(len(fits), -1)
    for one in unlikes:
        where = where[np.maximum.reduce([row[where] for row in rows]) < one.less]
        where = where[brighter[where] < one.brighter]
        cut = np.flatnonzero(burnt[where])
        found = one.faces.log_densities_of(list(colours[where].T), cut, gains[where[cut]])
        for row, fit in zip(rows, found + np.float32(np.log(one.share)), strict=True):
            row[where] = np.maximum(row[where], fit)


def _glossy(plain: Floats, rng: np.random.Generator) -> Floats:
    """Pixels (N x 3, opponent logarithms) with mirrored light of some amount added to each."""
    low, high = np.log(AMOUNTS)
    added = np.exp(rng.uniform(low, high, (1, len(plain), 1)) + rng.normal(0, TINT, (1, len(plain), 3)))
    light = np.minimum(light_of(plain[None].astype(np.float32)) + added.astype(np.float32), 1)
    return np.asarray(logarithms_of(np.asarray(light, np.float32))[0], np.float64)
