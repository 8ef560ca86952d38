"""By how much a network overstates how sure it is, from set-ups that it has not seen."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from training.examples import Pack, batch_of, floors_of, pyramids
from training.network import KINDS, FloorNet, KindNet, loss_of, spread

TEMPERATURES = np.arange(0.8, 4.05, 0.1)
BATCH = 64


def kind_losses(weights: Path, packs: list[Pack]) -> Tensor:
    """The loss of each square at each temperature: temperatures x squares."""
    net = KindNet()
    net.load_state_dict(torch.load(weights))
    net.eval()
    chosen = [(pack, int(square)) for pack in packs for square in pack.squares if not pack.covered[square]]
    losses = []
    for start in range(0, len(chosen), BATCH):
        batch = batch_of(chosen[start : start + BATCH], None)
        scores = net(torch.from_numpy(batch.crops))
        truth = torch.from_numpy(np.minimum(batch.truth, KINDS))
        squares, colours = torch.from_numpy(batch.squares), torch.from_numpy(batch.colours)
        losses.append(
            torch.stack([loss_of(spread(scores / t, squares, colours, len(truth)), truth) for t in TEMPERATURES])
        )
    return torch.cat(losses, dim=1)


def floor_losses(weights: Path, packs: list[Pack]) -> Tensor:
    """The same of each pyramid."""
    net = FloorNet()
    net.load_state_dict(torch.load(weights))
    net.eval()
    chosen = [(pack, square) for pack in packs for square in pyramids(pack)]
    losses = []
    for start in range(0, len(chosen), BATCH):
        crops, floors = floors_of(chosen[start : start + BATCH], None)
        scores, truth = net(torch.from_numpy(crops)), torch.from_numpy(floors)
        losses.append(
            torch.stack([functional.cross_entropy(scores / t, truth, reduction="none") for t in TEMPERATURES])
        )
    return torch.cat(losses, dim=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("kinds", "floors"))
    parser.add_argument("weights", type=Path)
    parser.add_argument("packs", type=Path, nargs="+")
    given = parser.parse_args()
    torch.set_num_threads(1)
    packs = [Pack(file) for file in given.packs]
    with torch.no_grad():
        every = (kind_losses if given.what == "kinds" else floor_losses)(given.weights, packs)
    means = every.mean(dim=1)
    best = int(means.argmin())
    print(f"{every.shape[1]} squares: loss {means[best]:.4f} at {TEMPERATURES[best]:.1f}; all:")
    print(" ".join(f"{t:.1f}:{loss:.4f}" for t, loss in zip(TEMPERATURES, means.tolist(), strict=True)))


if __name__ == "__main__":
    main()
