"""Small pictures: how they are made, and what counts as a change in them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import ArrayLike

from vision.frames import Picture
from vision.geometry import Floats
from vision.watching.stillness import (
    MIN_STEP,
    MIN_STEP_SHARE,
    WORK_WIDTH_PX,
    Levels,
    Mask,
    Small,
    difference,
    largest_px,
    moved,
    moved_along,
    shadows,
    shrink,
)

HEIGHT = 216
PATCH = np.s_[100:130, 200:240]


def textured(seed: int = 1, size: tuple[int, int] = (WORK_WIDTH_PX, HEIGHT), grain_px: float = 4.0) -> Picture:
    """Blurred noise, of width and height: something to see everywhere, between 40 and 160."""
    rough = np.random.default_rng(seed).random((size[1], size[0], 3))
    smooth = np.asarray(cv2.GaussianBlur(rough, (0, 0), grain_px))
    return np.asarray(40 + 120 * (smooth - smooth.min()) / np.ptp(smooth), np.uint8)


def lit(picture: Picture, gain: ArrayLike) -> Picture:
    return np.asarray(np.clip(picture * np.asarray(gain), 0, 255).round(), np.uint8)


def levels(picture: Small) -> Levels:
    return picture.astype(np.float32)


def noisy(picture: Picture, sigma: float, seed: int) -> Picture:
    return np.asarray((picture + np.random.default_rng(seed).normal(0, sigma, picture.shape)).round(), np.uint8)


def only_in(region: tuple[slice, slice], mask: Mask, margin: int = 1) -> bool:
    """Whether a mask covers a region and nothing farther from it than a margin."""
    rows, columns = region
    grown = np.zeros(mask.shape, bool)
    grown[rows.start - margin : rows.stop + margin, columns.start - margin : columns.stop + margin] = True
    return bool(mask[region].mean() > 0.95 and not mask[~grown].any())


@pytest.fixture
def picture() -> Small:
    return textured()


@pytest.mark.parametrize("size", [(1536, 864), (1280, 720), (1920, 1080), (640, 360), (2304, 1296), (1537, 865)])
def test_a_small_picture_shows_what_the_large_one_does(size: tuple[int, int]) -> None:
    large = textured(size=size, grain_px=size[0] / 60)
    small = shrink(large)
    assert small.shape == (round(WORK_WIDTH_PX * size[1] / size[0]), WORK_WIDTH_PX, 3)
    assert small.dtype == np.uint8
    exact = cv2.resize(large, small.shape[1::-1], interpolation=cv2.INTER_AREA)
    assert np.abs(small.astype(int) - exact).max() <= 4
    assert abs(small.mean() - large.mean()) < 1


@pytest.mark.parametrize("size", [(1536, 864), (1280, 720), (640, 360)])
def test_a_small_picture_has_little_noise(size: tuple[int, int]) -> None:
    grey = np.full((size[1], size[0], 3), 120, np.uint8)
    assert shrink(noisy(grey, 3.0, 2)).std() < 1.5


def test_levels_that_differ_by_six_and_a_seventh_have_moved() -> None:
    first, second = (np.kron(grid, np.ones((2, 2))) for grid in np.mgrid[0:256, 0:256])
    same = np.full_like(first, 9)
    mask = moved(*(cv2.merge([same, same, of]).astype(np.uint8) for of in (first, second)))
    assert np.array_equal(mask, np.abs(first - second) > 6 + 0.14 * np.minimum(first, second))


@pytest.mark.parametrize("channel", [0, 1, 2])
def test_a_change_of_one_colour_is_a_change(picture: Small, channel: int) -> None:
    other = picture.copy()
    other[(*PATCH, channel)] += 60
    assert only_in(PATCH, moved(other, picture))


def test_single_pixels_have_not_moved(picture: Small) -> None:
    other = picture.copy()
    other[::9, ::9] = 255
    assert not moved(other, picture).any()


@pytest.mark.parametrize("sigma", [1.5, 3.0])
def test_a_cameras_noise_does_not_move(sigma: float) -> None:
    large = textured(size=(1536, 864), grain_px=12.0)
    first, second = (shrink(noisy(large, sigma, seed)) for seed in (1, 2))
    assert not moved(first, second).any()


@pytest.mark.parametrize("gain", [0.4, 0.8, 1.0, 1.3])
def test_light_alone_changes_nothing(picture: Small, gain: float) -> None:
    found = difference(lit(picture, gain), levels(picture))
    assert not found.changed.any()
    assert np.abs(found.relit.astype(int) - lit(picture, gain)).max() <= 6


def test_how_much_the_light_changed_is_told(picture: Small) -> None:
    assert difference(picture, levels(picture)).light < 0.01
    assert difference(lit(picture, 0.8), levels(picture)).light == pytest.approx(0.2, abs=0.03)


def test_light_from_one_side_in_another_colour_changes_nothing(picture: Small) -> None:
    slope = np.linspace(0.6, 1.3, WORK_WIDTH_PX)[None, :, None] * np.array([0.8, 1.0, 1.1])
    assert not difference(lit(picture, slope), levels(picture)).changed.any()


def test_what_a_brighter_light_burns_out_has_not_changed(picture: Small) -> None:
    picture[PATCH] = 220
    assert not difference(lit(picture, 1.5), levels(picture)).changed.any()


@pytest.mark.parametrize("gain", [0.5, 1.0, 1.2])
def test_a_thing_is_found_whatever_the_light(picture: Small, gain: float) -> None:
    now = lit(picture, gain)
    now[PATCH] = (30, 200, 30)
    assert only_in(PATCH, difference(now, levels(picture)).changed, margin=2)


def test_an_arm_over_a_third_of_the_picture_does_not_count_as_light(picture: Small) -> None:
    now = lit(picture, 0.8)
    arm = np.s_[0:180, 130:260]
    now[arm] = 20
    changed = difference(now, levels(picture)).changed
    assert changed[arm].mean() > 0.95
    outside = np.ones(changed.shape, bool)
    outside[0:182, 128:262] = False
    assert not changed[outside].any()


def test_two_dark_pictures_can_be_compared() -> None:
    black = np.zeros((HEIGHT, WORK_WIDTH_PX, 3), np.uint8)
    assert not difference(black, levels(black)).changed.any()


def test_a_very_wide_picture_can_be_compared() -> None:
    wide = shrink(textured(size=(800, 40)))
    assert not difference(wide, levels(wide)).changed.any()


@pytest.mark.parametrize(
    ("gains", "shadow"),
    [
        ((0.6, 0.6, 0.6), True),
        ((0.62, 0.58, 0.6), True),
        ((0.45, 0.45, 0.45), True),
        ((0.6, 0.75, 0.6), False),
        ((1.3, 1.3, 1.3), False),
        ((0.15, 0.15, 0.15), False),
    ],
)
def test_a_shadow_is_darker_in_all_colours_alike(picture: Small, gains: tuple[float, ...], shadow: bool) -> None:
    bright = np.maximum(picture, 100)
    now = bright.copy()
    now[PATCH] = lit(bright[PATCH], np.array(gains))
    assert bool(shadows(now, bright)[PATCH].mean() > 0.95) is shadow


def test_the_largest_part_of_a_mask() -> None:
    mask = np.zeros((50, 60), bool)
    mask[2:6, 3:8] = mask[20:30, 10:20] = True
    assert largest_px(mask) == 100


def test_a_pixel_has_moved_from_the_first_whole_level_beyond_its_step() -> None:
    before = np.repeat(np.arange(0, 200, dtype=np.uint8), 4)[None].repeat(4, axis=0)[..., None].repeat(3, axis=2)
    steps = np.floor(MIN_STEP + MIN_STEP_SHARE * before).astype(np.uint8)
    assert not moved(before + steps, before).any()
    assert moved(before + steps + 1, before).all()


BOARD = np.array([(100.0, 50.0), (260.0, 60.0), (250.0, 180.0), (90.0, 170.0)])


def turned(degrees: float, along: tuple[float, float]) -> Floats:
    """How points of a picture, or of a board in it, are moved: 2 x 3."""
    return np.asarray(
        cv2.getRotationMatrix2D((180.0, 115.0), degrees, 1.0) + np.pad(np.array([along]).T, ((0, 0), (2, 0)))
    )


@pytest.mark.parametrize("whole", [True, False], ids=["camera", "board"])
@pytest.mark.parametrize(("degrees", "along"), [(0.0, (5.0, -4.0)), (2.5, (-3.0, 6.0))])
def test_an_earlier_picture_is_moved_with_the_camera_or_with_the_board_alone(
    whole: bool, degrees: float, along: tuple[float, float]
) -> None:
    table, board = textured(1), textured(2)

    def seen(at_table: Floats, at_board: Floats) -> Picture:
        size = (WORK_WIDTH_PX, HEIGHT)
        one, other = (cv2.warpAffine(of, at, size) for of, at in ((table, at_table), (board, at_board)))
        outline = np.zeros((HEIGHT, WORK_WIDTH_PX), np.uint8)
        cv2.fillConvexPoly(outline, (BOARD @ at_board[:, :2].T + at_board[:, 2]).round().astype(np.int32), 1)
        return np.asarray(np.where(outline[..., None] > 0, other, one), np.uint8)

    rest, move = turned(0.0, (0.0, 0.0)), turned(degrees, along)
    picture = seen(move if whole else rest, move)
    corners = BOARD @ move[:, :2].T + move[:, 2]
    before = levels(seen(rest, rest))
    found = moved_along(before, picture, BOARD, corners)
    inner = np.s_[15:-15, 15:-15]
    assert np.count_nonzero(difference(picture, found).changed[inner]) < 60
    assert np.count_nonzero(difference(picture, before).changed[inner]) > 500
