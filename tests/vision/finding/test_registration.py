"""The board is found wherever the camera was bumped to, its place is exact, and when it is lost that is said."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.squares import position
from vision.finding.registration import BoardFinder, NotFound, Registration
from vision.frames import Picture
from vision.geometry import Floats, HeightField, Pose
from vision.grid import board_corners_mm
from vision.measuring.changed_board import bent
from vision.measuring.changes import turn, turn_matrix
from vision.table import Table


@pytest.fixture(scope="module")
def finder(table: Table) -> BoardFinder:
    return BoardFinder(table)


def turned(picture: Picture, degrees: float) -> tuple[Picture, Floats]:
    """A picture turned about its middle, and the 2 x 3 matrix that did it."""
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), degrees, 1.0)
    image = cv2.warpAffine(picture, matrix, (width, height), flags=cv2.INTER_CUBIC)
    return np.asarray(image, np.uint8), np.asarray(matrix, np.float64)


def seen_from(pose: Pose, table: Table, picture: Picture) -> Picture:
    """What the taught camera's picture of a flat board would be from another place."""
    height, width = picture.shape[:2]
    pixels = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2)
    places = (
        table.pose.project(table.lens, pose.on_plane(table.lens, pixels)).astype(np.float32).reshape(height, width, 2)
    )
    return np.asarray(cv2.remap(picture, places[..., 0], places[..., 1], cv2.INTER_CUBIC), np.uint8)


def corners_found(finder: BoardFinder, table: Table, picture: Picture) -> Floats:
    found = finder.find(picture, table.pose)
    assert isinstance(found, Registration)
    return found.corners_px(table)


@pytest.mark.parametrize("degrees", [0, 1, 3, -5, 20, 90, 180, -135])
def test_the_corners_are_where_the_picture_was_turned_to(
    finder: BoardFinder, table: Table, still: Picture, degrees: float
) -> None:
    picture, matrix = turned(still, degrees)
    expected = corners_found(finder, table, still) @ matrix[:, :2].T + matrix[:, 2]
    assert np.abs(corners_found(finder, table, picture) - expected).max() < 0.3


@pytest.mark.parametrize("bump_mm", [(2, 1, 0), (15, -10, 5), (-30, 20, -10), (0, 0, 60), (80, 60, 20)])
def test_the_corners_are_where_a_bumped_camera_sees_them(
    finder: BoardFinder, table: Table, bump_mm: tuple[float, float, float]
) -> None:
    pose = replace(table.pose, shift=table.pose.shift + bump_mm)
    corners = corners_found(finder, table, seen_from(pose, table, table.empty))
    assert np.abs(corners - pose.project(table.lens, board_corners_mm(table.board))).max() < 0.3


def test_a_picture_may_be_moved_in_place_of_the_camera(finder: BoardFinder, table: Table, still: Picture) -> None:
    """No camera sees quite that, but it is near enough to find the board at the first attempt."""
    moved = turn(still, 3, 0.03)
    matrix = turn_matrix((still.shape[1], still.shape[0]), 3, 0.03)
    expected = corners_found(finder, table, still) @ matrix[:, :2].T + matrix[:, 2]
    found = finder.find(moved, table.pose)
    assert isinstance(found, Registration)
    assert found.found > 0.9
    assert np.abs(found.corners_px(table) - expected).max() < 6


HEIGHTS_MM = np.array([[0.0, 5.0, 1.0], [6.0, 8.0, 5.0], [7.0, 4.0, 0.0]])


@pytest.mark.parametrize("bump_mm", [(0, 0, 0), (15, -10, 5)])
def test_a_folded_board_is_seen_where_each_square_lies(
    finder: BoardFinder, table: Table, still: Picture, bump_mm: tuple[float, float, float]
) -> None:
    pose = replace(table.pose, shift=table.pose.shift + bump_mm)
    surface = HeightField(table.board.size_mm, HEIGHTS_MM)
    middles = np.array([table.board.centre_mm(name) for name in table.board.squares])
    there = replace(pose, surface=surface).project(table.lens, middles)
    found = finder.find(bent(seen_from(pose, table, still), table.lens, pose, surface), table.pose)
    assert isinstance(found, Registration)
    assert found.pose.surface is not None
    off = np.linalg.norm(found.pose.project(table.lens, middles) - there, axis=1)
    assert np.percentile(off, 90) < 0.5
    assert np.linalg.norm(pose.project(table.lens, middles) - there, axis=1).max() > 2


def test_a_board_that_lies_flat_again_is_seen_so(finder: BoardFinder, table: Table, still: Picture) -> None:
    folded = replace(table.pose, surface=HeightField(table.board.size_mm, HEIGHTS_MM))
    found = finder.find(still, folded)
    assert isinstance(found, Registration)
    assert found.pose.surface is None


