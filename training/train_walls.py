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
from training.export import halve
from training.network import WallNet, WallNets
from training.walls import Wall, changed, unpack
from vision.reading.ship_walls import CHANNELS, RAYS, STEPS

STEEP = ((6.0, 3.0), (10.0, 2.0))
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
    often = np.array([next((more for angle, more in STEEP if wall.tilt < angle), 1.0) for wall in walls])
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
    net.eval()
    return net


def write(nets: Sequence[WallNet], file: Path) -> None:
    """Write the mean of some networks as the ONNX file that the reader loads."""
    net = WallNets(nets).eval()
    some = torch.zeros(len(COLOURS), CHANNELS, RAYS, STEPS)
    axes = {"strips": {0: "n"}, "scores": {0: "n"}}
    torch.onnx.export(
        net, (some,), str(file), input_names=["strips"], output_names=["scores"], dynamic_axes=axes, dynamo=False
    )
    halve(file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("packs", type=Path, nargs="+")
    parser.add_argument("--steps", type=int, default=8000)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 3])
    given = parser.parse_args()
    walls = [wall for file in given.packs for wall in unpack(file)]
    print(f"{len(walls)} ships, {sum(wall.tilt < STEEP[0][0] for wall in walls)} from nearly above", flush=True)
    write([train(walls, given.steps, seed) for seed in given.seeds], given.out)


if __name__ == "__main__":
    main()
