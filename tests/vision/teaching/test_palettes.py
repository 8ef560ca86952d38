"""How what is wrong in palettes is found, with looks made by hand; real pictures are in the tests of the commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from companion.boards import Board
from companion.errors import BadSetup
from companion.games.pacal.pieces import Piece, Pyramid, Ship, Stones, squares_from_json
from companion.observation import Content, Odds, Reading, squares_to_json
from companion.squares import square
from vision.geometry import Lens
from vision.table import Table
from vision.teaching.palettes import SUSPECT, WRONG, Look, Match, at_home, learn, matches_of, without
from vision.teaching.progress import Progress
from vision.teaching.setup_folder import Palette, Setup

SQUARES = frozenset(square(column, row) for column in range(4) for row in range(4))
BOARD = Board("pacal", "small", (120.0, 120.0), (0.0, 0.0, 120.0, 120.0), 4, 4, SQUARES)
PICTURE = np.zeros((360, 640, 3), np.uint8)
TABLE = Table(BOARD, Lens((640, 360), 500.0, 0.0), np.zeros((4, 2)), PICTURE)

Seen = dict[str, Piece]
TRUTH: dict[str, Seen] = {
    "palette-1.jpg": {"A1": Ship("red"), "B1": Ship("blue"), "A3": Pyramid("red", 3), "C3": Stones(("red",))},
    "palette-2.jpg": {"A2": Pyramid("blue", 1), "B4": Pyramid("green", 2), "C2": Ship("green"), "D4": Ship("purple")},
}


def setup_of(claims: Mapping[str, Seen]) -> Setup:
    palettes = tuple(Palette(name, PICTURE, squares_to_json(seen)) for name, seen in claims.items())
    return Setup("pacal", "small", BOARD, np.zeros((4, 2)), PICTURE, palettes)


def claimed(**changes: Piece | None) -> dict[str, Seen]:
    """The truth of the palettes but for some squares of the first."""
    first = {**TRUTH["palette-1.jpg"], **{name: piece for name, piece in changes.items() if piece is not None}}
    return {**TRUTH, "palette-1.jpg": {n: p for n, p in first.items() if changes.get(n, p) is not None}}


def eyes(setups: list[Setup], *, least: int = 1) -> Callable[[Setup, Progress], Look]:
    """Eyes that see the truth, clearly as long as they learned nothing wrong; otherwise all that they see is blurred.

    setups: gets each set-up that was learned. least: of squares from which anything can be learned.
    """

    def look(setup: Setup, progress: Progress) -> Look:
        setups.append(setup)
        learned = {
            (palette.name, name): piece
            for palette in setup.palettes
            for name, piece in squares_from_json(palette.squares).items()
            if name not in palette.left_out
        }
        if len(learned) < least:
            raise BadSetup("too few")
        spoiled = any(TRUTH[palette].get(name) != piece for (palette, name), piece in learned.items())
        readings = {}
        for palette in setup.palettes:
            odds = {name: blurred(TRUTH[palette.name].get(name), spoiled) for name in SQUARES}
            readings[palette.name] = Reading("pacal", "small", odds)
        return Look(TABLE, readings)

    return look


def blurred(truth: Piece | None, spoiled: bool) -> dict[Content | None, float]:
    if not spoiled:
        return {truth: 0.99}
    # What was spoiled takes even a right ship for another.
    return {Ship("yellow"): 0.6, truth: 0.1} if truth == Ship("purple") else {truth: 0.7, Ship("yellow"): 0.2}


def match(expected: Piece | None, odds: Odds) -> Match:
    return Match("palette-1.jpg", "A1", expected, odds)


def test_palettes_that_are_right_are_learned_once() -> None:
    setups: list[Setup] = []
    lesson = learn(setup_of(TRUTH), look=eyes(setups))
    assert lesson.flawless
    assert lesson.table is TABLE
    assert len(lesson.matches) == 8
    assert not lesson.unsure
    assert len(setups) == 1


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"D1": Pyramid("blue", 3)}, {"D1"}),
        ({"A1": None}, {"A1"}),
        ({"A1": Ship("green")}, {"A1"}),
        ({"A3": Pyramid("red", 2)}, {"A3"}),
        ({"C3": Stones(("blue",))}, {"C3"}),
        ({"A1": Ship("blue"), "B1": Ship("red")}, {"A1", "B1"}),
    ],
    ids=["missing", "not named", "another colour", "other floors", "another stone", "swapped"],
)
def test_wrong_squares_are_named_and_right_ones_are_acquitted(
    changes: dict[str, Piece | None], wrong: set[str]
) -> None:
    lesson = learn(setup_of(claimed(**changes)), look=eyes([]))
    assert {found.square for found in lesson.wrong} == wrong
    assert all(found.palette == "palette-1.jpg" for found in lesson.wrong)
    assert all(found.seen == TRUTH["palette-1.jpg"].get(found.square) for found in lesson.wrong)
    assert not lesson.flawless
    assert not lesson.unsure


def test_what_is_learned_in_the_end_leaves_out_the_wrong_squares_alone() -> None:
    setups: list[Setup] = []
    learn(setup_of(claimed(A1=Ship("green"))), look=eyes(setups))
    assert [palette.left_out for palette in setups[-1].palettes] == [{"A1"}, set()]


def test_a_piece_that_spoils_a_colour_is_found_although_it_makes_right_ones_look_wrong() -> None:
    setups: list[Setup] = []
    clear = eyes(setups)
    claim = Pyramid("green", 1)

    def look(setup: Setup, progress: Progress) -> Look:
        found = clear(setup, progress)
        if "A2" in setup.palettes[1].left_out:
            return found
        odds: dict[str, dict[str, Odds]] = {
            name: {
                at: {Ship("yellow"): 0.6} if isinstance(TRUTH[name].get(at), Ship) else reading.squares[at]
                for at in SQUARES
            }
            for name, reading in found.readings.items()
        }
        odds["palette-2.jpg"]["A2"] = {claim: 0.9}
        return Look(TABLE, {name: Reading("pacal", "small", seen) for name, seen in odds.items()})

    spoiled = {**TRUTH, "palette-2.jpg": {**TRUTH["palette-2.jpg"], "A2": claim}}
    lesson = learn(setup_of(spoiled), look=look)
    assert [(found.palette, found.square) for found in lesson.wrong] == [("palette-2.jpg", "A2")]
    assert [palette.left_out for palette in setups[-1].palettes] == [set(), {"A2"}]
    assert not lesson.unsure


def test_a_palette_of_another_picture_is_a_stranger_and_the_others_are_learned() -> None:
    names = sorted(SQUARES - TRUTH["palette-2.jpg"].keys())
    elsewhere = dict(zip(names, TRUTH["palette-2.jpg"].values(), strict=False))
    setups: list[Setup] = []
    lesson = learn(setup_of({**TRUTH, "palette-2.jpg": elsewhere}), look=eyes(setups))
    assert lesson.strangers == ("palette-2.jpg",)
    assert {found.palette for found in lesson.matches} == {"palette-1.jpg"}
    assert not lesson.wrong
    assert [palette.name for palette in setups[-1].palettes] == ["palette-1.jpg"]


def test_when_no_palette_fits_there_is_no_table() -> None:
    exchanged = dict(zip(TRUTH, reversed(TRUTH.values()), strict=True))
    lesson = learn(setup_of(exchanged), look=eyes([]))
    assert lesson.strangers == ("palette-1.jpg", "palette-2.jpg")
    assert lesson.table is None


def test_when_too_little_is_left_to_learn_from_what_was_seen_at_first_counts() -> None:
    lesson = learn(setup_of(claimed(A1=Ship("green"))), look=eyes([], least=8))
    assert lesson.table is None
    assert [found.square for found in lesson.matches if found.contradicts(SUSPECT)] == ["A1", "D4"]


def test_a_palette_that_cannot_be_read_is_told_with_its_reason() -> None:
    def look(setup: Setup, progress: Progress) -> Look:
        good = eyes([])(setup, progress)
        dark = Reading("pacal", "small", usable=False, reason="the picture is too dark")
        return Look(TABLE, {**good.readings, "palette-2.jpg": dark})

    lesson = learn(setup_of(TRUTH), look=look)
    assert lesson.unreadable == {"palette-2.jpg": "the picture is too dark"}
    assert {found.palette for found in lesson.matches} == {"palette-1.jpg"}


def test_a_doubt_is_not_a_contradiction() -> None:
    three = Pyramid("red", 3)
    doubtful = match(three, {three: 0.45, Pyramid("red", 2): 0.5})
    assert not doubtful.contradicts(SUSPECT)
    assert not doubtful.sure


def test_floors_and_single_stones_contradict_only_when_they_are_read_with_certainty() -> None:
    two, three = Pyramid("red", 2), Pyramid("red", 3)
    assert not match(three, {three: 0.02, two: 0.94}).contradicts(WRONG)
    assert match(three, {three: 0.004, two: 0.98}).contradicts(WRONG)
    both, one = Stones(("blue", "red")), Stones(("red",))
    assert not match(both, {both: 0.08, one: 0.9}).contradicts(WRONG)
    assert match(both, {both: 0.01, one: 0.97}).contradicts(WRONG)


def test_floors_add_up_when_another_colour_is_seen() -> None:
    green: dict[Content | None, float] = {Pyramid("green", floors): 0.19 for floors in range(1, 6)}
    assert match(Pyramid("red", 3), green).contradicts(WRONG)


def test_the_share_at_home_does_not_count_floors() -> None:
    found = [match(Pyramid("red", 3), {Pyramid("red", 1): 0.9}), match(Ship("red"), {Ship("blue"): 0.9})]
    assert at_home(found) == {"palette-1.jpg": 0.5}


def test_bare_squares_on_which_nothing_is_seen_are_no_matches() -> None:
    setup = setup_of(TRUTH)
    assert {found.square for found in matches_of(setup, eyes([])(setup, print))} == {
        name for seen in TRUTH.values() for name in seen
    }


def test_leaving_out_squares_keeps_what_was_left_out_before() -> None:
    first = without(setup_of(TRUTH), [("palette-1.jpg", "A1")])
    both = without(first, [("palette-1.jpg", "B1")])
    assert [palette.left_out for palette in both.palettes] == [{"A1", "B1"}, set()]
