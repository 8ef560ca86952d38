"""Trains the networks that see dice: ``python -m training.networks.dice places|faces ONNX PACKS...``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from training.networks.export import write
from training.networks.fitting import descend
from training.networks.nets import die_face_net, die_place_net
from training.packing.dice import DIE, NONE
from vision.reading.die.sight import CELL_PX, SIDE, face_planes, search_planes

RATE, DECAY = 5e-3, 1e-3
PARTS, PART_PX = 8, (216, 256)
"""So many parts of pictures are looked at at once, so large: whole ones differ too little from each other."""
BARE_COUNT = 200
"""What shows no die counts as one die in so many cells."""
PATCHES, WITH_DIE = 128, 0.5
"""So many patches are looked at at once, and the share of those that show a die."""
LIGHTS, TINTS = 0.25, 0.06
"""How much pictures are made brighter or darker, and their colours each (standard deviations of logarithms)."""

Arrays: TypeAlias = dict[str, NDArray[Any]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("places", "faces"))
    parser.add_argument("out", type=Path)
    parser.add_argument("packs", type=Path, nargs="+")
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    wanted = ("pictures", "cells") if given.what == "places" else ("patches", "drops", "faces")
    packs = [np.load(file) for file in given.packs]
    arrays = {name: np.concatenate([pack[name] for pack in packs if len(pack[name])]) for name in wanted}
    # One thread: sums are then made in one order, and the same seed gives the same network.
    torch.set_num_threads(1)
    torch.manual_seed(given.seed)
    rng = np.random.default_rng(given.seed)
    if given.what == "places":
        net, loss_of, some = die_place_net(), _place_loss, torch.zeros(1, 3, *arrays["pictures"].shape[1:3])
    else:
        net, loss_of, some = die_face_net(), _face_loss, torch.zeros(8, 4, SIDE, SIDE)
    descend(net, lambda: loss_of(net, arrays, rng), given.steps, RATE, DECAY)
    write(net, some, given.out)
    print(given.out.stat().st_size, "bytes")


def _place_loss(net: nn.Module, arrays: Arrays, rng: Generator) -> Tensor:
    pictures, cells = arrays["pictures"], arrays["cells"]
    parts, asked = [], []
    for number in rng.integers(len(pictures), size=PARTS):
        top, left = (
            CELL_PX * int(rng.integers((whole - part) // CELL_PX + 1))
            for whole, part in zip(pictures.shape[1:3], PART_PX, strict=True)
        )
        part = pictures[number, top : top + PART_PX[0], left : left + PART_PX[1]]
        cell = cells[number, top // CELL_PX :, left // CELL_PX :][: PART_PX[0] // CELL_PX, : PART_PX[1] // CELL_PX]
        ways = int(rng.choice((-1, 1))), int(rng.choice((-1, 1)))
        parts.append(part[:: ways[0], :: ways[1]])
        asked.append(cell[:: ways[0], :: ways[1]])
    said = net(torch.from_numpy(search_planes(_lit(np.stack(parts), rng))))[:, 0]
    right = torch.from_numpy(np.stack(asked))
    dice, bare = (right == DIE).float(), (right == NONE).float()
    off = functional.binary_cross_entropy_with_logits(said, dice, reduction="none")
    return (off * dice).sum() / dice.sum().clamp(min=1) + (off * bare).sum() / BARE_COUNT


def _face_loss(net: nn.Module, arrays: Arrays, rng: Generator) -> Tensor:
    faces = arrays["faces"]
    some = [np.flatnonzero(faces > 0), np.flatnonzero(faces == 0)]
    many = round(PATCHES * WITH_DIE), PATCHES - round(PATCHES * WITH_DIE)
    chosen = np.concatenate([rng.choice(one, count) for one, count in zip(some, many, strict=True)])
    patches = arrays["patches"][chosen]
    # Mirrored from left to right a face is the same, and so are all that stand below it.
    mirrored = rng.random(len(chosen)) < 0.5
    patches[mirrored] = patches[mirrored][:, :, ::-1]
    planes = face_planes(_lit(patches, rng), arrays["drops"][chosen])
    return functional.cross_entropy(net(torch.from_numpy(planes)), torch.from_numpy(faces[chosen]))


def _lit(pictures: NDArray[np.uint8], rng: Generator) -> NDArray[np.uint8]:
    """Copies of pictures in other light."""
    many = len(pictures)
    light = np.exp(rng.normal(0, LIGHTS, (many, 1, 1, 1)) + rng.normal(0, TINTS, (many, 1, 1, 3)))
    return np.clip(np.round(pictures * light), 0, 255).astype(np.uint8)


if __name__ == "__main__":
    main()
