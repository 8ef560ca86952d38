"""How likely pieces are, given that each player has only so many of them (SETUP-2)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from companion.games.pacal.pieces import COLOURS, MAX_FLOORS, PYRAMIDS, STONES
from companion.observation import Odds
from companion.squares import Square
from vision.reading.odds import BARE, SORTS, scaled, sorts

SPARE = 0.02
"""How many more pieces of a sort there may be when all that a player has are on the board: those may be misread."""
PLAIN = 0.99
"""What is said with as much is surely there. If that is more than players have, somebody has put more on the board, and
how many there are says nothing."""

_SUPPLY = [*PYRAMIDS, STONES] * len(COLOURS)
"""What there is of each of the ``sorts``: of each colour the pyramids of 1 to 5 floors, and the stones."""


def within_supply(squares: Mapping[Square, Odds]) -> dict[Square, Odds]:
    """The probabilities on all squares, given how many pieces of each sort there are.

    The networks say how likely each number of floors is if all are as common; but a player has three pyramids of two
    floors and one of one. The squares are taken from the surest to the least sure, so that each is told what those
    before it leave over.
    """
    # A square has so few contents that plain numbers are quicker than arrays.
    left, found = [float(many) for many in _SUPPLY], dict(squares)
    taken = {name: odds for name, odds in squares.items() if odds.keys() != BARE}
    surely = [0.0] * len(_SUPPLY)
    for odds in taken.values():
        _add(surely, {content: p for content, p in odds.items() if p >= PLAIN})
    if any(many > there for many, there in zip(surely, _SUPPLY, strict=True)):
        return found
    # What is doubted only because something may lie over it adds up to less than 1, and is as sure as it was.
    total = {name: sum(odds.values()) for name, odds in taken.items()}
    for name in sorted(taken, key=lambda name: max(taken[name].values()) / total[name], reverse=True):
        found[name] = _supplied(taken[name], left)
        _add(left, found[name], -1 / total[name])
    return found


def _add(count: list[float], odds: Odds, times: float = 1.0) -> None:
    """Add so many times the pieces of each sort that are on a square on average."""
    for content, p in odds.items():
        for sort in sorts(content):
            count[sort] += times * p


def _supplied(odds: Odds, left: Sequence[float]) -> Odds:
    """The probabilities on one square if so much is left of each sort."""
    if len(odds) == 1:
        return odds
    weights = {content: p * math.prod([_common(sort, left) for sort in sorts(content)]) for content, p in odds.items()}
    return scaled(weights, sum(odds.values()))


def _common(sort: int, left: Sequence[float]) -> float:
    """How common pieces of a sort are if so much is left of each, beside pyramids of all floors that are as common."""
    colour, kind = divmod(sort, SORTS)
    if kind == MAX_FLOORS:
        return min(max(left[sort], SPARE), 1.0)
    pyramids = [max(many, SPARE) for many in left[colour * SORTS : colour * SORTS + MAX_FLOORS]]
    return pyramids[kind] * MAX_FLOORS / sum(pyramids)
