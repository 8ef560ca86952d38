"""Changed pictures are what they are said to be, and always the same."""

from __future__ import annotations

import numpy as np
import pytest

from companion.boards import Board
from vision.frames import Picture
from vision.geometry import Lens
from vision.measuring import changes
from vision.measuring.changed_hand import SQUARES, hand_mask

BOARD = Board("pacal", "plain", (480.0, 480.0), (30.0, 30.0, 450.0, 450.0), 3, 3, frozenset({"A1", "B2", "C3", "C1"}))
CORNERS = ((300.0, 60.0), (780.0, 60.0), (780.0, 540.0), (300.0, 540.0))
LENS = Lens.straight((1000, 600))
MANY = Board("pacal", "many", (480.0, 480.0), (30.0, 30.0, 450.0, 450.0), 13, 13, frozenset({"A1", "G7", "M13"}))


@pytest.fixture(scope="module")
def picture() -> Picture:
    """Colours that change over the picture, away from black and white."""
    y, x = np.mgrid[0:600, 0:1000]
    layers = (60 + x / 10, 80 + y / 10, 110 + (x + y) / 20)
    return np.stack(layers, axis=-1).astype(np.uint8)


def test_every_change_keeps_shape_and_type_and_leaves_its_picture_alone(picture: Picture) -> None:
    before = picture.copy()
    for name, change in changes.all_changes(BOARD, CORNERS, LENS, 3).items():
        changed = change(picture)
        assert changed.shape == picture.shape, name
        assert changed.dtype == np.uint8, name
        assert not np.array_equal(changed, picture), name
        assert np.array_equal(picture, before), name


def test_the_same_seed_makes_the_same_pictures(picture: Picture) -> None:
    first, second = (changes.all_changes(BOARD, CORNERS, LENS, 7) for _ in range(2))
    assert all(np.array_equal(first[name](picture), second[name](picture)) for name in first)


def test_just_what_goes_by_chance_differs_from_seed_to_seed(picture: Picture) -> None:
    first, second = (changes.all_changes(BOARD, CORNERS, LENS, seed) for seed in (7, 8))
    differ = [name for name in first if not np.array_equal(first[name](picture), second[name](picture))]
    assert tuple(differ) == changes.BY_CHANCE


def test_all_changes_are_named(picture: Picture) -> None:
    assert tuple(changes.all_changes(BOARD, CORNERS, LENS, 0)) == changes.NAMES


@pytest.mark.parametrize("factor", [changes.DIM, changes.BRIGHT])
def test_brightness_multiplies_grey_levels(picture: Picture, factor: float) -> None:
    expected = np.minimum(picture * factor, 255)
    assert np.abs(changes.brightness(picture, factor) - expected).max() <= 0.5


def test_what_is_brighter_than_white_is_white() -> None:
    assert np.all(changes.brightness(np.full((8, 8, 3), 200, np.uint8), 1.4) == 255)


def test_a_veil_adds_as_many_levels_everywhere(picture: Picture) -> None:
    added = changes.veil(picture, (-25.0, 0.4, 200.0)).astype(int) - picture
    assert np.all(added[..., 0] == -25)
    assert np.all(added[..., 1] == 0)
    assert np.all(changes.veil(picture, (-255.0, 0.0, 255.0)) == (picture * (0, 1, 0) + (0, 0, 255)))


def test_a_warm_cast_takes_blue_away_and_adds_red(picture: Picture) -> None:
    means = changes.cast(picture, changes.WARM).reshape(-1, 3).mean(axis=0) / picture.reshape(-1, 3).mean(axis=0)
    assert means == pytest.approx(changes.WARM, abs=0.01)


@pytest.mark.parametrize("side", range(4))
def test_a_shadow_falls_from_all_of_the_light_to_its_least_at_one_side(side: int) -> None:
    grey = np.full((300, 400, 3), 200, np.uint8)
    dark = changes.shadow(grey, side)[..., 0] / 200
    edges = (dark[:, -1], dark[:, 0], dark[-1], dark[0])
    opposite = edges[side ^ 1]
    assert np.all(np.abs(edges[side] - changes.SHADOW) < 0.01)
    assert np.all(opposite == 1)
    assert dark[150, 200] == pytest.approx((1 + changes.SHADOW) / 2, abs=0.01)


def test_a_blur_is_as_wide_as_it_says() -> None:
    point = np.zeros((864, 1536, 3), np.uint8)
    point[400:409, 700:709] = 255
    spread = changes.blur(point)[..., 0].astype(float)
    x = np.arange(1536)
    columns = spread.sum(axis=0) / spread.sum()
    variance = (columns * x**2).sum() - (columns * x).sum() ** 2
    # A square of nine pixels has a variance of its own.
    assert np.sqrt(variance - (9**2 - 1) / 12) == pytest.approx(3.0, abs=0.15)


