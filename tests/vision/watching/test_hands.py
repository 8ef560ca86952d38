"""What has changed in a small picture is a hand, a thing, pieces, or only the light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.watching.hands import Changes, HandFinder, Kind
from vision.watching.stillness import WORK_WIDTH_PX, Levels, Small

HEIGHT = 216
SIDE = 14
"""Of a square of the board, in px."""

BOARD = np.array([[120.0, 30.0], [288.0, 30.0], [288.0, 198.0], [120.0, 198.0]])
SKIN, GREY, GREEN, WOOD = (122, 156, 214), (104, 96, 92), (60, 170, 50), (90, 130, 165)
ARM = np.s_[90:130, 200:384]
"""From the right edge over some five by three squares of the board."""


def table_picture(shift_px: int = 0) -> Small:
    """A dark, grained table with a light, printed board on it."""
    random = np.random.default_rng(4)
    picture = 70 + 4 * random.standard_normal((HEIGHT, WORK_WIDTH_PX, 3))
    board = 150 + 25 * cv2.resize(random.standard_normal((56, 56, 3)), (168, 168), interpolation=cv2.INTER_NEAREST)
    picture[30:198, 120 + shift_px : 288 + shift_px] = board
    return np.asarray(cv2.GaussianBlur(np.clip(picture, 0, 255).astype(np.uint8), (3, 3), 0), np.uint8)


def painted(picture: Small, region: tuple[slice, slice], colour: tuple[int, int, int]) -> Small:
    copy = picture.copy()
    copy[region] = colour
    return copy


def block(left: int, top: int, squares: float) -> tuple[slice, slice]:
    """A square patch of some of the board's squares."""
    side = round(SIDE * squares**0.5)
    return np.s_[top : top + side, left : left + side]


def levels(picture: Small) -> Levels:
    return picture.astype(np.float32)


def kinds(changes: Changes) -> list[Kind]:
    return [part.kind for part in changes.parts]


@pytest.fixture
def empty() -> Small:
    return table_picture()


@pytest.fixture
def finder(empty: Small) -> HandFinder:
    return HandFinder(empty, BOARD, SIDE * SIDE)


def test_where_nothing_changed_there_is_nothing(finder: HandFinder, empty: Small) -> None:
    changes = finder.changes(empty, levels(empty))
    assert changes.parts == ()
    assert not changes.mask.any()
    assert changes.spread == changes.hand_percent == 0


@pytest.mark.parametrize("colour", [SKIN, GREY, GREEN])
def test_what_reaches_over_the_board_is_a_hand(finder: HandFinder, empty: Small, colour: tuple[int, int, int]) -> None:
    assert kinds(finder.changes(painted(empty, ARM, colour), levels(empty))) == ["hand"]


def test_how_much_a_hand_covers_is_told(finder: HandFinder, empty: Small) -> None:
    changes = finder.changes(painted(empty, ARM, GREEN), levels(empty))
    assert changes.hand_percent == pytest.approx(100 * 40 * 184 / (HEIGHT * WORK_WIDTH_PX), rel=0.02)
    assert changes.parts[0].squares == pytest.approx(40 * 184 / SIDE**2, rel=0.02)


def test_what_reaches_over_the_board_in_the_first_picture_is_a_hand(finder: HandFinder, empty: Small) -> None:
    assert kinds(finder.changes(painted(empty, ARM, SKIN), None)) == ["hand"]


@pytest.mark.parametrize(
    ("colour", "squares", "kind"),
    [(SKIN, 2, "fingers"), (SKIN, 8, "hand"), (GREEN, 2, "thing"), (GREEN, 8, "thing")],
)
def test_at_the_edge_size_and_skin_decide(
    finder: HandFinder, empty: Small, colour: tuple[int, int, int], squares: float, kind: Kind
) -> None:
    assert kinds(finder.changes(painted(empty, block(0, 100, squares), colour), levels(empty))) == [kind]


@pytest.mark.parametrize("edge", [(0, 100), (WORK_WIDTH_PX - 20, 100), (30, 0), (30, HEIGHT - 20)])
def test_every_edge_can_be_reached_over(finder: HandFinder, empty: Small, edge: tuple[int, int]) -> None:
    left, top = edge
    assert kinds(finder.changes(painted(empty, np.s_[top : top + 20, left : left + 20], SKIN), levels(empty))) == [
        "fingers"
    ]


@pytest.mark.parametrize(("squares", "kind"), [(0.5, "piece"), (4, "piece"), (9, "big")])
def test_on_the_board_there_are_pieces_until_they_are_too_large(
    finder: HandFinder, empty: Small, squares: float, kind: Kind
) -> None:
    assert kinds(finder.changes(painted(empty, block(180, 80, squares), GREEN), levels(empty))) == [kind]


