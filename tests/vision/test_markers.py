"""A board with hardly any print is found by printed markers beside it, and nothing is claimed when they lie."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.finding.registration import BoardFinder, NotFound, Registration
from vision.frames import Picture, grey
from vision.geometry import Floats, Pose
from vision.grid import board_corners_mm
from vision.markers import CELLS, COUNT, find_markers, marker_cells, on_board_plane
from vision.table import Table

SIDE_MM = 45.0
PLACES_MM = {0: (-60.0, 40.0), 1: (500.0, -20.0), 4: (490.0, 360.0), 7: (-70.0, 300.0)}
"""Left upper corners of the markers on the table, beside a board of 480 mm."""


def corners_mm(number: int, shift_mm: tuple[float, float] = (0, 0)) -> Floats:
    x, y = np.add(PLACES_MM[number], shift_mm)
    return np.array([[x, y], [x + SIDE_MM, y], [x + SIDE_MM, y + SIDE_MM], [x, y + SIDE_MM]])


def lay(table: Table, pose: Pose, moved: dict[int, tuple[float, float]] | None = None) -> Picture:
    """A plain white board on a grey table, seen from a place, with markers beside it. moved: by how many mm."""
    height, width = table.empty.shape[:2]
    picture = np.full((height, width, 3), 120, np.uint8)
    cv2.fillConvexPoly(picture, pose.project(table.lens, board_corners_mm(table.board)).round().astype(int), (235,) * 3)
    for number in PLACES_MM:
        at = corners_mm(number, (moved or {}).get(number, (0, 0)))
        white = at + np.sign(at - at.mean(axis=0)) * 8
        cv2.fillConvexPoly(picture, pose.project(table.lens, white).round().astype(int), (250,) * 3)
        image = np.kron(marker_cells(number), np.ones((20, 20))).astype(np.uint8) * 240 + 5
        side = CELLS * 20
        outline = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(outline, pose.project(table.lens, at).astype(np.float32))
        shown = cv2.warpPerspective(image, warp, (width, height), flags=cv2.INTER_AREA, borderValue=0)
        there = cv2.warpPerspective(np.ones_like(image), warp, (width, height), flags=cv2.INTER_NEAREST)
        picture[there > 0] = shown[there > 0][:, None]
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8)


def taught(table: Table) -> Table:
    """A table whose empty board is plain, taught with the markers that its picture shows."""
    empty = lay(table, table.pose)
    markers = on_board_plane(find_markers(grey(empty)), table.lens, table.pose, table.board.size_mm)
    return replace(table, empty=empty, markers=markers)


@pytest.fixture(scope="module")
def plain(table: Table) -> Table:
    return taught(table)


def test_every_marker_is_another() -> None:
    assert len({marker_cells(number).tobytes() for number in range(COUNT)}) == COUNT


def test_markers_are_found_where_they_lie(plain: Table) -> None:
    assert sorted(plain.markers) == sorted(PLACES_MM)
    for number, corners in plain.markers.items():
        assert np.abs(corners - corners_mm(number)).max() < 0.8


def test_a_marker_on_the_board_is_none(table: Table) -> None:
    inside = {3: table.pose.project(table.lens, np.array([[100.0, 100], [145, 100], [145, 145], [100, 145]]))}
    assert on_board_plane(inside, table.lens, table.pose, table.board.size_mm) == {}


@pytest.mark.parametrize("bump_mm", [(0, 0, 0), (20, -15, 10), (-60, 30, -20)])
def test_a_plain_board_is_found_by_its_markers(plain: Table, bump_mm: tuple[float, float, float]) -> None:
    pose = replace(plain.pose, shift=plain.pose.shift + np.array(bump_mm))
    found = BoardFinder(plain).find(lay(plain, pose), plain.pose)
    assert isinstance(found, Registration) and found.found == 1
    expected = pose.project(plain.lens, board_corners_mm(plain.board))
    assert np.abs(found.corners_px(plain) - expected).max() < 0.7


def test_two_markers_are_enough_and_one_is_not(plain: Table) -> None:
    finder, picture = BoardFinder(plain), lay(plain, plain.pose)
    covered = sorted(plain.markers)
    for count, number in enumerate(covered[:3], 1):
        centre = plain.pose.project(plain.lens, corners_mm(number).mean(axis=0)[None])[0]
        cv2.circle(picture, centre.round().astype(int), 60, (90, 110, 160), -1)
        found = finder.find(picture, plain.pose)
        assert isinstance(found, NotFound if len(covered) - count < 2 else Registration)
    assert isinstance(found, NotFound) and "at least 2 of the printed markers" in found.reason


def test_a_marker_that_was_moved_is_not_believed(plain: Table) -> None:
    picture = lay(plain, plain.pose, moved={4: (30, 10)})
    assert isinstance(BoardFinder(plain).find(picture, plain.pose), NotFound)


def test_without_markers_a_plain_board_is_not_found(plain: Table) -> None:
    bare = replace(plain, markers={})
    assert isinstance(BoardFinder(bare).find(lay(plain, plain.pose), plain.pose), NotFound)


def test_markers_are_kept_with_the_table(plain: Table, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("marked")
    plain.save(folder)
    again = Table.load(folder).markers
    assert list(again) == list(plain.markers)
    for number, corners in plain.markers.items():
        np.testing.assert_allclose(again[number], corners)
