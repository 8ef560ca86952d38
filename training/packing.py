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

from training.dataset import Example, add_copies, board_of, copied
from vision.setup_folder import Setup, read_setup

Pack: TypeAlias = Callable[[Setup, Iterator[Example], int], dict[str, NDArray[Any]]]
"""What a set-up's examples are packed by, with a seed: arrays, the first of them with one row for each thing."""


def pack_folders(about: str | None, pack: Pack) -> None:
    """Pack the set-up folders named on the command line. about: what the program does."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("out", type=Path)
    parser.add_argument("setups", type=Path, nargs="+")
    add_copies(parser)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    given.out.mkdir(parents=True, exist_ok=True)
    for folder in given.setups:
        setup, seed = read_setup(folder, board_of), crc32(folder.name.encode())
        arrays = pack(setup, copied(folder, setup.board, given, seed), seed)
        np.savez(given.out / f"{folder.name}.npz", allow_pickle=False, **arrays)
        print(folder.name, len(next(iter(arrays.values()))), flush=True)
