"""Where A1 is the palettes tell, or they say that they do not."""

from __future__ import annotations

import numpy as np
import pytest

from companion.errors import BadSetup
from vision.geometry import Floats
from vision.teaching.corners.turning import likeliest
from vision.teaching.setup_folder import Setup


def ways(setup: Setup) -> list[Floats]:
    return [np.roll(setup.corners_px, k, axis=0) for k in (1, 2, 3, 0)]


@pytest.mark.parametrize("number", [0, 1])
def test_one_palette_is_enough(setup: Setup, number: int) -> None:
    palette = setup.palettes[number]
    found = likeliest(setup.board, setup.empty, [(palette.picture, palette.squares)], ways(setup))
    assert np.array_equal(found, setup.corners_px)


def test_pieces_that_lie_the_same_from_every_side_do_not_tell(setup: Setup) -> None:
    every = set(setup.board.squares)
    for squares in (every, set(), {"G7"}):
        with pytest.raises(BadSetup, match="do not tell"):
            likeliest(setup.board, setup.empty, [(setup.palettes[0].picture, squares)], ways(setup))


def test_the_json_of_another_picture_does_not_tell(setup: Setup) -> None:
    first, second = setup.palettes
    with pytest.raises(BadSetup, match="do not tell"):
        likeliest(setup.board, setup.empty, [(first.picture, set(second.squares) - set(first.squares))], ways(setup))


def test_a_board_that_can_lie_one_way_only_needs_no_palette(setup: Setup) -> None:
    assert likeliest(setup.board, setup.empty, [], [setup.corners_px]) is setup.corners_px


def test_of_ways_that_differ_by_little_the_first_is_taken(setup: Setup) -> None:
    """They do not contradict each other: the palettes tell squares apart, not pixels."""
    palettes = [(palette.picture, palette.squares) for palette in setup.palettes]
    near = setup.corners_px + 8.0
    assert likeliest(setup.board, setup.empty, palettes, [near, *ways(setup)]) is near


def test_less_than_a_square_is_not_for_the_palettes_to_tell(setup: Setup) -> None:
    """A board that may lie there, or with two corners more than half a square further."""
    palettes = [(palette.picture, palette.squares) for palette in setup.palettes]
    corners = setup.corners_px
    across = (corners[1] - corners[0]) / setup.board.size_mm[0] * setup.board.square_mm[0]
    other = corners + 0.6 * across * np.array([[0], [1], [1], [0]])
    assert likeliest(setup.board, setup.empty, palettes, [corners, other]) is corners
    assert likeliest(setup.board, setup.empty, palettes, [other, corners]) is other


def test_a_square_further_on_the_pieces_are_not_where_they_should_be(setup: Setup) -> None:
    palettes = [(palette.picture, palette.squares) for palette in setup.palettes]
    corners = setup.corners_px
    across = (corners[1] - corners[0]) / setup.board.size_mm[0] * setup.board.square_mm[0]
    assert likeliest(setup.board, setup.empty, palettes, [corners + across, corners, corners - across]) is corners
