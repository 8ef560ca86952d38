"""Trains the network that tells ships' colours by their walls: ``python -m training.networks.walls ONNX PACKS...``.

It is the mean of one for each of ``--seeds``. With ``--start`` each is trained on from one of the networks in that
file, and these are part of the mean, but for those ``--without``: they know tables that what is trained on forgets.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import torch
from numpy.random import Generator

from companion.games.pacal.pieces import COLOURS
from training.networks.export import write
from training.networks.fitting import MORE_RATE, RATE, Batch, fit, options, parsed_to_train_on
from training.networks.nets import MeanNet, SquareNet, wall_net
from training.networks.restore import Layer, learning
from training.packing.walls import Wall, changed, unpack
from vision.reading.ships.walls import CHANNELS, RAYS, STEPS

OFTENER = ((6.0, 3.0), (10.0, 2.0))
"""Ships that are seen from so nearly above (degrees) are looked at so many times as often as others."""
BATCH = 32


def train(walls: Sequence[Wall], steps: int, seed: int, start: Sequence[Layer]) -> SquareNet:
    """A network that tells the colours of these ships. start: the layers of the one that it is trained on from, none
    for one that knows nothing."""
    often = np.array([next((more for angle, more in OFTENER if wall.tilt < angle), 1.0) for wall in walls])
    make, rate = (partial(_with_layers, start), MORE_RATE) if start else (wall_net, RATE)
    return fit(make, walls, often, BATCH, _batch, steps, seed, rate)


def _with_layers(start: Sequence[Layer]) -> SquareNet:
    """A network with such layers."""
    net = wall_net()
    with torch.no_grad():
        for module, (weight, bias) in zip(learning(net), start, strict=True):
            module.weight.copy_(weight)
            module.bias.copy_(bias)
    return net


def _batch(chosen: Sequence[Wall], rng: Generator) -> Batch:
    planes, colours = zip(*(changed(wall, chosen, rng) for wall in chosen), strict=True)
    return np.concatenate(planes), list(colours)


def main() -> None:
    parser = options(__doc__, 6000, [1, 3])
    parser.add_argument(
        "--without", type=int, nargs="*", default=[], help="which networks in START are no part of the mean, from 0 on"
    )
    given, starts = parsed_to_train_on(parser, wall_net())
    walls = [wall for file in given.packs for wall in unpack(file)]
    print(f"{len(walls)} ships, {sum(wall.tilt < OFTENER[0][0] for wall in walls)} from nearly above", flush=True)
    trained = [train(walls, given.steps, seed, start) for seed, start in zip(given.seeds, starts, strict=True)]
    beside = [start for number, start in enumerate(starts) if start and number not in given.without]
    net = MeanNet([*trained, *map(_with_layers, beside)])
    write(net, torch.zeros(len(COLOURS), CHANNELS, RAYS, STEPS), given.out)


if __name__ == "__main__":
    main()
