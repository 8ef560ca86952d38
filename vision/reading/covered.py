"""Squares that something lies over: their print is gone though no piece shows there, or networks say so. Or a lamp is
mirrored in them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
from numpy.typing import NDArray

from companion.squares import Square, position, reading_order
from vision.geometry import Floats
from vision.grid import SHRINK
from vision.logarithms import TO_BGR
from vision.quantiles import quantile
from vision.reading.evidence import Scene

LEAST_PRINT = 0.15
"""Squares of which less was seen when the table was taught have too little print, or too little light, to tell. Of
1,650 free squares of which no more than twice as much was seen, 3 looked covered."""
GONE, THERE = 0.35, 0.55
"""Of what is usually seen of a square's print; in this picture, a blurred one shows less of all squares."""
LEAST_SCALE = 0.3
PARTLY, LIKE_BESIDE = 0.85, 0.9
"""Where less of the print is seen than the former, or there is too little to tell, a square is covered almost as surely
as one beside it: a finger's tip may hide a stone and leave most of its square free."""
MANY, MANY_BURNT = 3, 6
"""So many squares side by side that are covered, or burnt out, make a picture unusable; fewer are unsure."""
LIES_OVER = 0.5
"""A square is covered if networks that are asked what stands there say more surely that something lies over it: skin
and sleeves look like pieces of some colour, so that they are asked under most of a hand."""
BLINDED, BLINDED_SHARE = 0.99, 0.15
"""A covered part of which so large a share is blind as only burnt out pixels are was covered by a mirrored lamp, unless
the picture does not reach there: round them it is white without being burnt out, and hides the print there too."""
MIRRORED, NEARLY_WHITE, WHITE_SHARE = 0.15, 180, 0.3
"""Where so much light (a share of white) lies over the board, and all channels are as bright as that, a lamp may be
mirrored in it, or paper lie over it: both hide the print, and one looks much like the other. Where sixteen hands were
there was no such light, or less than when the table was taught."""
BRIGHTER, WHITER, LEAST_BRIGHT_PX = 0.12, 0.2, 5
"""A lamp is mirrored in something on a square if so many pixels are burnt out, and brighter than the board can be there
by the first (logarithm), or one of their channels by the second: a white spot on a coloured board that is nearly burnt
out itself is hardly brighter in all."""
WHITE_PX = 60
"""Where so many are, even a pyramid's colour is hardly seen."""
NAMED = 6


def covered_squares(scene: Scene, usual: Floats, asked: Collection[Square]) -> dict[Square, float]:
    """How surely each square is covered, from 0 to 1, those left out that surely are not.

    usual: how much print is seen of each square usually (``Scene.print_left``). asked: the squares on which pieces
    show: whatever covers their print, they are read.
    """
    names = scene.places.names
    plain = np.array([name not in asked for name in names])
    telling = plain & (usual > LEAST_PRINT)
    if not telling.any():
        return {}
    left = scene.print_left / np.maximum(usual, LEAST_PRINT)
    scale = float(np.clip(quantile(left[telling], 0.5), LEAST_SCALE, 1.0))
    gone = np.clip((THERE - left / scale) / (THERE - GONE), 0, 1)
    found = {names[index]: float(gone[index]) for index in np.flatnonzero(telling & (gone > 0))}
    silent = [names[index] for index in np.flatnonzero(plain & ~telling)]
    partly = [names[index] for index in np.flatnonzero(telling & (left < PARTLY * scale))]
    near = beside(found, silent) | beside({name: share for name, share in found.items() if share >= 1}, partly)
    return {name: max(found.get(name, 0.0), LIKE_BESIDE * near.get(name, 0.0)) for name in found | near}


def trouble_over(covered: Mapping[Square, float], over: Mapping[Square, float], scene: Scene) -> str | None:
    """What is wrong with a picture of which so much is covered (for people); None when it can be read.

    covered: see ``covered_squares``. over: how likely something lies over other squares, by what the networks say.
    """
    hidden = {name for name, gone in covered.items() if gone >= 1} | {name for name, p in over.items() if p > LIES_OVER}
    together = max(_together(hidden), key=len, default=set())
    if len(together) < MANY:
        return None
    names = sorted(together, key=reading_order)
    more = len(names) - NAMED
    where = ", ".join(names[:NAMED]) + (f" and {more} square{'s' * (more > 1)} more" if more > 0 else "")
    blinded = _share_of(scene, names, scene.blind > BLINDED)
    if blinded > BLINDED_SHARE:
        if len(names) < MANY_BURNT:
            return None
        if _share_of(scene, names, ~scene.reached) > blinded / 2:
            return f"a part of the board is outside of the picture, over {where}; turn the camera towards it a little"
        return f"a lamp is mirrored in the board over {where}; turn the lamp or the camera a little"
    if scene.glare is not None:
        white = scene.straight[::SHRINK, ::SHRINK].min(axis=2) > NEARLY_WHITE
        if _share_of(scene, names, white & (scene.glare.amounts(scene.blind.shape) > MIRRORED)) > WHITE_SHARE:
            return f"a lamp is mirrored in the board over {where}, or something white lies there"
    return f"something lies over the board on {where}; is it a hand?"


def _share_of(scene: Scene, names: Collection[Square], mask: NDArray[np.bool_]) -> float:
    """How large a share of some squares is in a mask of the maps, on average."""
    shares = scene.places.sums(mask.view(np.uint8)) / scene.places.areas
    return float(np.mean([shares[scene.places.names.index(name)] for name in names]))


def mirroring_squares(scene: Scene) -> dict[Square, int]:
    """The squares on which something mirrors a lamp, maybe a piece whose colour is not seen for it, and on how many
    pixels."""
    bright = np.zeros(scene.blind.shape, np.uint8)
    blind = np.flatnonzero(scene.blind > BLINDED)
    differences = scene.difference.reshape(-1, 3)[blind]
    channels = differences @ TO_BGR.T
    bright.ravel()[blind] = (differences[:, 2] > BRIGHTER) | (channels.max(axis=1) > WHITER)
    many = scene.places.sums(bright)
    return {scene.places.names[index]: int(many[index]) for index in np.flatnonzero(many >= LEAST_BRIGHT_PX)}


def beside(covered: Mapping[Square, float], names: Collection[Square]) -> dict[Square, float]:
    """How surely the edge of what covers a square reaches over those that touch it, also at a corner."""
    near: dict[Square, float] = {}
    for name, gone in covered.items():
        column, row = position(name)
        for other in names:
            other_column, other_row = position(other)
            if max(abs(column - other_column), abs(row - other_row)) == 1:
                near[other] = max(near.get(other, 0.0), gone)
    return near


def _together(names: set[Square]) -> list[set[Square]]:
    """Squares that touch each other at a side, in groups."""
    groups, left = [], set(names)
    while left:
        group, edge = set[Square](), {left.pop()}
        while edge:
            group |= edge
            edge = {name for name in left if any(_touch(name, other) for other in edge)}
            left -= edge
        groups.append(group)
    return groups


def _touch(name: Square, other: Square) -> bool:
    (column, row), (other_column, other_row) = position(name), position(other)
    return abs(column - other_column) + abs(row - other_row) == 1
