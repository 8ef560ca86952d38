"""Trains the network that tells rivals apart: ``python -m training.networks.rivals ONNX PACKS...``.

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
from training.networks.nets import MeanNet, SquareNet, rival_net
from training.networks.restore import Layer
from training.packing.rivals import Pair, changed, unpack
from vision.reading.claim import CLOSE
from vision.reading.rivals import CHANNELS

BATCH = 48


def train(pairs: Sequence[Pair], steps: int, seed: int, start: Sequence[Layer]) -> SquareNet:
    """A network that tells what stands there of these pairs. start: the layers of the one that it is trained on from,
    none for one that knows nothing."""
    often = np.array([pair.often for pair in pairs])
    if not start:
        return fit(rival_net, pairs, often, BATCH, _batch, steps, seed)
    make = partial(trained_on_from, rival_net, start, pairs, often / often.sum(), _batch)
    return fit(make, pairs, often, BATCH, _batch, steps, seed, MORE_RATE)


def _batch(chosen: Sequence[Pair], rng: Generator) -> Batch:
    planes, ways = zip(*(changed(pair, rng) for pair in chosen), strict=True)
    return np.stack(planes), list(ways)


def main() -> None:
    given, starts = parsed_to_train_on(options(__doc__, 9000, [1, 2]), rival_net())
    pairs = [pair for file in given.packs for pair in unpack(file)]
    print(f"{len(pairs)} pairs, as many as {sum(pair.often for pair in pairs):.0f} rivals", flush=True)
    net = MeanNet([train(pairs, given.steps, seed, start) for seed, start in zip(given.seeds, starts, strict=True)])
    write(net, torch.zeros(2, CHANNELS, *CLOSE.shape), given.out)


if __name__ == "__main__":
    main()
