"""Dice that are drawn on pictures, and what is packed of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.reading.die.drawn_dice import WOOD, Table, seen_by
from training.drawing.dice import draw_die, marks_of
from training.packing.dice import DICE, DIE, NONE, NOT_ASKED, cells_of, pack, with_cloth, with_dice
from training.packing.packs import Pack
from vision.reading.die.sight import CELL_PX, SIDE
from vision.reading.die.templates import FACES


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(WOOD, tilt=25).board()


@pytest.mark.parametrize("seed", range(3))
def test_dice_are_drawn_where_it_is_said_and_nothing_else_changes(table: Table, seed: int) -> None:
    picture, camera, corners = table.picture(), seen_by(table), table.corners_px()
    before = picture.copy()
    copy, dice = with_dice(np.random.default_rng(seed), picture, camera, corners)
    assert np.array_equal(picture, before)
    assert DICE / 2 < len(dice) <= DICE
    changed = np.abs(copy.astype(int) - picture).max(axis=-1)
    rows, columns = np.mgrid[: len(picture), : picture.shape[1]]
    elsewhere = np.ones(changed.shape, bool)
    for middle, face in dice:
        x, y = camera.px(middle[None])[0]
        assert changed[round(y) - 4 : round(y) + 5, round(x) - 4 : round(x) + 5].mean() > 5
        assert 0 <= face <= len(FACES)
        elsewhere &= np.hypot(columns - x, rows - y) > 60
    assert changed[elsewhere].max(initial=0) == 0


def test_cells_show_dice_where_they_are_and_are_not_asked_about_on_the_board(table: Table) -> None:
    camera, corners = seen_by(table), table.corners_px()
    middle, size = np.array([-75.0, 240.0]), (768, 432)
    cells = cells_of(camera, corners, [middle], size)
    assert cells.shape == (size[1] // CELL_PX, size[0] // CELL_PX)
    x, y = (camera.px(middle[None])[0] + 0.5) / 2 / CELL_PX - 0.5
    assert cells[round(y), round(x)] == DIE
    assert (cells == DIE).sum() < 10
    assert cells[round(y) + 2, round(x)] == NOT_ASKED
    assert cells[round(y) + 8, round(x)] == NONE
    x, y = (camera.px(np.array([[240.0, 240.0]]))[0] + 0.5) / 2 / CELL_PX - 0.5
    assert cells[round(y), round(x)] == NOT_ASKED


def test_another_cloth_lies_on_the_table_alone(table: Table) -> None:
    picture, corners = table.picture(), table.corners_px()
    board = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(board, np.round(corners).astype(np.int32), 1)
    cloths = [with_cloth(np.random.default_rng(seed), picture, corners) for seed in range(12)]
    for cloth in cloths:
        assert np.array_equal(cloth[board > 0], picture[board > 0])
        assert np.abs(cloth[board == 0].astype(int) - picture[board == 0]).mean() > 5
    # Some are of two colours, and no two are alike.
    assert max(cloth[board == 0].std(axis=0).max() for cloth in cloths) > 20
    assert len({cloth.tobytes() for cloth in cloths}) == len(cloths)


@pytest.mark.parametrize("face", [*FACES, 0, 1, 6])
def test_each_face_has_its_marks_within_it(face: int | str) -> None:
    for seed in range(20):
        marks = marks_of(face, np.random.default_rng(seed))
        if isinstance(face, int):
            assert len(marks) == face
        assert all(np.abs(mark).max() < 8 for mark in marks)


def test_no_two_dice_are_drawn_alike() -> None:
    drawn = []
    for seed in range(2):
        canvas = np.full((120, 120, 3), 0.3, np.float32)
        rng = np.random.default_rng(seed)
        draw_die(canvas, 30.0, marks_of(5, rng), 6.0, np.ones(3), rng)
        assert np.isfinite(canvas).all()
        drawn.append(canvas)
    assert np.abs(drawn[0] - drawn[1]).mean() > 0.02


def test_packs_hold_patches_with_each_face_and_without(packed: Callable[[Pack], Path]) -> None:
    arrays = np.load(packed(pack))
    assert arrays["pictures"].shape[0] == arrays["cells"].shape[0] > 0
    assert arrays["patches"].shape[1:] == (SIDE, SIDE, 3)
    assert len(arrays["patches"]) == len(arrays["drops"]) == len(arrays["faces"])
    assert {*arrays["faces"].tolist()} == {*range(len(FACES) + 1)}
    assert (arrays["cells"] == DIE).any(axis=(1, 2)).all()
