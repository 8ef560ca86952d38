"""Trains the network that tells rivals apart: ``python -m training.train_rivals ONNX PACKS...``.

It is the mean of one for each of ``--seeds``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.random import Generator

from training.export import write
from training.fitting import Batch, fit, options
from training.network import MeanNet, SquareNet, rival_net
from training.rivals import Pair, changed, unpack
from vision.reading.rivals import CHANNELS, CLOSE

BATCH = 48


def train(pairs: Sequence[Pair], steps: int, seed: int) -> SquareNet:
    """A network that tells what stands there of these pairs."""
    return fit(rival_net, pairs, np.array([pair.often for pair in pairs]), BATCH, _batch, steps, seed)


def _batch(chosen: Sequence[Pair], rng: Generator) -> Batch:
    planes, ways = zip(*(changed(pair, rng) for pair in chosen), strict=True)
    return np.stack(planes), list(ways)


def main() -> None:
    given = options(__doc__, 9000, [1, 2]).parse_args()
    pairs = [pair for file in given.packs for pair in unpack(file)]
    print(f"{len(pairs)} pairs, as many as {sum(pair.often for pair in pairs):.0f} rivals", flush=True)
    net = MeanNet([train(pairs, given.steps, seed) for seed in given.seeds])
    write(net, torch.zeros(2, CHANNELS, *CLOSE.shape), given.out)


if __name__ == "__main__":
    main()
