"""What to lay for a table's palettes."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import games
from companion.boards import Board
from companion.errors import BadLayout
from companion.games.pacal.pieces import COLOURS, PYRAMIDS, STONES, Pyramid, Ship, Stones
from companion.squares import distance, square
from vision.teaching.laying import LEAST_SQUARES, Laid, draw_palettes, palettes_to_lay


def board(columns: int, rows: int) -> Board:
    names = frozenset(square(column, row) for column in range(columns) for row in range(rows))
    return Board("pacal", "drawn", (400, 400), (0, 0, 400, 400), columns, rows, names)


def reference() -> Board:
    found = games.get("pacal").board("reference")
    assert found is not None
    return found


def check(palettes: tuple[Laid, Laid]) -> None:
    """Every pyramid is shown, each ship twice and each colour's stones four times, with no more than a box has."""
    shown = Counter(piece for laid in palettes for piece in laid.values())
    for colour in COLOURS:
        assert all(shown[Pyramid(colour, floors)] == 1 for floors in range(1, len(PYRAMIDS) + 1))
        assert shown[Ship(colour)] == 2
        assert shown[Stones((colour,))] == 4 <= STONES
    assert sum(shown.values()) == sum(map(len, palettes))
    for laid in palettes:
        assert sum(isinstance(piece, Ship) for piece in laid.values()) == len(COLOURS)


@given(st.integers(0, 2**32 - 1), st.integers(6, 14), st.integers(6, 14))
def test_palettes_show_every_piece_often_enough(seed: int, columns: int, rows: int) -> None:
    some = board(columns, rows)
    palettes = draw_palettes(np.random.default_rng(seed), some)
    check(palettes)
    assert all(laid.keys() <= some.squares for laid in palettes)


def test_those_to_lay_are_always_the_same_with_no_piece_beside_another() -> None:
    palettes = palettes_to_lay(reference())
    check(palettes)
    assert palettes == palettes_to_lay(reference())
    assert not any(distance(one, other) == 1 for laid in palettes for one in laid for other in laid)


def test_a_board_with_too_few_squares_for_them_is_refused() -> None:
    check(palettes_to_lay(board(8, 7)))
    with pytest.raises(BadLayout, match=f"has 55 squares; palettes to lay need at least {LEAST_SQUARES}"):
        palettes_to_lay(board(5, 11))
