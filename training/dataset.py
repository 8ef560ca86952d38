"""Training examples from set-up folders: the maps of each picture, with what stood on every square."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion import games
from companion.boards import Board
from companion.games.pacal.pieces import COLOURS, Piece, Pyramid, Ship, Stones, squares_from_json
from vision.appearance import Looks
from vision.frames import Picture, read_picture
from vision.grid import SHRINK, Canvas
from vision.reading.crops import candidates, way_of
from vision.reading.evidence import EmptyBoard, Scene, usual_shade
from vision.reading.learning import MATERIALS
from vision.registration import BoardFinder, NotFound
from vision.setup_folder import Setup, read_setup
from vision.teaching import teach

RANGES = np.array([*[(-7.0, 5.0)] * 7, (0.0, 1.0), (-2.5, 2.5), (1.7, 5.7), *[(-0.6, 0.6)] * 4], np.float32)
"""The planes are kept as bytes between these: log densities of five colours, a ship's inside and bare board; how blind
a pixel is, how much darker than before, how bright, and the details of its four parts."""


@dataclass(frozen=True)
class Example:
    """A picture to learn from. squares: what is on each that holds something. hidden: squares that cannot be seen."""

    name: str
    picture: Picture
    squares: Mapping[str, Piece]
    hidden: frozenset[str] = frozenset()


def board_of(game: str, layout: str) -> Board:
    board = games.get(game).board(layout)
    assert board is not None
    return board


def read_examples(folder: Path) -> Iterator[Example]:
    """Stills, palettes, and the frames of recordings without a hand."""
    for file in sorted([*folder.glob("still-*.json"), *folder.glob("palette-*.json")]):
        if (data := _read(file)) and file.with_suffix(".jpg").exists():
            hidden = frozenset(data.get("hidden", {}))
            yield Example(file.stem, read_picture(file.with_suffix(".jpg")), squares_from_json(data["squares"]), hidden)
    for file in sorted(folder.glob("turn-*/turn.json")):
        for frame in _read(file)["frames"]:
            if not frame["hand"] and (file.parent / frame["file"]).exists():
                picture = read_picture(file.parent / frame["file"])
                yield Example(f"{file.parent.name}/{frame['file']}", picture, squares_from_json(frame["squares"]))


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
        yield example, empty.look(straight, looks, found.pose.eye, reached[::SHRINK, ::SHRINK]), looks


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
    """A set-up's examples as arrays: planes (pictures x 14 x height x width, bytes) and a row for each square: picture,
    middle (px), way, leans, classes of the colours, which colours a reader would ask after, whether it is hidden."""
    planes: list[NDArray[np.uint8]] = []
    rows, names, usual = [], [], np.zeros(len(COLOURS))
    for example, scene, looks in looked_at(setup, examples):
        usual = np.array([usual_shade(mean) for mean in looks.means[: len(COLOURS)]])
        layers = [scene.fits, scene.bare[None], scene.blind[None], scene.darker[None], scene.shade[None], scene.details]
        low, high = RANGES[:, :1, None], RANGES[:, 1:, None]
        kept = np.clip((np.concatenate(layers) - low) / (high - low), 0, 1)
        wanted = candidates(scene)
        for name, (x, y) in zip(scene.places.names, scene.places.middles.round().astype(int), strict=True):
            way, leans = way_of(scene, name)
            asked = [colour in wanted.get(name, []) for colour in range(len(COLOURS))]
            rows.append(
                [len(planes), x, y, way.across, way.down, way.swapped, *leans, *truth_of(example.squares.get(name)),
                 *asked, name in example.hidden]
            )  # fmt: skip
        planes.append(np.round(kept * 255).astype(np.uint8))
        names.append(example.name)
    return {
        "planes": np.stack(planes),
        "rows": np.array(rows, np.float32),
        "names": np.array(names),
        "usual": usual.astype(np.float32),
        "square_mm": np.array(setup.board.square_mm, np.float32),
    }


def main() -> None:
    cv2.setNumThreads(1)
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for argument in sys.argv[2:]:
        folder = Path(argument)
        target = out / f"{folder.name}.npz"
        if not target.exists():
            arrays = pack(read_setup(folder, board_of), read_examples(folder))
            np.savez_compressed(out / "part.npz", allow_pickle=False, **arrays)
            (out / "part.npz").replace(target)
            print(folder.name, arrays["planes"].shape, flush=True)


if __name__ == "__main__":
    main()
