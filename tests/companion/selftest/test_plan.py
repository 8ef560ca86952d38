from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import games
from companion.boards import Board
from companion.errors import BadLayout
from companion.games.pacal.pieces import COLOURS, MAX_FLOORS, PYRAMIDS, STONES, Piece, Pyramid, Ship, Stones
from companion.selftest.plan import LEAST_SQUARES, MOST_STANDING, STEPS, Step, plan
from companion.squares import position, square


def board_with(squares: frozenset[str]) -> Board:
    columns = 1 + max(position(name)[0] for name in squares)
    rows = 1 + max(position(name)[1] for name in squares)
    size = (columns * 30.0, rows * 30.0)
    return Board("pacal", "any", size, (0.0, 0.0, *size), columns, rows, squares)


any_square = st.builds(square, st.integers(0, 25), st.integers(0, 40))
small_square = st.builds(square, st.integers(0, 4), st.integers(0, 4))
any_board = st.builds(
    board_with,
    st.frozensets(small_square, min_size=LEAST_SQUARES) | st.frozensets(any_square, min_size=LEAST_SQUARES),
)


def reference() -> Board:
    board = games.get("pacal").board("reference")
    assert board is not None
    return board


def put_by(steps: tuple[Step, ...]) -> Iterator[Piece]:
    for step in steps:
        yield from step.put.values()


@given(any_board)
def test_each_step_puts_pieces_on_squares_that_exist_and_were_free_before(board: Board) -> None:
    before: set[str] = set()
    for step in plan(board):
        assert step.put
        assert step.put.keys() <= board.squares
        assert not step.put.keys() & before
        before = set(step.standing)


@given(any_board)
def test_what_stands_is_what_stood_less_what_was_taken_and_what_was_put(board: Board) -> None:
    before: dict[str, Piece] = {}
    for step in plan(board):
        assert set(step.take) <= before.keys()
        before = {name: piece for name, piece in before.items() if name not in step.take} | dict(step.put)
        assert step.standing == before


@given(any_board)
def test_each_step_changes_little_and_leaves_half_of_the_board_bare(board: Board) -> None:
    for step in plan(board):
        assert len(step.put) <= 4
        assert len(step.take) <= 4
        assert len(step.standing) <= min(MOST_STANDING, len(board.squares) // 2)


@given(any_board)
def test_together_they_show_every_ship_every_pyramid_and_stones_alone_and_in_pairs(board: Board) -> None:
    shown = set(put_by(plan(board)))
    assert {Ship(colour) for colour in COLOURS} <= shown
    assert {Pyramid(colour, floors) for colour in COLOURS for floors in range(1, MAX_FLOORS + 1)} <= shown
    assert {Stones((colour,)) for colour in COLOURS} <= shown
    pairs = [piece for piece in shown if isinstance(piece, Stones) and len(piece.colours) == 2]
    assert {colour for piece in pairs for colour in piece.colours} == set(COLOURS)
    assert all(len(set(piece.colours)) == 2 for piece in pairs)


@given(any_board)
def test_no_more_pieces_are_asked_for_than_a_box_has(board: Board) -> None:
    needed = Counter(put_by(plan(board)))
    stones: Counter[str] = Counter()
    for piece, count in needed.items():
        match piece:
            case Ship():
                assert count == 1
            case Pyramid(_, floors):
                assert count <= PYRAMIDS[floors - 1]
            case Stones(colours):
                stones.update(colour for colour in colours for _ in range(count))
    assert max(stones.values()) <= min(3, STONES)


@given(any_board)
def test_the_squares_nearest_to_the_middle_and_to_each_corner_get_pieces(board: Board) -> None:
    used = {name for step in plan(board) for name in step.put}
    for across, down in [(0.5, 0.5), (0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)]:
        x, y = across * (board.columns - 1), down * (board.rows - 1)
        distances = {n: (position(n)[0] - x) ** 2 + (position(n)[1] - y) ** 2 for n in board.squares}
        nearest = sorted(distances.values())[: len(board.squares) // 2]
        assert any(distances[name] in nearest for name in used)


def test_there_are_a_dozen_steps() -> None:
    assert len(plan(reference())) == STEPS == 12


def test_on_the_reference_board_the_corners_and_the_middle_hold_pieces() -> None:
    used = {name for step in plan(reference()) for name in step.put}
    assert {"A1", "M1", "A13", "M13", "G7"} <= used


def test_on_the_reference_board_tall_pyramids_stand_beside_small_ones() -> None:
    heights = []
    for step in plan(reference())[:10]:
        (a, tall), (b, small) = [(n, p) for n, p in step.put.items() if isinstance(p, Pyramid)]
        assert sum(abs(i - j) for i, j in zip(position(a), position(b), strict=True)) == 1
        heights.append((tall.floors, small.floors))
    assert set(heights) == {(5, 1), (4, 2)}


def test_on_the_reference_board_ships_and_stones_stand_apart_when_they_are_put() -> None:
    for step in plan(reference()):
        for name, piece in step.put.items():
            if not isinstance(piece, Pyramid):
                column, row = position(name)
                near = [abs(column - c) <= 1 and abs(row - r) <= 1 for c, r in map(position, step.standing)]
                assert sum(near) == 1


def test_a_board_with_too_few_squares_is_refused() -> None:
    with pytest.raises(BadLayout, match="7 squares"):
        plan(board_with(frozenset(square(column, 0) for column in range(LEAST_SQUARES - 1))))
