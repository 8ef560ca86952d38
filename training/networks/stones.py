"""Trains the network for stones: ``python -m training.networks.stones ONNX PACKS...``.

It is the mean of one for each of ``--seeds``, and of those in an ONNX file that it wrote before, ``--beside``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.random import Generator

from companion.games.pacal.pieces import COLOURS
from training.networks.export import write
from training.networks.fitting import Batch, fit, options
from training.networks.nets import MeanNet, SetsNet, StoneNet
from training.networks.restore import kept
from training.packing.stones import Found, together, unpack
from vision.reading.stones.features import FEATURES
from vision.reading.stones.fit import FOUND

BATCH = 128


def train(squares: Sequence[Found], steps: int, seed: int) -> StoneNet:
    """A network for stones, fitted to what stands on these squares."""
    rows = np.concatenate([one.seen.reshape(-1, FEATURES) for one in squares])

    def make() -> SetsNet:
        return SetsNet(StoneNet(torch.from_numpy(rows.mean(axis=0)), torch.from_numpy(rows.std(axis=0))))

    return fit(make, squares, np.ones(len(squares)), BATCH, _batch, steps, seed).stones


def _batch(chosen: Sequence[Found], rng: Generator) -> Batch:
    return together(chosen), [one.answer for one in chosen]


def networks(file: Path) -> list[StoneNet]:
    """The networks whose mean this program wrote as an ONNX file."""
    weights = kept(onnx.load(file).graph)
    nets: list[StoneNet] = []
    state: dict[str, torch.Tensor] = {}
    while any(name.startswith(own := f"nets.{len(nets)}.") for name in weights):
        # What a network has as the one before it has it, like the mean of each feature, is written once.
        state |= {name.removeprefix(own): weight for name, weight in weights.items() if name.startswith(own)}
        net = StoneNet(state["mean"], state["scale"])
        net.load_state_dict(state)
        nets.append(net)
    return nets


def main() -> None:
    parser = options(__doc__, 8000, [1, 2])
    parser.add_argument("--beside", type=Path, help="an ONNX file that this program wrote")
    given = parser.parse_args()
    squares = [one for file in given.packs for one in unpack(file)]
    print(f"{len(squares)} squares", flush=True)
    before = [] if given.beside is None else networks(given.beside)
    net = MeanNet([*before, *(train(squares, given.steps, seed) for seed in given.seeds)])
    write(net, torch.zeros(FOUND * len(COLOURS), FEATURES), given.out)


if __name__ == "__main__":
    main()
