from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.observation import Seen
from vision.frames import Picture
from vision.geometry import Floats
from vision.light.glare import STEP, Glare
from vision.logarithms import TO_BGR
from vision.measuring.changes import brightness, noise
from vision.reader import Reader
from vision.reading.candidates import candidates
from vision.reading.covered import (
    LEAST_BRIGHT_PX,
    LEAST_PRINT,
    WHITE_PX,
    beside,
    covered_squares,
    mirroring_squares,
    trouble_over,
)
from vision.reading.evidence import Scene
from vision.table import Table
from vision.teaching.setup_folder import Setup

GREY_CLOTH = (120, 118, 122)


@pytest.fixture(scope="module")
def usual(scene: Scene) -> Floats:
    return np.full(len(scene.places.names), 0.8)


def with_print_left(scene: Scene, usual: Floats, **shares: float) -> Scene:
    left = usual.copy()
    for name, share in shares.items():
        left[scene.places.names.index(name)] *= share
    return replace(scene, print_left=left)


def test_nothing_is_covered_on_a_table_with_pieces(scene: Scene, table: Table, truth: Seen) -> None:
    found = covered_squares(scene, table.learned["print"].astype(np.float64), candidates(scene))
    assert not {name for name, gone in found.items() if gone > 0.25}
    assert trouble_over(found, {}, scene) is None


def test_print_is_expected_on_squares_that_no_palette_shows_free_too(
    look: Callable[[Picture], Scene], setup: Setup, table: Table
) -> None:
    taken = frozenset.intersection(*(frozenset(palette.squares) for palette in setup.palettes))
    assert taken
    scene = look(noise(table.empty, 1, 3.0))
    for name in taken:
        index = scene.places.names.index(name)
        assert LEAST_PRINT < table.learned["print"][index] <= scene.print_left[index] + 0.1
    covered = dict.fromkeys(taken, 0.0)
    usual = table.learned["print"].astype(np.float64)
    found = covered_squares(with_print_left(scene, scene.print_left, **covered), usual, ())
    assert {found[name] for name in taken} == {1.0}


def test_a_square_whose_print_is_gone_is_covered(scene: Scene, usual: Floats) -> None:
    found = covered_squares(with_print_left(scene, usual, F6=0.1, G6=0.9, I6=0.7), usual, [])
    assert found == {"F6": 1.0}


def test_a_square_whose_print_is_partly_gone_is_doubtful_beside_a_covered_one(scene: Scene, usual: Floats) -> None:
    found = covered_squares(with_print_left(scene, usual, F6=0.1, G6=0.7, I6=0.7), usual, [])
    assert found == {"F6": 1.0, "G6": pytest.approx(0.9)}


def test_a_picture_that_shows_less_of_all_squares_is_only_blurred(scene: Scene, usual: Floats) -> None:
    assert not covered_squares(replace(scene, print_left=0.45 * usual), usual, [])


def test_pieces_may_hide_the_print(scene: Scene, usual: Floats) -> None:
    assert not covered_squares(with_print_left(scene, usual, F6=0.0), usual, ["F6"])


def test_squares_without_print_tell_nothing(scene: Scene, usual: Floats) -> None:
    faint = usual.copy()
    faint[scene.places.names.index("F6")] = 0.1
    assert not covered_squares(with_print_left(scene, faint, F6=0.0), faint, [])


def test_squares_with_little_print_tell_when_it_is_gone(scene: Scene, usual: Floats) -> None:
    """So a dark hand over dark squares in the evening is noticed."""
    faint = usual.copy()
    faint[scene.places.names.index("F6")] = 0.2
    assert not covered_squares(with_print_left(scene, faint, F6=0.8), faint, [])
    assert covered_squares(with_print_left(scene, faint, F6=0.1), faint, []) == {"F6": 1.0}


def test_squares_without_print_are_as_doubtful_as_a_covered_one_beside_them(scene: Scene, usual: Floats) -> None:
    faint = usual.copy()
    faint[[scene.places.names.index(name) for name in ("F6", "H6")]] = 0.1
    found = covered_squares(with_print_left(scene, faint, E6=0.0), faint, [])
    assert found == {"E6": 1.0, "F6": pytest.approx(0.9)}


def test_three_covered_squares_side_by_side_are_a_hand(scene: Scene) -> None:
    assert trouble_over({"F6": 1.0, "F7": 1.0}, {}, scene) is None
    assert trouble_over({"F6": 1.0, "F7": 1.0, "H9": 1.0}, {}, scene) is None
    said = trouble_over({"F6": 1.0, "F7": 1.0, "G7": 1.0, "H9": 1.0}, {}, scene)
    assert said == "something lies over the board on F6, F7, G7; is it a hand?"


def test_squares_over_which_something_lies_count_as_those_whose_print_is_gone(scene: Scene) -> None:
    assert trouble_over({"F6": 1.0, "F7": 1.0}, {"G7": 0.4, "H7": 0.9}, scene) is None
    said = trouble_over({"F6": 1.0}, {"F7": 0.6, "G7": 0.9, "C2": 1.0}, scene)
    assert said == "something lies over the board on F6, F7, G7; is it a hand?"


def test_a_large_part_that_is_burnt_out_is_a_lamp(scene: Scene) -> None:
    blind = replace(scene, blind=np.ones_like(scene.blind))
    assert trouble_over({"F6": 1.0, "F7": 1.0, "G7": 1.0}, {}, blind) is None
    said = trouble_over(dict.fromkeys(("F6", "F7", "G7", "G8", "H7", "H8"), 1.0), {}, blind)
    assert said is not None and said.startswith("a lamp is mirrored in the board over F6, F7, G7, H7, G8, H8")


