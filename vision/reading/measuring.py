"""How large the pieces of a set are, measured on pictures of known pieces.

Each size is moved by ever smaller steps for as long as that explains the pictures better.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from vision.geometry import Floats
from vision.reading.pyramids import SILHOUETTE_WEIGHT, Patch
from vision.reading.shading import Shading, face_means, learn_shading
from vision.reading.shapes import Sizes
from vision.reading.ships import ShipPatch

USUAL = Sizes()
RANGES = {
    "base": (18.0, 32.0),
    "step": (2.5, 7.5),
    "floor": (4.8, 6.4),
    "ship_radius": (10.0, 18.0),
    "ship_height": (22.0, 50.0),
    "ship_wall": (0.8, 5.8),
}
"""Between which each size is searched for, in mm."""
SPREADS = {name: (high - low) / 8 for name, (low, high) in RANGES.items()}
"""By how much a size usually differs from that of the reference pieces, in mm."""
STEPS = (0.8, 0.4, 0.2, 0.1)
"""Of the search, in spreads."""
DOUBT = 20.0
"""By how much more the log evidence of a piece must grow for each spread (squared) a size is off."""


def measure_ships(sizes: Sizes, ships: Sequence[ShipPatch]) -> Sizes:
    """The sizes with those of ships measured on ships that are known to stand there."""
    places = [ship.climb(ship.centre_mm, ship.fit, (3.0, 1.5, 0.7)) for ship in ships]
    for step in STEPS[1:]:
        ships = [replace(ship, sizes=sizes) for ship in ships]
        places = [ship.climb(at, ship.fit_whole, (0.7, 0.35)) for ship, at in zip(ships, places, strict=True)]
        sizes = _climb(
            sizes, ("ship_radius", "ship_wall", "ship_height"), step, partial(_ships_explained, ships, places)
        )
    return sizes


def _ships_explained(ships: Sequence[ShipPatch], places: Sequence[Floats], sizes: Sizes) -> float:
    """How well the ships are explained if these are their sizes: log evidence a ship."""
    total = 0.0
    for ship, at in zip(ships, places, strict=True):
        measured = replace(ship, sizes=sizes)
        total += measured.fit_whole(measured.climb(at, measured.fit_whole, (0.5,)))
    return SILHOUETTE_WEIGHT * total / max(len(ships), 1)


def measure_pyramids(sizes: Sizes, pyramids: Sequence[tuple[Patch, int]]) -> tuple[Sizes, Shading]:
    """The sizes with those of pyramids measured, and how their faces are lit.

    pyramids: what is seen of each, and its number of floors.
    """
    places = [patch.places()[floors - 1] for patch, floors in pyramids]
    shading = _learn_shading(pyramids, places)
    for step in STEPS:
        sizes = _climb(sizes, ("base", "step", "floor"), step, partial(_pyramids_explained, pyramids, places, shading))
        pyramids = [(replace(patch, sizes=sizes), floors) for patch, floors in pyramids]
        shading = _learn_shading(pyramids, places)
        places = [
            patch.climb(place, partial(patch.fit, floors=floors, shading=shading), (0.7, 0.35))
            for (patch, floors), place in zip(pyramids, places, strict=True)
        ]
    return sizes, _learn_shading(pyramids, places)


def _learn_shading(pyramids: Sequence[tuple[Patch, int]], places: Sequence[Floats]) -> Shading:
    return learn_shading(
        [
            face_means(patch.values, patch.labels(place, floors), patch.shade)[:2]
            for (patch, floors), place in zip(pyramids, places, strict=True)
        ]
    )


def _pyramids_explained(
    pyramids: Sequence[tuple[Patch, int]], places: Sequence[Floats], shading: Shading, sizes: Sizes
) -> float:
    """How well the pyramids are explained if these are their sizes: log evidence a pyramid."""
    total = 0.0
    for (patch, floors), place in zip(pyramids, places, strict=True):
        total += replace(patch, sizes=sizes).fit(place, floors, shading)
    return total / max(len(pyramids), 1)


def _climb(sizes: Sizes, names: Sequence[str], step: float, score: Callable[[Sizes], float]) -> Sizes:
    """The sizes with the named ones moved, by a step of so many spreads, for as long as the score gets better."""

    def doubted(sizes: Sizes) -> float:
        off = [(getattr(sizes, name) - getattr(USUAL, name)) / SPREADS[name] for name in names]
        return score(sizes) - DOUBT * float(np.sum(np.square(off)))

    best = doubted(sizes)
    moved = True
    while moved:
        moved = False
        for name in names:
            low, high = RANGES[name]
            for change in (-step * SPREADS[name], step * SPREADS[name]):
                while low <= (size := getattr(sizes, name) + change) <= high:
                    other = replace(sizes, **{name: size})
                    if (value := doubted(other)) <= best:
                        break
                    sizes, best, moved = other, value, True
    return sizes
