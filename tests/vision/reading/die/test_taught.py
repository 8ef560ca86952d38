from __future__ import annotations

import numpy as np
import pytest

from companion.observation import Die
from tests.vision.reading.die.drawn_dice import BOARD_MM, CLOTH, WOOD, Table, drawing, read, seen_by
from vision.frames import Picture
from vision.geometry import Lens
from vision.reading.die.reading import DieReading, read_die
from vision.reading.die.taught import TaughtTable
from vision.reading.die.templates import FACES

PLACE = (-75.0, 240.0)


def marked(face: Die, colour: tuple[int, int, int] = WOOD, tilt: float = 20.0) -> Table:
    """A table on which something is that looks like a die's face."""
    table = Table(colour, tilt).board()
    for outline in drawing(face):
        table.fill(np.column_stack([outline + PLACE, np.full(len(outline), -3.0)]), (40, 40, 40))
    return table


def as_taught(table: Table) -> TaughtTable:
    taught = TaughtTable.of(table.picture(), table.corners_px(), BOARD_MM)
    assert taught is not None
    return taught


def read_with(before: Table, now: Table) -> DieReading:
    return read_die(now.picture(), now.corners_px(), BOARD_MM, as_taught(before))


def alike(before: Table, now: Table, picture: Picture) -> float:
    return as_taught(before).alike(picture, seen_by(now), np.array(PLACE))


@pytest.mark.parametrize("light", [0.4, 1.0, 1.3])
@pytest.mark.parametrize("tilt", [20.0, 22.0])
def test_a_table_looks_as_it_was_taught_in_any_light_and_after_a_bump(light: float, tilt: float) -> None:
    before, now = marked("arrows"), marked("arrows", tilt=tilt)
    assert alike(before, now, np.asarray(np.clip(now.picture() * light, 0, 255), np.uint8)) == 1


@pytest.mark.parametrize("face", FACES)
def test_a_die_looks_like_nothing_that_was_there(face: Die) -> None:
    now = Table(tilt=20).board().die(face, PLACE, 30)
    for before in (Table(tilt=20).board(), marked(2), marked("arrows")):
        assert alike(before, now, now.picture()) == 0


@pytest.mark.parametrize(("face", "colour"), [(4, WOOD), (5, WOOD), (5, CLOTH), ("arrows", CLOTH)])
def test_what_the_table_had_when_it_was_taught_is_no_die(face: Die, colour: tuple[int, int, int]) -> None:
    table = marked(face, colour)
    assert read(table).die == face
    assert read_with(table, table).odds[None] > 0.99


def test_the_die_beside_what_looks_like_another_is_read() -> None:
    reading = read_with(marked(5), marked(5).die(3, (-85, 150), 60))
    assert reading.odds[3] > 0.9


@pytest.mark.parametrize("face", FACES)
def test_a_plain_die_is_read_though_it_lay_there_when_the_table_was_taught(face: Die) -> None:
    table = Table(tilt=20).board().die(face, PLACE, 30)
    assert read_with(table, table).odds[face] > 0.9


WIDE = Lens((1536, 864), 622.0, 0.038)
"""A lens of 102 degrees: what is seen through it far from the middle is seen from the side."""


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("at_mm", [(-407.0, 743.0), (947.0, 687.0)])
def test_a_die_far_aside_is_seen_through_the_lens_with_which_the_table_was_taught(
    face: Die, at_mm: tuple[float, float]
) -> None:
    before, now = (Table(tilt=27, lens=WIDE, far_mm=520).board() for _ in range(2))
    taught = TaughtTable.of(before.picture(), before.corners_px(), BOARD_MM, WIDE)
    assert read_die(now.die(face, at_mm, 30).picture(), now.corners_px(), BOARD_MM, taught).odds[face] > 0.9


def test_corners_of_no_board_are_those_of_no_taught_table() -> None:
    assert TaughtTable.of(Table().picture(), np.full((4, 2), 100.0), BOARD_MM) is None