def test_a_board_half_under_paper_is_found(finder: BoardFinder, table: Table, still: Picture) -> None:
    covered, _ = turned(still, 2)
    corners = corners_found(finder, table, covered)
    covered[:, : round(corners[:, 0].mean())] = 200
    assert np.abs(corners_found(finder, table, covered) - corners).max() < 0.5


def chequered(table: Table) -> Table:
    """A table whose board has nothing but squares of plain colours, and lines between them."""
    board, picture = table.board, np.full_like(table.empty, 120)
    corners = board_corners_mm(board)
    cv2.fillConvexPoly(picture, table.pose.project(table.lens, corners).round().astype(int), (225, 235, 235))
    half = np.array(board.square_mm) / 2 - 0.8
    for name in sorted(board.squares):
        column, row = position(name)
        colour = [(150, 90, 60), (60, 140, 80), (70, 80, 160), (60, 150, 150)][(column // 4 + row // 5) % 4]
        outline = np.array(board.centre_mm(name)) + half * [[-1, -1], [1, -1], [1, 1], [-1, 1]]
        cv2.fillConvexPoly(picture, table.pose.project(table.lens, outline).round().astype(int), colour)
    return replace(table, empty=np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8))


@pytest.mark.parametrize(("across", "down"), [(1, 0), (0, -1), (-1, 1)])
def test_a_board_of_nothing_but_squares_is_not_found_a_square_off(table: Table, across: int, down: int) -> None:
    plain = chequered(table)
    width, height = plain.board.square_mm
    aside = replace(table.pose, shift=table.pose.shift + table.pose.rotation @ [across * width, down * height, 0])
    found = BoardFinder(plain).find(plain.empty, aside)
    assert isinstance(found, Registration)
    expected = plain.pose.project(plain.lens, board_corners_mm(plain.board))
    assert np.abs(found.corners_px(plain) - expected).max() < 0.5


FIELD_MM = 12.0


@pytest.fixture(scope="module")
def tracked(table: Table) -> Table:
    """The same with dark fields for counting points all round it, as alike as a track's fields are."""
    plain = chequered(table)
    picture, (width, height), edge = plain.empty.copy(), plain.board.size_mm, 6.0
    along = [(x, y) for x in np.arange(8, width - 8, FIELD_MM) for y in (edge, height - edge)]
    along += [(x, y) for y in np.arange(8, height - 8, FIELD_MM) for x in (edge, width - edge)]
    for middle in along:
        outline = np.array(middle) + (FIELD_MM / 2 - 1) * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        cv2.fillConvexPoly(picture, table.pose.project(table.lens, outline).round().astype(int), (30, 30, 60))
    return replace(plain, empty=np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8))


@pytest.mark.parametrize("bump_mm", [(FIELD_MM, 0, 0), (0, FIELD_MM, 0), (0, -FIELD_MM, 0)])
def test_a_track_is_not_found_a_field_off(tracked: Table, bump_mm: tuple[float, float, float]) -> None:
    aside = replace(tracked.pose, shift=tracked.pose.shift + tracked.pose.rotation @ np.array(bump_mm))
    found = BoardFinder(tracked).find(tracked.empty, aside)
    assert isinstance(found, Registration)
    expected = tracked.pose.project(tracked.lens, board_corners_mm(tracked.board))
    assert np.abs(found.corners_px(tracked) - expected).max() < 0.5


@pytest.mark.parametrize("degrees", [2, -3])
def test_a_turned_track_is_not_taken_for_other_fields(tracked: Table, degrees: float) -> None:
    """Some of its fields lie near where others were, but there is no place from which a camera would see them so."""
    picture, matrix = turned(tracked.empty, degrees)
    expected = tracked.pose.project(tracked.lens, board_corners_mm(tracked.board)) @ matrix[:, :2].T + matrix[:, 2]
    assert np.abs(corners_found(BoardFinder(tracked), tracked, picture) - expected).max() < 0.5


@pytest.mark.parametrize("grey", [0, 128, 255])
def test_where_there_is_no_board_none_is_found(finder: BoardFinder, table: Table, grey: int) -> None:
    blank = np.full((*table.lens.size[::-1], 3), grey, np.uint8)
    found = finder.find(blank, table.pose)
    assert isinstance(found, NotFound) and "not found" in found.reason


def test_noise_is_no_board(finder: BoardFinder, table: Table) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (*table.lens.size[::-1], 3)).astype(np.uint8)
    assert isinstance(finder.find(noise, table.pose), NotFound)


def test_the_board_s_mirror_image_is_not_the_board(finder: BoardFinder, table: Table) -> None:
    assert isinstance(finder.find(np.ascontiguousarray(table.empty[:, ::-1]), table.pose), NotFound)
