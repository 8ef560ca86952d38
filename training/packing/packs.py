"""Packs what networks learn from, one file for each set-up folder."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board
from companion.cli.teach import board_of
from training.packing.pictures import Example, read_examples, with_noisy, with_shadows, with_spoilt
from vision.finding.registration import BoardFinder, NotFound
from vision.grid import SHRINK, Canvas, shrink
from vision.light.appearance import Looks
from vision.reading.evidence import EmptyBoard, Photo, Scene
from vision.reading.learning import MATERIALS
from vision.teaching.setup_folder import Setup, read_setup
from vision.teaching.teach import teach

Pack: TypeAlias = Callable[[Setup, Iterator[Example], int], dict[str, NDArray[Any]]]
"""What a set-up's examples are packed by, with a seed: arrays, the first of them with one row for each thing."""


def pack_folders(about: str | None, pack: Pack) -> None:
    """Pack the set-up folders named on the command line, those that are not yet. about: what the program does."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("out", type=Path)
    parser.add_argument("setups", type=Path, nargs="+")
    copies = parser.add_mutually_exclusive_group()
    copies.add_argument("--spoilt", type=int, default=0, help="copies of each picture that are spoilt by chance")
    copies.add_argument("--noisy", type=int, default=0, help="nothing but copies that are only noisy, so many of each")
    copies.add_argument("--shadowed", type=int, default=0, help="nothing but copies with shadows, so many of each")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    given.out.mkdir(parents=True, exist_ok=True)
    for folder in given.setups:
        target = given.out / f"{folder.name}.npz"
        if target.exists():
            continue
        setup, seed = read_setup(folder, board_of), crc32(folder.name.encode())
        arrays = pack(setup, _copied(folder, setup.board, given, seed), seed)
        # Only a whole pack bears its name.
        part = given.out / f".{folder.name}.part.npz"
        np.savez(part, allow_pickle=False, **arrays)
        part.replace(target)
        print(folder.name, next(iter(arrays.values())).shape, flush=True)


def _copied(folder: Path, board: Board, given: argparse.Namespace, seed: int) -> Iterator[Example]:
    """The examples of a set-up folder, and such copies of them as were asked for."""
    examples = read_examples(folder)
    if given.noisy:
        return with_noisy(examples, given.noisy, seed)
    if given.shadowed:
        return with_shadows(examples, board, given.shadowed, seed)
    return with_spoilt(examples, board, given.spoilt, seed)


def looked_at(setup: Setup, examples: Iterator[Example]) -> Iterator[tuple[Example, Scene, Looks]]:
    """The maps of each picture as a reader of the taught table makes them; pictures without a board are left out."""
    table = teach(setup)
    looks = Looks.from_arrays(MATERIALS, table.learned)
    finder, canvas = BoardFinder(table), Canvas.to_read(table.board)
    empty = EmptyBoard(table.board, canvas, canvas.straighten(table.empty, table.lens, table.pose))
    for example in examples:
        found = finder.find(example.picture, table.pose)
        if isinstance(found, NotFound):
            continue
        straight = canvas.straighten(example.picture, table.lens, found.pose)
        reached = canvas.reached(table.lens, found.pose) & canvas.reached(table.lens, table.pose)
        photo = Photo(example.picture, table.lens, found.pose)
        yield example, empty.look(photo, straight, shrink(straight), looks, reached[::SHRINK, ::SHRINK]), looks


def as_bytes(planes: NDArray[np.float32], ranges: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Planes (N x height x width) as bytes between the lowest and the highest of each (N x 2)."""
    low, high = ranges[:, :1, None], ranges[:, 1:, None]
    return np.asarray(np.round(np.clip((planes - low) / (high - low), 0, 1) * 255), np.uint8)


def from_bytes(kept: NDArray[np.uint8], ranges: NDArray[np.float32]) -> NDArray[np.float32]:
    """The inverse of ``as_bytes``, but for what lay outside of the ranges."""
    low, high = ranges[:, :1, None], ranges[:, 1:, None]
    return np.asarray(kept * ((high - low) / np.float32(255)) + low, np.float32)
