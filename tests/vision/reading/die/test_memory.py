from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.frames import Picture
from vision.reading.die import memory as die_memory
from vision.reading.die.memory import DieMemory
from vision.reading.die.reading import DieReading
from vision.table import Table

BOARD = (480.0, 480.0)


def test_a_picture_that_only_differs_in_noise_is_not_searched_again(
    table: Table, still: Picture, searches: list[Picture]
) -> None:
    memory = DieMemory()
    first = memory.read(still, table.corners_px, BOARD)
    noise = np.random.default_rng(3).normal(0, 6, still.shape)
    noisy = np.asarray(np.clip(still + noise, 0, 255), np.uint8)
    assert memory.read(noisy, table.corners_px, BOARD) is first
    assert len(searches) == 1


def test_a_pip_that_comes_is_enough_to_look_again(table: Table, still: Picture, searches: list[Picture]) -> None:
    memory = DieMemory()
    memory.read(still, table.corners_px, BOARD)
    pip = still.copy()
    cv2.circle(pip, (60, 60), 2, (0, 0, 0) if still[60, 60].mean() > 100 else (255, 255, 255), -1)
    memory.read(pip, table.corners_px, BOARD)
    assert len(searches) == 2


def test_what_happens_on_the_board_is_no_reason_to_look_again(
    table: Table, still: Picture, searches: list[Picture]
) -> None:
    memory = DieMemory()
    memory.read(still, table.corners_px, BOARD)
    x, y = table.corners_px.mean(axis=0).astype(int)
    played = still.copy()
    played[y - 20 : y + 20, x - 20 : x + 20] = 0
    memory.read(played, table.corners_px, BOARD)
    assert len(searches) == 1


def said(odds: float) -> DieReading:
    return DieReading({3: odds, None: 1 - odds}, (60.0, 60.0))


@pytest.mark.parametrize(("odds", "found"), [(0.97, 0.97), (0.8, 0.9)])
def test_what_was_sure_before_the_table_settled_is_not_looked_for_again(
    table: Table, still: Picture, monkeypatch: pytest.MonkeyPatch, odds: float, found: float
) -> None:
    answers = iter([said(odds), said(0.9)])
    monkeypatch.setattr(die_memory, "read_die", lambda *rest: next(answers))
    memory = DieMemory()
    memory.expect(still, table.corners_px, BOARD)
    assert memory.read(still, table.corners_px, BOARD).odds[3] == found


def test_what_was_unsure_before_the_table_settled_is_no_reason_to_forget_the_die(
    table: Table, still: Picture, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([said(0.9), said(0.8)])
    monkeypatch.setattr(die_memory, "read_die", lambda *rest: next(answers))
    memory, shadowed = DieMemory(), still.copy()
    shadowed[:40, :40] //= 2
    first = memory.read(still, table.corners_px, BOARD)
    memory.expect(shadowed, table.corners_px, BOARD)
    assert memory.read(still, table.corners_px, BOARD) is first


def test_a_moved_camera_is_a_reason_to_look_again(table: Table, still: Picture, searches: list[Picture]) -> None:
    memory = DieMemory()
    memory.read(still, table.corners_px, BOARD)
    memory.read(still, table.corners_px + 2.0, BOARD)
    assert len(searches) == 2
