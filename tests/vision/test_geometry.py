from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from vision.geometry import HeightField, Lens, Pose, find_pose
from vision.grid import lean

SIZE = (1536, 864)
BOARD = np.array([[0, 0], [480, 0], [480, 480], [0, 480]], np.float64)


def lens(k1: float) -> Lens:
    return Lens(SIZE, 768 / math.tan(math.radians(33)), k1)


def pose() -> Pose:
    tilt = math.radians(20)
    rotation = np.array([[1, 0, 0], [0, math.cos(tilt), -math.sin(tilt)], [0, math.sin(tilt), math.cos(tilt)]])
    return Pose(rotation, -rotation @ np.array([240.0, 400.0, -750.0]))


@pytest.mark.parametrize("k1", [-0.05, -0.01, 0.0, 0.05])
def test_bending_undoes_what_makes_ideal(k1: float) -> None:
    corners = np.array([[0.0, 0.0], [1535.0, 863.0], [300.0, 700.0], [767.5, 431.5]])
    assert lens(k1).bend(lens(k1).ideal(corners)) == pytest.approx(corners, abs=1e-3)


def test_distortion_is_as_the_scenes_define_it() -> None:
    # undistorted = distorted * (1 + k1 * distorted radius²), in offsets divided by the focal length
    barrel = lens(0.05)
    point = np.array([[767.5 + barrel.focal * 0.5, 431.5]])
    assert barrel.ideal(point)[0] == pytest.approx([0.5 * (1 + 0.05 * 0.25), 0.0])


@pytest.mark.parametrize("k1", [-0.05, 0.0, 0.05])
def test_the_pose_is_found_again_from_the_corners(k1: float) -> None:
    found = find_pose(lens(k1), BOARD, pose().project(lens(k1), BOARD))
    assert found is not None
    assert found[1] < 0.01
    assert found[0].eye == pytest.approx([240.0, 400.0, 750.0], abs=0.5)


def test_no_pose_is_found_for_corners_seen_from_below() -> None:
    mirrored = pose().project(lens(0.0), BOARD)[::-1]
    found = find_pose(lens(0.0), BOARD, mirrored)
    assert found is None or found[1] > 20


def test_what_stands_up_appears_where_leaning_says() -> None:
    view, eye = lens(0.03), pose().eye
    top = np.array([[100.0, 150.0, 36.0]])
    flat = lean(eye, top[:, :2], 36.0)
    assert pose().project(view, top) == pytest.approx(pose().project(view, flat), abs=1e-3)


@pytest.mark.parametrize("k1", [-0.05, 0.0, 0.05])
def test_the_plane_is_seen_where_it_is_projected(k1: float) -> None:
    assert pose().on_plane(lens(k1), pose().project(lens(k1), BOARD)) == pytest.approx(BOARD, abs=1e-3)


def test_heights_are_even_between_knots_and_beyond_the_edges() -> None:
    field = HeightField((480.0, 240.0), np.array([[0.0, 2.0, 4.0], [6.0, 8.0, 1.0]]))
    points = np.array([[0, 0], [480, 240], [240, 240], [120, 0], [120, 120], [-50, 0], [600, 300]], np.float64)
    assert field.at(points) == pytest.approx([0, 1, 8, 1, 4, 0, 1])


def test_what_stands_on_a_board_that_is_not_flat_stands_higher() -> None:
    field = HeightField((480.0, 480.0), np.array([[0.0, 2.0], [6.0, 8.0]]))
    over, view = replace(pose(), surface=field), lens(0.03)
    high = np.column_stack([BOARD, field.at(BOARD)])
    assert over.project(view, BOARD) == pytest.approx(pose().project(view, high))
    tops = np.column_stack([BOARD, np.full(4, 20.0)])
    assert over.project(view, tops) == pytest.approx(pose().project(view, high + np.array([0, 0, 20])))


def test_a_lens_scales_with_the_picture() -> None:
    half = lens(0.02).scaled((768, 432))
    whole = pose().project(lens(0.02), BOARD)
    assert (pose().project(half, BOARD) + 0.5) * 2 - 0.5 == pytest.approx(whole, abs=1e-6)
