"""Trains the network for stones: ``python -m training.train_stones ONNX PACKS...``. It is the mean of one for each of
``--seeds``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.random import Generator

from companion.games.pacal.pieces import COLOURS
from training.export import write
from training.fitting import Batch, fit, options
from training.network import MeanNet, SetsNet, StoneNet
from training.stones import Found, together, unpack
from vision.reading.stone_features import FEATURES
from vision.reading.stone_fit import FOUND

BATCH = 128


def train(squares: Sequence[Found], steps: int, seed: int) -> StoneNet:
    """A network for stones, fitted to what stands on these squares."""
    rows = np.concatenate([one.seen.reshape(-1, FEATURES) for one in squares])

    def make() -> SetsNet:
        return SetsNet(StoneNet(torch.from_numpy(rows.mean(axis=0)), torch.from_numpy(rows.std(axis=0))))

    return fit(make, squares, np.ones(len(squares)), BATCH, _batch, steps, seed).stones


def _batch(chosen: Sequence[Found], rng: Generator) -> Batch:
    return together(chosen), [one.answer for one in chosen]


def main() -> None:
    given = options(__doc__, 8000, [1, 2]).parse_args()
    squares = [one for file in given.packs for one in unpack(file)]
    print(f"{len(squares)} squares", flush=True)
    net = MeanNet([train(squares, given.steps, seed) for seed in given.seeds])
    write(net, torch.zeros(FOUND * len(COLOURS), FEATURES), given.out)


if __name__ == "__main__":
    main()
