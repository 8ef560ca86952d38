"""Packs close-ups of pyramids, for the network that counts floors in them (``vision/reading/pyramids/close_look.py``).

``python -m training.packing.closeups OUT SETUPS... --spoilt 2`` makes them of the pyramids on all pictures of
set-up folders.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS, Pyramid
from training.packing.moving import moved, swapped
from training.packing.packs import looked_at, pack_folders
from training.packing.pictures import Example
from vision.reading.pyramids.close_look import BEFORE_MM, COARSER, PX_PER_MM, SIDE, Closeup, closeup, planes
from vision.teaching.setup_folder import Setup

MARGIN = 9
"""So many pixels more than a network sees are kept on all sides, to move and turn close-ups by chance."""
ASIDE = 2.0
"""How far a close-up is moved (px, standard deviation); ..."""
LIGHT_OFF, EMPTY_OFF = (0.1, 0.1, 0.12), 0.05
"""... how far the light and the piece's colour are off (opponent logarithms), and that of the board; ..."""
BLURS, NOISES = (0.5, 1.2), (0.03, 0.08)
"""... how soft it is made (px), and how noisy."""


@dataclass(frozen=True)
class Seen:
    """A pyramid's close-up with a ``MARGIN``, what its colour looks like on its table (opponent logarithms), and its
    floors, less one."""

    close: Closeup
    colour: NDArray[np.float32]
    floors: int


def pack(setup: Setup, examples: Iterator[Example]) -> dict[str, NDArray[Any]]:
    """The pyramids of a set-up's examples as arrays."""
    closeups: list[Closeup] = []
    colours, floors = [], []
    for example, scene, looks in looked_at(setup, examples):
        for name, piece in example.squares.items():
            if isinstance(piece, Pyramid) and example.shows(name):
                closeups.append(closeup(scene, name, MARGIN))
                colours.append(looks.means[COLOURS.index(piece.colour)])
                floors.append(piece.floors - 1)
    side, coarse = SIDE + 2 * MARGIN, (SIDE + 2 * MARGIN) // COARSER
    return {
        "pictures": np.array([one.picture for one in closeups], np.uint8).reshape(-1, side, side, 3),
        "gains": np.array([one.gain for one in closeups], np.float16).reshape(-1, coarse, coarse, 3),
        "differences": np.array([one.difference for one in closeups], np.float16).reshape(-1, coarse, coarse, 3),
        "leans": np.array([one.leans for one in closeups], np.float32).reshape(-1, 2),
        "colours": np.array(colours, np.float32).reshape(-1, 3),
        "floors": np.array(floors, np.int64),
    }


def unpack(file: Path) -> list[Seen]:
    """The pyramids in a file that ``pack`` made."""
    with np.load(file) as data:
        kept = {name: data[name] for name in data.files}
    parts = (kept[name] for name in ("pictures", "gains", "differences", "leans", "colours", "floors"))
    single = np.float32
    return [
        Seen(
            Closeup(picture, gain.astype(single), difference.astype(single), (float(leans[0]), float(leans[1]))),
            colour,
            int(floors),
        )
        for picture, gain, difference, leans, colour, floors in zip(*parts, strict=True)
    ]


def changed(seen: Seen, rng: Generator) -> NDArray[np.float32]:
    """What the network sees of a pyramid, changed a little by chance: channels x height x width."""
    layers = seen.close.layers(seen.colour)
    if rng.random() < 0.2:
        layers = np.asarray(cv2.GaussianBlur(layers, (0, 0), rng.uniform(*BLURS)), np.float32)
    layers, leans = moved(layers, seen.close.leans, BEFORE_MM * PX_PER_MM - 0.5, SIDE, ASIDE, rng)
    own, empty = layers[..., :3], layers[..., 3:]
    own += (rng.normal(0, 1, 3) * LIGHT_OFF).astype(np.float32)
    if rng.random() < 0.4:
        own += rng.normal(0, rng.choice(NOISES), own.shape).astype(np.float32)
    if rng.random() < 0.3:
        empty += rng.normal(0, EMPTY_OFF, 3).astype(np.float32)
    layers, leans = swapped(layers, leans, rng)
    return planes(layers, leans.tolist())


if __name__ == "__main__":
    pack_folders(__doc__, lambda setup, examples, _: pack(setup, examples))
