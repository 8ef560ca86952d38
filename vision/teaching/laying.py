"""What to lay where for the pictures that a table is taught from: palettes of known pieces."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
from numpy.random import Generator

from companion.boards import Board
from companion.errors import BadLayout
from companion.games.pacal.pieces import COLOURS, MAX_FLOORS, Piece, Pyramid, Ship, Stones
from companion.squares import Square, distance

Laid: TypeAlias = dict[Square, Piece]
"""The pieces of a palette, each on its square."""

PYRAMIDS_FIRST, STONES_EACH = 13, 2
"""So many of the 25 pyramids are on the first palette, and so many stones of each colour on both."""
LEAST_SQUARES = 2 * (len(COLOURS) * (1 + STONES_EACH) + PYRAMIDS_FIRST)
"""Twice as many as pieces on the first palette: on fewer they hide each other."""
LAID = 0
"""The seed of the palettes that are to be laid at home."""


def palettes_to_lay(board: Board) -> tuple[Laid, Laid]:
    """Palettes for a board: always the same ones. They need no more pieces than a box has (SETUP-2).

    Raises BadLayout for a board of fewer than ``LEAST_SQUARES`` squares.
    """
    if len(board.squares) < LEAST_SQUARES:
        raise BadLayout(
            f"board {board.name!r} has {len(board.squares)} squares; palettes to lay need at least {LEAST_SQUARES}"
        )
    return draw_palettes(np.random.default_rng(LAID), board)


def draw_palettes(rng: Generator, board: Board) -> tuple[Laid, Laid]:
    """Two pictures that together show every pyramid, every ship twice and every stone four times, in the open."""
    pyramids = [Pyramid(colour, floors) for colour in COLOURS for floors in range(1, MAX_FLOORS + 1)]
    order = [pyramids[at] for at in rng.permutation(len(pyramids))]
    palettes = []
    for pieces in (order[:PYRAMIDS_FIRST], order[PYRAMIDS_FIRST:]):
        all_pieces: list[Piece] = [Ship(colour) for colour in COLOURS]
        all_pieces += pieces
        all_pieces += [Stones((colour,)) for colour in COLOURS for _ in range(STONES_EACH)]
        palettes.append(_spread(rng, board, all_pieces))
    return palettes[0], palettes[1]


def _spread(rng: Generator, board: Board, pieces: Iterable[Piece]) -> Laid:
    taken: Laid = {}
    for piece in pieces:
        free = sorted(board.squares - taken.keys())
        open_ones = [name for name in free if all(distance(name, other) > 1 for other in taken)]
        clear = [
            name for name in free if not any(distance(name, at) < 2 for at in taken if isinstance(taken[at], Ship))
        ]
        taken[str(rng.choice(open_ones or clear or free))] = piece
    return taken
