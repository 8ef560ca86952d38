"""The networks that read squares, and how well the scores of those for kinds fit what was there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.reading.crops import COARSE, NEAR, WHOLE
from vision.reading.die.templates import FACES
from vision.reading.odds import SETS
from vision.reading.pyramids.close_look import CHANNELS as CLOSE_CHANNELS
from vision.reading.rivals import CHANNELS as RIVAL_CHANNELS
from vision.reading.rivals import WAYS
from vision.reading.ships.walls import CHANNELS as WALL_CHANNELS
from vision.reading.stones.colours import CHANNELS as STONE_CHANNELS
from vision.reading.stones.features import FEATURES
from vision.reading.stones.finder import UNFOUND

KINDS = 3
"""What of a colour can be on a square: a stone, a ship, a pyramid. Nothing scores 0."""
FLOORS = 5
CHANNELS = {WHOLE: 16, COARSE: 12, NEAR: 16}
"""The planes of each sort of crops: coarse ones have no details."""
NOT_ASKED = -12.0
"""The score of all that is not asked after."""
STONE_WIDTH, STONE_NOISE = 24, 0.05
"""How many values each layer of the network for stones has, and by how much what it sees is changed by chance in
training (standard deviations)."""
COVER_COUNTS = 0.3
"""How much it counts whether something lies over a square, beside what stands there."""


def _layer(inputs: int, outputs: int, stride: int, side: int = 3) -> list[nn.Module]:
    return [nn.Conv2d(inputs, outputs, side, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()]


def _patches(inputs: int, outputs: int, side: int) -> list[nn.Module]:
    """The same, of patches of such a side that do not overlap: what is cheapest to begin with."""
    return [nn.Conv2d(inputs, outputs, side, side, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()]


def _decision(inputs: int, hidden: int, dropped: float, outputs: int) -> list[nn.Module]:
    return [nn.Linear(inputs, hidden), nn.ReLU(), nn.Dropout(dropped), nn.Linear(hidden, outputs)]


class SquareNet(nn.Module):
    """Layers that make maps of crops, and layers that make scores of those."""

    def __init__(self, maps: Sequence[nn.Module], scores: Sequence[nn.Module]) -> None:
        super().__init__()
        self.maps, self.scores = nn.Sequential(*maps), nn.Sequential(*scores)

    def forward(self, crops: Tensor) -> Tensor:
        scores: Tensor = self.scores(self.maps(crops))
        return scores


def kind_net() -> SquareNet:
    """From whole crops (N x channels x height x width) to scores of a stone, a ship and a pyramid of their colour, and
    of something that lies over the square, like a hand (N x 4)."""
    return SquareNet(
        [*_layer(CHANNELS[WHOLE], 20, 2), *_layer(20, 28, 2), *_layer(28, 28, 1), *_layer(28, 40, 2),
         *_layer(40, 40, 1)],
        [nn.Flatten(), *_decision(40 * 36, 64, 0.2, KINDS + 1)],
    )  # fmt: skip


def quick_kind_net() -> SquareNet:
    """The same from coarse crops, for those that are plain, in a fifth of the time."""
    return SquareNet(
        [*_patches(CHANNELS[COARSE], 24, 2), *_layer(24, 32, 2), *_layer(32, 32, 1)],
        [nn.Flatten(), *_decision(32 * 36, 48, 0.1, KINDS + 1)],
    )


def floor_net() -> SquareNet:
    """From near crops of pyramids to scores of one to five floors (N x 5)."""
    return SquareNet(
        [*_layer(CHANNELS[NEAR], 24, 1), *_layer(24, 40, 2), *_layer(40, 40, 1), *_layer(40, 40, 1),
         *_layer(40, 64, 2), *_layer(64, 64, 1), nn.AvgPool2d(2), nn.Flatten()],
        _decision(64 * 16, 64, 0.3, FLOORS),
    )  # fmt: skip


def quick_floor_net() -> SquareNet:
    """The same for a third of the time, for pyramids that are plain."""
    return SquareNet(
        [*_patches(CHANNELS[NEAR], 24, 2), *_layer(24, 32, 1), *_layer(32, 40, 2), *_layer(40, 40, 1),
         nn.AvgPool2d(2), nn.Flatten()],
        _decision(40 * 16, 40, 0.2, FLOORS),
    )  # fmt: skip


def close_net() -> SquareNet:
    """From close-ups of pyramids (``vision.reading.pyramids.close_look``) to scores of one to five floors (N x 5)."""
    return SquareNet(
        [*_layer(CLOSE_CHANNELS, 16, 2, side=4), *_layer(16, 32, 2), *_layer(32, 32, 1), *_layer(32, 48, 2),
         *_layer(48, 48, 1), *_layer(48, 64, 2), nn.Dropout2d(0.1), nn.Flatten()],
        _decision(64 * 36, 64, 0.3, FLOORS),
    )  # fmt: skip


def rival_net() -> SquareNet:
    """From what is seen of two colours (``vision.reading.rivals``) to scores of the ways in which they may be there."""
    return SquareNet(
        [*_layer(RIVAL_CHANNELS, 20, 2, side=4), *_layer(20, 32, 2), *_layer(32, 32, 1), *_layer(32, 48, 2),
         *_layer(48, 48, 1), *_layer(48, 48, 2), nn.Dropout2d(0.1), nn.Flatten()],
        _decision(48 * 16, 48, 0.3, WAYS),
    )  # fmt: skip


def die_place_net() -> SquareNet:
    """From small pictures (N x 3 x height x width) to scores of a die in each cell (N x 1 x height / 4 x width / 4)."""
    return SquareNet(
        [*_layer(3, 8, 2), *_layer(8, 16, 2), *_layer(16, 16, 1), *_layer(16, 20, 1), *_layer(20, 20, 1)],
        [nn.Conv2d(20, 1, 1)],
    )


def die_face_net() -> SquareNet:
    """From patches in which a die may be to scores of none and of each face (N x 6)."""
    return SquareNet(
        [*_layer(4, 12, 1), *_layer(12, 20, 2), *_layer(20, 28, 2), *_layer(28, 24, 2)],
        [nn.Flatten(), *_decision(24 * 25, 20, 0.1, len(FACES) + 1)],
    )


class MeanAndMost(nn.Module):
    """Of each map its mean and the most of it, wherever that is: N x (2 maps)."""

    def forward(self, maps: Tensor) -> Tensor:
        return torch.cat([maps.mean((2, 3)), maps.amax((2, 3))], 1)


def wall_net() -> SquareNet:
    """From strips of ships' walls, each asked after one colour (``vision.reading.ships.walls``, N x 12 x rays x steps),
    to how well that colour fits (N x 1)."""
    return SquareNet(
        [nn.Conv2d(WALL_CHANNELS, 16, 1), nn.ReLU(), nn.Conv2d(16, 16, 3, 1, 1), nn.ReLU(),
         nn.Conv2d(16, 16, 3, 2, 1), nn.ReLU(), nn.Conv2d(16, 32, 3, 2, 1), nn.ReLU(), nn.Dropout2d(0.2),
         MeanAndMost()],
        [nn.Linear(64, 24), nn.ReLU(), nn.Linear(24, 1)],
    )  # fmt: skip


def stone_colour_net() -> SquareNet:
    """From what is seen of stones, each asked after one colour (``vision.reading.stones.colours``, N x channels x
    height x width), to how well that colour fits (N x 1)."""
    return SquareNet(
        [*_layer(STONE_CHANNELS, 12, 2, side=4), *_layer(12, 16, 1), *_layer(16, 24, 2), *_layer(24, 24, 2),
         nn.Dropout2d(0.1), MeanAndMost()],
        [nn.Linear(48, 16), nn.ReLU(), nn.Linear(16, 1)],
    )  # fmt: skip


class StoneNet(nn.Module):
    """From what is seen of stones that may lie on squares (``vision.reading.stones.features``, N x features) to the
    logarithms of odds that each is a stone of a colour (N x 1)."""

    def __init__(self, mean: Tensor, spread: Tensor) -> None:
        """mean, spread: of each feature."""
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("scale", 1 / (spread + 1e-3))
        self.scores = nn.Sequential(
            nn.Linear(len(mean), STONE_WIDTH), nn.ReLU(), nn.Linear(STONE_WIDTH, STONE_WIDTH), nn.ReLU(),
            nn.Linear(STONE_WIDTH, 1),
        )  # fmt: skip

    def forward(self, features: Tensor) -> Tensor:
        usual = ((features - self.mean) * self.scale).clamp(-4, 4)
        if self.training:
            usual = usual + STONE_NOISE * torch.randn_like(usual)
        scores: Tensor = self.scores(usual)
        return scores


class SetsNet(nn.Module):
    """From the stones that may lie on squares (``training.packing.stones.together``) to scores of all sets of stones,
    as ``vision.reading.stones.finder.likely_sets`` makes them, and of anything else: N x (sets + 1)."""

    def __init__(self, stones: StoneNet) -> None:
        super().__init__()
        self.stones = stones
        self.other = nn.Parameter(torch.zeros(1))

    def forward(self, seen: Tensor) -> Tensor:
        many, found, colours, _ = seen.shape
        said = self.stones(seen[..., :-1].reshape(-1, FEATURES)).view(many, found, colours)
        odds = said.clamp(-30, 12).exp() * seen[..., -1]
        # See ``likely_sets``: the same sums, for many squares at once.
        everything = torch.arange(1 << found)
        ways: dict[tuple[int, ...], Tensor] = {(): (everything == 0).float().expand(many, -1)}
        for chosen in SETS[1:]:
            before = ways[chosen[:-1]]
            now = before * math.exp(UNFOUND)
            for stone in range(found):
                has_it = (everything >> stone & 1).float()
                now = now + has_it * before[:, everything & ~(1 << stone)] * odds[:, stone, chosen[-1], None]
            ways[chosen] = now
        scores = torch.stack([ways[chosen].sum(dim=1) for chosen in SETS], dim=1).clamp_min(1e-30).log()
        return torch.cat([scores, self.other.expand(many, 1)], dim=1)


class MeanNet(nn.Module):
    """The mean of what several networks say: they overstate less how sure they are than each of them."""

    def __init__(self, nets: Sequence[nn.Module]) -> None:
        super().__init__()
        self.nets = nn.ModuleList(nets)

    def forward(self, crops: Tensor) -> Tensor:
        # Plain sums: OpenCV misreads the mean of a stack.
        first: Tensor
        first, *others = (net(crops) for net in self.nets)
        for one in others:
            first = first + one
        return first / len(self.nets)


def spread(scores: Tensor, squares: Tensor, colours: Tensor, count: int) -> Tensor:
    """The scores of pairs of square and colour as count x 5 x 3, what was not asked after being next to impossible."""
    every = torch.full((count, 5, KINDS), NOT_ASKED, dtype=scores.dtype)
    return every.index_put((squares, colours), scores)


def log_total(every: Tensor) -> Tensor:
    """The logarithm of what all contents of each square weigh together."""
    stones = functional.softplus(every[..., 0]).sum(dim=1, keepdim=True)
    return torch.logsumexp(torch.cat([stones, every[..., 1:].flatten(1)], dim=1), dim=1)


def loss_of(every: Tensor, truth: Tensor) -> Tensor:
    """Minus the log probability of what is on each square (truth: count x 5, the kind of each colour, 0 for none)."""
    scores = functional.pad(every, (1, 0))
    return log_total(every) - scores.gather(2, truth[..., None])[..., 0].sum(dim=1)


def cover_loss(scores: Tensor, squares: Tensor, cover: Tensor) -> Tensor:
    """Minus the log probability of how surely something lies over each square (``cover``), by the scores of its crops,
    which are of the squares ``squares``."""
    losses = functional.binary_cross_entropy_with_logits(scores, cover[squares], reduction="none")
    return torch.zeros_like(cover).index_add(0, squares, losses) / torch.bincount(squares, minlength=len(cover))


def best_of(every: Tensor) -> tuple[Tensor, Tensor]:
    """The most likely content of each square (count x 5 kinds) and its probability."""
    count = len(every)
    stones = every[..., 0].clamp(min=0).sum(dim=1)
    big, where = every[..., 1:].flatten(1).max(dim=1)
    found = (every[..., 0] > 0).long()
    single = torch.zeros_like(found)
    single[torch.arange(count), where // (KINDS - 1)] = where % (KINDS - 1) + 2
    found = torch.where((big > stones)[:, None], single, found)
    return found, (torch.maximum(big, stones) - log_total(every)).exp()


def mean_of(files: Sequence[Path]) -> dict[str, Tensor]:
    """The mean of weights that were trained on from the same ones; what is no float, like a count of batches, from the
    first of them.

    About as good as asking all of these networks, for the price of one. Source: M. Wortsman et al., Model soups, 2022.
    """
    every: list[dict[str, Tensor]] = [torch.load(file) for file in files]
    return {
        name: torch.stack([one[name] for one in every]).mean(dim=0) if weight.is_floating_point() else weight
        for name, weight in every[0].items()
    }
