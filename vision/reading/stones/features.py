"""What is seen of a stone that may lie on a square, as the network for stones takes it (``finder``)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS
from vision.frames import Part
from vision.geometry import Floats
from vision.light.appearance import Looks
from vision.logarithms import Layers
from vision.reading.claim import MAPS_FROM
from vision.reading.crops import FIT_SCALE, OTHER_COLOURS
from vision.reading.stones.colours import hues_of
from vision.reading.stones.fit import FEWEST_PX, Lying, Patch
from vision.reading.stones.outline import Outline

FEATURES = 46
"""What the network sees of each stone and colour: what ``_of_stone`` and ``_of_colours`` tell."""
WORTH_SCALE = 0.1
"""Of natural logarithms."""
MANY_PX = 60
"""Of sides that are seen on so many pixels, more tell no more."""
ALIKE, UNLIKE = 4.0, 40.0
"""How many times the variance of a face pixels may have that look like it; what differs by more tells no more."""
_DARK = 6
_MAPS = slice(MAPS_FROM + 7, MAPS_FROM + 10)
"""Of a claim's layers: how dark each pixel is; how blind, how much print there is, and how well it is seen."""


def features(patch: Patch, stones: Sequence[Lying], looks: Looks) -> NDArray[np.float32]:
    """Of stones that may lie on a patch's square, and each colour: stones x colours x ``FEATURES``."""
    found = np.empty((len(stones), len(COLOURS), FEATURES), np.float32)
    for stone, rows in zip(stones, found, strict=True):
        window, outline = patch.about(stone)
        own = _of_stone(patch, stone, window, outline, looks)
        rows[:, : len(own)] = own
        rows[:, len(own) :] = _of_colours(patch.layers[window], outline, looks)
    return found


def _of_stone(patch: Patch, stone: Lying, window: Part, outline: Outline, looks: Looks) -> list[float]:
    """What tells whether it is a stone, of whatever colour: how well its faces explain what is seen; how what is seen
    and the empty board differ on its upper face and beside it; and what that shows."""
    layers, weights = patch.layers[window], patch.weights[window]
    top, beside, many_sides = outline.top, outline.beside, int(outline.sides.sum())
    seen, empty = layers[..., :3], layers[..., 3:6]
    face, face_before = seen[top].mean(axis=0), empty[top].mean(axis=0)
    round_it, round_before = (np.median(part[beside], axis=0) for part in (seen, empty))
    change = face - face_before
    change_beside = np.median((seen - empty)[beside], axis=0)
    like_face, like_before = _alike(seen, face, weights), _alike(empty, face_before, weights)
    open_sides = [
        float(like_face[part].mean()) if (part := beside & (outline.nearest == side)).any() else 0.0
        for side in range(3)
    ]
    darker = max(-float(change[2]), 0.0)
    return [
        WORTH_SCALE * stone.top / top.sum(),
        WORTH_SCALE * stone.beside / top.sum(),
        WORTH_SCALE * stone.sides / max(many_sides, 1),
        *(change - change_beside).tolist(),
        *(face_before - round_before).tolist(),
        *change.tolist(),
        *(face - round_it).tolist(),
        WORTH_SCALE * float(patch.bare[window][top].mean()),
        *layers[top][:, _MAPS].mean(axis=0).tolist(),
        min(many_sides, MANY_PX) / MANY_PX,
        max(open_sides),
        float(np.mean(open_sides)),
        float(like_before[top].mean()),
        float(like_before[beside].mean()),
        # By how much its hue is not that of a shadow.
        *(float(change[channel]) + looks.hue[channel] * darker for channel in (0, 1)),
        # Print has this much of its contrast on the empty board too.
        float(np.linalg.norm(change - change_beside) / (np.linalg.norm(face - round_it) + 0.05)),
    ]


def _of_colours(layers: Layers, outline: Outline, looks: Looks) -> Floats:
    """What tells how well each colour fits: colours x features."""
    top, sides = outline.top, outline.sides
    told = float(sides.sum() >= FEWEST_PX)
    sides = sides if told else top
    means = looks.means[: len(COLOURS)]
    columns: list[Floats] = []
    for part, share in ((top, 1.0), (sides, told)):
        there = layers[part].mean(axis=0)
        fits = layers[part][:, MAPS_FROM : MAPS_FROM + len(COLOURS)].astype(np.float64)
        columns += [*(share * (there[:3] - means)).T, np.full(len(COLOURS), there[_DARK])]
        columns += [
            share * FIT_SCALE * fits.mean(axis=0),
            share * FIT_SCALE * fits.T[OTHER_COLOURS].max(axis=1).mean(axis=1),
        ]
        # White that a lamp adds leaves the hue.
        hues, strengths = hues_of(np.concatenate([there[None, :3], means]))
        alike = hues[1:] @ hues[0]
        columns += [share * alike, share * strengths[0] / strengths[1:], share * alike[OTHER_COLOURS].max(axis=1)]
    return np.stack([*columns, np.full(len(COLOURS), told)], axis=1)


def _alike(seen: Layers, face: Floats, weights: Layers) -> Floats:
    """How much each pixel looks like a face of such opponent logarithms, 0 to 1."""
    off = ((seen - face) ** 2 * weights).sum(axis=-1) / ALIKE
    return np.asarray(np.exp(-np.minimum(off, UNLIKE) / 2), np.float64)
