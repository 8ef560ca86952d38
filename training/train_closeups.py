"""Trains the network that counts floors in close-ups: ``python -m training.train_closeups ONNX PACKS...``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.random import Generator

from training.closeups import Seen, changed, unpack
from training.export import write
from training.fitting import Batch, fit
from training.network import SquareNet, close_net
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
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("packs", type=Path, nargs="+")
    parser.add_argument("--steps", type=int, default=9000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    tables = [table for file in given.packs if (table := unpack(file))]
    print(f"{sum(map(len, tables))} pyramids", flush=True)
    write(train(tables, given.steps, given.seed), torch.zeros(5, CHANNELS, SIDE, SIDE), given.out)


if __name__ == "__main__":
    main()
