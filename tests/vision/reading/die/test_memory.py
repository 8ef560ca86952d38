from __future__ import annotations

from itertools import product

import cv2
import numpy as np
import pytest

from companion.observation import Die
from tests.vision.reading.die.drawn_dice import BOARD_MM, CLOTH, PAPER, WOOD, read
from tests.vision.reading.die.drawn_dice import Table as DrawnTable
from vision.frames import Picture
from vision.geometry import Floats
from vision.reading.die import memory as die_memory
from vision.reading.die import reading as die_reading
from vision.reading.die.fits import Fit
from vision.reading.die.memory import DieMemory
from vision.reading.die.reading import DieReading, find_again, find_die
from vision.reading.die.taught import TaughtTable
from vision.reading.die.templates import FACES
from vision.reading.die.view import DieView
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
    monkeypatch.setattr(die_memory, "find_die", lambda *rest: next(answers))
    memory = DieMemory()
    memory.expect(still, table.corners_px, BOARD)
    assert memory.read(still, table.corners_px, BOARD).odds[3] == found


def test_what_was_unsure_before_the_table_settled_is_no_reason_to_forget_the_die(
    table: Table, still: Picture, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([said(0.9), said(0.8)])
    monkeypatch.setattr(die_memory, "find_die", lambda *rest: next(answers))
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


AT, ELSEWHERE = (-75.0, 240.0), (560.0, 300.0)
CORNERS = DrawnTable().corners_px()


@pytest.fixture
def looks_at_all(monkeypatch: pytest.MonkeyPatch) -> list[DieReading]:
    """What was found in all of a picture."""
    found: list[DieReading] = []

    def look(view: DieView, corners_px: Floats) -> DieReading:
        found.append(find_die(view, corners_px))
        return found[-1]

    monkeypatch.setattr(die_memory, "find_die", look)
    return found


def bare() -> DrawnTable:
    return DrawnTable(CLOTH).board()


def in_turn(*tables: DrawnTable) -> list[DieReading]:
    """What one memory reads of one after the other, which is what is read of each by itself."""
    memory = DieMemory()
    readings = [memory.read(one.picture(), CORNERS, BOARD_MM) for one in tables]
    for reading, one in zip(readings, tables, strict=True):
        alone = read(one)
        assert reading.die == alone.die
        assert reading.odds[reading.die] == pytest.approx(alone.odds[alone.die], abs=0.01)
        assert (
            reading.centre_px == pytest.approx(alone.centre_px, abs=0.5) if alone.centre_px else not reading.centre_px
        )
    return readings


@pytest.mark.parametrize("face", FACES)
def test_a_die_that_comes_is_looked_for_where_something_changed_only(face: Die, looks_at_all: list[DieReading]) -> None:
    readings = in_turn(bare(), bare().die(face, AT, 30))
    assert [reading.die for reading in readings] == [None, face]
    assert len(looks_at_all) == 1


@pytest.mark.parametrize("at", [ELSEWHERE, (-71.0, 237.0)])
def test_so_is_one_that_was_thrown_again(at: tuple[float, float], looks_at_all: list[DieReading]) -> None:
    readings = in_turn(bare().die(3, AT, 30), bare().die(5, at, 60), bare().die(2, at, 20), bare().die(4, AT, 10))
    assert [reading.die for reading in readings] == [3, 5, 2, 4]
    assert len(looks_at_all) == 1


def test_where_one_is_gone_from_is_blank(looks_at_all: list[DieReading]) -> None:
    readings = in_turn(bare().die(3, AT, 30), bare(), bare().die(4, AT, 30))
    assert [reading.die for reading in readings] == [3, None, 4]
    assert len(looks_at_all) == 1


def spotted() -> DrawnTable:
    """A table with spots where the die lies."""
    table = bare()
    for x, y in product((-4.0, 0.0, 5.0), (-5.0, 4.0)):
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * 1.3 + np.array(AT) + (x, y)
        table.fill(np.column_stack([corners, np.full(4, -3.0)]), (60, 60, 60))
    return table


@pytest.mark.parametrize(("is_taught", "looks"), [(True, 1), (False, 2)])
def test_all_is_looked_at_where_there_are_spots_that_nobody_taught(
    looks_at_all: list[DieReading], is_taught: bool, looks: int
) -> None:
    memory = DieMemory(TaughtTable.of(spotted().picture(2.0), CORNERS, BOARD_MM) if is_taught else None)
    seen = [memory.read(one.picture(), CORNERS, BOARD_MM).die for one in (spotted().die(3, AT, 30), spotted())]
    assert seen == [3, None]
    assert len(looks_at_all) == looks


@pytest.mark.parametrize(("like", "known"), [(0.5, False), (0.97, True)])
def test_what_may_be_a_die_elsewhere_is_none_that_was_known(like: float, known: bool) -> None:
    view = DieView.of(spotted().picture(), CORNERS, BOARD_MM)
    assert view is not None
    other = Fit(np.array(ELSEWHERE), 0.0, np.array([0.1, like, 0.1, 0.1, 0.1]), like, like)
    reading = find_again([view], view.camera, [other])
    assert (reading is not None and reading.die == 3) == known
    assert (reading is None) == (not known)


def test_a_cube_whose_face_nothing_fits_does_not_tell_that_there_is_no_die(monkeypatch: pytest.MonkeyPatch) -> None:
    view = DieView.of(bare().die(3, AT, 30).picture(), CORNERS, BOARD_MM)
    assert view is not None
    cube = Fit(np.array(AT), 0.0, np.array([0.6, 0.1, 0.1, 0.1, 0.1]), 0.95, 0.95, sight=6.0)
    assert cube.log_odds > die_reading.PLAIN_LOG_ODDS
    monkeypatch.setattr(die_reading, "best_fits", lambda view, places: [cube])
    assert find_again([view], view.camera, []) is None


def test_all_is_looked_at_where_the_light_burns_out_what_there_may_be(looks_at_all: list[DieReading]) -> None:
    burnt = bare()
    burnt.fill(np.array([[-110, 205, -3], [-40, 205, -3], [-40, 275, -3], [-110, 275, -3]], float), (280, 280, 280))
    assert [reading.die for reading in in_turn(bare().die(3, AT, 30), burnt)] == [3, None]
    assert len(looks_at_all) == 2


def test_a_thing_that_comes_beside_the_board_leaves_the_die_where_it_is(looks_at_all: list[DieReading]) -> None:
    def with_thing(colour: tuple[int, int, int]) -> DrawnTable:
        table = bare().die(3, AT, 30)
        table.fill(np.array([[540, 300, 0], [565, 300, 0], [565, 325, 0], [540, 325, 0]], float), colour)
        return table

    readings = in_turn(bare().die(3, AT, 30), with_thing((40, 40, 180)), with_thing(PAPER), bare().die(3, AT, 30))
    assert [reading.die for reading in readings] == [3, 3, 3, 3]
    assert len(looks_at_all) == 1


@pytest.mark.parametrize("colour", [(40, 40, 180), (250, 250, 250), (150, 146, 142)])
def test_a_thing_that_comes_close_to_the_die_does_not_hide_what_it_shows(colour: tuple[int, int, int]) -> None:
    table = bare()
    table.fill(np.array([[-108, 230, 0], [-96, 230, 0], [-96, 250, 0], [-108, 250, 0]], float), colour)
    readings = in_turn(bare().die(3, AT, 0), table.die(3, AT, 0))
    assert [reading.die for reading in readings] == [3, 3]


def test_where_most_has_changed_all_of_the_picture_is_looked_at(looks_at_all: list[DieReading]) -> None:
    dark, light = bare().die(3, AT, 30), DrawnTable(WOOD).board().die(3, AT, 30)
    assert [reading.die for reading in in_turn(dark, light)] == [3, 3]
    assert len(looks_at_all) == 2


def test_what_changes_little_by_little_is_looked_at_though_something_else_was_meanwhile() -> None:
    memory, searched = DieMemory(), []
    picture = bare().die(3, AT, 30).picture()
    for change in range(4):
        shown = picture.copy()
        shown[:40, :40] += np.uint8(3 * change)
        shown[820:, 1500:] = 255 if change % 2 else 0
        before = memory._last
        memory.read(shown, CORNERS, BOARD_MM)
        searched.append(
            before is not None and memory._last is not None and (before.cells != memory._last.cells)[:5, :5].any()
        )
    assert searched == [False, False, False, True]


def test_where_it_was_unsure_what_there_was_all_of_the_picture_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([said(0.9), said(0.97)])
    monkeypatch.setattr(die_memory, "find_die", lambda *rest: next(answers))
    memory = DieMemory()
    assert memory.read(bare().picture(), CORNERS, BOARD_MM).odds[3] == 0.9
    assert memory.read(bare().die(5, AT, 30).picture(), CORNERS, BOARD_MM).odds[3] == 0.97


def test_a_die_of_which_nobody_knows_the_fits_is_not_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is hidden in part is found without any; what comes elsewhere does not take it away."""
    answers = iter([said(0.97), said(0.96)])
    monkeypatch.setattr(die_memory, "find_die", lambda *rest: next(answers))
    memory = DieMemory()
    with_thing = bare()
    with_thing.fill(np.array([[540, 300, 0], [565, 300, 0], [565, 325, 0], [540, 325, 0]], float), (40, 40, 180))
    seen = [memory.read(one.picture(), CORNERS, BOARD_MM).odds[3] for one in (bare(), with_thing)]
    assert seen == [0.97, 0.96]
