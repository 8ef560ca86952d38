"""Reading the pieces of Pacal's Rocket: from a scene to how likely each content of each square is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
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
from vision.reading.shapes import Sizes
from vision.reading.ships import FoundShip, find_ships
from vision.reading.stones import find_stones

MATERIALS = (*COLOURS, "inside")
INSIDE = len(COLOURS)

FLOORS_TEMPERATURE = 8.0
"""By how much the evidence for numbers of floors overstates how sure it is."""
FLOORS_DOUBT, FAR_SHARE = 0.015, 0.2
"""How likely the number of floors is another, however clear the evidence; and how likely one that is further off is
beside one floor more or less."""

SHIP_DOUBT = 0.012
"""How likely a ship is of another colour, however clear the evidence."""
ABSENT_PLAYER = 0.05
"""How likely a ship is beside the others if its colour has no other piece on the board."""

Odds: TypeAlias = Mapping[Content | None, float]


@dataclass(frozen=True)
class Pieces:
    """What was learned of the pieces on one table."""

    looks: Looks
    shading: Shading
    sizes: Sizes

    @property
    def usual(self) -> Floats:
        """The usual brightness (``vision.reading.shading``) of each colour."""
        return np.asarray(brightness(self.looks.means[None, :INSIDE].astype(np.float32))[0], np.float64)

    def to_arrays(self) -> dict[str, NDArray[np.float32]]:
        """The form in which a table keeps it."""
        return {**self.looks.to_arrays(), **self.shading.to_arrays(), **self.sizes.to_arrays()}

    @staticmethod
    def from_arrays(arrays: Mapping[str, NDArray[np.float32]]) -> Pieces:
        """The inverse of ``to_arrays``. Raises KeyError or ValueError when arrays are missing or of another shape."""
        return Pieces(Looks.from_arrays(MATERIALS, arrays), Shading.from_arrays(arrays), Sizes.from_arrays(arrays))


def read_squares(scene: Scene, pieces: Pieces) -> dict[Square, Odds]:
    """For each square of the board the probability of each content, None being nothing."""
    ships = find_ships(scene, pieces.sizes, len(COLOURS), INSIDE)
    taken = {ship.square for ship in ships}
    standing = find_pyramids(scene, pieces.sizes, pieces.usual, pieces.shading)
    pyramids = [found for found in standing if found.square not in taken]
    taken |= {pyramid.square for pyramid in pyramids}
    stones = find_stones(scene, len(COLOURS), [name for name in sorted(scene.board.squares) if name not in taken])
    squares: dict[Square, Odds] = {}
    in_play = np.zeros(len(COLOURS))
    for pyramid in pyramids:
        colours, floors = _softmax(pyramid.colours * 20), doubted_floors(_softmax(pyramid.floors / FLOORS_TEMPERATURE))
        squares[pyramid.square] = {
            Pyramid(colour, count + 1): p * q
            for colour, p in zip(COLOURS, colours, strict=True)
            for count, q in enumerate(floors)
        }
        in_play = np.maximum(in_play, colours)
    for found in stones:
        squares[found.square] = _stone_sets(found.present)
        in_play = np.maximum(in_play, found.present)
    for ship, weights in zip(ships, _ship_colours(ships, in_play), strict=True):
        doubted = (1 - SHIP_DOUBT) * weights + SHIP_DOUBT * (1 - weights) / (len(COLOURS) - 1)
        squares[ship.square] = {Ship(colour): float(p) for colour, p in zip(COLOURS, doubted, strict=True)}
    return squares


def _ship_colours(ships: Sequence[FoundShip], in_play: Floats) -> Floats:
    """The probability of each colour for each ship (ships x colours), given that no two ships have the same.

    Seen from right above, a ship shows its opening only: then its colour is that of a player who has pieces on the
    board (in_play: how likely each has) and no other ship.
    """
    odds = np.array([ship.colours for ship in ships]).reshape(-1, len(COLOURS))
    odds = odds + np.log(ABSENT_PLAYER + (1 - ABSENT_PLAYER) * in_play)
    weights = np.exp(odds - odds.max(axis=1, keepdims=True, initial=-np.inf)) if len(ships) else odds
    if not 2 <= len(ships) <= len(COLOURS):
        return np.asarray(weights / weights.sum(axis=1, keepdims=True), np.float64)
    weights = np.maximum(weights, 1e-9)
    total = np.zeros_like(weights)
    rows = np.arange(len(ships))
    for colours in permutations(range(len(COLOURS)), len(ships)):
        total[rows, colours] += weights[rows, colours].prod()
    return np.asarray(total / total.sum(axis=1, keepdims=True), np.float64)


def _softmax(scores: Floats) -> list[float]:
    weights = np.exp(scores - scores.max())
    return [float(weight) for weight in weights / weights.sum()]


def doubted_floors(floors: list[float]) -> list[float]:
    """The probabilities of 1, 2, … floors with a little of each shared out, most of it among its neighbours."""
    apart = np.abs(np.subtract.outer(np.arange(len(floors)), np.arange(len(floors))))
    weights = np.select([apart == 0, apart == 1], [0.0, 1.0], FAR_SHARE)
    others = weights / weights.sum(axis=0)
    shared = (1 - FLOORS_DOUBT) * np.array(floors) + FLOORS_DOUBT * others @ floors
    return [float(p) for p in shared]


def _stone_sets(present: Floats) -> Odds:
    """The probability of each set of stones when each colour is there with its own."""
    sets: dict[tuple[str, ...], float] = {(): 1.0}
    for colour, p in zip(COLOURS, present, strict=True):
        sets = {
            **{had: odds * float(1 - p) for had, odds in sets.items()},
            **{(*had, colour): odds * float(p) for had, odds in sets.items()},
        }
    return {Stones(tuple(sorted(had))) if had else None: odds for had, odds in sets.items() if odds > 1e-4}
