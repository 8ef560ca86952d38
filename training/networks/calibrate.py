"""By how much a network overstates how sure it is, from set-ups that it has not seen."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from training.networks.examples import Pack
from training.networks.nets import mean_of
from training.networks.squares import TASKS, Floors, Kinds

TEMPERATURES = np.arange(0.8, 4.05, 0.1)
BATCH = 64


def losses_of(task: Kinds | Floors, packs: Sequence[Pack]) -> Tensor:
    """The loss of each square at each temperature (temperatures x squares), but for those under a hand."""
    chosen = [(pack, square) for pack in packs for square in task.squares(pack) if not pack.covered[square]]
    judges = (task.read(chosen[start : start + BATCH], None) for start in range(0, len(chosen), BATCH))
    return torch.cat([torch.stack([judge(t)[0] for t in TEMPERATURES]) for judge in judges], dim=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=TASKS)
    parser.add_argument("--weights", type=Path, nargs="+", required=True, help="of several the mean, as in export")
    parser.add_argument("--packs", type=Path, nargs="+", required=True)
    given = parser.parse_args()
    torch.set_num_threads(1)
    task = TASKS[given.what]()
    task.net.load_state_dict(mean_of(given.weights))
    task.net.eval()
    with torch.no_grad():
        every = losses_of(task, [Pack(file) for file in given.packs])
    means = every.mean(dim=1)
    best = int(means.argmin())
    print(f"{every.shape[1]} squares: loss {means[best]:.4f} at {TEMPERATURES[best]:.1f}; all:")
    print(" ".join(f"{t:.1f}:{loss:.4f}" for t, loss in zip(TEMPERATURES, means.tolist(), strict=True)))


if __name__ == "__main__":
    main()
