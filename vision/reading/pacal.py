"""Reading the pieces of Pacal's Rocket: from a scene to how likely each content of each square is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS, Pyramid, Ship, Stones
from companion.observation import Content
from companion.squares import Square
from vision.appearance import Looks
from vision.geometry import Floats
from vision.reading.evidence import Scene
from vision.reading.pyramids import find_pyramids
from vision.reading.shading import Shading, brightness
from vision.reading.ships import find_ships
from vision.reading.stones import find_stones

MATERIALS = (*COLOURS, "inside")
INSIDE = len(COLOURS)

FLOORS_TEMPERATURE = 8.0
"""By how much the evidence for numbers of floors overstates how sure it is."""

Odds: TypeAlias = Mapping[Content | None, float]


@dataclass(frozen=True)
class Pieces:
    """What was learned of the pieces on one table."""

    looks: Looks
    shading: Shading

    @property
    def usual(self) -> Floats:
        """The usual brightness (``vision.reading.shading``) of each colour."""
        return np.asarray(brightness(self.looks.means[None, :INSIDE].astype(np.float32))[0], np.float64)

    def to_arrays(self) -> dict[str, NDArray[np.float32]]:
        """The form in which a table keeps it."""
        return {**self.looks.to_arrays(), **self.shading.to_arrays()}

    @staticmethod
    def from_arrays(arrays: Mapping[str, NDArray[np.float32]]) -> Pieces:
        """The inverse of ``to_arrays``. Raises KeyError or ValueError when arrays are missing or of another shape."""
        return Pieces(Looks.from_arrays(MATERIALS, arrays), Shading.from_arrays(arrays))


def read_squares(scene: Scene, pieces: Pieces) -> dict[Square, Odds]:
    """For each square of the board the probability of each content, None being nothing."""
    squares: dict[Square, Odds] = {}
    for ship in find_ships(scene, len(COLOURS), INSIDE):
        weights = _softmax(ship.colours * 60)
        squares[ship.square] = {Ship(colour): p for colour, p in zip(COLOURS, weights, strict=True)}
    for pyramid in find_pyramids(scene, pieces.usual, pieces.shading):
        if pyramid.square in squares:
            continue
        colours, floors = _softmax(pyramid.colours * 20), _softmax(pyramid.floors / FLOORS_TEMPERATURE)
        squares[pyramid.square] = {
            Pyramid(colour, count + 1): p * q
            for colour, p in zip(COLOURS, colours, strict=True)
            for count, q in enumerate(floors)
        }
    rest = [name for name in sorted(scene.board.squares) if name not in squares]
    for stones in find_stones(scene, len(COLOURS), rest):
        squares[stones.square] = _stone_sets(1 / (1 + np.exp(-12 * (stones.areas - 0.3))))
    return squares


def _softmax(scores: Floats) -> list[float]:
    weights = np.exp(scores - scores.max())
    return [float(weight) for weight in weights / weights.sum()]


def _stone_sets(present: Floats) -> Odds:
    """The probability of each set of stones when each colour is there with its own."""
    sets: dict[tuple[str, ...], float] = {(): 1.0}
    for colour, p in zip(COLOURS, present, strict=True):
        sets = {
            **{had: odds * float(1 - p) for had, odds in sets.items()},
            **{(*had, colour): odds * float(p) for had, odds in sets.items()},
        }
    return {Stones(tuple(sorted(had))) if had else None: odds for had, odds in sets.items() if odds > 1e-4}
