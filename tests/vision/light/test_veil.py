from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vision.frames import Part, Picture
from vision.light.veil import LEAST, Veil, VeilFinder, without

SIDE = 330
BOARD: Part = (slice(20, 310), slice(20, 310))


def printed(least: int = 60, most: int = 180) -> Picture:
    """An empty board with squares of 21 px (32 mm) of many colours, straightened; black beside it."""
    colours = np.random.default_rng(5).integers(least, most, (14, 14, 3), dtype=np.uint8)
    squares = cv2.resize(colours, (290, 290), interpolation=cv2.INTER_NEAREST)
    empty = np.zeros((SIDE, SIDE, 3), np.uint8)
    empty[BOARD] = squares
    return empty


def shown(levels: object) -> Picture:
    return np.asarray(np.clip(np.rint(np.asarray(levels)), 0, 255), np.uint8)


def with_pieces(picture: Picture) -> Picture:
    """The same with something of one colour on every fourth square."""
    covered = picture.copy()
    for index, (row, column) in enumerate((row, column) for row in range(7) for column in range(7)):
        middle = (40 + 41 * column, 40 + 41 * row)
        colour = ((200, 60, 50), (40, 40, 190), (60, 170, 200))[index % 3]
        cv2.circle(covered, middle, 10, colour, -1)
    return covered


def find(empty: Picture, seen: Picture) -> Veil | None:
    return VeilFinder(empty, BOARD).find(seen, np.ones((SIDE, SIDE), bool))


def fall(least: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Light that falls from all at the left to so much at the right."""
    return np.linspace(1, least, SIDE)[None, :, None]


@given(
    veil=st.tuples(*[st.integers(-40, 40)] * 3).filter(lambda veil: max(map(abs, veil)) > LEAST + 3),
    light=st.floats(0.7, 1.1),
)
@example(veil=(-26, 5, -7), light=0.8125)
@example(veil=(-35, 13, -19), light=1.007)
def test_a_veil_is_found_in_any_light_and_beside_pieces(veil: tuple[int, int, int], light: float) -> None:
    empty = printed()
    seen = shown(with_pieces(empty) * light + np.array(veil))
    found = find(empty, seen)
    assert found is not None
    assert np.abs(found - veil).max() < 3


def test_a_veil_is_found_where_a_part_of_the_board_is_not_in_the_picture() -> None:
    empty = printed()
    reached = np.ones((SIDE, SIDE), bool)
    reached[: BOARD[0].start + 60] = False
    seen = shown(with_pieces(empty) + np.array((25, 20, 30))) * reached[..., None]
    found = VeilFinder(empty, BOARD).find(seen, reached)
    assert found is not None
    assert np.abs(found - (25, 20, 30)).max() < 3


def test_what_is_left_without_a_veil_is_the_board_in_its_light() -> None:
    empty = printed()
    shadow = with_pieces(empty) * (1 - 0.6 * np.exp(-(((np.arange(SIDE) - 165) / 60) ** 2)))[None, :, None]
    seen = shown(shadow + np.array([-20, 5, 25]))
    found = find(empty, seen)
    assert found is not None
    assert np.abs(without(found, seen).astype(float) - shadow)[BOARD].mean() < 2


@pytest.mark.parametrize(
    "light",
    [
        np.array(0.4),
        np.array(1.4),
        np.array([0.7, 0.95, 1.2]),
        fall(0.45),
        np.where(np.arange(SIDE) < 150, 1.0, 0.4)[None, :, None],
        1 - 0.6 * np.exp(-(((np.arange(SIDE) - 165) / 40) ** 2))[None, :, None],
    ],
    ids=["dim", "bright", "warm", "falling", "shadow's edge", "a narrow shadow"],
)
def test_light_and_shadow_are_no_veil(light: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> None:
    empty = printed()
    assert find(empty, shown(empty * light)) is None
    assert find(empty, shown(with_pieces(empty) * light)) is None


@pytest.mark.parametrize(("least", "most", "light"), [(150, 250, 1.4), (90, 240, (1.2, 1.4, 1.9))])
def test_print_that_is_burnt_out_is_no_veil(least: int, most: int, light: float | tuple[float, ...]) -> None:
    empty = printed(least, most)
    assert find(empty, shown(empty * np.array(light))) is None


def test_a_lamp_that_is_mirrored_in_a_part_of_the_board_is_no_veil() -> None:
    empty = printed()
    rows, columns = np.mgrid[:SIDE, :SIDE]
    lamp = 90 * np.exp(-((rows - 120) ** 2 + (columns - 180) ** 2) / (2 * 70**2))
    assert find(empty, shown(empty + lamp[..., None])) is None


def test_a_board_of_one_colour_tells_of_no_veil() -> None:
    plain = np.full((SIDE, SIDE, 3), (120, 140, 160), np.uint8)
    assert find(plain, shown(plain + np.array([30.0, 30.0, 30.0]))) is None


def test_nothing_is_darker_than_a_veil() -> None:
    # A curve that lifts what is dark more than what is bright, but leaves black as it is, looks like a veil otherwise.
    empty = printed(40, 200)
    empty[25:27] = empty[200:202] = 0
    lifted = shown(255 * (empty / 255) ** 0.75)
    assert find(printed(40, 200), lifted) is None


@pytest.mark.parametrize("seen", [0, 255])
def test_a_picture_of_nothing_has_no_veil(seen: int) -> None:
    empty = printed()
    assert find(empty, np.full_like(empty, seen)) is None
    assert find(np.full_like(empty, seen), empty) is None


def test_what_is_cut_off_without_a_veil_is_black_or_white() -> None:
    picture = np.array([[[10, 250, 100]]], np.uint8)
    assert without(np.array([20, -20, 5.4], np.float32), picture).tolist() == [[[0, 255, 95]]]


def test_what_a_veil_made_black_is_no_brighter_than_its_other_colours() -> None:
    dark, yellow, grey = (0, 14, 36), (0, 180, 200), (40, 60, 85)
    picture = np.array([[dark, yellow, grey]], np.uint8)
    expected = [[[14, 14, 11], [20, 180, 175], [60, 60, 60]]]
    assert without(np.array([-20, 0, 25], np.float32), picture).tolist() == expected
