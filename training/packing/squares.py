"""Training examples from set-up folders: the maps of each picture, with what stood on every square."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS, Piece, Pyramid, Ship, Stones
from training.packing.packs import as_bytes, looked_at, pack_folders
from training.packing.pictures import Example
from vision.reading.candidates import candidates
from vision.reading.crops import way_of
from vision.reading.evidence import usual_shades
from vision.teaching.setup_folder import Setup

RANGES = np.array(
    [*[(-7.0, 5.0)] * 7, (0.0, 1.0), (-2.5, 2.5), (0.0, 1.0), (-1.0, 1.0), (1.7, 5.7), *[(-0.6, 0.6)] * 4], np.float32
)
"""The planes are kept as bytes between these: log densities of five colours, a ship's inside and bare board; how blind
a pixel is, how much brighter than before, how much print there is and how well it is seen, how bright, and the details
of its four parts."""


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


def pack(setup: Setup, examples: Iterator[Example], seed: int) -> dict[str, NDArray[Any]]:
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


if __name__ == "__main__":
    pack_folders(__doc__, pack)
