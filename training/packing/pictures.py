"""Pictures of set-up folders to learn from, and copies of them to which something happened."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from companion.boards import Board
from companion.games.pacal.pieces import Piece, squares_from_json
from training.packing.troubles import covered, only_noisy, shadowed, spoilt
from vision.frames import Picture, read_picture
from vision.geometry import Floats
from vision.measuring.changes import Corners, grid_px, shares_under

LEAST_SEEN = 0.15
"""The share of a piece's upper faces that must be seen for anything to be learned from it."""
COVERED = 0.1
"""What stands on a square that is covered by more teaches nothing."""
UNDER_SOMETHING = 0.35
"""How often something lies over the board of a spoilt copy."""


@dataclass(frozen=True)
class Example:
    """A picture to learn from.

    corners_px: of the printed board, that at A1 first. squares: what is on each that holds something. hidden: squares
    that cannot be seen well, from which nothing is to be learned. covered: what share of a square is under a thing.
    die: whether there may be a die beside the board.
    """

    name: str
    picture: Picture
    corners_px: Corners
    squares: Mapping[str, Piece]
    hidden: frozenset[str] = frozenset()
    covered: Mapping[str, float] = field(default_factory=dict)
    die: bool = True

    def shows(self, name: str) -> bool:
        """Whether there is something to be learned from what stands on a square."""
        return name not in self.hidden and self.covered.get(name, 0.0) <= COVERED


def read_examples(folder: Path) -> Iterator[Example]:
    """Stills, palettes, and the frames of recordings without a hand."""
    usual = _read(folder / "setup.json")["board_corners_px"]
    for file in sorted([*folder.glob("still-*.json"), *folder.glob("palette-*.json")]):
        if (data := _read(file)) and file.with_suffix(".jpg").exists():
            hidden = frozenset(_hidden(data.get("hidden", {})))
            picture, corners = read_picture(file.with_suffix(".jpg")), data.get("board_corners_px", usual)
            die = data.get("die") is not None or "die" in data.get("hidden", {})
            yield Example(file.stem, picture, corners, squares_from_json(data["squares"]), hidden, die=die)
    for file in sorted(folder.glob("turn-*/turn.json")):
        for frame in _read(file)["frames"]:
            if not frame["hand"] and (file.parent / frame["file"]).exists():
                picture = read_picture(file.parent / frame["file"])
                name, squares = f"{file.parent.name}/{frame['file']}", squares_from_json(frame["squares"])
                yield Example(name, picture, usual, squares)


def with_spoilt(examples: Iterator[Example], board: Board, copies: int, seed: int) -> Iterator[Example]:
    """The examples, each followed by so many copies of it that are spoilt by chance, some of them covered in part."""
    for example in examples:
        yield example
        for rng in _chances(example, copies, seed):
            one = replace(example, name=f"{example.name} spoilt", picture=spoilt(example.picture, rng))
            yield _covered(one, board, int(rng.integers(2**31))) if rng.random() < UNDER_SOMETHING else one


def with_noisy(examples: Iterator[Example], copies: int, seed: int) -> Iterator[Example]:
    """So many copies of each example to which nothing but noise came."""
    for example in examples:
        for rng in _chances(example, copies, seed):
            yield replace(example, name=f"{example.name} noisy", picture=only_noisy(example.picture, rng))


def with_shadows(examples: Iterator[Example], board: Board, copies: int, seed: int) -> Iterator[Example]:
    """So many copies of each example over which shadows fall."""
    for example in examples:
        grid, squares = _grid(example, board)
        for rng in _chances(example, copies, seed):
            picture = shadowed(example.picture, grid, squares, rng)
            yield replace(example, name=f"{example.name} shadowed", picture=picture)


def _chances(example: Example, copies: int, seed: int) -> Iterator[np.random.Generator]:
    """The chance that makes each copy of an example, the same whatever else is made."""
    return (np.random.default_rng([seed, crc32(example.name.encode()), number]) for number in range(copies))


def _covered(example: Example, board: Board, seed: int) -> Example:
    picture, mask = covered(example.picture, *_grid(example, board), seed)
    return replace(example, picture=picture, covered=shares_under(mask, board, example.corners_px))


def _grid(example: Example, board: Board) -> tuple[Floats, int]:
    """Where an example shows the corners of the squares' grid (px), and how many squares that has."""
    return grid_px(board, example.corners_px), board.columns * board.rows


def _hidden(hidden: Mapping[str, Mapping[str, float] | float]) -> Iterator[str]:
    """The squares on which next to nothing is seen of a piece, from the truth of a picture."""
    for name, shares in hidden.items():
        if isinstance(shares, Mapping) and min(shares.values()) < LEAST_SEEN:
            yield name


def _read(file: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return data
