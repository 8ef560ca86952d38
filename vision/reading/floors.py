"""How many floors pyramids have: two networks say it, and where they are doubtful their terraces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS, MAX_FLOORS, Pyramid
from vision.appearance import Looks
from vision.reading.crops import NEAR, Asked, Cutter
from vision.reading.evidence import usual_shades
from vision.reading.nets import TEMPERATURE, load, run, run_again, shares
from vision.reading.terraces import Shown, TerraceCounter

QUICK, THOROUGH = "quick_floors.onnx", "floors.onnx"
SURE = 0.998
"""Where the quick network is less sure of a number, the thorough one is asked."""
DOUBTFUL, QUICK_COUNTS = 0.97, 0.2
"""Where no number of floors is likelier even then, that looks again; and where it still is not, what the quick one said
counts so much beside its rest, and terraces are counted."""
OVERSTATED = (1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0)
"""By how much more than usual a network may overstate how sure it is on one table."""
UNUSUAL, MISTAKEN = 1.0, 0.02
"""What overstating costs for each logarithm of it; and how often a known pyramid is not what it is said to be."""

Said: TypeAlias = tuple[float, float]
"""Of the quick network and of the thorough one."""


class FloorCounter:
    """Counts floors on the pictures of one table."""

    def __init__(self, terraces: TerraceCounter | None = None, overstated: Said = (1.0, 1.0)) -> None:
        """terraces: counts the table's terraces; None where that tells nothing. overstated: by how much more than usual
        the networks overstate how sure they are, as ``learn_overstated`` says. Raises ValueError for what that never
        says."""
        if not all(OVERSTATED[0] <= much <= OVERSTATED[-1] for much in overstated):
            raise ValueError(f"networks do not overstate how sure they are by {overstated}")
        self._quick, self._thorough = load(QUICK), load(THOROUGH)
        self._terraces = terraces
        self._overstated = overstated

    def count(self, cutter: Cutter, wanted: Sequence[Asked], likely: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Logarithms of how likely each number of floors is, N x 5, of pyramids that may stand on N squares. Where the
        quick network is unsure of one that is ``likely`` there, it is the thorough one's; where that is doubtful, that
        looks again; where it still is, it is that of both, with what terraces tell."""
        much_quick, much = self._overstated
        quick = _likely(run(self._quick, cutter.cut(wanted, NEAR), MAX_FLOORS), much_quick)
        found, unsure = quick.copy(), likely & (quick.max(axis=1) < np.log(SURE))
        found[unsure] = _likely(run(self._thorough, cutter.cut(those(wanted, unsure), NEAR), MAX_FLOORS), much)
        unsure &= found.max(axis=1) < np.log(DOUBTFUL)
        found[unsure] = _likely(run_again(self._thorough, cutter, those(wanted, unsure), NEAR, MAX_FLOORS), much)
        unsure &= found.max(axis=1) < np.log(DOUBTFUL)
        if unsure.any():
            both = shares((1 - QUICK_COUNTS) * found[unsure] + QUICK_COUNTS * quick[unsure])
            told = 0 if self._terraces is None else self._terraces.count(cutter.scene, those(wanted, unsure), both)
            found[unsure] = shares(both + told)
        return found


def learn_overstated(shown: Sequence[Shown], looks: Looks) -> NDArray[np.float32]:
    """By how much more than usual the networks overstate how sure they are of the pyramids on pictures of known pieces:
    the quick one, the thorough one. More than 1 where these, or how they are seen, are unlike any that the networks
    were trained on.

    Source: C. Guo et al., On calibration of modern neural networks, 2017 (temperature scaling).
    """
    return np.array([_overstated(load(name), shown, looks) for name in (QUICK, THOROUGH)], np.float32)


def _overstated(net: cv2.dnn.Net, shown: Sequence[Shown], looks: Looks) -> float:
    said, floors = [np.zeros((0, MAX_FLOORS))], []
    for scene, pieces in shown:
        there = [(name, piece) for name, piece in pieces.items() if isinstance(piece, Pyramid)]
        asked = [(name, COLOURS.index(piece.colour)) for name, piece in there]
        said.append(run(net, Cutter(scene, usual_shades(looks)).cut(asked, NEAR), MAX_FLOORS) / TEMPERATURE)
        floors += [piece.floors - 1 for _, piece in there]
    every, rows = np.concatenate(said), np.arange(len(floors))

    def explained(much: float) -> float:
        right = np.exp(shares(every / much))[rows, floors]
        likely = (1 - MISTAKEN) * right + MISTAKEN / MAX_FLOORS
        return float(np.log(likely).sum() - UNUSUAL * np.log(much))

    return max(OVERSTATED, key=explained)


def _likely(said: NDArray[np.float64], overstated: float) -> NDArray[np.float64]:
    """Logarithms of how likely each number of floors is by what a network says, N x 5."""
    return shares(said / (TEMPERATURE * overstated))


def those(wanted: Sequence[Asked], chosen: NDArray[np.bool_]) -> list[Asked]:
    """What is chosen of what is wanted."""
    return [wanted[index] for index in np.flatnonzero(chosen).tolist()]
