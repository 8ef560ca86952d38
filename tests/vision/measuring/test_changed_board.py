"""A bent board's picture shows what rises further from the point below the camera, and all else where it was."""

from __future__ import annotations

import numpy as np
import pytest

from vision.frames import Picture
from vision.geometry import Floats, HeightField
from vision.grid import board_corners_mm, lean
from vision.measuring.changed_board import BESIDE_MM, bent, with_bend
from vision.table import Table

DOT = 120
"""More than what is round it."""


def dotted(table: Table, at_mm: Floats) -> Picture:
    """A grey picture with a bright spot about a point of the board's plane."""
    picture = np.full_like(table.empty, 60)
    x, y = table.pose.project(table.lens, at_mm[None])[0]
    rows, columns = np.mgrid[: picture.shape[0], : picture.shape[1]]
    spot = DOT * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * 2.5**2))
    return np.asarray(np.rint(picture + spot[..., None]), np.uint8)


def spot_px(picture: Picture) -> Floats:
    light = picture[..., 0].astype(np.float64) - 60
    light[light < 10] = 0
    rows, columns = np.mgrid[: light.shape[0], : light.shape[1]]
    return np.asarray(np.array([(light * columns).sum(), (light * rows).sum()]) / light.sum())


@pytest.mark.parametrize("share", [(0.05, 0.1), (0.9, 0.2), (0.6, 0.85)])
def test_what_rises_leans_outwards(table: Table, share: tuple[float, float]) -> None:
    at_mm = np.array(share) * table.board.size_mm
    surface = HeightField(table.board.size_mm, np.array([[9.0, 6.0], [2.0, 0.0]]))
    seen = spot_px(bent(dotted(table, at_mm), table.lens, table.pose, surface))
    leaning = lean(table.pose.eye, at_mm[None], surface.at(at_mm[None])[:, None])
    assert seen == pytest.approx(table.pose.project(table.lens, leaning)[0], abs=0.2)


def test_what_lies_beside_the_board_stays(table: Table) -> None:
    beside = np.array([table.board.size_mm[0] / 2, -BESIDE_MM - 8])
    picture = dotted(table, beside)
    surface = HeightField(table.board.size_mm, np.full((2, 2), 9.0))
    assert spot_px(bent(picture, table.lens, table.pose, surface)) == pytest.approx(spot_px(picture), abs=0.1)


def test_a_flat_board_stays_as_it_is(table: Table, still: Picture) -> None:
    flat = bent(still, table.lens, table.pose, HeightField(table.board.size_mm, np.zeros((3, 3))))
    assert np.abs(flat.astype(int) - still).max() <= 1


def test_no_camera_sees_corners_the_other_way_round(table: Table, still: Picture) -> None:
    corners = table.pose.project(table.lens, board_corners_mm(table.board))[::-1]
    with pytest.raises(ValueError, match="no camera"):
        with_bend(still, table.lens, table.board, corners, 1)
