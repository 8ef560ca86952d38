from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.frames import Picture, grey
from vision.quality import Quality

HEIGHT, WIDTH = 480, 640


def printed() -> Picture:
    """A board whose print is lines and figures all over."""
    rng = np.random.default_rng(1)
    board = np.full((HEIGHT, WIDTH, 3), (150, 180, 200), np.uint8)
    for _ in range(400):
        (x, y), (across, down) = rng.integers((0, 0), (WIDTH, HEIGHT)), rng.integers(-40, 40, 2)
        colour = tuple(int(level) for level in rng.integers(20, 140, 3))
        cv2.line(board, (int(x), int(y)), (int(x + across), int(y + down)), colour, 2)
    return board


def with_pieces(picture: Picture, share: float) -> Picture:
    """With so much of every cell under a piece, all sharp lines, that has more contrast than the print."""
    covered = picture.copy()
    side = round(40 * share**0.5)
    for top in range(0, HEIGHT, 40):
        for left in range(0, WIDTH, 40):
            covered[top : top + side : 6, left : left + side] = 250
            covered[top + 3 : top + side : 6, left : left + side] = 5
    return covered


def blurred(picture: Picture, sigma: float) -> Picture:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.uint8)


def quality(taught: Picture) -> Quality:
    return Quality(taught, grey(taught))


def noisy(picture: Picture) -> Picture:
    noise = np.random.default_rng(2).normal(0, 15, picture.shape)
    return np.asarray(np.clip(picture + noise, 0, 255), np.uint8)


@pytest.mark.parametrize("pieces", [0.0, 0.2, 0.4])
@pytest.mark.parametrize("light", [0.5, 1.0, 1.2])
def test_a_blurred_board_is_blurred_however_sharp_what_lies_on_it(pieces: float, light: float) -> None:
    seen = with_pieces(blurred(printed(), 3), pieces)
    trouble = quality(printed()).sharpness_trouble(grey(np.asarray(np.clip(seen * light, 0, 255), np.uint8)))
    assert trouble is not None and "blurred" in trouble


@pytest.mark.parametrize("pieces", [0.0, 0.2, 0.4])
@pytest.mark.parametrize("light", [0.5, 1.0, 1.2])
def test_a_sharp_board_is_none_whatever_lies_on_it(pieces: float, light: float) -> None:
    seen = with_pieces(blurred(printed(), 0.7), pieces)
    seen[100:280, 200:420] = (120, 150, 200)
    lit = np.asarray(np.clip(seen * light, 0, 255), np.uint8)
    assert quality(printed()).sharpness_trouble(grey(lit)) is None
    assert quality(printed()).sharpness_trouble(grey(noisy(lit))) is None


@pytest.mark.parametrize("share", [0.6, 0.8])
def test_where_the_rest_is_sharp_something_plain_may_cover_most_of_the_board(share: float) -> None:
    covered = printed()
    covered[: round(HEIGHT * (0.25 + share / 2))] = (120, 150, 200)
    trouble = quality(printed()).sharpness_trouble(grey(covered))
    assert trouble is not None and trouble.startswith("something large lies over the board, or")
    out_of_focus = quality(printed()).sharpness_trouble(grey(blurred(covered, 3)))
    assert out_of_focus is not None and out_of_focus.startswith("the picture is blurred")


def test_a_blurred_board_is_blurred_in_noise_too() -> None:
    assert quality(printed()).sharpness_trouble(grey(noisy(blurred(printed(), 3)))) is not None


def test_a_board_without_print_is_never_blurred() -> None:
    plain = np.full((HEIGHT, WIDTH, 3), (150, 180, 200), np.uint8)
    assert quality(plain).sharpness_trouble(grey(plain)) is None
    assert quality(plain).sharpness_trouble(grey(noisy(plain))) is None
