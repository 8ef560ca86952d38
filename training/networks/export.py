"""Writes a trained network as the ONNX file that the reader loads.

``python -m training.networks.export kinds OUT WEIGHTS...`` takes the mean of several weights
(``training.networks.nets.mean_of``). They are kept in half precision, which OpenCV reads as well: that halves the file,
and changes no score by more than a hundredth.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from training.networks.nets import CHANNELS, mean_of
from training.networks.squares import TASKS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=TASKS)
    parser.add_argument("out", type=Path)
    parser.add_argument("weights", type=Path, nargs="+")
    given = parser.parse_args()
    task = TASKS[given.what]()
    net = task.net
    net.load_state_dict(mean_of(given.weights))
    write(net, torch.zeros(8, CHANNELS[task.window], *task.window.shape), given.out)
    print(given.out.stat().st_size, "bytes")


def write(net: nn.Module, some: Tensor, file: Path) -> None:
    """Write a network as the ONNX file that the reader loads. some: any that it may be shown, N x channels x height x
    width.

    The graph says that weights are single, while they are kept in half precision: OpenCV makes them so again.
    """
    net.eval()
    axes = {"crops": {0: "n"}, "scores": {0: "n"}}
    torch.onnx.export(
        net, (some,), str(file), input_names=["crops"], output_names=["scores"], dynamic_axes=axes, dynamo=False
    )
    model = onnx.load(file)
    for tensor in model.graph.initializer:
        weights = numpy_helper.to_array(tensor)
        if weights.dtype == np.float32:
            tensor.CopyFrom(numpy_helper.from_array(weights.astype(np.float16), tensor.name))
    file.write_bytes(model.SerializeToString())


if __name__ == "__main__":
    main()
