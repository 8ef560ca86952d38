"""Trains the network that counts floors in close-ups: ``python -m training.train_closeups ONNX PACKS...``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.random import Generator

from training.closeups import Seen, changed, unpack
from training.export import write
from training.fitting import Batch, fit, options
from training.network import MeanNet, SquareNet, close_net
from vision.reading.close_look import CHANNELS, SIDE

BATCH = 48


def train(tables: Sequence[Sequence[Seen]], steps: int, seed: int) -> SquareNet:
    """A network that counts these pyramids' floors, those of each table so often as the root of how many it has."""
    every = [one for table in tables for one in table]
    often = np.concatenate([np.full(len(table), len(table) ** -0.5) for table in tables])
    return fit(close_net, every, often, BATCH, _batch, steps, seed)


def _batch(chosen: Sequence[Seen], rng: Generator) -> Batch:
    return np.stack([changed(one, rng) for one in chosen]), [one.floors for one in chosen]


def main() -> None:
    given = options(__doc__, 9000, [1]).parse_args()
    tables = [table for file in given.packs if (table := unpack(file))]
    print(f"{sum(map(len, tables))} pyramids", flush=True)
    net = MeanNet([train(tables, given.steps, seed) for seed in given.seeds])
    write(net, torch.zeros(5, CHANNELS, SIDE, SIDE), given.out)


if __name__ == "__main__":
    main()
