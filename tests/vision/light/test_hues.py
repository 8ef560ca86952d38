from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.frames import Part, Picture
from vision.light.hues import Hues

SIDE = 330
BOARD: Part = (slice(20, 310), slice(20, 310))


def printed(colours: int = 40) -> Picture:
    """An empty board with squares of 21 px (32 mm) whose channels differ by so many grey levels, black beside it."""
    chance = np.random.default_rng(5)
    grey = chance.integers(70, 150, (14, 14, 1))
    squares = np.asarray(grey + chance.integers(0, colours + 1, (14, 14, 3)), np.uint8)
    empty = np.zeros((SIDE, SIDE, 3), np.uint8)
    empty[BOARD] = cv2.resize(squares, (290, 290), interpolation=cv2.INTER_NEAREST)
    return empty


def shown(levels: object) -> Picture:
    return np.asarray(np.clip(np.rint(np.asarray(levels)), 0, 255), np.uint8)


def paler(picture: Picture, share: float) -> Picture:
    grey = picture.mean(axis=2, keepdims=True)
    return shown(grey + share * (picture - grey))


def toned(picture: Picture) -> Picture:
    return shown(picture.mean(axis=2, keepdims=True) * np.array([0.6, 0.85, 1.1]))


def half_covered(picture: Picture) -> Picture:
    covered = picture.copy()
    covered[:, 165:] = (60, 90, 140)
    return covered


@given(gains=st.tuples(*[st.floats(0.5, 1.5)] * 3), least=st.floats(0.4, 1.0), share=st.floats(0.7, 1.4))
def test_light_shadows_and_somewhat_paler_colours_are_no_trouble(
    gains: tuple[float, float, float], least: float, share: float
) -> None:
    empty = printed()
    fall = np.linspace(1, least, SIDE)[None, :, None]
    assert Hues(empty, BOARD).trouble(shown(paler(empty, share) * np.array(gains) * fall)) is None


def test_what_covers_less_than_all_of_the_board_is_no_trouble() -> None:
    empty = printed()
    assert Hues(empty, BOARD).trouble(half_covered(empty)) is None


@pytest.mark.parametrize("change", [toned, lambda picture: paler(picture, 0.3), lambda picture: paler(picture, 0.0)])
def test_a_toned_or_pale_picture_is_not_in_the_taught_colours(change: Callable[[Picture], Picture]) -> None:
    empty = printed()
    for seen in (empty, half_covered(empty)):
        assert "not those that were taught" in str(Hues(empty, BOARD).trouble(change(seen)))


def test_a_picture_whose_red_and_blue_are_exchanged_is_found_out() -> None:
    empty = printed()
    assert "red and blue are exchanged" in str(Hues(empty, BOARD).trouble(empty[..., ::-1].copy()))
    assert Hues(empty, BOARD).trouble(half_covered(empty)[..., ::-1].copy()) is not None


def test_a_board_without_colours_tells_nothing() -> None:
    grey = printed(colours=0)
    hues = Hues(grey, BOARD)
    assert hues.trouble(grey) is None
    assert hues.trouble(toned(grey)) is None


def test_a_black_picture_tells_nothing() -> None:
    assert Hues(printed(), BOARD).trouble(np.zeros((SIDE, SIDE, 3), np.uint8)) is None
