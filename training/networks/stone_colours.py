"""Trains the network for stones' colours: ``python -m training.networks.stone_colours ONNX PACKS...``.

It is the mean of one for each of ``--seeds``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.random import Generator

from companion.games.pacal.pieces import COLOURS
from training.networks.export import write
from training.networks.fitting import Batch, fit, options
from training.networks.nets import MeanNet, SquareNet, stone_colour_net
from training.packing.stone_colours import Lain, changed, unpack
from vision.reading.stones.colours import CHANNELS, SHOWN_PX

BATCH = 48
PALE, OFTEN = 128, 3.0
"""Stones whose upper face is brighter than the first in all channels (grey levels) are shown so many times as often."""


def train(stones: Sequence[Lain], steps: int, seed: int) -> SquareNet:
    """A network for stones' colours, fitted to these."""
    often = np.array([OFTEN if least_bright(stone) > PALE else 1.0 for stone in stones])
    return fit(stone_colour_net, stones, often, BATCH, _batch, steps, seed)


def least_bright(stone: Lain) -> float:
    """How bright a stone's upper face is in its darkest channel (grey levels)."""
    return float(stone.view.picture[stone.view.top].min(axis=-1).mean())


def _batch(chosen: Sequence[Lain], rng: Generator) -> Batch:
    return np.concatenate([changed(stone, rng) for stone in chosen]), [stone.colour for stone in chosen]


def main() -> None:
    given = options(__doc__, 4000, [1]).parse_args()
    stones = [stone for file in given.packs for stone in unpack(file)]
    print(f"{len(stones)} stones", flush=True)
    net = MeanNet([train(stones, given.steps, seed) for seed in given.seeds])
    write(net, torch.zeros(len(COLOURS), CHANNELS, SHOWN_PX, SHOWN_PX), given.out)


if __name__ == "__main__":
    main()
