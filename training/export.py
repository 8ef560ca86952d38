"""Writes a trained network as the ONNX file that the reader loads: ``python -m training.export kinds OUT WEIGHTS...``.

Of several weights that were trained on from the same ones it takes the mean: as good as asking all of them, for the
price of one (M. Wortsman et al., Model soups, 2022).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor

from training.train import TASKS
from vision.reading.crops import CHANNELS, SIDE


def mean_of(files: Sequence[Path]) -> dict[str, Tensor]:
    """The mean of each weight in some files; what is no float, like a count of batches, from the first of them."""
    every: list[dict[str, Tensor]] = [torch.load(file) for file in files]
    return {
        name: torch.stack([one[name] for one in every]).mean(dim=0) if weight.is_floating_point() else weight
        for name, weight in every[0].items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=TASKS)
    parser.add_argument("out", type=Path)
    parser.add_argument("weights", type=Path, nargs="+")
    given = parser.parse_args()
    net = TASKS[given.what]().net
    net.load_state_dict(mean_of(given.weights))
    net.eval()
    some = torch.zeros(8, CHANNELS, SIDE, SIDE)
    axes = {"crops": {0: "n"}, "scores": {0: "n"}}
    torch.onnx.export(
        net, (some,), str(given.out), input_names=["crops"], output_names=["scores"], dynamic_axes=axes, dynamo=False
    )
    print(given.out.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
