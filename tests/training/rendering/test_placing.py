"""Drawn boards and where pieces are put on them: the truth of rendered pictures must be physically possible."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from companion.boards import Board
from companion.games.pacal.layout import load_layout
from companion.games.pacal.pieces import PYRAMIDS, STONES, Pyramid, Ship, Stones
from companion.squares import position
from training.rendering.board_layout import DrawnBoard, draw_board, to_toml
from training.rendering.placing import TURNED, PieceSizes, Standing, apart, draw_position, stand
from training.rendering.usual import (
    MORE_SHIPS,
    more_ships,
    played_position,
    supplied_position,
    usual_position,
    usual_sizes,
)
from vision.reading.shapes import BASE_MM, FLOOR_MM, STEP_MM

SEEDS = range(12)


def drawn(seed: int) -> DrawnBoard:
    return draw_board(np.random.default_rng(seed))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_drawn_board_is_read_back_as_it_was_drawn(seed: int, tmp_path: Path) -> None:
    layout = drawn(seed).layout
    file = tmp_path / "board.toml"
    file.write_text(to_toml(layout), encoding="utf-8")
    again = load_layout(str(file))
    assert again.board() == layout.board()
    assert (again.districts, again.shore, again.values) == (layout.districts, layout.shore, layout.values)


def test_drawn_boards_have_many_grids() -> None:
    assert len({drawn(seed).grid for seed in range(40)}) > 10


def standing(seed: int, turned: float = TURNED) -> tuple[Board, PieceSizes, list[Standing]]:
    """A position for which there was room."""
    rng = np.random.default_rng(seed)
    board = draw_board(rng).layout.board()
    sizes = PieceSizes.draw(rng, min(board.square_mm))
    while (placed := stand(rng, board, sizes, draw_position(rng, board), turned)) is None:
        pass
    return board, sizes, placed


def test_pyramids_are_turned_as_often_as_asked_for() -> None:
    def askew(turned: float) -> float:
        """The share of pyramids that are turned by more than 30 degrees."""
        turns = [np.degrees(one.turn) for seed in SEEDS for one in standing(seed, turned)[2] if one.kind == "pyramid"]
        return float(np.mean([30 < turn % 90 < 60 for turn in turns]))

    assert askew(0.0) == 0
    assert 0.2 < askew(1.0) < 0.5


@pytest.mark.parametrize("seed", SEEDS)
def test_pieces_do_not_stand_in_one_another(seed: int) -> None:
    _, sizes, placed = standing(seed)
    feet = [piece.foot(sizes) for piece in placed]
    for at, foot in enumerate(feet):
        assert all(apart(foot, other) for other in feet[:at])


@pytest.mark.parametrize("seed", SEEDS)
def test_a_usual_position_could_be_of_a_game(seed: int) -> None:
    rng = np.random.default_rng(seed)
    board = draw_board(rng).layout.board()
    pieces = usual_position(rng, board)
    assert 6 <= len(pieces) <= 36
    assert pieces.keys() <= board.squares
    ships = [piece.colour for piece in pieces.values() if isinstance(piece, Ship)]
    assert 2 <= len(ships) == len(set(ships))
    sizes = usual_sizes(rng, min(board.square_mm))
    assert (sizes.base, sizes.step, sizes.floor) == (BASE_MM, STEP_MM, FLOOR_MM)
    assert usual_sizes(rng, 28.0).base < 25.0


@pytest.mark.parametrize("seed", SEEDS)
def test_a_supplied_position_shows_no_more_pieces_than_players_have(seed: int) -> None:
    rng = np.random.default_rng(seed)
    board = draw_board(rng).layout.board()
    pieces = list(supplied_position(rng, board).values())
    assert 4 <= len(pieces) <= 36
    pyramids = Counter(piece for piece in pieces if isinstance(piece, Pyramid))
    assert all(many <= PYRAMIDS[piece.floors - 1] for piece, many in pyramids.items())
    stones = Counter(colour for piece in pieces if isinstance(piece, Stones) for colour in piece.colours)
    assert max(stones.values(), default=0) <= STONES


@pytest.mark.parametrize("seed", SEEDS)
def test_a_played_position_has_the_ships_of_all_players_but_one_at_most(seed: int) -> None:
    board = draw_board(np.random.default_rng(seed)).layout.board()
    supplied = supplied_position(np.random.default_rng(seed), board)
    played = played_position(np.random.default_rng(seed), board)
    assert {name: piece for name, piece in supplied.items() if not isinstance(piece, Ship)}.items() <= played.items()
    ships = [piece.colour for piece in played.values() if isinstance(piece, Ship)]
    assert len(ships) == len(set(ships))
    each = [piece.colours if isinstance(piece, Stones) else (piece.colour,) for piece in supplied.values()]
    players = set(chain.from_iterable(each))
    assert len(players) - 1 <= len(ships)
    assert players >= set(ships)


@pytest.mark.parametrize("seed", SEEDS)
def test_more_ships_stand_beside_a_supplied_position(seed: int) -> None:
    board = draw_board(np.random.default_rng(seed)).layout.board()
    usual = supplied_position(np.random.default_rng(seed), board)
    pieces = more_ships(np.random.default_rng(seed), board)
    assert usual.items() <= pieces.items()
    assert len(pieces) == min(len(usual) + MORE_SHIPS, len(board.squares))
    assert all(isinstance(pieces[name], Ship) for name in pieces.keys() - usual.keys())


@pytest.mark.parametrize("seed", SEEDS)
def test_a_piece_stands_on_its_own_square(seed: int) -> None:
    board, _, placed = standing(seed)
    for piece in placed:
        assert piece.square in board.squares
        column, row = position(piece.square)
        left, top = board.grid_mm[:2]
        width, height = board.square_mm
        assert int((piece.at[0] - left) // width) == column
        assert int((piece.at[1] - top) // height) == row


def test_a_pyramid_never_ends_in_a_point() -> None:
    for seed in range(200):
        sizes = PieceSizes.draw(np.random.default_rng(seed), 31.0)
        assert sizes.base - 4 * sizes.step > 3


def test_outlines_that_overlap_are_not_apart() -> None:
    square = np.array([[0.0, 0], [2, 0], [2, 2], [0, 2]])
    assert apart(square, square + np.array([2.1, 0]))
    assert not apart(square, square + 1.9)
    assert not apart(square, square * 0.5 + 0.5)
