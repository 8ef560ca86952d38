"""The networks that read squares: made by ``training/``, run by OpenCV."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import resources

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.pacal.pieces import MAX_FLOORS
from vision.reading.crops import COARSE, NEAR, WHOLE, Asked, Cutter, Planes
from vision.reading.terraces import TerraceCounter

QUICK_KINDS, KINDS = "quick_kinds.onnx", "kinds.onnx"
QUICK_FLOORS, FLOORS = "quick_floors.onnx", "floors.onnx"
STONE, SHIP, PYRAMID, COVER = range(4)
MAYBE, LIKELY = 0.02, 0.1
"""The floors are counted of what is a pyramid with this probability; and thoroughly, of what is with that."""
TEMPERATURE = 1.2
"""By how much the networks overstate how sure they are."""
SURE = 0.998
"""Where a quick network is less sure of what stands on a square, or of how many floors, the thorough one is asked."""
PERHAPS_COVERED, PERHAPS_SHIP = 0.05, 0.02
"""So it is where something may lie over a square, or a ship stand: what its crops say of several colours is weighed
against each other."""
DOUBTFUL, QUICK_COUNTS = 0.97, 0.2
"""Where no number of floors is likelier even then, what the quick one said counts so much beside the thorough one's
rest, and terraces are counted."""


class SquareNetwork:
    """What crops show of their colours: scores of a stone, a ship, a pyramid of 1 to 5 floors; nothing has 0. And if
    something that is no piece, like a hand, lies over their squares."""

    def __init__(self, terraces: TerraceCounter | None = None) -> None:
        """terraces: counts the table's terraces; None where that tells nothing."""
        self._quick_kinds, self._kinds = _load(QUICK_KINDS), _load(KINDS)
        self._quick_floors, self._floors = _load(QUICK_FLOORS), _load(FLOORS)
        self._terraces = terraces

    def look(self, cutter: Cutter, wanted: Sequence[Asked]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The scores, natural logarithms of weights, N x 7; and how likely something lies over each square, N.

        cutter: of the scene. wanted: N squares and colours.
        """
        scores, odds, cover = _kinds_of(_run(self._quick_kinds, cutter.cut(wanted, COARSE), COVER + 1))
        doubtful = (odds.max(axis=1) < SURE) | (odds[:, 1 + SHIP] > PERHAPS_SHIP) | (cover > PERHAPS_COVERED)
        said = _run(self._kinds, cutter.cut(_those(wanted, doubtful), WHOLE), COVER + 1)
        scores[doubtful], odds[doubtful], cover[doubtful] = _kinds_of(said)
        floors = np.full((len(wanted), MAX_FLOORS), -np.log(MAX_FLOORS))
        maybe = odds[:, 1 + PYRAMID] > MAYBE
        floors[maybe] = self._count(cutter, _those(wanted, maybe), odds[maybe, 1 + PYRAMID] > LIKELY)
        return np.column_stack([scores[:, :PYRAMID], scores[:, PYRAMID:] + floors]), cover

    def _count(self, cutter: Cutter, wanted: Sequence[Asked], likely: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Logarithms of how likely each number of floors is, N x 5. Where a quick look is unsure of what is likely a
        pyramid, it is the thorough one's; where that is doubtful that of both, with what terraces tell."""
        quick = self._floors_by(self._quick_floors, cutter, wanted)
        found, unsure = quick.copy(), likely & (quick.max(axis=1) < np.log(SURE))
        found[unsure] = self._floors_by(self._floors, cutter, _those(wanted, unsure))
        unsure &= found.max(axis=1) < np.log(DOUBTFUL)
        if unsure.any():
            both = _shares((1 - QUICK_COUNTS) * found[unsure] + QUICK_COUNTS * quick[unsure])
            told = 0 if self._terraces is None else self._terraces.count(cutter.scene, _those(wanted, unsure), both)
            found[unsure] = _shares(both + told)
        return found

    @staticmethod
    def _floors_by(net: cv2.dnn.Net, cutter: Cutter, wanted: Sequence[Asked]) -> NDArray[np.float64]:
        """The same, by one network."""
        return _shares(_run(net, cutter.cut(wanted, NEAR), MAX_FLOORS) / TEMPERATURE)


def _those(wanted: Sequence[Asked], chosen: NDArray[np.bool_]) -> list[Asked]:
    return [wanted[index] for index in np.flatnonzero(chosen).tolist()]


def _load(name: str) -> cv2.dnn.Net:
    weights = (resources.files("vision.reading") / name).read_bytes()
    # The classic engine is quicker with so small a network.
    return cv2.dnn.readNetFromONNX(np.frombuffer(weights, np.uint8), cv2.dnn.ENGINE_CLASSIC)


def _kinds_of(said: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Of what a network for kinds says of crops (N x 4): the scores of each kind (N x 3), the probabilities of nothing
    and of each kind (N x 4), and how likely something lies over their squares (N)."""
    scores = said[:, :COVER] / TEMPERATURE
    odds = np.exp(_shares(np.column_stack([np.zeros(len(said)), scores])))
    return scores, odds, np.asarray(1 / (1 + np.exp(-said[:, COVER])), np.float64)


def _run(net: cv2.dnn.Net, batches: Iterable[Planes], scores: int) -> NDArray[np.float64]:
    """What a network says of batches of crops: N x scores."""
    said = []
    for crops in batches:
        net.setInput(crops)
        said.append(net.forward())
    return np.concatenate(said, dtype=np.float64) if said else np.zeros((0, scores))


def _shares(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithms of probabilities that add up to 1 in each row."""
    top = scores.max(axis=1, keepdims=True)
    return np.asarray(scores - top - np.log(np.exp(scores - top).sum(axis=1, keepdims=True)), np.float64)
