"""Trains a network that reads squares, one of ``TASKS``.

``python -m training.networks.squares kinds OUT --train PACKS... --test PACKS...``
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from training.networks.examples import Pack, batch_of, drawn_by_chance, floors_of, pyramids
from training.networks.nets import (
    COVER_COUNTS,
    KINDS,
    best_of,
    cover_loss,
    floor_net,
    kind_net,
    loss_of,
    mean_of,
    quick_floor_net,
    quick_kind_net,
    spread,
)
from vision.reading.crops import COARSE, NEAR, WHOLE, Window
from vision.reading.pacal import BARE_SHOWN

BATCH = 48
RENDERED, DRAWN = 4.0, 1.0
"""How often rendered pictures are looked at beside those that were only drawn."""
Chosen: TypeAlias = Sequence[tuple[Pack, int]]
Judge: TypeAlias = Callable[[float], tuple[Tensor, Tensor]]
"""Of what a network said of some squares: the loss of each when its scores are divided by a temperature, and whether it
is read right."""


class Kinds:
    """What stands on a square."""

    def __init__(self, net: nn.Module, window: Window) -> None:
        self.net, self.window = net, window

    def squares(self, pack: Pack) -> list[int]:
        return [int(square) for square in pack.squares]

    def read(self, chosen: Chosen, rng: np.random.Generator | None) -> Judge:
        batch = batch_of(chosen, self.window, rng)
        scores = self.net(torch.from_numpy(batch.crops))
        squares, colours = torch.from_numpy(batch.squares), torch.from_numpy(batch.colours)
        truth = torch.from_numpy(np.minimum(batch.truth, KINDS))
        covers = COVER_COUNTS * cover_loss(scores[:, KINDS], squares, torch.from_numpy(batch.cover))

        def judge(temperature: float) -> tuple[Tensor, Tensor]:
            every = spread(scores[:, :KINDS] / temperature, squares, colours, len(truth))
            return loss_of(every, truth) + covers, (best_of(every)[0] == truth).all(dim=1)

        return judge


class Floors:
    """How many floors a pyramid has."""

    window = NEAR

    def __init__(self, net: nn.Module) -> None:
        self.net = net

    def squares(self, pack: Pack) -> list[int]:
        return pyramids(pack)

    def read(self, chosen: Chosen, rng: np.random.Generator | None) -> Judge:
        crops, floors = floors_of(chosen, rng)
        scores = self.net(torch.from_numpy(crops))
        truth = torch.from_numpy(floors)

        def judge(temperature: float) -> tuple[Tensor, Tensor]:
            losses = functional.cross_entropy(scores / temperature, truth, reduction="none")
            return losses, scores.argmax(dim=1) == truth

        return judge


TASKS: Mapping[str, Callable[[], Kinds | Floors]] = {
    "kinds": lambda: Kinds(kind_net(), WHOLE),
    "quick-kinds": lambda: Kinds(quick_kind_net(), COARSE),
    "floors": lambda: Floors(floor_net()),
    "quick-floors": lambda: Floors(quick_floor_net()),
}


def report(task: Kinds | Floors, packs: Sequence[Pack]) -> None:
    """Print how a network reads set-ups."""
    task.net.eval()
    for pack in packs:
        all_ = [(pack, square) for square in task.squares(pack)]
        with torch.no_grad():
            found = [task.read(all_[start : start + 64], None)(1.0) for start in range(0, len(all_), 64)]
        losses, right = (torch.cat([one[part] for one in found]) for part in (0, 1))
        print(f"  {pack.name}: loss {losses.mean():.4f}, wrong {int((~right).sum())} of {len(right)}", flush=True)
    task.net.train()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=TASKS)
    parser.add_argument("out", type=Path)
    parser.add_argument("--train", type=Path, nargs="+", required=True)
    parser.add_argument("--test", type=Path, nargs="*", default=[])
    parser.add_argument("--start", type=Path, nargs="+", help="weights to begin with; of several the mean")
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    # One thread: sums are then made in one order, and the same seed gives the same network.
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(given.seed)
    rng = np.random.default_rng(given.seed)
    task = TASKS[given.what]()
    if given.start:
        task.net.load_state_dict(mean_of(given.start))
    packs, tests = [Pack(file) for file in given.train], [Pack(file) for file in given.test]
    squares = [(pack, square) for pack in packs for square in task.squares(pack)]
    weights = [
        (DRAWN if pack.name.startswith("drawn") else RENDERED) * (1.0 if pack.truth[square].any() else BARE_SHOWN)
        for pack, square in squares
    ]
    print(f"{len(packs)} set-ups, {len(squares)} squares, {sum(pack.lost for pack in packs)} lost", flush=True)
    optimiser = torch.optim.AdamW(task.net.parameters(), lr=given.rate, weight_decay=0.02)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimiser, given.rate, total_steps=given.steps, pct_start=0.15)
    began, losses = time.time(), []
    for step, chosen in enumerate(drawn_by_chance(squares, weights, BATCH, given.steps, rng), 1):
        loss = task.read(chosen, rng)(1.0)[0].mean()
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(task.net.parameters(), 2.0)
        optimiser.step()
        plan.step()
        losses.append(float(loss.detach()))
        if step % max(given.steps // 8, 1) == 0 or step == given.steps:
            recent = np.mean(losses[-given.steps // 8 :])
            print(f"step {step}: loss {recent:.4f}, {time.time() - began:.0f} s", flush=True)
            report(task, tests)
            torch.save(task.net.state_dict(), given.out)


if __name__ == "__main__":
    main()
