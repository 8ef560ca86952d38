"""What can be asked of how likely each content of a square is, and what changes that."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from functools import cache
from itertools import combinations

from companion.games.pacal.pieces import COLOURS, MAX_FLOORS, Pyramid, Ship, Stones
from companion.observation import Content, Odds


def sets_of(colours: Collection[int]) -> tuple[tuple[int, ...], ...]:
    """All sets of some colours (their numbers), that of none first, then those of one, and so on."""
    return tuple(chosen for count in range(len(colours) + 1) for chosen in combinations(colours, count))


SETS = sets_of(range(len(COLOURS)))
"""All sets of colours that stones on one square may have."""
SHIPS = tuple(Ship(colour) for colour in COLOURS)
BARE = {None}
"""All that is listed of a square on which nothing shows."""
FAINT = 1e-5
"""Contents that are less likely than this are not listed."""
SORTS = MAX_FLOORS + 1
"""Of each colour: pyramids of 1 to 5 floors, and stones."""


def with_told(odds: Odds, contents: Collection[Content], told: float) -> Odds:
    """The probabilities on a square, of the same sum, given how much something speaks for each of these contents there
    (natural logarithm of odds)."""
    total = 1 + sum(odds.get(content, 0.0) for content in contents) / sum(odds.values()) * math.expm1(told)
    return {content: p * (math.exp(told) if content in contents else 1) / total for content, p in odds.items()}


def scaled(weights: Odds, total: float) -> dict[Content | None, float]:
    """Probabilities that add up to a total, as likely beside each other as some weights."""
    scale = total / sum(weights.values())
    return {content: weight * scale for content, weight in weights.items()}


def ship_shares(odds: Odds) -> list[float]:
    """The probability of a ship of each colour."""
    shares = [0.0] * len(COLOURS)
    for content, p in odds.items():
        if isinstance(content, Ship):
            shares[COLOURS.index(content.colour)] = p
    return shares


def of_colours(odds: Odds) -> list[float]:
    """How many pyramids and stones of each colour are on a square with these probabilities on average."""
    count = [0.0] * len(COLOURS)
    for content, p in odds.items():
        for sort in sorts(content):
            count[sort // SORTS] += p
    return count


@cache
def sorts(content: Content | None) -> tuple[int, ...]:
    """Of which sorts the pieces on a square are: the first ``SORTS`` are of the first colour, the next of the next.
    Ships do not count."""
    match content:
        case Pyramid(colour, floors):
            return (COLOURS.index(colour) * SORTS + floors - 1,)
        case Stones(colours):
            return tuple(COLOURS.index(colour) * SORTS + MAX_FLOORS for colour in colours)
    return ()


def stones_of(colours: Iterable[int]) -> Stones:
    """Stones of the colours with these numbers."""
    return Stones(tuple(sorted(COLOURS[colour] for colour in colours)))


def colours_of(content: Content | None) -> tuple[int, ...] | None:
    """The numbers of the stones' colours, None where something else stands."""
    if content is None:
        return ()
    return tuple(sorted(COLOURS.index(name) for name in content.colours)) if isinstance(content, Stones) else None


def with_stone(content: Content | None, colour: int) -> Stones | None:
    """The same and a stone of the colour with this number; None where something else stands, or one lies there."""
    colours = colours_of(content)
    return None if colours is None or colour in colours else stones_of((*colours, colour))
