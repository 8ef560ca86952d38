"""What has changed beside the board, and what is looked at for it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.reading.die.drawn_dice import BOARD_MM, CLOTH, Table
from vision.frames import Picture
from vision.reading.die.changed import AROUND_MM, CELL_PX, CHANGED, Region, cells_of, changed_cells, changed_regions
from vision.reading.die.view import DieView

PX_PER_MM = 1.4


def regions(size_px: tuple[int, int], *cells: tuple[int, int, int]) -> list[Region] | None:
    """Those of a picture of which cells (row, column) have become so much brighter, and by nothing if by 0."""
    shape = size_px[1] // CELL_PX, size_px[0] // CELL_PX
    changed, brighter = np.zeros(shape, bool), np.zeros((*shape, 3), np.uint8)
    for row, column, more in cells:
        changed[row, column], brighter[row, column] = True, more
    return changed_regions(changed, brighter, size_px, PX_PER_MM)


@pytest.mark.parametrize("size_px", [(1536, 864), (1640, 923), (1301, 977)])
@pytest.mark.parametrize("cell", [(50, 60), (0, 0), (107, 20)])
def test_a_region_shows_enough_round_what_has_changed(size_px: tuple[int, int], cell: tuple[int, int]) -> None:
    (region,) = regions(size_px, (*cell, 90)) or []
    middle = (np.array(cell) + 0.5) * CELL_PX
    for part, at, side in zip(region.part, middle, size_px[::-1], strict=True):
        assert 0 <= part.start <= max(at - AROUND_MM * PX_PER_MM, 0)
        assert min(at + AROUND_MM * PX_PER_MM, side - CELL_PX) <= part.stop <= side


def test_the_die_is_looked_for_near_what_has_changed_only() -> None:
    (region,) = regions((1536, 864), (50, 60, 90)) or []
    rows, columns = region.part
    there = np.argwhere(region.within((rows.stop - rows.start, columns.stop - columns.start)))
    first, last = there.min(axis=0) + region.start_px[::-1], there.max(axis=0) + region.start_px[::-1]
    assert first.tolist() == [49 * CELL_PX, 59 * CELL_PX]
    assert last.tolist() == [52 * CELL_PX - 1, 62 * CELL_PX - 1]


def test_where_something_bright_has_come_is_looked_at_first() -> None:
    dark, bright, dim = (regions((1536, 864), at) or [] for at in [(20, 20, 0), (90, 20, 200), (50, 170, 30)])
    together = regions((1536, 864), (20, 20, 0), (90, 20, 200), (50, 170, 30)) or []
    assert [region.part for region in together] == [one.part for one in (*bright, *dim, *dark)]


def test_what_has_changed_together_is_one_region_and_too_much_none() -> None:
    assert len(regions((1536, 864), (20, 20, 9), (20, 30, 9)) or []) == 1
    assert regions((1536, 864), *((row, column, 9) for row in (10, 90) for column in range(10, 180))) is None


def where_changed(before: Picture, now: Picture) -> list[list[int]]:
    changed = changed_cells(before, now)
    assert changed is not None
    return np.argwhere(changed).tolist()


def test_only_what_is_beside_the_board_can_change() -> None:
    table = Table(CLOTH).board()
    picture, corners = table.picture(), table.corners_px()
    cells = cells_of(picture, corners)
    assert cells.shape == (864 // CELL_PX, 1536 // CELL_PX, 3)
    played = picture.copy()
    x, y = corners.mean(axis=0).astype(int)
    played[y - 50 : y + 50, x - 50 : x + 50] = 0
    assert changed_cells(cells, cells_of(played, corners)) is None
    moved = picture.copy()
    moved[80:88, 160:168] = picture[80:88, 160:168] // 2
    assert where_changed(cells, cells_of(moved, corners)) == [[10, 20]]


def test_one_channel_is_enough_and_less_than_that_is_no_change() -> None:
    before = np.full((10, 10, 3), 100, np.uint8)
    now = before.copy()
    now[3, 4, 1] += CHANGED - 1
    assert changed_cells(before, now) is None
    now[3, 4, 1] += 1
    assert where_changed(before, now) == [[3, 4]]


def test_a_region_is_seen_as_in_all_of_the_picture() -> None:
    table = Table(CLOTH, tilt=25).board().die(5, (-75, 240), 30)
    picture, corners = table.picture(), table.corners_px()
    view = DieView.of(picture, corners, BOARD_MM)
    assert view is not None
    middle = np.array([-75.0, 240.0])
    x, y = view.camera.px(middle[None])[0]
    (region,) = regions((1536, 864), (int(y / CELL_PX), int(x / CELL_PX), 90)) or []
    seen = view.of_region(picture, corners, region)
    for layer, of_all in (
        (seen.sharp, view.sharp),
        (seen.white.plain, view.white.plain),
        (seen.white.filled, view.white.filled),
    ):
        part, same = (one.camera.from_above(shown, middle, 41, 1.0) for one, shown in ((seen, layer), (view, of_all)))
        # Places between pixels are rounded.
        assert cv2.absdiff(part, same).max() <= 2
        assert np.mean(part != same) < 0.02
