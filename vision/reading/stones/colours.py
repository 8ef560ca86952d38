"""Tells the colours of stones that were found by their shape (``fit``) where a lamp is mirrored in them.

The white of a lamp hides a stone's colour on its upper face, where ``rivals`` and the networks that read squares look
for it. It leaves the hue, as far as it does not burn it out, and it hardly reaches the sides. So a small network looks
at a stone's own pixels, as the camera shows them and as each colour would look there, and says which fits best: of the
stones that lie there, not of what may be there.

Source of what hues tell: the dichromatic reflection model of S. Shafer, Using color to separate reflection components,
1985.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS
from vision.geometry import Floats
from vision.light.appearance import Looks
from vision.logarithms import lights_of
from vision.reading.crops import OTHER_COLOURS, Planes
from vision.reading.nets import load, run
from vision.reading.stones.fit import Lying, Patch
from vision.reading.stones.outline import MASK_PX, Mask

NETWORK = "stone_colours.onnx"
SHOWN_PX = 27
"""So many px of the straightened picture are seen about a stone, across and down: 20 mm."""
CHANNELS = 14
"""What the network sees of each pixel for a colour: how it differs from that and from the empty board (3 each), what
the picture itself shows (3), whether it is the upper face or a side, how much its hue is like the colour's and the
likest other's, and how much colour it has."""
LIMIT = 2.0
"""Differences of logarithms that are larger tell no more."""
_EDGE = (MASK_PX - SHOWN_PX) // 2
ABOUT = slice(_EDGE, _EDGE + SHOWN_PX), slice(_EDGE, _EDGE + SHOWN_PX)
"""These rows and columns of a mask."""


@dataclass(frozen=True)
class StoneView:
    """What is seen about a stone, ``SHOWN_PX`` across and down.

    seen, empty: opponent logarithms with the light taken out, with the stone and without. picture: what the
    straightened picture shows. top, sides: where its faces are.
    """

    seen: NDArray[np.float32]
    empty: NDArray[np.float32]
    picture: NDArray[np.uint8]
    top: Mask
    sides: Mask

    @staticmethod
    def of(patch: Patch, stone: Lying) -> StoneView:
        """stone: one that lies on the patch's square."""
        window, outline = patch.about(stone)
        layers = patch.layers[window][ABOUT]
        picture = patch.picture[window][ABOUT]
        return StoneView(layers[..., :3], layers[..., 3:6], picture, outline.top[ABOUT], outline.sides[ABOUT])


class StoneColours:
    """Tells the colours of stones on one table's pictures."""

    def __init__(self, looks: Looks) -> None:
        self._net = load(NETWORK)
        self._looks = looks.means[: len(COLOURS)]

    def told(self, patch: Patch, stones: Sequence[Lying]) -> Floats:
        """How likely each colour is for some stones on a patch's square, at least one: natural logarithms, less a
        number for each stone; stones x colours."""
        seen = np.concatenate([planes(StoneView.of(patch, stone), self._looks) for stone in stones])
        return run(self._net, seen, 1).reshape(len(stones), len(COLOURS))


def planes(view: StoneView, looks: Floats) -> Planes:
    """What the network sees of a stone for each colour: colours x ``CHANNELS`` x height x width.

    looks: the colours' opponent logarithms, 5 x 3.
    """
    found = np.empty((len(COLOURS), CHANNELS, SHOWN_PX, SHOWN_PX), np.float32)
    found[:, :3] = np.moveaxis(view.seen - looks.astype(np.float32)[:, None, None], -1, 1)
    found[:, 3:6] = np.moveaxis(view.seen - view.empty, -1, 0)
    np.clip(found[:, :6], -LIMIT, LIMIT, out=found[:, :6])
    found[:, 6:9] = np.moveaxis(view.picture, -1, 0) / np.float32(255)
    found[:, 9], found[:, 10] = view.top, view.sides
    hues, strengths = hues_of(np.concatenate([view.seen.reshape(-1, 3), looks]))
    many = SHOWN_PX * SHOWN_PX
    alike = (hues[many:] @ hues[:many].T).reshape(-1, SHOWN_PX, SHOWN_PX)
    found[:, 11], found[:, 12] = alike, alike[OTHER_COLOURS].max(axis=1)
    found[:, 13] = strengths[:many].reshape(SHOWN_PX, SHOWN_PX)
    return found


def hues_of(logs: Floats) -> tuple[Floats, Floats]:
    """The directions of some opponent logarithms' (N x 3) colours, less all that is white in them, N x 3, and how much
    of them that is, N."""
    light = lights_of(logs)
    colour = light - light.min(axis=1, keepdims=True)
    length = np.linalg.norm(colour, axis=1)
    return colour / (length[:, None] + 1e-4), length / (light.max(axis=1) + 1e-3)


def whiteness(patch: Patch, stone: Lying) -> float:
    """How much white there is in the light of a stone's upper face, beside that of a white sheet."""
    window, outline = patch.about(stone)
    face = patch.seen[window][outline.top].astype(np.float64).mean(axis=0)
    return float(lights_of(face[None]).min())
