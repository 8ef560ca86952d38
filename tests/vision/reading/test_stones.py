from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.appearance import Map
from vision.frames import Picture
from vision.logarithms import light_of, logarithms
from vision.reader import Reader
from vision.reading.pacal import doubted_floors
from vision.table import Table


def painted(table: Table, name: str, soft_mm: float) -> Picture:
    """The empty picture with a patch of the taught red on a square, its edges spread over so many mm."""
    canvas, board = table.canvas, table.board
    straight = canvas.straighten(table.empty, table.lens, table.pose)
    x, y = canvas.to_px([board.centre_mm(name)])[0]
    patch: Map = np.zeros(straight.shape[:2], np.float32)
    cv2.fillPoly(patch, [np.array([[x, y - 11], [x + 10, y + 7], [x - 10, y + 7]]).round().astype(np.int32)], 1.0)
    if soft_mm:
        patch = np.asarray(cv2.GaussianBlur(patch, (0, 0), soft_mm * 2), np.float32) * 0.8
    corners = np.array([board.centre_mm(name)]) + np.array([[-20, -20], [20, -20], [20, 20], [-20, 20]])
    matrix = cv2.getPerspectiveTransform(
        canvas.to_px(corners).astype(np.float32), table.pose.project(table.lens, corners).astype(np.float32)
    )
    share = cv2.warpPerspective(patch, matrix, table.lens.size)[..., None]
    red = np.array([40, 40, 190], np.float32)
    return np.asarray(table.empty * (1 - share) + red * share, np.uint8)


def test_a_sharp_patch_of_a_stones_colour_and_size_is_a_stone(table: Table, reader: Reader) -> None:
    seen = reader.read(painted(table, "E5", 0.0)).seen()
    assert {name: piece.to_json() for name, piece in seen.items()} == {"E5": {"stones": ["red"]}}


def test_a_patch_without_an_outline_is_no_stone(table: Table, reader: Reader) -> None:
    assert reader.read(painted(table, "E5", 4.0)).seen() == {}


def test_a_square_that_is_burnt_out_is_not_surely_bare(table: Table, reader: Reader) -> None:
    x, y = table.pose.project(table.lens, np.array([table.board.centre_mm("G7")]))[0]
    rows, columns = np.mgrid[: table.empty.shape[0], : table.empty.shape[1]]
    away = ((rows - y) ** 2 + (columns - x) ** 2) / 60**2
    bright = np.asarray(np.clip(table.empty + 400 * np.exp(-0.5 * away)[..., None], 0, 255), np.uint8)
    reading = reader.read(bright)
    assert reading.seen() == {}
    confidence = reading.confidence()
    assert confidence["G7"] < 0.9
    assert confidence["A1"] > 0.99


def test_light_of_a_burnt_out_pixel_is_that_of_white() -> None:
    white = np.full((2, 2, 3), 255, np.uint8)
    assert light_of(logarithms(white)) == pytest.approx(np.ones((2, 2, 3)), abs=1e-3)


def test_a_number_of_floors_is_never_beyond_doubt() -> None:
    floors = doubted_floors([0.0, 0.0, 1.0, 0.0, 0.0])
    assert sum(floors) == pytest.approx(1.0)
    assert 0.98 < floors[2] < 0.99
    assert floors[1] == floors[3] > floors[0] > 0.001
