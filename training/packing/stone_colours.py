"""Packs stones that lie there, for the network that tells their colours (``vision/reading/stones/colours.py``).

``python -m training.packing.stone_colours OUT SETUPS... --spoilt 1`` makes them of some squares of all pictures of
set-up folders.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS, Stones
from training.packing.packs import looked_at, pack_folders
from training.packing.pictures import Example
from vision.geometry import Floats
from vision.logarithms import GAMMA, levels_without, opponent
from vision.reading.claim import Claim
from vision.reading.crops import Planes
from vision.reading.nets import load
from vision.reading.odds import colours_of
from vision.reading.stones.colours import ABOUT, StoneView, planes
from vision.reading.stones.finder import NETWORK, said_of
from vision.reading.stones.fit import Patch, find_stones
from vision.reading.stones.outline import MARGIN
from vision.teaching.setup_folder import Setup

SQUARES = 16
"""Of each picture so many squares with stones are packed."""
WHITE, MUCH_WHITE, UNEVEN = 0.7, (0.04, 2.0), 0.5
"""How often a lamp is mirrored in a stone, how much white it adds, beside a white sheet, and by which share of that
more or less at a face's ends."""
WARM, LEAST_BLUE, LEAST = 0.6, 0.45, 0.8
"""How often a lamp is warm, and how little blue it has then; any other has as much of each channel at least."""
SHARPENED, SHARP_PX, SOFT_PX = 1.0, 1.0, 0.6
"""By how much a camera sharpens that at most, over what width, and how soft its edge is."""
NOISY, NOISE = 0.4, 12.0
"""How often the picture is noisy, and by how many grey levels at most."""
GAIN_OFF, CHANNELS_OFF, LOOKS_OFF = 0.1, 0.04, (0.03, 0.03, 0.06)
"""By how much the light is off by chance, all of it and each channel (logarithms), and what colours look like (opponent
logarithms)."""


@dataclass(frozen=True)
class Lain:
    """A stone that lies there: what is seen of it, the gain of the light there (3), what all colours look like (5 x 3),
    and which it has."""

    view: StoneView
    gain: NDArray[np.float32]
    looks: Floats
    colour: int


def pack(setup: Setup, examples: Iterator[Example], seed: int) -> dict[str, NDArray[Any]]:
    """The stones on some squares of a set-up's examples as arrays."""
    rng, net = np.random.default_rng(seed), load(NETWORK)
    views: list[StoneView] = []
    gains, colours, means = [], [], np.zeros((len(COLOURS), 3))
    for example, scene, looks in looked_at(setup, examples):
        means = looks.means[: len(COLOURS)]
        stones = {name: piece for name, piece in example.squares.items() if isinstance(piece, Stones)}
        names = sorted(filter(example.shows, stones))
        for name in rng.permutation(names)[:SQUARES].tolist():
            claim = Claim.of(scene, name, MARGIN)
            patch = Patch.of(claim, looks)
            if not (found := find_stones(patch)):
                continue
            for stone, colour in whose(said_of(net, patch, found, looks), colours_of(stones[name]) or ()):
                window, _ = patch.about(found[stone])
                views.append(StoneView.of(patch, found[stone]))
                gains.append(claim.fine_gain[window][ABOUT].mean(axis=(0, 1)))
                colours.append(colour)
    return {
        "seen": np.array([view.seen for view in views], np.float16),
        "empties": np.array([view.empty for view in views], np.float16),
        "pictures": np.array([view.picture for view in views], np.uint8),
        "gains": np.array(gains, np.float32),
        "tops": np.array([view.top for view in views], np.bool_),
        "sides": np.array([view.sides for view in views], np.bool_),
        "colours": np.array(colours, np.int64),
        "looks": means.astype(np.float32),
    }


def whose(said: Floats, colours: Sequence[int]) -> list[tuple[int, int]]:
    """Which of the stones that were found on a square are its own, and the colour of each: as is likeliest by what the
    network for stones says of them (stones x colours), but for those that it takes for none.

    colours: of the stones that lie there.
    """
    if len(said) < len(colours):
        return []
    best: tuple[int, ...] = max(
        permutations(range(len(said)), len(colours)),
        key=lambda stones: sum(said[stone, colour] for stone, colour in zip(stones, colours, strict=True)),
    )
    pairs = zip(best, colours, strict=True)
    return [(stone, colour) for stone, colour in pairs if np.logaddexp.reduce(said[stone]) > 0]


def unpack(file: Path) -> list[Lain]:
    """The stones in a file that ``pack`` made."""
    with np.load(file) as data:
        names = ("seen", "empties", "pictures", "tops", "sides")
        rows = zip(*(data[name] for name in names), strict=True)
        looks, gains, colours = data["looks"].astype(np.float64), data["gains"], data["colours"].tolist()
    return [
        Lain(StoneView(seen.astype(np.float32), empty.astype(np.float32), *rest), gain, looks, colour)
        for (seen, empty, *rest), gain, colour in zip(rows, gains, colours, strict=True)
    ]


def changed(stone: Lain, rng: Generator) -> Planes:
    """What the network sees of a stone for each colour, with a lamp mirrored in it and otherwise changed by chance."""
    view = stone.view
    picture = with_white(view, rng) if rng.random() < WHITE else view.picture.astype(np.float32)
    if rng.random() < NOISY:
        picture += np.float32(rng.uniform(0, NOISE)) * rng.standard_normal(picture.shape, np.float32)
    shown = np.clip(picture, 0, 255).round().astype(np.uint8)
    off = rng.normal(0, CHANNELS_OFF, 3) + rng.normal(0, GAIN_OFF)
    gain = stone.gain + opponent(np.exp(off)[None, None].astype(np.float32))[0, 0]
    seen = opponent(levels_without(np.broadcast_to(gain, shown.shape).copy(), shown))
    looks = stone.looks + rng.normal(0, 1, stone.looks.shape) * LOOKS_OFF
    found = planes(replace(view, picture=shown, seen=seen), looks)
    for axis in (-1, -2):
        if rng.random() < 0.5:
            found = np.flip(found, axis)
    return np.ascontiguousarray(found.swapaxes(-1, -2) if rng.random() < 0.5 else found)


def with_white(view: StoneView, rng: Generator) -> NDArray[np.float32]:
    """What a picture shows of a stone if a lamp is mirrored in its upper face, before it is burnt out: grey levels."""
    picture = view.picture.astype(np.float32)
    face = cv2.GaussianBlur(cv2.dilate(view.top.astype(np.float32), np.ones((3, 3))), (0, 0), SOFT_PX)
    across, down = rng.uniform(-UNEVEN, UNEVEN, 2)
    y, x = np.linspace(-1, 1, len(face))[:, None], np.linspace(-1, 1, len(face))
    much = np.exp(rng.uniform(*np.log(MUCH_WHITE))) * face * np.maximum(1 + across * x + down * y, 0)
    if rng.random() < WARM:
        blue = rng.uniform(LEAST_BLUE, 1)
        lamp = np.array([blue, (1 + blue) / 2, 1])
    else:
        lamp = rng.uniform(LEAST, 1, 3)
    light = (picture / 255) ** GAMMA + much[..., None] * lamp
    more = (255 * light ** (1 / GAMMA) - picture).astype(np.float32)
    sharper = np.float32(rng.uniform(0, SHARPENED)) * (more - cv2.GaussianBlur(more, (0, 0), SHARP_PX))
    return np.asarray(picture + more + sharper, np.float32)


if __name__ == "__main__":
    pack_folders(__doc__, pack)
