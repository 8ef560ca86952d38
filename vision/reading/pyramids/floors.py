"""How many floors pyramids have: two networks say it, and where they are doubtful a closer look."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS, MAX_FLOORS, Pyramid
from companion.squares import Square
from vision.light.appearance import Looks
from vision.reading.crops import NEAR, Asked, Cutter, those
from vision.reading.evidence import Scene, Shown, usual_shades
from vision.reading.nets import OVERSTATED, TEMPERATURE, check_overstated, load, run, run_again, shares
from vision.reading.pyramids.burnt_out import by_blue, is_burnt_out, only_blue_is_left
from vision.reading.pyramids.close_look import CloseLook
from vision.reading.pyramids.terraces import MOST

QUICK, THOROUGH = "quick_floors.onnx", "floors.onnx"
SURE = 0.999
"""Where the quick network is less sure of a number, the thorough one is asked. Of 680 pyramids of which the quick one
was sure by 0.995 to 0.999 it was wrong about two, the thorough one about none."""
DOUBTFUL, QUICK_COUNTS = 0.97, 0.2
"""Where no number of floors is likelier even then, that looks again; and where it still is not, what the quick one said
counts so much beside its rest, and floors are counted closer."""
ALIKE = 1.25
"""By how much all that count floors together overstate how sure they are: they err alike. Of 6,532 looks at pyramids on
72 tables that no network for floors had seen 10 were wrong of 6,244 said with 0.99, and are 3 of 5,965 so."""
UNUSUAL, MISTAKEN = 1.0, 0.02
"""What overstating costs for each logarithm of it; and how often a known pyramid is not what it is said to be."""

Said: TypeAlias = tuple[float, float]
"""Of the quick network and of the thorough one."""


class Closer(Protocol):
    """Counts floors where the networks are doubtful."""

    def count(self, scene: Scene, wanted: Sequence[Asked], likely: NDArray[np.float64]) -> NDArray[np.float64]:
        """For squares with a pyramid of such a colour how much speaks for each number of floors, N x 5, natural
        logarithms of odds; likely: how likely each is without it, as logarithms."""
        ...


class FloorCounter:
    """Counts floors on the pictures of one table."""

    def __init__(self, closer: Sequence[Closer] = (), overstated: Said = (1.0, 1.0)) -> None:
        """closer: what counts closer, one after the other, as long as a number is doubtful. overstated: by how much
        more than usual these overstate how sure they are, as ``learn_overstated`` says. Raises ValueError for what that
        never says."""
        for much in overstated:
            check_overstated(much)
        self._quick, self._thorough = load(QUICK), load(THOROUGH)
        self._closer = closer
        self._overstated = overstated

    def count(self, cutter: Cutter, wanted: Sequence[Asked], likely: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Logarithms of how likely each number of floors is, N x 5, of pyramids that may stand on N squares. Where the
        quick network is unsure of one that is ``likely`` there, it is the thorough one's; where that is doubtful, that
        looks again; where it still is, it is that of both, with what a closer look tells. One that is burnt out is
        counted closer however sure the networks are, which never saw such pictures, and by its blue if only that is
        left. All is said less surely in the end (``ALIKE``)."""
        scene = cutter.scene
        burnt = _where(partial(is_burnt_out, scene), wanted, likely)
        blue = _where(partial(only_blue_is_left, scene), wanted, burnt)
        found = np.empty((len(wanted), MAX_FLOORS))
        found[~blue] = self._count(cutter, those(wanted, ~blue), likely[~blue])
        if blue.any():
            found[blue] = self._count(cutter.on(by_blue(scene)), those(wanted, blue), likely[blue])
        if burnt.any():
            closer = [closer.count(scene, those(wanted, burnt), found[burnt]) for closer in self._closer]
            found[burnt] = shares(np.mean([found[burnt], *closer], axis=0))
        return shares(found / ALIKE)

    def _count(self, cutter: Cutter, wanted: Sequence[Asked], likely: NDArray[np.bool_]) -> NDArray[np.float64]:
        much_quick, much = self._overstated
        quick = _likely(run(self._quick, cutter.cut(wanted, NEAR), MAX_FLOORS), much_quick)
        found, unsure = quick.copy(), likely & (quick.max(axis=1) < np.log(SURE))
        said = run(self._thorough, cutter.cut(those(wanted, unsure), NEAR), MAX_FLOORS)
        found[unsure] = _likely(said, much)
        again = unsure & (found.max(axis=1) < np.log(DOUBTFUL))
        said = run_again(self._thorough, cutter, those(wanted, again), NEAR, said[again[unsure]])
        found[again] = _likely(said, much)
        unsure = again & (found.max(axis=1) < np.log(DOUBTFUL))
        found[unsure] = shares((1 - QUICK_COUNTS) * found[unsure] + QUICK_COUNTS * quick[unsure])
        for closer in self._closer:
            if unsure.any():
                told = closer.count(cutter.scene, those(wanted, unsure), found[unsure])
                # However sure it is: of two pyramids in one shadow close-ups were sure that they have two floors more.
                told = np.maximum(told, told.max(axis=1, keepdims=True) - MOST)
                found[unsure] = shares(found[unsure] + told)
                unsure &= found.max(axis=1) < np.log(DOUBTFUL)
        return found


def learn_overstated(shown: Sequence[Shown], looks: Looks) -> NDArray[np.float32]:
    """By how much more than usual the networks overstate how sure they are of the pyramids on pictures of known pieces:
    the quick one, the thorough one, that for close-ups. More than 1 where these, or how they are seen, are unlike any
    that the networks were trained on.

    Source: C. Guo et al., On calibration of modern neural networks, 2017 (temperature scaling).
    """
    quick, thorough, close = load(QUICK), load(THOROUGH), CloseLook(looks)
    said: list[list[NDArray[np.float64]]] = [[], [], []]
    floors: list[int] = []
    for scene, pieces in shown:
        there = [(name, piece) for name, piece in pieces.items() if isinstance(piece, Pyramid)]
        asked = [(name, COLOURS.index(piece.colour)) for name, piece in there]
        floors += [piece.floors - 1 for _, piece in there]
        cutter = Cutter(scene, usual_shades(looks))
        said[0].append(run(quick, cutter.cut(asked, NEAR), MAX_FLOORS) / TEMPERATURE)
        said[1].append(run(thorough, cutter.cut(asked, NEAR), MAX_FLOORS) / TEMPERATURE)
        said[2].append(close.count(scene, asked))
    return np.array([_overstated(one, floors) for one in said], np.float32)


def _overstated(said: Sequence[NDArray[np.float64]], floors: Sequence[int]) -> float:
    """The same of a network that says this of pyramids with so many floors, less one."""
    every, rows = np.concatenate([np.zeros((0, MAX_FLOORS)), *said]), np.arange(len(floors))

    def explained(much: float) -> float:
        right = np.exp(shares(every / much))[rows, floors]
        likely = (1 - MISTAKEN) * right + MISTAKEN / MAX_FLOORS
        return float(np.log(likely).sum() - UNUSUAL * np.log(much))

    return max(OVERSTATED, key=explained)


def _likely(said: NDArray[np.float64], overstated: float) -> NDArray[np.float64]:
    """Logarithms of how likely each number of floors is by what a network says, N x 5."""
    return shares(said / (TEMPERATURE * overstated))


def _where(is_so: Callable[[Square], bool], wanted: Sequence[Asked], asked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Of which of those that are asked about (of N squares) something is so."""
    found = asked.copy()
    for index in np.flatnonzero(asked).tolist():
        found[index] = is_so(wanted[index][0])
    return found
