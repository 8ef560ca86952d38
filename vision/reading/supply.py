"""How likely pieces are, given that each player has only so many of them (SETUP-2)."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from companion.games.pacal.pieces import COLOURS, MAX_FLOORS, PYRAMIDS, STONES
from companion.squares import Square
from vision.geometry import Floats
from vision.reading.ships import BARE, Odds, expected, sorts

SPARE = 0.02
"""How many more pieces of a sort there may be when all that a player has are on the board: those may be misread."""
PLAIN = 0.99
"""What is said with as much is surely there. If that is more than players have, somebody has put more on the board, and
how many there are says nothing."""

_SUPPLY = np.array([(*PYRAMIDS, STONES)] * len(COLOURS), np.float64)
"""What there is of each colour: the pyramids of 1 to 5 floors, and the stones."""


def within_supply(squares: Mapping[Square, Odds]) -> dict[Square, Odds]:
    """The probabilities on all squares, given how many pieces of each sort there are.

    The networks say how likely each number of floors is if all are as common; but a player has three pyramids of two
    floors and one of one. The squares are taken from the surest to the least sure, so that each is told what those
    before it leave over.
    """
    left, found = _SUPPLY.copy(), dict(squares)
    taken = {name: odds for name, odds in squares.items() if odds.keys() != BARE}
    plain = [expected({content: p}) for odds in taken.values() for content, p in odds.items() if p >= PLAIN]
    if np.any(np.sum(plain, axis=0) > _SUPPLY):
        return found
    # What is doubted only because something may lie over it adds up to less than 1, and is as sure as it was.
    total = {name: sum(odds.values()) for name, odds in taken.items()}
    for name in sorted(taken, key=lambda name: max(taken[name].values()) / total[name], reverse=True):
        found[name] = _supplied(taken[name], np.maximum(left, SPARE))
        left -= expected(found[name]) / total[name]
    return found


def _supplied(odds: Odds, left: Floats) -> Odds:
    """The probabilities on one square if so much is left of each sort (colours x 6)."""
    if len(odds) == 1:
        return odds
    common = np.minimum(left, 1)
    common[:, :-1] = left[:, :-1] * (MAX_FLOORS / left[:, :-1].sum(axis=1, keepdims=True))
    flat = common.ravel().tolist()
    weights = {content: p * math.prod(flat[sort] for sort in sorts(content)) for content, p in odds.items()}
    share = sum(odds.values()) / sum(weights.values())
    return {content: weight * share for content, weight in weights.items()}
