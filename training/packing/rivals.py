"""Packs squares that two colours may be claimed of, for the network that tells which (``vision/reading/rivals.py``).

``python -m training.packing.rivals OUT SETUPS... --spoilt 3`` makes them of all pictures of set-up folders.
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
from training.packing.moving import moved, swapped
from training.packing.packs import as_bytes, from_bytes, looked_at, pack_folders
from training.packing.pictures import Example
from vision.geometry import Floats
from vision.reading.candidates import candidates
from vision.reading.claim import CLOSE, MAP_RANGES, MAPS_FROM, Claim
from vision.reading.crops import Cutter, Planes
from vision.reading.evidence import usual_shades
from vision.reading.network import SquareNetwork
from vision.reading.odds import of_colours, ship_shares
from vision.reading.pacal import contents
from vision.reading.pyramids.floors import FloorCounter
from vision.reading.rivals import DOUBTFUL, planes, way_of_two
from vision.teaching.setup_folder import Setup

MARGIN = 8
"""So many px more than a network sees are kept on all sides, to move and turn what is seen by chance."""
PLAIN = 0.15
"""The share of squares without doubt that is kept."""
FAINTLY = 1e-6
"""The least that is claimed for a colour that is asked after."""
SHIPS = 0.3
"""Where a ship is likelier than this its walls tell."""
OFTEN, SELDOM = (1.0, 0.1), (0.05, 0.01)
"""How often the two colours in doubt are looked at, and any other two; and on a square without doubt."""
FITS_OFF, BARE_OFF, LIGHT_OFF = 0.5, 0.4, (0.05, 0.05, 0.12)
"""By how much fits to colours, and to bare board and ships' insides, are off by chance (log densities), and the light
(opponent logarithms); ..."""
BLURS, FITS_NOISE, NOISE = (0.4, 1.2), 0.5, 0.06
"""... how soft what is seen is made (px), and how noisy."""
ASIDE = 1.4
"""How far it is moved (px, standard deviation)."""
_LOGARITHMS = slice(3)
_FITS = slice(MAPS_FROM, MAPS_FROM + len(COLOURS))
_BARE = slice(_FITS.stop, _FITS.stop + 2)


@dataclass(frozen=True)
class Pair:
    """Two colours that may be claimed of a square.

    claim: what is seen there, with a ``MARGIN``. looks: what all colours look like (5 x 3, opponent logarithms). piece:
    what stands there. often: how often it is looked at beside others.
    """

    claim: Claim
    looks: NDArray[np.float32]
    colours: tuple[int, int]
    piece: Piece | None
    often: float


def pack(setup: Setup, examples: Iterator[Example], seed: int) -> dict[str, NDArray[Any]]:
    """The squares of a set-up's examples as arrays: all of which the networks that read squares are in doubt, and some
    more."""
    rng, network = np.random.default_rng(seed), SquareNetwork(FloorCounter())
    claims: list[Claim] = []
    claimed: list[Floats] = []
    pieces, doubts, means = [], [], np.zeros((len(COLOURS), 3))
    for example, scene, looks in looked_at(setup, examples):
        means = looks.means[: len(COLOURS)]
        asked = candidates(scene)
        wanted = [(name, colour) for name, colours in asked.items() for colour in colours]
        scores = iter(network.look(Cutter(scene, usual_shades(looks)), wanted)[0].tolist())
        for name, colours in asked.items():
            odds = contents({colour: next(scores) for colour in colours})
            doubtful = max(odds.values()) < DOUBTFUL
            if not example.shows(name):
                continue
            if not doubtful and rng.random() > PLAIN:
                continue
            claims.append(Claim.of(scene, name, MARGIN))
            share = np.zeros(len(COLOURS))
            share[colours] = np.maximum(np.array(of_colours(odds))[colours], FAINTLY)
            claimed.append(share)
            doubts.append(doubtful and sum(ship_shares(odds)) < SHIPS)
            piece = example.squares.get(name)
            pieces.append(json.dumps(piece and piece.to_json()))
    side = CLOSE.side + 2 * MARGIN
    return {
        "pictures": np.array([claim.picture for claim in claims], np.uint8).reshape(-1, side, side, 3),
        "empties": np.array([claim.empty for claim in claims], np.uint8).reshape(-1, side, side, 3),
        "gains": np.array([claim.gain for claim in claims], np.float16).reshape(-1, side // 2, side // 2, 3),
        "maps": np.array([as_bytes(claim.maps, MAP_RANGES) for claim in claims], np.uint8),
        "squares": np.array([claim.square_mm for claim in claims], np.float32).reshape(-1, 2),
        "leans": np.array([claim.leans for claim in claims], np.float32).reshape(-1, 2),
        "claimed": np.array(claimed, np.float32).reshape(-1, len(COLOURS)),
        "doubts": np.array(doubts, np.bool_),
        "pieces": np.array(pieces, np.str_),
        "looks": means.astype(np.float32),
    }


def unpack(file: Path) -> list[Pair]:
    """All pairs of colours that are asked after on squares in a file that ``pack`` made; where but one is, it and
    another."""
    with np.load(file) as data:
        kept = {name: data[name] for name in data.files}
    names = ("pictures", "empties", "gains", "maps", "squares", "leans", "claimed", "doubts", "pieces")
    pairs = []
    for number, parts in enumerate(zip(*(kept[name] for name in names), strict=True)):
        picture, empty, gain, maps, square, leans, claimed, doubt, written = parts
        light, fitted = gain.astype(np.float32), from_bytes(maps, MAP_RANGES)
        claim = Claim(picture, empty, light, fitted, tuple(square.tolist()), tuple(leans.tolist()))
        told = json.loads(str(written))
        piece = told and piece_from_json(told)
        doubts = claimed * (1 - claimed)
        asked = [colour for colour in np.argsort(-doubts, kind="stable").tolist() if claimed[colour] > 0]
        others = [colour for colour in range(len(COLOURS)) if colour not in asked]
        if len(asked) == 1:
            asked.append(others[number % len(others)])
        often, seldom = OFTEN if doubt else SELDOM
        for first, second in combinations(asked, 2):
            weight = often if (first, second) == tuple(asked[:2]) else seldom
            pairs.append(Pair(claim, kept["looks"], (first, second), piece, weight))
    return pairs


def changed(pair: Pair, rng: Generator) -> tuple[Planes, int]:
    """What the network sees of a pair, changed a little by chance, and which of the ``WAYS`` it is."""
    layers = pair.claim.layers()
    if rng.random() < 0.2:
        layers[..., :-1] = cv2.GaussianBlur(layers[..., :-1], (0, 0), rng.uniform(*BLURS))
    layers, leans = swapped(*moved(layers, pair.claim.leans, CLOSE.before, CLOSE.side, ASIDE, rng), rng)
    layers = np.ascontiguousarray(layers)
    if rng.random() < 0.6:
        layers[..., _FITS] += rng.normal(0, FITS_OFF, len(COLOURS)).astype(np.float32)
        layers[..., _BARE] += rng.normal(0, BARE_OFF, 2).astype(np.float32)
        layers[..., _LOGARITHMS] += (rng.normal(0, 1, 3) * LIGHT_OFF).astype(np.float32)
    if rng.random() < 0.4:
        # Mostly a little, sometimes as much as a camera gives that sees next to nothing.
        much = rng.uniform(1, 3) if rng.random() < 0.3 else rng.uniform(0, 1)
        for part, noise in ((_LOGARITHMS, NOISE), (_FITS, FITS_NOISE), (_BARE, FITS_NOISE)):
            some = layers[..., part]
            some += np.float32(noise * much) * rng.standard_normal(some.shape, np.float32)
    first, second = pair.colours if rng.random() < 0.5 else pair.colours[::-1]
    where = float(leans[0]), float(leans[1])
    return planes(layers, where, pair.looks, first, second), way_of_two(pair.piece, first, second)


if __name__ == "__main__":
    pack_folders(__doc__, pack)
