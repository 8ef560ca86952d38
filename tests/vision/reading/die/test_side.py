"""Dice at the edges of the picture, which may cut their faces or their sides."""

from __future__ import annotations

import numpy as np
import pytest

from companion.observation import Die
from tests.vision.reading.die.drawn_dice import BOARD_MM, CLOTH, LENS, PAPER, WOOD, Table, far_edge, left_edge, read
from vision.reading.die.camera import TOP_MM
from vision.reading.die.side import _GRID, drawn_on_side
from vision.reading.die.templates import FACES
from vision.reading.die.view import DieView


@pytest.mark.parametrize("face", [2, 4])
@pytest.mark.parametrize("inside_mm", [16, 22])
def test_is_as_sure_of_a_die_at_the_far_edge_whose_sides_are_as_dark_as_the_table(face: Die, inside_mm: float) -> None:
    """What is drawn on them tells that they are no table."""
    table = Table(WOOD, -28).board().die(face, (300, far_edge(-28) + inside_mm), 30, shadow=2)
    assert read(table).odds[face] > 0.98


@pytest.mark.parametrize("face", [2, 4])
@pytest.mark.parametrize("inside_mm", [10, 14])
def test_is_as_sure_of_a_die_at_the_far_edge_whose_sides_are_no_whiter_than_the_table(
    face: Die, inside_mm: float
) -> None:
    """That they are of another colour tells that they are no table, also where the edge hides what is round the die."""
    table = Table((70, 60, 60), -28).board().die(face, (300, far_edge(-28) + inside_mm), 5, shadow=2.2)
    assert read(table).odds[face] > 0.98


@pytest.mark.parametrize("colour", [WOOD, CLOTH, PAPER])
@pytest.mark.parametrize("tilt", [-25, -32])
def test_a_side_is_not_read_where_the_far_edge_of_the_picture_cuts_the_upper_face(
    tilt: float, colour: tuple[int, int, int]
) -> None:
    """Its sides are below the upper face there, whole, and so steeply seen that they look like it."""
    edge = far_edge(tilt)
    for face in (2, 3, 4, 5):
        for inside_mm, turn in ((-8, 10), (-4, 80), (0, 5), (0, 40)):
            reading = read(Table(colour, tilt).board().die(face, (300, edge + inside_mm), turn))
            assert reading.die in (face, None), (face, inside_mm, turn)
        reading = read(Table(colour, tilt).board().die(face, (300, edge + 20), 30))
        assert reading.die == face, face


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("tilt", [-22, -29])
def test_a_side_is_not_read_on_a_motley_cloth_either(tilt: float, seed: int) -> None:
    """What is below it there is not like what is beside it, and yet the table."""
    edge = far_edge(tilt)
    for face, inside_mm, turn in ((2, -5, 20), (4, -2, 75), (3, -2, 5)):
        cut = read(Table(WOOD, tilt).motley(seed).board().die(face, (300, edge + inside_mm), turn))
        assert cut.die in (face, None), (face, inside_mm, turn)
    assert read(Table(WOOD, tilt).motley(seed).board().die(5, (300, edge + 18), 30)).die == 5


@pytest.mark.parametrize("turn", [71, 75, 79])
def test_arrows_on_a_side_do_not_count_where_the_far_edge_cuts_the_pips_above_them(turn: float) -> None:
    table = Table(WOOD, -22).board().die(4, (120, far_edge(-22) - 1.3), turn, light=0.92, shadow=0.3)
    assert read(table).die in (4, None)


@pytest.mark.parametrize("face", FACES)
def test_is_as_sure_of_a_die_at_the_picture_edge_that_is_nearest_to_the_camera(face: Die) -> None:
    """There no side is seen below the picture's edge, so nothing else could be its upper face."""
    table = Table(tilt=35).board()
    towards = float(np.sign(table.pose.eye[1] - 240))
    along = 240 + towards * np.arange(0.0, 500.0)
    rows = table.pose.project(LENS, np.array([[500, y, 13.0] for y in along]))[:, 1]
    edge = along[np.flatnonzero((rows > 0) & (rows < 863))[-1]]
    reading = read(table.die(face, (500, edge - towards * 9), 30, glare=0.6))
    assert reading.odds[face] > 0.98


@pytest.mark.parametrize("face", [2, 3, 5])
def test_is_as_sure_of_a_die_at_the_far_edge_where_the_table_is_seen_above_it(face: Die) -> None:
    """Though its sides are as dark as the table: above a side comes the upper face."""
    table = Table((25, 25, 27), -28).board().die(face, (300, far_edge(-28) + 12), 3, shadow=2.2)
    assert read(table).odds[face] > 0.98


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("tilt", [10, 35])
def test_never_reads_a_wrong_face_where_the_picture_cuts_a_die(face: Die, tilt: float) -> None:
    for inside_mm in range(-8, 13, 4):
        reading = read(Table(tilt=tilt).board().die(face, (left_edge(tilt) + inside_mm, 240), 30))
        assert reading.die in (face, None), inside_mm


@pytest.mark.parametrize("rows_below", [11, 14])
def test_a_drawing_on_a_side_speaks_for_a_die_though_the_edge_of_the_picture_cuts_the_side(rows_below: int) -> None:
    """So many rows of the picture are left below the middle of the upper face, as many are taken away above."""
    at, turn = np.array([-75.0, 340.0]), 20.0
    table = Table(tilt=-35).board().die(4, (-75, 340), turn, shadow=0.3)
    middle = int(table.pose.project(LENS, np.append(at, TOP_MM)[None])[0, 1])
    off = 863 - middle - rows_below
    picture, corners = table.picture()[off : 864 - off], table.corners_px() - (0, off)
    view = DieView.of(picture, corners, BOARD_MM)
    assert view is not None
    assert not all(shown.all() for _, shown in view.camera.sides(picture, at, np.radians(turn), _GRID))
    assert drawn_on_side(view, at, np.radians(turn)) > 0.9


@pytest.mark.parametrize("face", [2, 4])
@pytest.mark.parametrize("tilt", [4, 6])
def test_what_is_seen_from_nearly_above_at_the_edge_of_the_picture_is_no_side(face: Die, tilt: float) -> None:
    """Though what little is seen of its sides is like the cloth."""
    table = Table(WOOD, tilt).motley(11).board().die(face, (260, far_edge(tilt) + 12), 4, shadow=1.6)
    assert read(table).odds[face] > 0.98


@pytest.mark.parametrize(
    ("face", "turn", "bare"),
    [(2, 45, True), (2, 135, False), (3, 45, True), (3, 135, False), ("arrows", 45, True), ("arrows", 90, False)],
)
def test_a_face_is_told_though_the_picture_cuts_off_a_bare_corner(face: Die, turn: float, bare: bool) -> None:
    """The corner across is as bare. Where a mark is cut off none is read, or what is left of the right face."""
    reading = read(Table(WOOD, 10).board().die(face, (left_edge(10) + 6.5, 240), turn))
    assert reading.odds[face] > 0.9 if bare else reading.die in (face, None)


@pytest.mark.parametrize("face", [4, 5])
def test_other_faces_are_not_told_where_the_picture_cuts_off_a_corner(face: Die) -> None:
    assert read(Table(WOOD, 10).board().die(face, (left_edge(10) + 5, 240), 45)).die is None
