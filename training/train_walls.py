"""Trains the network that tells ships' colours by their walls: ``python -m training.train_walls ONNX PACKS...``.

It is the mean of one for each of ``--seeds``. Trained for twice as many steps they are worse on tables that they have
not seen.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.random import Generator

from companion.games.pacal.pieces import COLOURS
from training.export import write
from training.fitting import Batch, fit, options
from training.network import MeanNet, WallNet
from training.walls import Wall, changed, unpack
from vision.reading.ship_walls import CHANNELS, RAYS, STEPS

OFTENER = ((6.0, 3.0), (10.0, 2.0))
"""Ships that are seen from so nearly above (degrees) are looked at so many times as often as others."""
BATCH = 32


def train(walls: Sequence[Wall], steps: int, seed: int) -> WallNet:
    """A network that tells the colours of these ships."""
    often = np.array([next((more for angle, more in OFTENER if wall.tilt < angle), 1.0) for wall in walls])
    return fit(WallNet, walls, often, BATCH, _batch, steps, seed)


def _batch(chosen: Sequence[Wall], rng: Generator) -> Batch:
    return np.concatenate([changed(wall, rng) for wall in chosen]), [wall.colour for wall in chosen]


def main() -> None:
    given = options(__doc__, 8000, [1, 3])
    walls = [wall for file in given.packs for wall in unpack(file)]
    print(f"{len(walls)} ships, {sum(wall.tilt < OFTENER[0][0] for wall in walls)} from nearly above", flush=True)
    net = MeanNet([train(walls, given.steps, seed) for seed in given.seeds])
    write(net, torch.zeros(len(COLOURS), CHANNELS, RAYS, STEPS), given.out)


if __name__ == "__main__":
    main()
