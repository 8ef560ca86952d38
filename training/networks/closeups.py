"""Trains the network that counts floors in close-ups: ``python -m training.networks.closeups ONNX PACKS...``.

It is the mean of one for each of ``--seeds``. With ``--start`` each is trained on from one of the networks in that
file.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import torch
from numpy.random import Generator

from training.networks.export import write
from training.networks.fitting import MORE_RATE, Batch, fit, options, parsed_to_train_on, trained_on_from
from training.networks.nets import MeanNet, SquareNet, close_net
from training.networks.restore import Layer
from training.packing.closeups import Seen, changed, unpack
from vision.reading.pyramids.close_look import CHANNELS, SIDE

BATCH = 48


def train(tables: Sequence[Sequence[Seen]], steps: int, seed: int, start: Sequence[Layer]) -> SquareNet:
    """A network that counts these pyramids' floors, those of each table so often as the root of how many it has. start:
    the layers of the one that it is trained on from, none for one that knows nothing."""
    every = [one for table in tables for one in table]
    often = np.concatenate([np.full(len(table), len(table) ** -0.5) for table in tables])
    if not start:
        return fit(close_net, every, often, BATCH, _batch, steps, seed)
    make = partial(trained_on_from, close_net, start, every, None, _batch)
    return fit(make, every, often, BATCH, _batch, steps, seed, MORE_RATE)


def _batch(chosen: Sequence[Seen], rng: Generator) -> Batch:
    return np.stack([changed(one, rng) for one in chosen]), [one.floors for one in chosen]


def main() -> None:
    given, starts = parsed_to_train_on(options(__doc__, 9000, [1]), close_net())
    tables = [table for file in given.packs if (table := unpack(file))]
    print(f"{sum(map(len, tables))} pyramids", flush=True)
    net = MeanNet([train(tables, given.steps, seed, start) for seed, start in zip(given.seeds, starts, strict=True)])
    write(net, torch.zeros(5, CHANNELS, SIDE, SIDE), given.out)


if __name__ == "__main__":
    main()
