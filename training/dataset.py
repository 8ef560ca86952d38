"""Training examples from set-up folders: the maps of each picture, with what stood on every square."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray

from companion import games
from companion.boards import Board
from companion.games.pacal.pieces import COLOURS, Piece, Pyramid, Ship, Stones, squares_from_json
from training.troubles import covered, only_noisy, shadowed, spoilt
from vision.appearance import Looks
from vision.changes import Corners, grid_px, shares_under
from vision.frames import Picture, read_picture
from vision.geometry import Floats
from vision.grid import SHRINK, Canvas, shrink
from vision.reading.candidates import candidates
from vision.reading.crops import way_of
from vision.reading.evidence import EmptyBoard, Photo, Scene, usual_shades
from vision.reading.learning import MATERIALS
from vision.registration import BoardFinder, NotFound
from vision.setup_folder import Setup, read_setup
from vision.teaching import teach

RANGES = np.array(
    [*[(-7.0, 5.0)] * 7, (0.0, 1.0), (-2.5, 2.5), (0.0, 1.0), (-1.0, 1.0), (1.7, 5.7), *[(-0.6, 0.6)] * 4], np.float32
)
"""The planes are kept as bytes between these: log densities of five colours, a ship's inside and bare board; how blind
a pixel is, how much brighter than before, how much print there is and how well it is seen, how bright, and the details
of its four parts."""

LEAST_SEEN = 0.15
"""The share of a piece's upper faces that must be seen for anything to be learned from it."""
UNDER_SOMETHING = 0.35
"""How often something lies over the board of a spoilt copy."""


@dataclass(frozen=True)
class Example:
    """A picture to learn from.

    corners_px: of the printed board, that at A1 first. squares: what is on each that holds something. hidden: squares
    that cannot be seen well, from which nothing is to be learned. covered: what share of a square is under a thing.
    """

    name: str
    picture: Picture
    corners_px: Corners
    squares: Mapping[str, Piece]
    hidden: frozenset[str] = frozenset()
    covered: Mapping[str, float] = field(default_factory=dict)


def board_of(game: str, layout: str) -> Board:
    board = games.get(game).board(layout)
    assert board is not None
    return board


def read_examples(folder: Path) -> Iterator[Example]:
    """Stills, palettes, and the frames of recordings without a hand."""
    usual = _read(folder / "setup.json")["board_corners_px"]
    for file in sorted([*folder.glob("still-*.json"), *folder.glob("palette-*.json")]):
        if (data := _read(file)) and file.with_suffix(".jpg").exists():
            hidden = frozenset(_hidden(data.get("hidden", {})))
            picture, corners = read_picture(file.with_suffix(".jpg")), data.get("board_corners_px", usual)
            yield Example(file.stem, picture, corners, squares_from_json(data["squares"]), hidden)
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


def truth_of(piece: Piece | None) -> NDArray[np.int64]:
    """The class of each colour on a square: 0 nothing, 1 a stone, 2 a ship, 3 to 7 a pyramid of 1 to 5 floors."""
    classes = np.zeros(len(COLOURS), np.int64)
    match piece:
        case Ship(colour):
            classes[COLOURS.index(colour)] = 2
        case Pyramid(colour, floors):
            classes[COLOURS.index(colour)] = 2 + floors
        case Stones(colours):
            classes[[COLOURS.index(colour) for colour in colours]] = 1
    return classes


def pack(setup: Setup, examples: Iterator[Example]) -> dict[str, NDArray[Any]]:
    """A set-up's examples as arrays: planes (pictures x 16 x height x width, bytes) and a row for each square: picture,
    middle (px), way, leans, classes of the colours, which colours a reader would ask after, whether it is hidden,
    and how much of it is covered."""
    planes: list[NDArray[np.uint8]] = []
    rows, names, usual = [], [], np.zeros(len(COLOURS))
    for example, scene, looks in looked_at(setup, examples):
        usual = np.array(usual_shades(looks))
        layers = [
            scene.fits,
            scene.bare[None],
            scene.blind[None],
            scene.brighter[None],
            scene.printed[None],
            scene.shown[None],
            scene.shade[None],
            scene.details,
        ]
        wanted = candidates(scene)
        for name, (x, y) in zip(scene.places.names, scene.places.middles.round().astype(int), strict=True):
            way, leans = way_of(scene, name)
            asked = [colour in wanted.get(name, []) for colour in range(len(COLOURS))]
            rows.append(
                [len(planes), x, y, way.across, way.down, way.swapped, *leans, *truth_of(example.squares.get(name)),
                 *asked, name in example.hidden, example.covered.get(name, 0.0)]
            )  # fmt: skip
        planes.append(as_bytes(np.concatenate(layers), RANGES))
        names.append(example.name)
    return {
        "planes": np.stack(planes),
        "rows": np.array(rows, np.float32),
        "names": np.array(names),
        "usual": usual.astype(np.float32),
        "square_mm": np.array(setup.board.square_mm, np.float32),
    }


def add_copies(parser: argparse.ArgumentParser) -> None:
    """Let a parser ask which copies of each picture are made, for ``copied``."""
    copies = parser.add_mutually_exclusive_group()
    copies.add_argument("--spoilt", type=int, default=0, help="copies of each picture that are spoilt by chance")
    copies.add_argument("--noisy", type=int, default=0, help="nothing but copies that are only noisy, so many of each")
    copies.add_argument("--shadowed", type=int, default=0, help="nothing but copies with shadows, so many of each")


def copied(folder: Path, board: Board, given: argparse.Namespace, seed: int) -> Iterator[Example]:
    """The examples of a set-up folder, and such copies as were asked for."""
    examples = read_examples(folder)
    if given.noisy:
        return with_noisy(examples, given.noisy, seed)
    if given.shadowed:
        return with_shadows(examples, board, given.shadowed, seed)
    return with_spoilt(examples, board, given.spoilt, seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("setups", type=Path, nargs="+")
    add_copies(parser)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    given.out.mkdir(parents=True, exist_ok=True)
    for folder in given.setups:
        target = given.out / f"{folder.name}.npz"
        if target.exists():
            continue
        setup = read_setup(folder, board_of)
        arrays = pack(setup, copied(folder, setup.board, given, crc32(folder.name.encode())))
        part = given.out / f".{folder.name}.part.npz"
        np.savez(part, allow_pickle=False, **arrays)
        part.replace(target)
        print(folder.name, arrays["planes"].shape, flush=True)


if __name__ == "__main__":
    main()
