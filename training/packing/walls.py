"""Packs ships' walls, for the network that tells their colours (``vision/reading/ships/walls.py``).

``python -m training.packing.walls OUT SETUPS... --spoilt 4`` makes strips of the ships on all pictures of set-up
folders.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS, Ship
from training.packing.packs import looked_at, pack_folders
from training.packing.pictures import Example
from training.packing.repainting import Mixture, mixture, repainted
from vision.grid import tilt
from vision.reading.ships.opening import find_opening
from vision.reading.ships.walls import RAYS, STEPS, Strip, unrolled
from vision.teaching.setup_folder import Setup

PLACES, STRAY_MM = 5, 0.35
"""Each strip is cut so many times: as the ship's opening is found, and so far beside that (standard deviation)."""
LEAST_OPEN = 0.3
"""Ships of which less of the opening is found teach nothing."""
REPAINTED = 0.85
"""So many strips are shown in another colour and on another board, ..."""
COLOUR_OFF = 0.12
"""... how far each colour is changed by chance, so that more than one table's pieces are learned (logarithms), ..."""
EVERY_OFF = 0.08
"""... and all of them together; ..."""
LIGHT_OFF = ((0.03, 0.03, 0.12), (0.03, 0.03, 0.08))
"""... the light on the wall and the board beside it, in opponent logarithms; ..."""
NOISES = (0.0, 0.02, 0.06)
"""... and how noisy a strip may be made."""


@dataclass(frozen=True)
class Wall:
    """A ship's strips (``PLACES``), the number of its colour, how far from straight above it is seen (degrees), and
    what pyramids of each colour look like on its table (5 x 3, opponent logarithms)."""

    strips: tuple[Strip, ...]
    colour: int
    tilt: float
    looks: NDArray[np.float32]

    @cached_property
    def mixtures(self) -> list[Mixture]:
        """What each of the strips is made of."""
        return [mixture(strip, self.looks[self.colour]) for strip in self.strips]


def pack(setup: Setup, examples: Iterator[Example], seed: int) -> dict[str, NDArray[Any]]:
    """The ships of a set-up's examples as arrays."""
    rng = np.random.default_rng(seed)
    strips: list[Strip] = []
    rows, means = [], np.zeros((len(COLOURS), 3))
    for example, scene, looks in looked_at(setup, examples):
        means = looks.means[: len(COLOURS)]
        for name, piece in example.squares.items():
            if not isinstance(piece, Ship) or not example.shows(name):
                continue
            opening = find_opening(scene, name)
            if opening.share < LEAST_OPEN:
                continue
            off = rng.normal(0, STRAY_MM, (PLACES, 2)) * (np.arange(PLACES) > 0)[:, None]
            strips += unrolled(scene, [(name, opening.stray_mm + one) for one in off])
            rows.append((COLOURS.index(piece.colour), tilt(scene.about(name)[1])))
    return {
        "seen": np.array([strip.seen for strip in strips], np.float16).reshape(-1, PLACES, RAYS, STEPS, 3),
        "beside": np.array([strip.beside for strip in strips], np.float16).reshape(-1, PLACES, RAYS, 3),
        "where": np.array([strip.where for strip in strips], np.float16).reshape(-1, PLACES, 3, RAYS, STEPS),
        "rows": np.array(rows, np.float32).reshape(-1, 2),
        "looks": means.astype(np.float32),
    }


def unpack(file: Path) -> list[Wall]:
    """The ships in a file that ``pack`` made."""
    with np.load(file) as data:
        seen, beside, where = (data[part].astype(np.float32) for part in ("seen", "beside", "where"))
        looks: NDArray[np.float32] = data["looks"]
        return [
            Wall(tuple(map(Strip, *parts)), int(colour), float(angle), looks)
            for parts, (colour, angle) in zip(zip(seen, beside, where, strict=True), data["rows"], strict=True)
        ]


def changed(wall: Wall, others: Sequence[Wall], rng: Generator) -> tuple[NDArray[np.float32], int]:
    """What the network sees of a ship for each colour (5 x channels x rays x steps), and the number of its colour.

    It is changed a little by chance, and mostly repainted: in the colours of another ship's table, and on the board of
    yet another.
    """
    place = int(rng.integers(PLACES))
    strip, colour, looks = wall.strips[place], wall.colour, wall.looks
    if rng.random() < REPAINTED:
        painted, standing = (others[int(rng.integers(len(others)))] for _ in range(2))
        colour, looks = int(rng.integers(len(COLOURS))), painted.looks
        at = int(rng.integers(PLACES))
        strip = repainted(strip, wall.mixtures[place], looks[colour], standing.strips[at], standing.mixtures[at])
    on_wall, on_board = (rng.normal(0, off).astype(np.float32) for off in LIGHT_OFF)
    noise = rng.normal(0, rng.choice(NOISES), strip.seen.shape).astype(np.float32)
    turned = slice(None, None, int(rng.choice([-1, 1])))
    strip = Strip((strip.seen + on_wall + noise)[turned], (strip.beside + on_board)[turned], strip.where[:, turned])
    off = rng.normal(0, COLOUR_OFF, looks.shape) + rng.normal(0, EVERY_OFF, (1, looks.shape[1]))
    return strip.planes(looks + off.astype(np.float32)), colour


if __name__ == "__main__":
    pack_folders(__doc__, pack)
