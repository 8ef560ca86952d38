"""Packs of squares and the stones that are found on them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from companion.games.pacal.pieces import COLOURS, Pyramid, Ship, Stones
from training.packing.packs import Pack
from training.packing.stones import CONTRASTS, OTHER, Found, answer_of, pack, printed, together, unpack
from vision.reading.claim import Claim
from vision.reading.odds import SETS
from vision.reading.stones.features import FEATURES
from vision.reading.stones.fit import FOUND


@pytest.fixture(scope="module")
def squares(packed: Callable[[Pack], Path]) -> list[Found]:
    return unpack(packed(pack))


def test_squares_know_what_stands_there(squares: list[Found]) -> None:
    answers = {square.answer for square in squares}
    assert {0, OTHER} < answers
    assert len(answers) >= 6
    assert all(0 < len(square.seen) <= FOUND for square in squares)


def test_answers_are_sets_of_stones() -> None:
    assert answer_of(None) == 0
    assert SETS[answer_of(Stones(("blue", "red")))] == (COLOURS.index("red"), COLOURS.index("blue"))
    assert answer_of(Ship("red")) == answer_of(Pyramid("red", 1)) == OTHER


def test_printed_stones_are_on_the_empty_board_too() -> None:
    rng = np.random.default_rng(2)
    side = 16
    empty, seen = np.full((side, side, 3), 100, np.uint8), np.full((side, side, 3), 180, np.uint8)
    maps = np.zeros((10, side // 2, side // 2), np.float32)
    claim = Claim(seen, empty, np.zeros((side // 2, side // 2, 3), np.float32), maps, (36.0, 36.0), (0.0, 0.0))
    for _ in range(10):
        other = printed(claim, rng)
        contrast = (other.empty.mean() - 100) / 80
        assert CONTRASTS[0] - 0.05 < contrast < CONTRASTS[1] + 0.05
        assert np.array_equal(other.picture, seen)
        assert other.maps[-2:].min() >= 0.3


def test_what_was_not_found_is_marked(squares: list[Found]) -> None:
    rows = together(squares[:20])
    assert rows.shape == (20, FOUND, len(COLOURS), FEATURES + 1)
    for row, square in zip(rows, squares, strict=False):
        many = len(square.seen)
        assert np.array_equal(row[:many, :, :-1], square.seen)
        assert (row[:many, :, -1] == 1).all()
        assert not row[many:].any()
