"""Small networks, made by ``training/``, run by OpenCV."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import resources

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.crops import Asked, Cutter, Planes, Window

TEMPERATURE = 1.2
"""By how much the networks overstate how sure they are."""
OVERSTATED = (1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0)
"""By how much more than that one may on one table."""
ASIDE = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""How far beside what they are asked after (px of the maps) they look for a second time, where they are doubtful."""


def load(name: str) -> cv2.dnn.Net:
    """The network in a file of ``networks/``."""
    with resources.as_file(resources.files("vision.reading") / "networks" / name) as file:
        # The classic engine takes a quarter less time. OpenCV 5.0 uses it for a file only, whatever is asked for bytes.
        return cv2.dnn.readNetFromONNX(str(file), cv2.dnn.ENGINE_CLASSIC)


def run(net: cv2.dnn.Net, crops: Iterable[Planes], scores: int) -> NDArray[np.float64]:
    """What a network says of crops, or of whatever else it sees: N x scores."""
    said = []
    for crop in crops:
        # One at a time: given another number of them than the last time a network sets itself up anew.
        net.setInput(crop[None])
        said.append(net.forward())
    return np.concatenate(said, dtype=np.float64) if said else np.zeros((0, scores))


def run_again(
    net: cv2.dnn.Net, cutter: Cutter, wanted: Sequence[Asked], window: Window, said: NDArray[np.float64]
) -> NDArray[np.float64]:
    """What a network says on average of crops, of which it said that (N x scores), and of what lies a little beside
    them. It knows nothing of where exactly a piece stands, so what it says of one alone is more by chance.

    Source: A. Krizhevsky et al., ImageNet classification with deep convolutional neural networks, 2012 (ten crops).
    """
    beside = [run(net, cutter.cut(wanted, window, aside), said.shape[1]) for aside in ASIDE]
    return np.asarray(np.mean([said, *beside], axis=0), np.float64)


def check_overstated(much: float) -> None:
    """Raises ValueError for what is never learned of a network."""
    if not OVERSTATED[0] <= much <= OVERSTATED[-1]:
        raise ValueError(f"networks do not overstate how sure they are by {much}")


def shares(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithms of probabilities that add up to 1 in each row."""
    top = scores.max(axis=1, keepdims=True)
    return np.asarray(scores - top - np.log(np.exp(scores - top).sum(axis=1, keepdims=True)), np.float64)