@pytest.mark.parametrize(("wide", "there"), [(3, False), (20, True)])
def test_what_is_thin_does_not_count_where_the_table_is_seen_from_elsewhere(
    finder: HandFinder, empty: Small, wide: int, there: bool
) -> None:
    reaching = painted(empty, np.s_[40 : 40 + wide, :120], SKIN)
    assert kinds(finder.changes(reaching, levels(empty))) != []
    assert (kinds(finder.changes(reaching, levels(empty), from_elsewhere=True)) == ["hand"]) is there
    assert finder.changes(reaching, levels(empty), from_elsewhere=True).mask[41, 60]


def test_in_the_first_picture_any_number_of_pieces_may_stand(finder: HandFinder, empty: Small) -> None:
    assert kinds(finder.changes(painted(empty, block(180, 80, 20), GREEN), None)) == ["piece"]


def test_what_is_smaller_than_any_piece_does_not_count(finder: HandFinder, empty: Small) -> None:
    assert kinds(finder.changes(painted(empty, block(180, 80, 0.08), GREEN), levels(empty))) == []


def test_supplies_at_the_edge_of_the_first_picture_are_no_hand(finder: HandFinder, empty: Small) -> None:
    assert kinds(finder.changes(painted(empty, block(0, 100, 2), GREEN), None)) == ["piece"]
    partly_wood = painted(painted(empty, block(0, 100, 5), GREEN), np.s_[100:110, 0:31], WOOD)
    assert kinds(finder.changes(partly_wood, None)) == ["piece"]


def test_at_the_edge_of_the_first_picture_only_what_is_large_is_waited_for(finder: HandFinder, empty: Small) -> None:
    assert kinds(finder.changes(painted(empty, block(0, 100, 5), SKIN), None)) == ["piece"]
    for colour in (SKIN, GREEN):
        assert kinds(finder.changes(painted(empty, block(0, 100, 8), colour), None)) == ["thing"]


def test_where_supplies_lay_when_the_table_was_taught_there_is_nothing_in_the_first_picture(empty: Small) -> None:
    finder = HandFinder(painted(empty, block(0, 100, 4), GREEN), BOARD, SIDE * SIDE)
    assert kinds(finder.changes(empty, None)) == ["piece"]


def test_supplies_that_were_taken_from_the_edge_are_no_hand(finder: HandFinder, empty: Small) -> None:
    before = painted(empty, block(0, 100, 2), WOOD)
    assert kinds(finder.changes(empty, levels(before))) == ["piece"]


def test_an_arm_that_had_been_taken_for_the_tables_own_is_no_hand_once_gone(finder: HandFinder, empty: Small) -> None:
    before = painted(empty, ARM, SKIN)
    assert kinds(finder.changes(empty, levels(before))) == ["piece"]


def test_the_empty_table_is_known_again_after_a_bump(finder: HandFinder) -> None:
    moved = table_picture(shift_px=9)
    before = painted(moved, ARM, SKIN)
    finder.board_moved(BOARD + np.array([9, 0]))
    assert kinds(finder.changes(moved, levels(before))) == ["piece"]
    assert kinds(finder.changes(painted(moved, ARM, SKIN), levels(moved))) == ["hand"]


def test_a_shadow_is_no_hand(finder: HandFinder, empty: Small) -> None:
    darker = empty.copy()
    darker[ARM] = (0.55 * empty[ARM]).astype(np.uint8)
    assert kinds(finder.changes(darker, levels(empty))) == []


def test_a_coloured_light_on_the_print_is_no_hand(finder: HandFinder, empty: Small) -> None:
    coloured = empty.copy()
    coloured[:, 200:] = np.clip(empty[:, 200:] * np.array([0.6, 1.0, 1.5]), 0, 255).astype(np.uint8)
    changes = finder.changes(coloured, levels(empty))
    assert changes.mask.mean() > 0.2
    assert kinds(changes) == []


def test_several_parts_are_told_apart(finder: HandFinder, empty: Small) -> None:
    now = painted(painted(empty, ARM, SKIN), block(140, 40, 1), GREEN)
    changes = finder.changes(painted(now, block(0, 100, 2), GREEN), levels(empty))
    assert sorted(kinds(changes)) == ["hand", "piece", "thing"]
    assert changes.has("thing", "big")
    assert not changes.has("fingers", "big")


def test_a_change_in_every_corner_is_everywhere(finder: HandFinder, empty: Small) -> None:
    now = empty.copy()
    now[::12], now[1::12], now[2::12] = 255, 255, 255
    changes = finder.changes(now, levels(empty))
    assert changes.spread == 1
    assert changes.everywhere
    assert not finder.changes(painted(empty, ARM, SKIN), levels(empty)).everywhere
