"""The networks that read squares: made by ``training/``, run by OpenCV."""

from __future__ import annotations

from importlib import resources

import cv2
import numpy as np
from numpy.typing import NDArray

KINDS, FLOORS, FLOORS_AGAIN = "kinds.onnx", "floors.onnx", "floors_again.onnx"
BATCH = 8
"""Crops that are read at a time: what they need fits into a small cache."""
STONE, SHIP, PYRAMID, COVER = range(4)
MAYBE = 0.02
"""The floors are counted of what is a pyramid with this probability."""
KIND_TEMPERATURE, FLOOR_TEMPERATURE = 1.2, 1.2
"""By how much the networks overstate how sure they are."""
DOUBTFUL = 0.95
"""Where the number of floors is no likelier than this, another network, trained from other beginnings, is asked too."""


class SquareNetwork:
    """What crops show of their colours: scores of a stone, a ship, a pyramid of 1 to 5 floors; nothing has 0. And if
    something that is no piece, like a hand, lies over their squares."""

    def __init__(self) -> None:
        self._kinds, self._floors, self._floors_again = _load(KINDS), _load(FLOORS), _load(FLOORS_AGAIN)

    def look(self, crops: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The scores, natural logarithms of weights, N x 7; and how likely something lies over each crop's square, N.

        crops: N x channels x side x side (``vision.reading.crops``).
        """
        found = _run(self._kinds, crops, 4)
        kinds, cover = found[:, :COVER] / KIND_TEMPERATURE, 1 / (1 + np.exp(-found[:, COVER]))
        weights = np.exp(kinds - np.maximum(kinds.max(axis=1, keepdims=True, initial=0), 0))
        nothing = np.exp(-np.maximum(kinds.max(axis=1, initial=0), 0))
        maybe = weights[:, PYRAMID] > MAYBE * (weights.sum(axis=1) + nothing)
        floors = np.full((len(crops), 5), -np.log(5))
        floors[maybe] = self._count(crops[maybe])
        return np.column_stack([kinds[:, :PYRAMID], kinds[:, PYRAMID:] + floors]), cover

    def _count(self, crops: NDArray[np.float32]) -> NDArray[np.float64]:
        """Logarithms of how likely each number of floors is, N x 5: the mean of two opinions where one is doubtful."""
        found = _shares(_run(self._floors, crops, 5) / FLOOR_TEMPERATURE)
        doubtful = found.max(axis=1, initial=-np.inf) < np.log(DOUBTFUL)
        second = _shares(_run(self._floors_again, crops[doubtful], 5) / FLOOR_TEMPERATURE)
        found[doubtful] = _shares((found[doubtful] + second) / 2)
        return found


def _load(name: str) -> cv2.dnn.Net:
    weights = (resources.files("vision.reading") / name).read_bytes()
    # The classic engine is quicker with so small a network.
    return cv2.dnn.readNetFromONNX(np.frombuffer(weights, np.uint8), cv2.dnn.ENGINE_CLASSIC)


def _run(net: cv2.dnn.Net, crops: NDArray[np.float32], outputs: int) -> NDArray[np.float64]:
    found: list[NDArray[np.float64]] = [np.zeros((0, outputs))]
    for start in range(0, len(crops), BATCH):
        net.setInput(crops[start : start + BATCH])
        found.append(np.asarray(net.forward(), np.float64))
    return np.concatenate(found)


def _shares(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithms of probabilities that add up to 1 in each row."""
    top = scores.max(axis=1, keepdims=True, initial=-np.inf) if len(scores) else np.zeros((0, 1))
    return np.asarray(scores - top - np.log(np.exp(scores - top).sum(axis=1, keepdims=True)), np.float64)
