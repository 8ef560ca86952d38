"""The board as it is played on: the fields in each direction, and the borderlands, as tables."""

from __future__ import annotations

from collections.abc import Mapping

from companion.boards import Board, check_geometry, read_layout
from companion.games.pacru.pieces import FIELDS, HEADINGS, SIDE, Heading
from companion.squares import Square, position, square

GAME = "pacru"
BORDERLAND_SIDE = 3

STEPS: Mapping[Heading, tuple[int, int]] = {
    "N": (0, -1),
    "NE": (1, -1),
    "E": (1, 0),
    "SE": (1, 1),
    "S": (0, 1),
    "SW": (-1, 1),
    "W": (-1, 0),
    "NW": (-1, -1),
}
"""One field on in each heading, as (columns, rows)."""


def turned(heading: Heading, eighths: int) -> Heading:
    """A heading after a turn by so many times 45°, to the right when positive."""
    return HEADINGS[(HEADINGS.index(heading) + eighths) % len(HEADINGS)]


def _line(name: Square, heading: Heading) -> tuple[Square, ...]:
    column, row = position(name)
    columns, rows = STEPS[heading]
    line = []
    while 0 <= (column := column + columns) < SIDE and 0 <= (row := row + rows) < SIDE:
        line.append(square(column, row))
    return tuple(line)


def _borderland(name: Square) -> tuple[int, int]:
    column, row = position(name)
    return column // BORDERLAND_SIDE, row // BORDERLAND_SIDE


LINES: Mapping[Square, Mapping[Heading, tuple[Square, ...]]] = {
    name: {heading: _line(name, heading) for heading in HEADINGS} for name in FIELDS
}
"""The fields from each field straight on in each heading, up to the edge."""

DIRECTIONS: Mapping[Heading, tuple[Heading, ...]] = {
    heading: (turned(heading, -1), heading, turned(heading, 1)) for heading in HEADINGS
}
"""The three directions in which a chevron moves (PACRU-MOVE-1)."""

OPPOSITE: Mapping[Heading, Heading] = {heading: turned(heading, 4) for heading in HEADINGS}

BORDERLAND: Mapping[Square, tuple[Square, ...]] = {
    name: tuple(other for other in FIELDS if _borderland(other) == _borderland(name)) for name in FIELDS
}
"""The nine fields of the borderland of each field, sorted as text."""


def load_board(board: str) -> Board:
    """The printed board of a layout, by its built-in name or the path of its file. Raises BadLayout."""
    where, data = read_layout(GAME, board)
    size, grid = check_geometry(where, data)
    return Board(
        game=GAME,
        name=data["name"],
        size_mm=size,
        grid_mm=grid,
        columns=SIDE,
        rows=SIDE,
        squares=frozenset(FIELDS),
    )
