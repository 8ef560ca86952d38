"""The simulated camera: what it sees is where the truth says it is."""

from __future__ import annotations

import numpy as np
import pytest

from training.rendering.camera import FIELDS_DEG, LOWEST_MM, SIZE, STEEP, TILT, bump, draw_camera
from training.rendering.camera_effects import Sensor, meter, photograph, wide_lens

BOARD_MM = (480.0, 450.0)


@pytest.mark.parametrize("seed", range(20))
def test_the_whole_board_is_in_the_picture_also_after_a_bump(seed: int) -> None:
    rng = np.random.default_rng(seed)
    camera = draw_camera(rng, BOARD_MM, seed % 2 == 0)
    assert camera.fits(0)
    bumped = bump(rng, camera)
    assert bumped.fits(0)
    assert 5 <= np.linalg.norm(bumped.pose.eye - camera.pose.eye) <= 30
    turn = bumped.pose.rotation @ camera.pose.rotation.T
    assert 1 <= np.degrees(np.arccos((np.trace(turn) - 1) / 2)) <= 3


def test_only_what_is_wholly_in_the_picture_is_seen() -> None:
    camera = draw_camera(np.random.default_rng(3), BOARD_MM, False)
    inside = [[100.0, 100, 0], [200, 100, 30]]
    assert camera.sees(np.array(inside))
    assert not camera.sees(np.array([*inside, [5000.0, 100, 0]]))


def test_of_what_is_partly_in_the_picture_some_is_seen() -> None:
    camera = draw_camera(np.random.default_rng(3), BOARD_MM, False)
    outside = [[5000.0, 100, 0], [100, -5000, 30]]
    assert camera.sees_some(np.array([*outside, [100.0, 100, 0]]))
    assert not camera.sees_some(np.array(outside))


@pytest.mark.parametrize("seed", range(20))
def test_the_camera_stands_over_the_table_as_people_put_it(seed: int) -> None:
    camera = draw_camera(np.random.default_rng(seed), BOARD_MM, False)
    assert 0.98 * LOWEST_MM < camera.pose.eye[2] < 1100
    down = camera.pose.rotation[2, 2]
    assert np.degrees(np.arccos(down)) == pytest.approx(camera.tilt, abs=0.5)
    assert np.linalg.det(camera.pose.rotation) == pytest.approx(1)


@pytest.mark.parametrize("seed", range(20))
def test_a_usual_camera_may_be_lower_the_more_it_is_tilted(seed: int) -> None:
    camera = draw_camera(np.random.default_rng(seed), (300.0, 300.0), True)
    away = np.linalg.norm(camera.pose.eye - [150, 150, 0])
    assert 0.95 * LOWEST_MM < away < 1.1 * LOWEST_MM


def test_a_camera_may_be_kept_nearly_straight_above() -> None:
    tilts = [draw_camera(np.random.default_rng(seed), BOARD_MM, True, STEEP).tilt for seed in range(20)]
    assert max(tilts) < STEEP < TILT


def test_other_cameras_have_other_lenses_and_hang_lower() -> None:
    cameras = [draw_camera(np.random.default_rng(seed), (300.0, 300.0), True, others=True) for seed in range(40)]
    fields = {round(np.degrees(2 * np.arctan(SIZE[0] / 2 / camera.lens.focal))) for camera in cameras}
    assert fields == {*FIELDS_DEG}
    assert all(camera.fits(0) for camera in cameras)
    assert min(np.linalg.norm(camera.pose.eye - [150, 150, 0]) for camera in cameras) < LOWEST_MM


def test_the_board_lies_in_the_picture_as_seen_from_the_azimuth() -> None:
    for seed in range(20):
        camera = draw_camera(np.random.default_rng(seed), BOARD_MM, False)
        if camera.tilt > 5:
            away = (camera.pose.eye[:2] - np.array(BOARD_MM) / 2) * [1, -1]
            off = np.degrees(np.arctan2(away[1], away[0])) - camera.azimuth
            assert abs((off + 180) % 360 - 180) < 25


@pytest.mark.parametrize("k1", [-0.06, 0.0, 0.06])
def test_the_photograph_shows_a_point_where_the_lens_puts_it(k1: float) -> None:
    rng = np.random.default_rng(3)
    camera = draw_camera(rng, BOARD_MM, False)
    lens = type(camera.lens)(SIZE, camera.lens.focal, k1)
    scale = 0.7
    size, field = wide_lens(lens, scale)
    light = np.full((size[1], size[0], 3), 0.05, np.float32)
    places = np.array([[60.0, 50], [1480, 820], [768, 432], [300, 700]])
    straight = lens.ideal(places) * lens.focal * scale + (np.array(size) - 1) / 2
    y, x = np.mgrid[: size[1], : size[0]]
    for spot in straight:
        light += 4 * np.exp(-((x - spot[0]) ** 2 + (y - spot[1]) ** 2) / 8)[..., None].astype(np.float32)
    assert np.tan(field / 2) == pytest.approx(size[0] / 2 / (lens.focal * scale))
    sensor = Sensor.draw(rng)
    picture = photograph(rng, sensor, meter(sensor, light, (1.0, 1.0, 1.0), 1.0), lens, light, scale)
    assert picture.shape == (SIZE[1], SIZE[0], 3)
    for place in places:
        left, top = (int(part) - 25 for part in place)
        window = picture[top : top + 51, left : left + 51, 1].astype(float)
        weight = np.clip(window - window.max() / 2, 0, None)
        rows, columns = np.mgrid[:51, :51]
        middle = [np.sum(columns * weight), np.sum(rows * weight)] / np.sum(weight)
        assert np.abs(middle + np.array([left, top]) - place).max() < 0.6
