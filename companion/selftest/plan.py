"""A dozen placements, made from the squares of any board and the pieces that every box has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from companion.boards import Board
from companion.errors import BadLayout
from companion.games.pacal.pieces import COLOURS, MAX_FLOORS, Piece, Pyramid, Ship, Stones
from companion.squares import Square, position, reading_order, square

STEPS = 12
MOST_STANDING = 20
"""More pieces are not on the board at once, so that the first ones are soon free again."""
LEAST_SQUARES = 8
"""On fewer squares there is no room to put pieces beside others and take old ones away."""

Spot: TypeAlias = tuple[float, float]
"""A point of the grid as shares of its width and height."""

SPOTS: tuple[Spot, ...] = ((0.5, 0.5), (0, 0), (1, 1), (1, 0), (0, 1))
"""The middle and the corners: pieces are put as near to these as there is room, one after the other."""


@dataclass(frozen=True)
class Step:
    """One placement: what to do, and what then is on the board.

    take: squares to clear first. put: what to put on which free square. standing: everything on the board afterwards.
    """

    take: tuple[Square, ...]
    put: Mapping[Square, Piece]
    standing: Mapping[Square, Piece]


def plan(board: Board) -> tuple[Step, ...]:
    """The ``STEPS`` placements for a board.

    Together they show each colour's ship, its pyramids of every height, its stones alone and in a pair with another
    colour's, in the middle and in the corners, and tall pyramids beside small ones as far as the board has neighbours.
    No more pieces are needed than a box has (SETUP-2): a ship, a pyramid of each height and three stones a colour.
    Raises BadLayout for a board of fewer than ``LEAST_SQUARES`` squares.
    """
    if len(board.squares) < LEAST_SQUARES:
        raise BadLayout(
            f"board {board.name!r} has {len(board.squares)} squares; the self-test needs at least {LEAST_SQUARES}"
        )
    most = min(MOST_STANDING, len(board.squares) // 2)
    ranked = [_by_distance(board, spot) for spot in SPOTS]
    standing: dict[Square, Piece] = {}
    steps = []
    for number, (pyramids, others) in enumerate(zip(_pyramid_groups(), _other_groups(), strict=True)):
        free = board.squares - standing.keys()
        put = _beside_each_other(pyramids, ranked[number % len(SPOTS)], free, standing)
        put |= _apart(others, ranked[(number + 2) % len(SPOTS)], free - put.keys(), {**standing, **put})
        # A dict keeps the order in which pieces were put: the first are those that stand longest.
        take = tuple(standing)[: max(0, len(standing) + len(put) - most)]
        standing = {name: piece for name, piece in standing.items() if name not in take} | put
        steps.append(Step(tuple(sorted(take, key=reading_order)), put, dict(standing)))
    return tuple(steps)


def _pyramid_groups() -> list[tuple[Piece, ...]]:
    """All pyramids in pairs of a tall and a small one, of two colours; the last three together."""
    count = len(COLOURS)
    five = [(Pyramid(COLOURS[i], MAX_FLOORS), Pyramid(COLOURS[(i + 1) % count], 1)) for i in range(count)]
    four = [(Pyramid(COLOURS[(i + 3) % count], 4), Pyramid(COLOURS[i], 2)) for i in range(count)]
    pairs: list[tuple[Piece, ...]] = [pair for both in zip(five, four, strict=True) for pair in both]
    threes = [Pyramid(colour, 3) for colour in COLOURS]
    return [*pairs, tuple(threes[:2]), tuple(threes[2:])]


def _other_groups() -> list[tuple[Piece, ...]]:
    """Ships, single stones and pairs of stones: one a step, two in those where the pyramids are few enough."""
    count = len(COLOURS)
    pairs = [Stones(tuple(sorted((COLOURS[i], COLOURS[(i + 2) % count])))) for i in range(count)]
    each: list[Piece] = []
    for i, colour in enumerate(COLOURS):
        each += [Ship(colour), Stones((COLOURS[(i + 2) % count],)), pairs[(i + 1) % count]]
    doubled = len(each) - STEPS
    groups: list[tuple[Piece, ...]] = [(each[2 * i], each[2 * i + 1]) for i in range(doubled)]
    return groups + [(piece,) for piece in each[2 * doubled :]]


def _by_distance(board: Board, spot: Spot) -> list[Square]:
    """The board's squares, those nearest to a point of the grid first."""
    across, down = spot[0] * (board.columns - 1), spot[1] * (board.rows - 1)

    def key(name: Square) -> tuple[float, tuple[int, int]]:
        column, row = position(name)
        return (column - across) ** 2 + (row - down) ** 2, reading_order(name)

    return sorted(board.squares, key=key)


def _beside_each_other(
    pieces: tuple[Piece, ...], ranked: list[Square], free: frozenset[Square], taken: Mapping[Square, Piece]
) -> dict[Square, Piece]:
    """Squares for pieces that should be neighbours, with bare squares round them where there is room."""
    near = [name for name in ranked if name in free]
    paired = [name for name in near if _beside(name) & free]
    start = next((name for name in paired if not (_round(name) & taken.keys())), (paired or near)[0])
    put = {start: pieces[0]}
    for piece in pieces[1:]:
        left = [name for name in near if name not in put]
        put[next((name for name in left if _beside(name) & put.keys()), left[0])] = piece
    return put


def _apart(
    pieces: tuple[Piece, ...], ranked: list[Square], free: frozenset[Square], taken: Mapping[Square, Piece]
) -> dict[Square, Piece]:
    """Squares for pieces that should not be hidden: without neighbours where there is room."""
    near = [name for name in ranked if name in free]
    put: dict[Square, Piece] = {}
    for piece in pieces:
        crowd = taken.keys() | put.keys()
        left = [name for name in near if name not in put]
        put[next((name for name in left if not (_round(name) & crowd)), left[0])] = piece
    return put


def _round(name: Square) -> set[Square]:
    """The places of the grid that touch one, also at a corner."""
    column, row = position(name)
    return {
        square(c, r)
        for c in range(max(0, column - 1), min(26, column + 2))
        for r in range(max(0, row - 1), min(99, row + 2))
        if (c, r) != (column, row)
    }


def _beside(name: Square) -> set[Square]:
    """The places of the grid that share a side with one."""
    column, row = position(name)
    return {other for other in _round(name) if position(other)[0] == column or position(other)[1] == row}
