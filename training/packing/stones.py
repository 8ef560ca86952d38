"""Packs squares and the stones found on them, for the network for stones (``vision/reading/stones/finder.py``).

``python -m training.packing.stones OUT SETUPS... --spoilt 1`` makes them of some squares of all pictures of set-up
folders.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS, Piece, Pyramid, Stones
from companion.squares import Square
from training.packing.packs import looked_at, pack_folders
from training.packing.pictures import Example
from vision.reading.candidates import candidates
from vision.reading.claim import Claim
from vision.reading.evidence import Scene
from vision.reading.odds import SETS
from vision.reading.stones.features import FEATURES, features
from vision.reading.stones.fit import FOUND, Patch, find_stones
from vision.reading.stones.outline import MARGIN
from vision.teaching.setup_folder import Setup

OTHER = len(SETS)
"""What stands on a square, beside the number of a set of stones: anything else."""
STONES, PYRAMIDS, ASKED, BARE = 8, 2, 5, 4
"""Of each picture so many squares with stones are packed, with pyramids, bare ones that may hold something, and other
bare ones, of the half with most print: what is printed may look like stones."""
PRINTED = 2
"""So many of the squares with stones are packed once more as if the stones were printed on the board: not there."""
CONTRASTS, SHIFT_PX, NOISE = (0.6, 1.3), 1, 2.0
"""Print has between these shares of its contrast on the empty board; how far it is off, and how noisy (grey levels)."""


@dataclass(frozen=True)
class Found:
    """What is seen of the stones that may lie on a square (stones x colours x ``FEATURES``), and which of ``SETS`` or
    ``OTHER`` is there."""

    seen: NDArray[np.float32]
    answer: int


def pack(setup: Setup, examples: Iterator[Example], seed: int) -> dict[str, NDArray[Any]]:
    """Some squares of a set-up's examples as arrays."""
    rng = np.random.default_rng(seed)
    seen, many, answers = [], [], []
    for example, scene, looks in looked_at(setup, examples):
        chosen = _chosen(example, scene, rng)
        claims = [(Claim.of(scene, name, MARGIN), answer_of(example.squares.get(name))) for name in chosen]
        stones = [claim for claim, answer in claims if 0 < answer < OTHER]
        claims += [(printed(claim, rng), 0) for claim in stones[:PRINTED]]
        for claim, answer in claims:
            patch = Patch.of(claim, looks)
            found = features(patch, find_stones(patch), looks)
            seen.append(np.concatenate([found, np.zeros((FOUND - len(found), *found.shape[1:]), np.float32)]))
            many.append(len(found))
            answers.append(answer)
    return {
        "seen": np.array(seen, np.float32).reshape(-1, FOUND, len(COLOURS), FEATURES),
        "many": np.array(many, np.int64),
        "answers": np.array(answers, np.int64),
    }


def printed(claim: Claim, rng: Generator) -> Claim:
    """A claim that shows the same on a board on which that is printed."""
    share = rng.uniform(*CONTRASTS)
    print_there = claim.empty + share * (claim.picture.astype(np.float32) - claim.empty)
    print_there = np.roll(print_there, rng.integers(-SHIFT_PX, SHIFT_PX + 1, 2).tolist(), axis=(0, 1))
    noisy = np.clip(print_there + rng.normal(0, NOISE, print_there.shape), 0, 255).astype(np.uint8)
    maps = claim.maps.copy()
    # How much print there is, and how well it is seen.
    maps[-2:] = rng.uniform(0.3, 1, (2, 1, 1))
    return replace(claim, empty=noisy, maps=maps)


def answer_of(piece: Piece | None) -> int:
    """The number of the set of stones that a square shows, or ``OTHER``."""
    if piece is None:
        return 0
    if isinstance(piece, Stones):
        return SETS.index(tuple(sorted(COLOURS.index(name) for name in piece.colours)))
    return OTHER


def _chosen(example: Example, scene: Scene, rng: Generator) -> list[Square]:
    """The squares that are packed."""
    printed = dict(zip(scene.places.names, scene.places.sums(scene.printed).tolist(), strict=True))
    seen = [name for name in printed if example.shows(name)]
    stones = [name for name in seen if isinstance(example.squares.get(name), Stones)]
    pyramids = [name for name in seen if isinstance(example.squares.get(name), Pyramid)]
    bare = [name for name in seen if name not in example.squares]
    asked = candidates(scene)
    others = sorted((name for name in bare if name not in asked), key=lambda name: -printed[name])
    chosen: list[Square] = []
    for names, many in (
        (stones, STONES),
        (pyramids, PYRAMIDS),
        ([name for name in bare if name in asked], ASKED),
        (others[: len(others) // 2], BARE),
    ):
        chosen += [str(name) for name in rng.permutation(names)[:many]]
    return chosen


def unpack(file: Path) -> list[Found]:
    """The squares in a file that ``pack`` made on which anything was found."""
    with np.load(file) as data:
        rows = zip(data["seen"], data["many"].tolist(), data["answers"].tolist(), strict=True)
        return [Found(seen[:many], answer) for seen, many, answer in rows if many]


def together(found: Sequence[Found]) -> NDArray[np.float32]:
    """What the net for sets sees of some squares: N x FOUND x colours x (FEATURES + 1), the last 1 where something was
    found, else 0."""
    rows = np.zeros((len(found), FOUND, len(COLOURS), FEATURES + 1), np.float32)
    for row, one in zip(rows, found, strict=True):
        row[: len(one.seen), :, :-1] = one.seen
        row[: len(one.seen), :, -1] = 1
    return rows


if __name__ == "__main__":
    pack_folders(__doc__, pack)
