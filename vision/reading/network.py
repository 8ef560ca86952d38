"""The networks that read squares: made by ``training/``, run by OpenCV."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import resources

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.crops import Planes

QUICK_KINDS, KINDS = "quick_kinds.onnx", "kinds.onnx"
QUICK_FLOORS, FLOORS, FLOORS_AGAIN = "quick_floors.onnx", "floors.onnx", "floors_again.onnx"
BATCH = 8
"""Crops that are read at a time: what they need fits into a small cache."""
STONE, SHIP, PYRAMID, COVER = range(4)
MAYBE = 0.02
"""The floors are counted of what is a pyramid with this probability."""
TEMPERATURE = 1.2
"""By how much the networks overstate how sure they are."""
SURE, SURE_OF_FLOORS = 0.998, 0.99
"""Where a quick network is less sure of what stands on a square, or of how many floors, the thorough one is asked."""
PERHAPS_COVERED, PERHAPS_SHIP = 0.05, 0.02
"""So it is where something may lie over a square, or a ship stand: what its crops say of several colours is weighed
against each other."""
DOUBTFUL = 0.95
"""Where no number of floors is likelier even then, a third network, trained from other beginnings, is asked too."""


class SquareNetwork:
    """What crops show of their colours: scores of a stone, a ship, a pyramid of 1 to 5 floors; nothing has 0. And if
    something that is no piece, like a hand, lies over their squares."""

    def __init__(self) -> None:
        self._quick_kinds, self._kinds = _load(QUICK_KINDS), _load(KINDS)
        self._quick_floors, self._floors, self._floors_again = _load(QUICK_FLOORS), _load(FLOORS), _load(FLOORS_AGAIN)

    def look(self, batches: Iterable[Planes]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The scores, natural logarithms of weights, N x 7; and how likely something lies over each crop's square, N.

        batches: of crops (``vision.reading.crops``), N of them together.
        """
        found = np.concatenate([np.zeros((0, COVER + 5)), *(self._look(crops) for crops in batches)])
        return found[:, :-1], found[:, -1]

    def _look(self, crops: Planes) -> NDArray[np.float64]:
        """The same of one batch, in one array."""
        scores, odds, cover = _kinds_of(_forward(self._quick_kinds, crops))
        doubtful = (odds.max(axis=1) < SURE) | (odds[:, 1 + SHIP] > PERHAPS_SHIP) | (cover > PERHAPS_COVERED)
        if doubtful.any():
            scores[doubtful], odds[doubtful], cover[doubtful] = _kinds_of(_forward(self._kinds, crops[doubtful]))
        floors = np.full((len(crops), 5), -np.log(5))
        maybe = odds[:, 1 + PYRAMID] > MAYBE
        if maybe.any():
            floors[maybe] = self._count(crops[maybe])
        return np.column_stack([scores[:, :PYRAMID], scores[:, PYRAMID:] + floors, cover])

    def _count(self, crops: Planes) -> NDArray[np.float64]:
        """Logarithms of how likely each number of floors is, N x 5: the mean of two opinions where one is doubtful."""
        found = _floors_of(_forward(self._quick_floors, crops))
        unsure = found.max(axis=1) < np.log(SURE_OF_FLOORS)
        if unsure.any():
            found[unsure] = _floors_of(_forward(self._floors, crops[unsure]))
        doubtful = unsure & (found.max(axis=1) < np.log(DOUBTFUL))
        if doubtful.any():
            second = _floors_of(_forward(self._floors_again, crops[doubtful]))
            found[doubtful] = _shares((found[doubtful] + second) / 2)
        return found


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


def _floors_of(said: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithms of the probabilities of each number of floors (N x 5), of what a network says."""
    return _shares(said / TEMPERATURE)


def _forward(net: cv2.dnn.Net, crops: Planes) -> NDArray[np.float64]:
    net.setInput(crops)
    return np.asarray(net.forward(), np.float64)


def _shares(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithms of probabilities that add up to 1 in each row."""
    top = scores.max(axis=1, keepdims=True)
    return np.asarray(scores - top - np.log(np.exp(scores - top).sum(axis=1, keepdims=True)), np.float64)
