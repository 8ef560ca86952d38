"""The simulated table shows what is on it, where it is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.games.pacal.pieces import COLOURS, Pyramid, Ship
from vision.frames import Picture
from vision.simulated.hand import HandPose
from vision.simulated.light import WARM_LAMP
from vision.simulated.printed import district_heart, draw_board, printed_board
from vision.simulated.scene import Renderer, SceneState, Standing
from vision.simulated.shapes import PAINT
from vision.simulated.view import View

VIEW = View(size=(960, 540))


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(printed_board("pacal", "reference"))


@pytest.fixture(scope="module")
def empty(renderer: Renderer) -> Picture:
    return renderer.render(SceneState(), VIEW)


def where_changed(a: Picture, b: Picture) -> tuple[float, float]:
    """The middle of what differs between two pictures."""
    y, x = np.nonzero(cv2.GaussianBlur(cv2.absdiff(a, b), (5, 5), 0).max(axis=2) > 40)
    assert len(x) > 20
    return float(x.mean()), float(y.mean())


def test_a_point_of_the_board_is_found_again() -> None:
    view = View(tilt_deg=31, azimuth_deg=123, turn_deg=4, k1=0.05)
    points = np.array([(0, 0), (480, 0), (480, 480), (0, 480), (200, 333)], float)
    pixels = view.project(np.column_stack([points, np.zeros(5)]))
    assert view.on_plane(pixels) == pytest.approx(points, abs=0.01)


def test_from_below_the_last_row_the_board_stands_upright() -> None:
    a1, m1, a13 = View(azimuth_deg=270).project([(46, 46, 0), (434, 46, 0), (46, 434, 0)])
    assert a1[0] < m1[0]
    assert a1[1] < a13[1]


def test_from_above_the_first_row_the_board_is_upside_down() -> None:
    a1, m1, a13 = View(azimuth_deg=90).project([(46, 46, 0), (434, 46, 0), (46, 434, 0)])
    assert a1[0] > m1[0]
    assert a1[1] > a13[1]


def test_the_same_scene_at_the_same_time_gives_the_same_picture(renderer: Renderer) -> None:
    scene = SceneState({"C4": Standing(Ship("red"))}, (HandPose((200, 200)),))
    again = Renderer(renderer.printed)
    assert np.array_equal(renderer.render(scene, VIEW, 1.25), again.render(scene, VIEW, 1.25))


def test_two_moments_differ_by_noise_only(renderer: Renderer, empty: Picture) -> None:
    later = renderer.render(SceneState(), VIEW, 3.0)
    assert not np.array_equal(later, empty)
    assert cv2.absdiff(later, empty).mean() < 4


@pytest.mark.parametrize("square", ["A1", "M13", "G7"])
def test_a_piece_appears_on_its_square(renderer: Renderer, empty: Picture, square: str) -> None:
    shown = renderer.render(SceneState({square: Standing(pyramid=Pyramid("blue", 2))}), VIEW)
    x, y = renderer.printed.board.centre_mm(square)
    assert where_changed(shown, empty) == pytest.approx(tuple(VIEW.project([(x, y, 5)])[0]), abs=14)


@pytest.mark.parametrize("colour", COLOURS)
def test_pieces_have_their_colour(renderer: Renderer, colour: str) -> None:
    shown = renderer.render(SceneState({"G7": Standing(pyramid=Pyramid(colour, 1))}), VIEW)
    x, y = VIEW.project([(*renderer.printed.board.centre_mm("G7"), 5.6)])[0]
    patch = shown[int(y) - 4 : int(y) + 5, int(x) - 4 : int(x) + 5].reshape(-1, 3).mean(axis=0)

    def hue(bgr: np.typing.ArrayLike) -> np.typing.NDArray[np.float64]:
        value = np.asarray(bgr, np.float64)
        return np.asarray(value / np.linalg.norm(value), np.float64)

    nearest = max(PAINT, key=lambda name: float(hue(PAINT[name]) @ hue(patch)))
    assert nearest == colour


def test_what_lies_under_a_ship_is_not_seen(renderer: Renderer) -> None:
    bare = renderer.render(SceneState({"G7": Standing(Ship("red"))}), VIEW)
    full = renderer.render(SceneState({"G7": Standing(Ship("red"), None, ("blue", "green"))}), VIEW)
    assert np.array_equal(bare, full)


def test_five_stones_find_room_on_a_square(renderer: Renderer) -> None:
    stones = renderer.solids("G7", Standing(stones=COLOURS))
    centres = np.array([stone.centre_mm for stone in stones])
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)[~np.eye(5, dtype=bool)]
    assert apart.min() > 8


def test_a_stone_stays_where_it_is_when_another_comes(renderer: Renderer) -> None:
    alone = renderer.solids("D5", Standing(stones=("green",)))[0].centre_mm
    with_red = [stone.centre_mm for stone in renderer.solids("D5", Standing(stones=("green", "red")))]
    assert alone in with_red


def test_a_hand_covers_the_board_and_reaches_out_of_the_picture(renderer: Renderer, empty: Picture) -> None:
    shown = renderer.render(SceneState(hands=(HandPose((240, 240), arm_deg=270),)), VIEW)
    changed = cv2.absdiff(shown, empty).max(axis=2) > 40
    assert changed[-1].any()
    assert not changed[0].any()
    assert changed.mean() > 0.03


def test_another_lamp_changes_the_light(renderer: Renderer, empty: Picture) -> None:
    warm = renderer.render(SceneState(light=WARM_LAMP), VIEW)
    blue, _, red = warm.reshape(-1, 3).mean(axis=0) / empty.reshape(-1, 3).mean(axis=0)
    assert blue < red


def test_every_district_shows_its_value_on_one_of_its_squares() -> None:
    printed = printed_board("pacal", "reference")
    for kind in printed.values:
        column, row = ord(district_heart(printed, kind)[0]) - 65, int(district_heart(printed, kind)[1:]) - 1
        assert printed.districts[row][column] == kind


def test_the_lake_is_no_square() -> None:
    printed = printed_board("pacal", "reference")
    assert len(printed.board.squares) == 13 * 13 - sum(row.count("~") for row in printed.districts)


def test_the_board_is_drawn_from_its_layout() -> None:
    printed = printed_board("pacal", "reference")
    art = draw_board(printed)
    assert art.shape == (1440, 1440, 3)
    assert np.array_equal(art, draw_board(printed))
