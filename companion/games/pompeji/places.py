"""The free places of a city, and what fits there (POMP-PLACE-1 to POMP-PLACE-3), as tables and bitboards.

A bitboard is a set of places as one number: each place has a bit of its own, and so a listing asks about all places at
once. The lowest bit is that of the place that comes first in the order of canonical JSON.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import NamedTuple

from companion.games.pompeji.city import MOST, City, Position, frame, sides

_REACH = range(1 - MOST, MOST)
PLACES: tuple[Position, ...] = tuple(
    sorted(((row, column) for row in _REACH for column in _REACH), key=lambda place: (str(place[1]), str(place[0])))
)
"""Every place that a city can come to, in the order of canonical JSON: by column, then by row, -1 before -2."""

BIT: Mapping[Position, int] = {place: 1 << number for number, place in enumerate(PLACES)}
"""The bit of each place."""

SIDES: Mapping[Position, int] = {place: sum(BIT.get(side, 0) for side in sides(place)) for place in PLACES}
"""The places on the four sides of each, as a bitboard."""


class FreePlaces(NamedTuple):
    """The free places of a city that have something on a side.

    places: each with its bit, in the order of canonical JSON. buildings, colours: for each that lies in the city the
    bitboard of the places beside it; statues have None for both.
    """

    places: Sequence[tuple[Position, int]]
    buildings: Mapping[str | None, int]
    colours: Mapping[str | None, int]

    def fitting(self, building: str, colour: str) -> list[Position]:
        """Those with nothing alike beside them (POMP-PLACE-3)."""
        alike = self.buildings.get(building, 0) | self.colours.get(colour, 0)
        return [place for place, bit in self.places if not bit & alike]

    def among(self, positions: Collection[Position]) -> FreePlaces:
        """Those that are among some positions."""
        return self._replace(places=[(place, bit) for place, bit in self.places if place in positions])


def free_places(city: City, attach_to_statue: bool) -> FreePlaces:
    """The free places that have a card on a side.

    attach_to_statue: whether a statue alone is enough (R-ATTACH).
    """
    buildings: dict[str | None, int] = defaultdict(int)
    colours: dict[str | None, int] = defaultdict(int)
    for position, content in city.items():
        beside = SIDES[position]
        buildings[content.building] |= beside
        colours[content.colour] |= beside
    if not attach_to_statue:
        buildings.pop(None, None)
    taken = sum(map(BIT.__getitem__, city))
    free = reduce(or_, buildings.values()) & ~taken & _within_reach(*frame(city))
    places = []
    while free:
        lowest = free & -free
        places.append((PLACES[lowest.bit_length() - 1], lowest))
        free ^= lowest
    return FreePlaces(places, buildings, colours)


@lru_cache(maxsize=1024)
def _within_reach(top: int, left: int, bottom: int, right: int) -> int:
    """The places that a city of this frame may still come to (POMP-PLACE-2)."""
    rows, columns = range(bottom - MOST + 1, top + MOST), range(right - MOST + 1, left + MOST)
    return sum(bit for (row, column), bit in BIT.items() if row in rows and column in columns)
