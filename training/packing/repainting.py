"""Paints ships' walls in other colours and stands them on other boards, so that a network learns how both mix.

A wall that is seen from high above mirrors the board beside its foot (Fresnel): its light is a share of the board's and
a share of its own colour's. Both shares are measured on each pixel of a rendered wall, and serve for any other colour
and board. Without that a network learns what walls look like on the boards that it was shown.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.logarithms import Layers, light_of, logarithms_of
from vision.reading.ships.walls import Strip

DARK, LEAST = np.float32(0.02), np.float32(0.01)
"""So much light (1 is white) is added where light is compared, and where it is divided: in the dark little is known."""
ALIKE = np.float32(1e-3)
"""Where a wall's colour is the board's beside it the shares cannot be told apart: then so much speaks for none."""
MOST_OWN, MOST_REST = np.float32(2.0), np.float32(0.5)
"""A wall is lit at most so many times as brightly as pyramids; and what the shares leave unexplained is at most so much
(logarithm)."""
SHARP = np.float32(8.0)
"""How sharply the wall ends at its foot, beside how a strip says where that is."""


@dataclass(frozen=True)
class Mixture:
    """What the pixels of a strip are made of.

    mirrored, own: how much of the board's light, and of the wall's colour's (rays x steps x 1). rest: what the light is
    beside that of both (rays x steps x 3). beside: the board's light (rays x 1 x 3).
    """

    mirrored: NDArray[np.float32]
    own: NDArray[np.float32]
    rest: Layers
    beside: Layers


def mixture(strip: Strip, colour: NDArray[np.float32]) -> Mixture:
    """What a wall's strip is made of. colour: how pyramids of its colour look (3 opponent logarithms)."""
    seen, beside, paint = light_of(strip.seen), light_of(strip.beside[:, None]), light_of(colour[None, None])
    weights = 1 / (seen + DARK) ** 2

    def together(one: Layers, other: Layers) -> NDArray[np.float32]:
        return np.asarray((weights * one * other).sum(axis=-1, keepdims=True), np.float32)

    boards, paints, both = together(beside, beside), together(paint, paint), together(beside, paint)
    of_board, of_paint = together(seen, beside), together(seen, paint)
    certain = boards * paints * (1 + ALIKE) - both**2
    mirrored = np.clip((of_board * paints - of_paint * both) / certain, 0, 1)
    own = np.clip((of_paint - mirrored * both) / paints, 0, MOST_OWN)
    mirrored = np.clip((of_board - own * both) / boards, 0, 1)
    rest = np.log((seen + LEAST) / (mirrored * beside + own * paint + LEAST))
    return Mixture(mirrored, own, np.exp(np.clip(rest, -MOST_REST, MOST_REST)), beside)


def repainted(strip: Strip, made_of: Mixture, colour: NDArray[np.float32], other: Strip, board: Mixture) -> Strip:
    """The same wall in another colour (3 opponent logarithms), beside what another strip shows of its board."""
    paint = light_of(colour[None, None])
    mixed = (made_of.mirrored * board.beside + made_of.own * paint + LEAST) * made_of.rest - LEAST
    bare = strip.seen + (other.beside - strip.beside)[:, None]
    from_foot, from_rim = strip.where[0, ..., None], strip.where[1, ..., None]
    wall = np.clip(SHARP * from_foot + np.float32(0.5), 0, 1)
    outside = wall * logarithms_of(np.asarray(mixed, np.float32)) + (1 - wall) * bare
    return replace(strip, seen=np.where(from_rim > 0, outside, strip.seen), beside=other.beside)
