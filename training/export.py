"""Writes a trained network as the ONNX file that the reader loads: ``python -m training.export kinds WEIGHTS OUT``."""

from __future__ import annotations

import sys
from pathlib import Path

import torch

from training.train import TASKS
from vision.reading.crops import CHANNELS, SIDE


def main() -> None:
    net = TASKS[sys.argv[1]]().net
    net.load_state_dict(torch.load(sys.argv[2]))
    net.eval()
    some = torch.zeros(8, CHANNELS, SIDE, SIDE)
    axes = {"crops": {0: "n"}, "scores": {0: "n"}}
    torch.onnx.export(
        net, (some,), sys.argv[3], input_names=["crops"], output_names=["scores"], dynamic_axes=axes, dynamo=False
    )
    print(Path(sys.argv[3]).stat().st_size, "bytes")


if __name__ == "__main__":
    main()
