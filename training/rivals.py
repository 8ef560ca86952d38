"""Packs squares that several colours may be claimed of, for the network that tells those apart
(``vision/reading/rivals.py``).

``python -m training.rivals OUT SETUPS... --spoilt 3`` makes them of all pictures of set-up folders.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS, Piece, piece_from_json
from training.dataset import Example, as_bytes, from_bytes, looked_at
from training.moving import moved, swapped
from training.packing import pack_folders
from vision.reading.candidates import candidates
from vision.reading.crops import WHOLE, Planes
from vision.reading.rivals import CLAIM_RANGES, LOGARITHMS, SEEN, SHIP_WAYS, Claim, way_of_two
from vision.setup_folder import Setup

MARGIN = 6
"""So many px of the maps more than a network sees are kept on all sides, to move and turn what is seen by chance."""
COVERED = 0.1
"""Squares that are covered by more teach nothing."""
LIKE, SHARED = -4.5, 25
"""What two colours fit at least so well (log density), one of them better than any other and both better than bare
board, they share; and as many px as that make a pair as likely to be looked at as any other."""
SELDOM, NEITHER, SHIPS = 0.002, 0.3, 0.1
"""How often pairs are looked at that share nothing, and how much seldomer those of which neither is there, and those
where a ship stands: its walls tell."""
FITS_OFF, BARE_OFF, LIGHT_OFF = 0.5, 0.4, (0.05, 0.05, 0.12)
"""By how much fits to colours, and to bare board and ships' insides, are off by chance (log densities), and the light
(opponent logarithms); ..."""
BLURS, FITS_NOISE, NOISE = (0.4, 1.0), 0.5, 0.03
"""... how soft what is seen is made (px), and how noisy."""
ASIDE = 0.7
"""How far it is moved (px, standard deviation)."""
_DENSITIES = slice(len(COLOURS) + 2)


@dataclass(frozen=True)
class Pair:
    """Two colours that may be claimed of a square.

    seen: what is seen there, ``SEEN`` planes as bytes, with a ``MARGIN``. square: 1 on the square, without it. leans:
    see ``way_of``. looks: what all colours look like (5 x 3, opponent logarithms). piece: what stands there. often: how
    often it is looked at beside others.
    """

    seen: NDArray[np.uint8]
    square: NDArray[np.uint8]
    leans: tuple[float, float]
    looks: NDArray[np.float32]
    colours: tuple[int, int]
    piece: Piece | None
    often: float


def pack(setup: Setup, examples: Iterator[Example]) -> dict[str, NDArray[Any]]:
    """The squares of a set-up's examples as arrays."""
    claims: list[Claim] = []
    seen, asked, pieces, means = [], [], [], np.zeros((len(COLOURS), 3))
    for example, scene, looks in looked_at(setup, examples):
        means = looks.means[: len(COLOURS)]
        for name, colours in candidates(scene).items():
            if len(colours) > 1 and name not in example.hidden and example.covered.get(name, 0.0) <= COVERED:
                claims.append(claim := Claim.of(scene, name, MARGIN))
                seen.append(as_bytes(claim.seen, CLAIM_RANGES))
                asked.append([colour in colours for colour in range(len(COLOURS))])
                piece = example.squares.get(name)
                pieces.append(json.dumps(piece and piece.to_json()))
    side = WHOLE.side + 2 * MARGIN
    return {
        "seen": np.array(seen, np.uint8).reshape(-1, SEEN, side, side),
        "squares": np.array([claim.square for claim in claims], np.uint8).reshape(-1, WHOLE.side, WHOLE.side),
        "leans": np.array([claim.leans for claim in claims], np.float32).reshape(-1, 2),
        "asked": np.array(asked, np.bool_).reshape(-1, len(COLOURS)),
        "pieces": np.array(pieces, np.str_),
        "looks": means.astype(np.float32),
    }


def unpack(file: Path) -> list[Pair]:
    """All pairs of colours that are asked after on squares in a file that ``pack`` made."""
    with np.load(file) as data:
        kept = {name: data[name] for name in data.files}
    parts = (kept[name] for name in ("seen", "squares", "leans", "asked", "pieces"))
    pairs = []
    for seen, square, leans, asked, written in zip(*parts, strict=True):
        told = json.loads(str(written))
        piece = told and piece_from_json(told)
        shared = _shared(seen, square)
        for first, second in combinations(np.flatnonzero(asked).tolist(), 2):
            often = SELDOM + min(1.0, shared[first, second] / SHARED) * _weight(way_of_two(piece, first, second))
            where = float(leans[0]), float(leans[1])
            pairs.append(Pair(seen, square, where, kept["looks"], (first, second), piece, often))
    return pairs


def _shared(seen: NDArray[np.uint8], square: NDArray[np.uint8]) -> NDArray[np.int64]:
    """How many px of a square each two colours share."""
    inner = slice(MARGIN, MARGIN + WHOLE.side)
    densities = from_bytes(seen, CLAIM_RANGES)[_DENSITIES, inner, inner][:, square > 0]
    fits, bare = densities[: len(COLOURS)], densities[-1]
    good = (fits > bare) & (fits > LIKE)
    best = good & (fits >= fits.max(axis=0))
    both = good[:, None] & good & (best[:, None] | best)
    return np.asarray(both.sum(axis=-1), np.int64)


def _weight(way: int) -> float:
    return NEITHER if way == 0 else SHIPS if way in SHIP_WAYS else 1.0


def changed(pair: Pair, rng: Generator) -> tuple[Planes, int]:
    """What the network sees of a pair, changed a little by chance, and which of the ``WAYS`` it is."""
    wide = np.pad(pair.square, MARGIN).astype(np.float32)
    layers = np.concatenate([from_bytes(pair.seen, CLAIM_RANGES), wide[None]]).transpose(1, 2, 0)
    if rng.random() < 0.25:
        layers[..., :-1] = cv2.GaussianBlur(layers[..., :-1], (0, 0), rng.uniform(*BLURS))
    layers, leans = swapped(*moved(layers, pair.leans, WHOLE.before, WHOLE.side, ASIDE, rng), rng)
    seen = np.ascontiguousarray(layers.transpose(2, 0, 1))
    densities, light = seen[_DENSITIES], seen[LOGARITHMS:-1]
    if rng.random() < 0.6:
        densities[: len(COLOURS)] += rng.normal(0, FITS_OFF, (len(COLOURS), 1, 1)).astype(np.float32)
        densities[len(COLOURS) :] += rng.normal(0, BARE_OFF, (2, 1, 1)).astype(np.float32)
        light += (rng.normal(0, 1, 3) * LIGHT_OFF).astype(np.float32)[:, None, None]
    if rng.random() < 0.5:
        # Mostly a little, sometimes as much as a camera gives that sees next to nothing.
        much = rng.uniform(1, 3) if rng.random() < 0.3 else rng.uniform(0, 1)
        for planes, noise in ((densities, FITS_NOISE), (light, NOISE)):
            planes += np.float32(noise * much) * rng.standard_normal(planes.shape, np.float32)
    first, second = pair.colours if rng.random() < 0.5 else pair.colours[::-1]
    claim = Claim(seen[:-1], seen[-1], (float(leans[0]), float(leans[1])))
    return claim.planes(pair.looks, first, second), way_of_two(pair.piece, first, second)


if __name__ == "__main__":
    pack_folders(__doc__, lambda setup, examples, _: pack(setup, examples))