@pytest.mark.parametrize(("rows", "lamp"), [(5, True), (10, False)])
def test_a_lamp_is_burnt_out_in_its_middle_only(scene: Scene, rows: int, lamp: bool) -> None:
    blind = np.zeros_like(scene.blind)
    blind[::rows] = 1
    said = trouble_over({"F6": 1.0, "F7": 1.0, "G7": 1.0}, {}, replace(scene, blind=blind))
    assert (said is None) == lamp


def test_a_large_part_that_the_picture_does_not_reach_is_no_lamp(scene: Scene) -> None:
    outside = replace(scene, blind=np.ones_like(scene.blind), reached=np.zeros_like(scene.reached))
    assert trouble_over({"F6": 1.0, "F7": 1.0, "G7": 1.0}, {}, outside) is None
    said = trouble_over(dict.fromkeys(("F6", "F7", "G7", "G8", "H7", "H8"), 1.0), {}, outside)
    assert said is not None and said.startswith("a part of the board is outside of the picture, over F6, F7, G7, H7")


@pytest.mark.parametrize(
    ("light", "grey", "lamp"), [(-0.3, 220, False), (0.1, 220, False), (0.3, 150, False), (0.3, 220, True)]
)
def test_light_over_a_covered_part_may_be_a_lamp_where_it_is_nearly_white(
    scene: Scene, light: float, grey: int, lamp: bool
) -> None:
    height, width = scene.blind.shape
    glare = Glare(np.full((height // STEP, width // STEP), light, np.float32), np.ones(3, np.float32))
    covered = replace(scene, glare=glare, straight=np.full_like(scene.straight, grey))
    said = trouble_over({"F6": 1.0, "F7": 1.0, "G7": 1.0}, {}, covered)
    assert said is not None
    assert said.startswith("a lamp is mirrored in the board over F6, F7, G7" if lamp else "something lies over")


def test_pieces_beside_a_covered_square_may_be_partly_covered_too() -> None:
    assert beside({"F6": 0.8, "A1": 0.3}, ["G7", "H6", "B1"]) == {"G7": 0.8, "B1": 0.3}


def test_what_mirrors_a_lamp_where_the_board_does_not_may_be_a_stone(
    table: Table, reader: Reader, look: Callable[[Picture], Scene], still: Picture, truth: Seen
) -> None:
    name = next(name for name in sorted(table.board.squares) if name not in truth)
    x, y = table.board.centre_mm(name)
    stone = table.pose.project(table.lens, np.array([[x - 6, y - 4], [x + 6, y - 4], [x, y + 7]])).round()
    mirror = cv2.fillConvexPoly(still.copy(), stone.astype(np.int32), (255, 255, 255))
    assert reader.read(still).squares[name][None] > 0.98
    assert reader.read(np.asarray(mirror, np.uint8)).squares[name].get(None, 0.0) <= 0.7
    assert list(mirroring_squares(look(np.asarray(mirror, np.uint8)))) == [*mirroring_squares(look(still)), name]


@pytest.mark.parametrize(("whiter", "mirrors"), [(0.1, False), (0.3, True)])
@pytest.mark.parametrize("channel", range(3))
def test_white_on_a_coloured_board_that_is_nearly_burnt_out_mirrors_a_lamp(
    scene: Scene, channel: int, whiter: float, mirrors: bool
) -> None:
    brighter = np.zeros(3, np.float32)
    brighter[channel] = whiter
    blind, difference = np.zeros_like(scene.blind), np.zeros_like(scene.difference)
    rows, columns = scene.places.window(scene.places.names.index("F6"))
    spot = slice(rows.start, rows.start + 2), slice(columns.start, columns.start + LEAST_BRIGHT_PX // 2 + 1)
    blind[spot] = 1
    difference[spot] = np.linalg.solve(TO_BGR.astype(np.float64), brighter)
    found = mirroring_squares(replace(scene, blind=blind, difference=difference))
    assert found == ({"F6": blind.sum()} if mirrors else {})


def test_no_colour_is_sure_of_a_piece_that_a_lamp_makes_white(
    table: Table, reader: Reader, look: Callable[[Picture], Scene], still: Picture, truth: Seen
) -> None:
    free = (name for name in sorted(table.board.squares) if name not in truth)
    name = next(name for name in free if min(table.board.centre_mm(name)) > 60)
    x, y = table.board.centre_mm(name)

    def painted(picture: Picture, half_mm: float, colour: tuple[int, int, int]) -> Picture:
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half_mm + (x, y)
        outline = table.pose.project(table.lens, corners).round().astype(np.int32)
        return np.asarray(cv2.fillConvexPoly(picture.copy(), outline, colour), np.uint8)

    white = painted(painted(still, 14, (40, 30, 170)), 12, (252, 252, 252))
    assert mirroring_squares(look(white))[name] >= WHITE_PX
    assert max(reader.read(white).squares[name].values()) <= 0.7


def test_a_brighter_lamp_is_not_mirrored_in_anything(
    look: Callable[[Picture], Scene], still: Picture, truth: Seen
) -> None:
    assert not set(mirroring_squares(look(brightness(still, 1.4)))) - set(truth)


def test_a_cloth_over_a_part_of_the_board_is_noticed(table: Table, reader: Reader, still: Picture) -> None:
    width, height = table.board.square_mm
    x, y = table.board.centre_mm("D8")
    corners = np.array([(-0.6, -0.6), (2.6, -0.6), (2.6, 1.6), (-0.6, 1.6)]) * (width, height) + (x, y)
    outline = table.pose.project(table.lens, corners).round().astype(np.int32)
    covered = cv2.fillConvexPoly(still.copy(), outline, GREY_CLOTH)
    reading = reader.read(np.asarray(covered, np.uint8))
    assert not reading.usable
    assert reading.reason is not None and "something lies over the board" in reading.reason and "E8" in reading.reason
