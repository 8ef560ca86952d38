"""Light that burns out a part of a picture."""

from __future__ import annotations

import numpy as np
import pytest

from vision.frames import Picture
from vision.light.comparison import compare
from vision.logarithms import BURNT, TO_BGR, logarithms


@pytest.fixture
def board() -> Picture:
    """A print of patches, dark ones and some that are nearly white, 300 x 300 mm."""
    rng = np.random.default_rng(5)
    patches = rng.integers(40, 160, (20, 20, 3))
    patches[3:9, 3:9] = rng.integers(190, 240, (6, 6, 3))
    return np.asarray(np.kron(patches, np.ones((10, 10, 1))), np.uint8)


@pytest.mark.parametrize("factor", [1.2, 1.6])
def test_what_is_burnt_out_neither_spoils_the_light_nor_looks_changed(board: Picture, factor: float) -> None:
    brighter = np.asarray(np.clip(np.rint(board * factor), 0, 255), np.uint8)
    change = compare(brighter, logarithms(board), (0.0, 0.0))
    burnt = (brighter >= BURNT).any(axis=2)
    assert 0.03 < burnt.mean() < 0.3
    assert np.array_equal(change.burnt, burnt)
    assert np.abs(change.difference).max() < 0.06
    # The offset before the logarithm makes dark pixels a little less brighter.
    assert change.gain[..., 2] == pytest.approx(np.log(factor), abs=0.04)


def test_where_a_picture_is_burnt_out_its_light_is_no_shadows() -> None:
    board = np.full((200, 300, 3), (190, 215, 225), np.uint8)
    light = np.where(np.arange(300) < 150, 0.6, 1.4)[None, :, None]
    change = compare(np.clip(board * light, 0, 255).astype(np.uint8), logarithms(board), (0.0, 0.0))
    assert change.burnt.mean() == 0.5
    assert np.abs(change.difference[:, 200:]).max() < 0.02
    assert np.abs(change.difference[:, :100]).max() < 0.1


def test_things_beside_the_board_do_not_change_its_light(board: Picture) -> None:
    whole = np.full((300, 300, 3), 90, np.uint8)
    inside = slice(50, 250)
    whole[inside, inside] = board
    covered = whole.copy()
    covered[250:, 150:] = 70
    alone = compare(covered, logarithms(whole), (0.0, 0.0), board=(inside, inside))
    assert np.abs(alone.difference[inside, inside]).max() < 0.01
    assert np.abs(compare(covered, logarithms(whole), (0.0, 0.0)).difference[inside, inside]).max() > 0.05


def test_a_picture_without_burnt_pixels_has_none(board: Picture) -> None:
    assert not compare(board, logarithms(board), (0.0, 0.0)).burnt.any()


def test_dark_channels_are_the_same_in_other_light(board: Picture) -> None:
    with_pieces = board.copy()
    for row, column, colour in ((80, 80, (180, 30, 12)), (80, 200, (12, 16, 170)), (200, 120, (30, 110, 20))):
        with_pieces[row : row + 12, column : column + 12] = colour
    pieces = (with_pieces != board).any(axis=2)
    seen = np.asarray(np.rint(with_pieces * 0.5), np.uint8)
    expected = logarithms(with_pieces)[pieces] @ TO_BGR.T
    change = compare(seen, logarithms(board), (0.0, 0.0))
    assert np.abs(change.colour[pieces] @ TO_BGR.T - expected).max() < 0.1
    # The gain taken from the logarithms leaves them too bright: the offset before the logarithm is no light.
    assert np.abs((logarithms(seen) - change.gain)[pieces] @ TO_BGR.T - expected).max() > 0.2
