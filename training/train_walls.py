"""Trains the network that tells ships' colours by their walls: ``python -m training.train_walls ONNX PACKS...``.

It is the mean of one for each of ``--seeds``. Trained for twice as many steps they are worse on tables that they have
not seen.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from companion.games.pacal.pieces import COLOURS
from training.export import write
from training.network import WallNet, WallNets
from training.walls import Wall, changed, unpack
from vision.reading.ship_walls import CHANNELS, RAYS, STEPS

OFTENER = ((6.0, 3.0), (10.0, 2.0))
"""Ships that are seen from so nearly above (degrees) are looked at so many times as often as others."""
BATCH, SMOOTHING, RATE, DECAY = 32, 0.005, 3e-3, 0.02


def train(walls: Sequence[Wall], steps: int, seed: int) -> WallNet:
    """A network that tells the colours of these ships."""
    # One thread: sums are then made in one order, and the same seed gives the same network.
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net = WallNet()
    optimiser = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=DECAY)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps)
    often = np.array([next((more for angle, more in OFTENER if wall.tilt < angle), 1.0) for wall in walls])
    losses = []
    for step in range(1, steps + 1):
        chosen = [walls[int(index)] for index in rng.choice(len(walls), BATCH, p=often / often.sum())]
        planes = torch.from_numpy(np.concatenate([changed(wall, rng) for wall in chosen]))
        truth = torch.tensor([wall.colour for wall in chosen])
        loss = functional.cross_entropy(net(planes).view(-1, len(COLOURS)), truth, label_smoothing=SMOOTHING)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        plan.step()
        losses.append(float(loss.detach()))
        if step % max(steps // 8, 1) == 0:
            print(f"step {step}: loss {np.mean(losses[-steps // 8 :]):.4f}", flush=True)
    return net


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("packs", type=Path, nargs="+")
    parser.add_argument("--steps", type=int, default=8000)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 3])
    given = parser.parse_args()
    walls = [wall for file in given.packs for wall in unpack(file)]
    print(f"{len(walls)} ships, {sum(wall.tilt < OFTENER[0][0] for wall in walls)} from nearly above", flush=True)
    net = WallNets([train(walls, given.steps, seed) for seed in given.seeds])
    write(net, torch.zeros(len(COLOURS), CHANNELS, RAYS, STEPS), given.out)


if __name__ == "__main__":
    main()
