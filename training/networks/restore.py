"""Makes weights to train on from out of an exported network.

``python -m training.networks.restore kinds ONNX OUT --packs ...`` does it. Exported layers have no batch normalisation
any more: it was multiplied into their weights. It is put back so that it changes nothing, with the means and variances
that examples have.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from training.networks.examples import Pack, batch_of, floors_of
from training.networks.nets import SquareNet
from training.networks.squares import TASKS, Floors

Layer: TypeAlias = tuple[Tensor, Tensor]
"""Its weights and biases."""

EXAMPLES = 600
"""So many squares tell the means and variances."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=TASKS)
    parser.add_argument("network", type=Path, help="an ONNX file that training.networks.export wrote")
    parser.add_argument("out", type=Path)
    parser.add_argument("--packs", type=Path, nargs="+", required=True)
    given = parser.parse_args()
    task, rng = TASKS[given.what](), np.random.default_rng(1)
    squares = [(pack, square) for pack in map(Pack, given.packs) for square in task.squares(pack)]
    some = [squares[index] for index in rng.choice(len(squares), min(EXAMPLES, len(squares)), replace=False)]
    with torch.no_grad():
        crops = floors_of(some, None)[0] if isinstance(task, Floors) else batch_of(some, task.window, None).crops
        restore(task.net, layers(given.network), torch.from_numpy(crops))
    torch.save(task.net.state_dict(), given.out)


def layers(network: Path) -> list[Layer]:
    """The weights and the biases of each layer of an exported network."""
    graph = onnx.load(network).graph
    arrays = kept(graph)
    return [(arrays[node.input[1]], arrays[node.input[2]]) for node in graph.node if node.op_type in ("Conv", "Gemm")]


def learning(net: nn.Module) -> list[nn.Conv2d | nn.Linear]:
    """A network's modules that have weights."""
    return [module for module in net.modules() if isinstance(module, nn.Conv2d | nn.Linear)]


def each(mean: Sequence[Layer], net: nn.Module) -> list[Sequence[Layer]]:
    """The layers of each of the networks in a mean, all of which are like this one."""
    many = len(learning(net))
    return [mean[first : first + many] for first in range(0, len(mean), many)]


def kept(graph: onnx.GraphProto) -> dict[str, Tensor]:
    """What an exported network keeps, by name, in single precision."""
    return {one.name: torch.from_numpy(numpy_helper.to_array(one).astype(np.float32)) for one in graph.initializer}


def restore(net: SquareNet, exported: Sequence[Layer], crops: Tensor) -> None:
    """Give a network the exported weights, in the order of its layers."""
    net.eval()
    left, maps = iter(exported), crops
    bias = torch.zeros(0)
    for module in (*net.maps, *net.scores):
        if isinstance(module, nn.Conv2d | nn.Linear):
            weight, bias = next(left)
            module.weight.copy_(weight)
            if module.bias is not None:
                module.bias.copy_(bias)
        elif isinstance(module, nn.BatchNorm2d):
            mean, variance = maps.mean((0, 2, 3)), maps.var((0, 2, 3))
            module.running_mean.copy_(mean)
            module.running_var.copy_(variance)
            module.weight.copy_((variance + module.eps).sqrt())
            module.bias.copy_(bias + mean)
        maps = module(maps)


if __name__ == "__main__":
    main()
