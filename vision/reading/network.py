"""The networks that read squares: what stands on each, and of which colour."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.games.pacal.pieces import MAX_FLOORS
from vision.reading.crops import COARSE, WHOLE, Asked, Cutter, those
from vision.reading.nets import TEMPERATURE, load, run, run_again, shares
from vision.reading.pyramids.floors import FloorCounter

QUICK, THOROUGH = "quick_kinds.onnx", "kinds.onnx"
STONE, SHIP, PYRAMID, COVER = range(4)
MAYBE, LIKELY = 0.02, 0.1
"""The floors are counted of what is a pyramid with this probability; and thoroughly, of what is with that."""
SURE, SURE_OF_STONE, SURE_OF_NOTHING = 0.998, 0.9995, 0.98
"""Where the quick network is less sure of what stands on a square, of a stone there, or that nothing of the colour
does, the thorough one is asked. Light that a ship throws on a bare square may look like a stone to the quick one; but
of 7,600 colours of which it said with 0.98 or more that they are not there, in 416 stills, only 14 were, all on one of
79 tables."""
DOUBTFUL = 0.97
"""Where that is less sure it looks again, unless what stands there is a ship or nothing: of which colour a ship is, its
walls tell better (``vision.reading.ships.looker``)."""
PERHAPS_COVERED, PERHAPS_SHIP = 0.05, 0.02
"""So it is where something may lie over a square, or a ship stand: what its crops say of several colours is weighed
against each other, ..."""
PLAIN_SHIP = 0.98
"""... but not where there is a ship as surely, of whatever colour, by what the quick one says of all of them, and
nothing lies over it: its walls tell which that is. Of 8,999 such squares in 2,496 stills, plain and changed, each holds
one."""


class SquareNetwork:
    """What crops show of their colours: scores of a stone, a ship, a pyramid of 1 to 5 floors; nothing has 0. And if
    something that is no piece, like a hand, lies over their squares."""

    def __init__(self, floors: FloorCounter) -> None:
        self._quick, self._thorough = load(QUICK), load(THOROUGH)
        self._floors = floors

    def look(self, cutter: Cutter, wanted: Sequence[Asked]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The scores, natural logarithms of weights, N x 7; and how likely something lies over each square, N.

        cutter: of the scene. wanted: N squares and colours.
        """
        scores, odds, cover = _kinds_of(run(self._quick, cutter.cut(wanted, COARSE), COVER + 1))
        sure = np.array((SURE_OF_NOTHING, SURE_OF_STONE, SURE, SURE))[odds.argmax(axis=1)]
        doubtful = (odds.max(axis=1) < sure) | (odds[:, 1 + SHIP] > PERHAPS_SHIP) | (cover > PERHAPS_COVERED)
        doubtful &= ~_of_plain_ships(wanted, odds[:, 1 + SHIP], cover)
        said = run(self._thorough, cutter.cut(those(wanted, doubtful), WHOLE), COVER + 1)
        scores[doubtful], odds[doubtful], cover[doubtful] = _kinds_of(said)
        no_ship = odds[:, 1 + STONE] + odds[:, 1 + PYRAMID]
        again = doubtful & (odds.max(axis=1) < DOUBTFUL) & (no_ship > 1 - DOUBTFUL)
        said = run_again(self._thorough, cutter, those(wanted, again), WHOLE, said[again[doubtful]])
        scores[again], odds[again], cover[again] = _kinds_of(said)
        floors = np.full((len(wanted), MAX_FLOORS), -np.log(MAX_FLOORS))
        maybe = odds[:, 1 + PYRAMID] > MAYBE
        floors[maybe] = self._floors.count(cutter, those(wanted, maybe), odds[maybe, 1 + PYRAMID] > LIKELY)
        return np.column_stack([scores[:, :PYRAMID], scores[:, PYRAMID:] + floors]), cover


def _of_plain_ships(
    wanted: Sequence[Asked], ship: NDArray[np.float64], cover: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Which of what is wanted is on squares where there is surely a ship, of whatever colour, and nothing over it."""
    none = {name: 1.0 for name, _ in wanted}
    for (name, _), p in zip(wanted, ship.tolist(), strict=True):
        none[name] *= 1 - p
    covered = {name for (name, _), p in zip(wanted, cover.tolist(), strict=True) if p > PERHAPS_COVERED}
    return np.array([none[name] <= 1 - PLAIN_SHIP and name not in covered for name, _ in wanted], np.bool_)


def _kinds_of(said: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Of what a network for kinds says of crops (N x 4): the scores of each kind (N x 3), the probabilities of nothing
    and of each kind (N x 4), and how likely something lies over their squares (N)."""
    scores = said[:, :COVER] / TEMPERATURE
    odds = np.exp(shares(np.column_stack([np.zeros(len(said)), scores])))
    return scores, odds, np.asarray(1 / (1 + np.exp(-said[:, COVER])), np.float64)
