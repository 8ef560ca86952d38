"""Fits a network to examples that are drawn and changed by chance."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias, TypeVar

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from training.networks.nets import SquareNet
from training.networks.restore import EXAMPLES, Layer, each, layers, restore

RATE, MORE_RATE, DECAY, SMOOTHING = 3e-3, 1.5e-3, 0.02, 0.005
"""The rate of learning, that of what has learned before, and how far weights and right answers are held back."""

Batch: TypeAlias = tuple[NDArray[np.float32], list[int]]
"""What a network sees, and of each example which of the answers is right."""
Net = TypeVar("Net", bound=nn.Module)
Item = TypeVar("Item")


def fit(
    make: Callable[[], Net],
    examples: Sequence[Item],
    often: NDArray[np.float64],
    many: int,
    batch: Callable[[Sequence[Item], Generator], Batch],
    steps: int,
    seed: int,
    rate: float = RATE,
) -> Net:
    """A network, made and fitted to so many batches of so many examples.

    often: how often each example is drawn beside the others. batch: what the network sees of some, changed by chance;
    it may give the scores of an example's answers in one row or in several. rate: of learning, at most.
    """
    # One thread: sums are then made in one order, and the same seed gives the same network.
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net = make()
    share = often / often.sum()

    def loss() -> Tensor:
        chosen = [examples[int(index)] for index in rng.choice(len(examples), many, p=share)]
        planes, right = batch(chosen, rng)
        scores = net(torch.from_numpy(planes)).view(len(right), -1)
        return functional.cross_entropy(scores, torch.tensor(right), label_smoothing=SMOOTHING)

    descend(net, loss, steps, rate)
    return net


def descend(
    net: nn.Module, loss_of: Callable[[], Tensor], steps: int, rate: float = RATE, decay: float = DECAY
) -> None:
    """Fit a network in so many steps. loss_of: its loss on some examples that are drawn by chance. rate: of learning,
    at most. decay: how far weights are held back."""
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=decay)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps)
    losses = []
    for step in range(1, steps + 1):
        loss = loss_of()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        plan.step()
        losses.append(float(loss.detach()))
        if step % max(steps // 8, 1) == 0:
            print(f"step {step}: loss {np.mean(losses[-steps // 8 :]):.4f}", flush=True)


def trained_on_from(
    make: Callable[[], SquareNet],
    start: Sequence[Layer],
    examples: Sequence[Item],
    share: NDArray[np.float64] | None,
    batch: Callable[[Sequence[Item], Generator], Batch],
) -> SquareNet:
    """A network with the layers of another, to be trained on. share: how often each of the examples is drawn that tell
    the means and variances of its maps, of 1 in all; None for all as often."""
    net, rng = make(), np.random.default_rng(1)
    some, _ = batch([examples[index] for index in rng.choice(len(examples), EXAMPLES, p=share).tolist()], rng)
    with torch.no_grad():
        restore(net, start, torch.from_numpy(some))
    net.train()
    return net


def options(about: str | None, steps: int, seeds: Sequence[int]) -> argparse.ArgumentParser:
    """Reads what a program that trains the mean of some networks is told: ``out``, ``packs``, ``steps`` and ``seeds``.

    about: what the program does. steps, seeds: what is usual.
    """
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("out", type=Path, help="the ONNX file")
    parser.add_argument("packs", type=Path, nargs="+")
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--seeds", type=int, nargs="+", default=seeds)
    return parser


def parsed_to_train_on(
    parser: argparse.ArgumentParser, net: nn.Module
) -> tuple[argparse.Namespace, list[Sequence[Layer]]]:
    """What such a program is told, also ``--start``; and of each of its networks the layers that it is trained on from,
    none if it knows nothing. net: any network like them."""
    parser.add_argument("--start", type=Path, help="an ONNX file that this program wrote, of as many networks as seeds")
    given = parser.parse_args()
    if given.start is None:
        return given, [()] * len(given.seeds)
    starts = each(layers(given.start), net)
    if len(starts) != len(given.seeds):
        parser.error(
            f"{given.start} is a mean of {len(starts)}: as many --seeds were expected, {len(given.seeds)} came"
        )
    return given, starts