def test_a_blur_is_in_proportion_to_the_picture() -> None:
    step = np.zeros((432, 768, 3), np.uint8)
    step[:, 384:] = 255

    def soft_px(px: float) -> int:
        row = changes.blur(step, px)[200, :, 0]
        return int(np.count_nonzero((row > 20) & (row < 235)))

    assert soft_px(6) == pytest.approx(2 * soft_px(3), abs=2)


def test_noise_has_its_strength_and_no_mean() -> None:
    grey = np.full((300, 400, 3), 128, np.uint8)
    grain = changes.noise(grey, 1).astype(float) - 128
    assert grain.std() == pytest.approx(changes.NOISE_LEVELS, rel=0.02)
    assert abs(grain.mean()) < 0.1


def test_noise_of_another_seed_is_other_noise(picture: Picture) -> None:
    assert not np.array_equal(changes.noise(picture, 1), changes.noise(picture, 2))


def test_a_turn_moves_points_about_the_middle() -> None:
    dot = np.zeros((601, 1001, 3), np.uint8)
    dot[300:303, 900:903] = 255
    y, x = np.nonzero(changes.turn(dot, 3.0)[..., 0] > 100)
    assert (x.mean(), y.mean()) == pytest.approx(changes.turn_matrix((1001, 601), 3.0) @ (901, 301, 1), abs=0.5)
    # Anticlockwise: what is at the right goes up, by as much as 3 degrees are at that distance.
    assert 301 - y.mean() == pytest.approx(401 * np.sin(np.radians(3.0)), abs=1)


def test_a_turn_may_move_the_picture_aside_too() -> None:
    x, y = changes.turn_matrix((1001, 601), 0.0, aside=0.1) @ (500, 300, 1)
    assert (x, y) == pytest.approx((600.1, 300))


@pytest.mark.parametrize("seed", range(12))
def test_the_hand_covers_four_squares_and_comes_from_the_edge_of_the_picture(seed: int) -> None:
    grid = changes.grid_px(MANY, CORNERS)
    mask = hand_mask((600, 1000, 3), grid, 169, seed) > 127
    inside = np.zeros(mask.shape, bool)
    inside[int(grid[0, 1]) : int(grid[2, 1]), int(grid[0, 0]) : int(grid[2, 0])] = True
    squares = np.count_nonzero(mask & inside) / np.count_nonzero(inside) * 169
    assert SQUARES - 0.1 <= squares < SQUARES + 1
    assert mask[0].any() or mask[-1].any() or mask[:, 0].any() or mask[:, -1].any()


def test_hands_come_from_every_side() -> None:
    grid = changes.grid_px(MANY, CORNERS)
    masks = [hand_mask((600, 1000), grid, 169, seed) > 127 for seed in range(20)]
    for edge in (np.s_[0], np.s_[-1], np.s_[:, 0], np.s_[:, -1]):
        assert any(mask[edge].any() for mask in masks)


def test_the_picture_stays_as_it_was_beside_the_hand(picture: Picture) -> None:
    changed = changes.all_changes(MANY, CORNERS, LENS, 5)["hand"](picture)
    beside = hand_mask(picture.shape, changes.grid_px(MANY, CORNERS), 169, 5) == 0
    assert np.array_equal(changed[beside], picture[beside])
    assert np.abs(changed[~beside].astype(int) - picture[~beside]).mean() > 10


def test_skin_is_redder_than_green_and_greener_than_blue_in_white_light() -> None:
    white = np.full((600, 1000, 3), 200, np.uint8)
    for seed in range(3):
        inside = hand_mask(white.shape, changes.grid_px(MANY, CORNERS), 169, seed) == 255
        blue, green, red = changes.all_changes(MANY, CORNERS, LENS, seed)["hand"](white)[inside].mean(axis=0)
        assert red > green > blue


def test_the_squares_under_the_hand_are_those_that_it_changes() -> None:
    grey = np.full((600, 1000, 3), 128, np.uint8)
    board = Board(
        "pacal",
        "all",
        MANY.size_mm,
        MANY.grid_mm,
        13,
        13,
        frozenset(f"{c}{r}" for c in "ABCDEFGHIJKLM" for r in range(1, 14)),
    )
    for seed in range(4):
        changed = changes.all_changes(board, CORNERS, LENS, seed)["hand"](grey)
        under = changes.under_hand(board, CORNERS, seed, grey)
        assert 4 <= len(under) <= 14
        for name in board.squares:
            x, y = np.add(board.centre_mm(name), CORNERS[0]).astype(int)
            touched = np.any(changed[y - 13 : y + 14, x - 13 : x + 14] != 128)
            assert not touched or name in under, (seed, name)


def test_the_grid_lies_on_the_board_in_the_picture() -> None:
    assert changes.grid_px(BOARD, CORNERS) == pytest.approx(
        np.array([[330, 90], [750, 90], [750, 510], [330, 510]]), abs=1e-3
    )
