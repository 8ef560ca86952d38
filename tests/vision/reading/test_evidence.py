from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.frames import Picture, grey
from vision.grid import READ_PX_PER_MM, SHRINK, Canvas, shrink
from vision.reading.evidence import EmptyBoard, Scene, usual_shade
from vision.table import Table


@pytest.fixture(scope="module")
def canvas(table: Table) -> Canvas:
    return Canvas.to_read(table.board)


@pytest.fixture(scope="module")
def board(table: Table, canvas: Canvas) -> EmptyBoard:
    return EmptyBoard(table.board, canvas, canvas.straighten(table.empty, table.lens, table.pose))


@pytest.fixture(scope="module")
def straight(table: Table, canvas: Canvas, still: Picture) -> Picture:
    return canvas.straighten(still, table.lens, table.pose)


def shifted(straight: Picture, across_mm: float, down_mm: float) -> Picture:
    there = np.array([[1, 0, across_mm * READ_PX_PER_MM], [0, 1, down_mm * READ_PX_PER_MM]])
    size = (straight.shape[1], straight.shape[0])
    return np.asarray(cv2.warpAffine(straight, there, size, borderMode=cv2.BORDER_REFLECT), np.uint8)


def in_place(board: EmptyBoard, straight: Picture) -> bool:
    return board.in_place(grey(straight), shrink(straight))


def test_a_board_that_stayed_is_in_its_place_whatever_stands_on_it(board: EmptyBoard, straight: Picture) -> None:
    assert in_place(board, straight)
    assert in_place(board, np.asarray(cv2.convertScaleAbs(straight, alpha=0.6), np.uint8))


@pytest.mark.parametrize("by", [(1.0, 0.0), (0.0, -2.5), (20.0, 3.0)])
def test_a_board_that_was_pushed_is_not(board: EmptyBoard, straight: Picture, by: tuple[float, float]) -> None:
    assert not in_place(board, shifted(straight, *by))


def test_a_board_that_was_pushed_by_just_a_square_is_not(board: EmptyBoard, straight: Picture) -> None:
    width, height = board.board.square_mm
    for across, down in [(width, 0), (0, height), (-width, 0), (width, -height)]:
        assert not in_place(board, shifted(straight, across, down))


def test_a_covered_board_cannot_be_told_to_be_in_its_place(board: EmptyBoard, straight: Picture) -> None:
    assert not in_place(board, np.full_like(straight, 90))


def test_print_that_bright_light_turns_into_its_opposite_is_seen_and_what_hides_it_is_not(
    looking: Callable[[Table], Callable[[Picture], Scene]], table: Table
) -> None:
    """Red stripes that are brighter than the grey between them, until their red is cut off."""
    stripes = np.full((40, 40, 3), 150, np.uint8)
    stripes[:, np.arange(40) % 12 < 6] = (110, 110, 250)
    noise = np.random.default_rng(1).integers(60, 150, stripes.shape, np.uint8)
    across, down = table.pose.project(table.lens, [table.board.centre_mm("F6")])[0].round().astype(int).tolist()
    there = slice(down - 20, down + 20), slice(across - 20, across + 20)
    empty = table.empty.copy()
    empty[there] = stripes
    look = looking(replace(table, empty=empty))

    def seen(picture: Picture, times: float) -> float:
        scene = look(np.asarray(cv2.convertScaleAbs(picture, alpha=times), np.uint8))
        return float(scene.print_left[scene.places.names.index("F6")])

    hidden = empty.copy()
    hidden[there] = noise
    for times in (1.0, 1.6):
        assert seen(empty, times) > 0.6
        assert seen(hidden, times) < 0.3


def test_the_usual_shade_of_grey_is_its_own_logarithm() -> None:
    assert usual_shade(np.array([0.0, 0.0, np.log(100.0 + 6.0)])) == pytest.approx(np.log(106.0))


@given(seed=st.integers(0, 1000), height_mm=st.floats(0, 40))
@settings(max_examples=20)
def test_what_squares_sum_up_to_is_what_their_windows_show(board: EmptyBoard, seed: int, height_mm: float) -> None:
    width, height = (side // SHRINK for side in board.canvas.size)
    rng = np.random.default_rng(seed)
    masks, layer = rng.random((3, height, width)) < 0.3, rng.random((height, width), np.float32)
    places, eye = board.places, np.array([rng.uniform(-100, 600), rng.uniform(-100, 600), 700.0])
    counts = places.counts(masks[:, *places.part])
    sums, above = places.sums(layer), places.sums_above(layer, eye, height_mm)
    for index in range(len(places.names)):
        rows, columns = places.window(index)
        assert counts[index].tolist() == masks[:, rows, columns].sum(axis=(1, 2)).tolist()
        assert sums[index] == pytest.approx(layer[rows, columns].sum(), rel=1e-4)
        assert above[index] == pytest.approx(layer[places.window_above(index, eye, height_mm)].sum(), rel=1e-4)
