"""The board as it is played on: a layout with its covers, and the tables that make the rules quick."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from companion.errors import BadLayout
from companion.games.pacal.layout import LAKE, NO_SQUARE, Layout
from companion.squares import Square, position, square

DIRECTIONS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""North, east, south, west, as (columns, rows): the index plus 1 is a turn to the right."""


SQUARE_FLOORS = 5
"""What four markers in the corners of a square allow (BUILD-1)."""


class Pair(NamedTuple):
    """What two squares can be part of; ``first`` is left of ``second``, or above it in the same column.

    near: they touch horizontally or vertically. line: the next two squares of a line with the same gap, as far as the
    board goes, or () where the two are in no line. square: the other two corners of an upright square whose upper side
    they are, or (). tilted: those of a square that stands on a corner, of which they are the left and the right one.
    """

    near: bool
    diagonal: bool
    line: tuple[Square, ...]
    square: tuple[Square, ...]
    tilted: tuple[Square, ...]


@dataclass(frozen=True, eq=False)
class Ground:
    """The squares in play, with their neighbours.

    district: each square in play with its district. rays: from each square north, east, south and west to the edge;
    lake squares are in them. bits: each place of the grid as a number with a single bit, so that a set of places is one
    number, a bitboard; the bit to the south is one higher, the bit to the east ``column`` higher. names: the place of
    each bit. board: the squares in play.
    pairs: for two squares of the grid in play what constellations they can begin, by the first and the second.
    """

    layout: Layout
    district: Mapping[Square, str]
    lake: frozenset[Square]
    covered: tuple[Square, ...]
    shore: frozenset[Square]
    sacred: frozenset[Square]
    values: Mapping[str, int]
    rays: Mapping[Square, tuple[tuple[Square, ...], ...]]
    bits: Mapping[Square, int] = field(repr=False)
    names: Mapping[int, Square] = field(repr=False)
    board: int = field(repr=False)
    column: int
    pairs: Mapping[Square, Mapping[Square, Pair]] = field(repr=False)

    def squares(self, bits: int) -> set[Square]:
        """The squares of a bitboard."""
        found = set()
        while bits:
            lowest = bits & -bits
            found.add(self.names[lowest])
            bits ^= lowest
        return found


@lru_cache(maxsize=16)
def ground(layout: Layout, players: int) -> Ground:
    """The board for a number of players. Raises BadLayout when the layout does not do for so many."""
    hidden = layout.covered(players)
    places = list(layout.places())
    district = {name: letter for name, letter, _ in places if letter not in (LAKE, NO_SQUARE) and letter not in hidden}
    lake = frozenset(name for name, letter, _ in places if letter == LAKE)
    sacred = frozenset(name for name, letter in district.items() if letter == layout.sacred)
    if len(sacred) < players:
        raise BadLayout(
            f"layout {layout.name!r}: the sacred district {layout.sacred} has {len(sacred)} squares, "
            f"and {players} players need one each for their ships"
        )
    rays = {name: tuple(_ray(name, way, district, lake) for way in DIRECTIONS) for name in district}
    # A row of nothing under the lowest one keeps a step south or north from the column beside.
    column = len(layout.districts) + 1
    bits = {name: 1 << (at[0] * column + at[1]) for name, _, _ in places for at in [position(name)]}
    return Ground(
        layout=layout,
        district=district,
        lake=lake,
        covered=tuple(name for name, letter, _ in places if letter in hidden),
        shore=frozenset(name for name, _, bank in places if bank and name in district),
        sacred=sacred,
        values=dict(layout.values),
        rays=rays,
        bits=bits,
        names={bit: name for name, bit in bits.items()},
        board=sum(bits[name] for name in district),
        column=column,
        pairs=_pairs(district),
    )


@lru_cache(maxsize=8192)
def between(floors: int, uses: tuple[Square, ...]) -> frozenset[Square]:
    """The squares in the gaps of a constellation (R-GAPS): on its line, or on the four sides of its square."""
    pairs = list(combinations([position(name) for name in uses], 2))
    if floors == SQUARE_FLOORS:
        # The sides of a square are its four shortest connections, the other two go across.
        pairs = sorted(pairs, key=lambda pair: math.dist(*pair))[:4]
    gaps: set[Square] = set()
    for (column, row), (other_column, other_row) in pairs:
        columns, rows = other_column - column, other_row - row
        length = max(abs(columns), abs(rows))
        gaps.update(square(column + columns * k // length, row + rows * k // length) for k in range(1, length))
    return frozenset(gaps.difference(uses))


def _ray(
    name: Square, way: tuple[int, int], district: Mapping[Square, str], lake: frozenset[Square]
) -> tuple[Square, ...]:
    column, row = position(name)
    ray: list[Square] = []
    while True:
        column, row = column + way[0], row + way[1]
        following = _square_at(column, row)
        if following is None or (following not in district and following not in lake):
            return tuple(ray)
        ray.append(following)


def _square_at(column: int, row: int) -> Square | None:
    return square(column, row) if 0 <= column < 26 and 0 <= row < 99 else None


def _pairs(district: Mapping[Square, str]) -> dict[Square, dict[Square, Pair]]:
    spots = sorted((position(name), name) for name in district)
    return {
        name: {other: pair for there, other in spots[i + 1 :] if (pair := _pair(spot, there, district)) is not None}
        for i, (spot, name) in enumerate(spots)
    }


def _pair(first: tuple[int, int], second: tuple[int, int], district: Mapping[Square, str]) -> Pair | None:
    """What two squares can be part of, the first one left of the second or above it."""
    (column, row), (other_column, other_row) = first, second
    columns, rows = other_column - column, other_row - row
    if columns and rows and columns != abs(rows):
        return None

    def known(*spots: tuple[int, int]) -> tuple[Square, ...]:
        names = [_square_at(*spot) for spot in spots]
        return tuple(name for name in names if name is not None and name in district)

    line = known((other_column + columns, other_row + rows))
    if line:
        line += known((other_column + 2 * columns, other_row + 2 * rows))
    corners: tuple[Square, ...] = ()
    tilted: tuple[Square, ...] = ()
    if not rows:
        corners = known((column, row + columns), (other_column, row + columns))
        half, odd = divmod(columns, 2)
        tilted = () if odd else known((column + half, row - half), (column + half, row + half))
    return Pair(
        near=columns + abs(rows) == 1,
        diagonal=bool(columns and rows),
        line=line,
        square=corners if len(corners) == 2 else (),
        tilted=tilted if len(tilted) == 2 else (),
    )
