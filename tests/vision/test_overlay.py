from __future__ import annotations

import numpy as np
import pytest

from companion.errors import BadPicture
from companion.games.pacal.pieces import Ship
from companion.observation import Reading
from vision.frames import Picture
from vision.geometry import Floats
from vision.overlay import cover_ships, draw
from vision.reader import Reader
from vision.reading.shapes import SHIP_MM, ship_ring
from vision.table import Table

UNUSABLE = Reading("pacal", "reference", usable=False, reason="no board found")


@pytest.fixture
def reading(reader: Reader, still: Picture) -> Reading:
    return reader.read(still)


def openings_px(table: Table, reading: Reading) -> list[Floats]:
    """Points all over every ship's opening."""
    found = []
    for name, content in reading.seen().items():
        if isinstance(content, Ship):
            rings = np.concatenate([ship_ring(table.board.centre_mm(name), -margin) for margin in (1.0, 6.0, 12.0)])
            solid = np.column_stack([rings, np.full(len(rings), SHIP_MM)])
            found.append(table.pose.project(table.lens, solid))
    return found


def test_drawing_changes_a_copy_and_marks_the_squares_read(table: Table, still: Picture, reading: Reading) -> None:
    before = still.copy()
    drawn = draw(still, table, reading)
    assert np.array_equal(still, before)
    assert drawn.shape == still.shape
    for name in reading.seen():
        x, y = table.pose.project(table.lens, [table.board.centre_mm(name)])[0].astype(int)
        around = np.s_[y - 25 : y + 30, x - 25 : x + 30]
        assert not np.array_equal(drawn[around], still[around])


def test_an_unusable_reading_is_drawn_as_its_reason(table: Table, still: Picture) -> None:
    drawn = draw(still, table, UNUSABLE)
    assert not np.array_equal(drawn[:60], still[:60])
    assert np.array_equal(drawn[60:], still[60:])


def test_nothing_of_what_lies_in_a_ship_is_left(table: Table, still: Picture, reading: Reading) -> None:
    openings = openings_px(table, reading)
    assert openings
    spoiled = still.copy()
    for points in openings:
        for x, y in points.astype(int):
            spoiled[y - 1 : y + 2, x - 1 : x + 2] = (0, 255, 255)
    assert np.array_equal(cover_ships(spoiled, table, reading), cover_ships(still, table, reading))


def test_a_ship_that_is_hardly_likely_is_covered_too(table: Table, still: Picture, reading: Reading) -> None:
    name = next(name for name, content in reading.seen().items() if isinstance(content, Ship))
    doubtful = Reading(
        "pacal",
        "reference",
        {name: {None: 0.98, Ship("red"): 0.02}},
        board_corners_px=reading.board_corners_px,
    )
    assert not np.array_equal(cover_ships(still, table, doubtful), still)


def test_a_picture_that_was_not_read_shows_no_stone(table: Table, still: Picture) -> None:
    covered = cover_ships(still, table, UNUSABLE)
    assert covered.shape == still.shape
    assert len(np.unique(covered.reshape(-1, 3), axis=0)) <= (648 // 48) * (1152 // 48)


def test_a_wrong_array_is_a_bad_picture(table: Table, reading: Reading) -> None:
    with pytest.raises(BadPicture):
        cover_ships(np.zeros((5, 5), np.uint8), table, reading)
