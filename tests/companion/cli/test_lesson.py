"""What `companion teach` says of the palettes."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import teach
from companion.cli.teach import MOST_LINES, told
from companion.errors import BadSetup
from companion.games.pacal.pieces import Piece, Pyramid, Ship, Stones
from companion.observation import Odds
from vision.table import Table
from vision.teaching.palettes import Lesson, Match

PICTURES = Path(__file__).parents[2] / "vision" / "pictures" / "setup"

THREE, TWO = Pyramid("red", 3), Pyramid("red", 2)
FEW_SURE = (
    "that is few: is each of board_corners_px, as said in setup.json or found, at the board's corner? Is a lamp "
    "mirrored in the board or the pieces? Turn it, or the camera, a little"
)
SOME_SURE = (
    "that is few: is it dim here, or is a lamp mirrored in the board or the pieces? Give it more light, or turn the "
    "lamp or the camera a little, and take all pictures again; companion selftest counts how well boards are read as "
    "it is"
)


def boards_read(right: int) -> str:
    return f"where as many were, {right} of 100 boards were read without a mistake"


def match(square: str, expected: Piece | None, odds: Odds) -> Match:
    return Match("palette-1.jpg", square, expected, odds)


def lines(*matches: Match, wrong: tuple[Match, ...] = ()) -> list[str]:
    return list(told(Lesson(None, (*matches, *wrong), wrong), "pacal"))


def test_a_doubtful_number_of_floors_is_told_with_the_likeliest_other() -> None:
    assert lines(match("F7", THREE, {THREE: 0.5, TWO: 0.4}), match("A1", Ship("red"), {Ship("red"): 0.98})) == [
        "palette-1.jpg: unsure of F7, a red pyramid of 3 floors: 2 floors are nearly as likely",
        "1 of 2 pieces on the palettes are read back for sure",
        FEW_SURE,
    ]


def test_doubts_say_how_likely_the_other_thing_is() -> None:
    said = lines(
        match("F7", THREE, {THREE: 0.2, Pyramid("red", 1): 0.7}),
        match("F8", THREE, {THREE: 0.8, Pyramid("blue", 3): 0.1}),
        match("F9", Stones(("red",)), {Stones(("red",)): 0.7, None: 0.3}),
        match("G1", THREE, {THREE: 0.85}),
    )
    assert [line.partition(": unsure of ")[2] for line in said[:-2]] == [
        "F7, a red pyramid of 3 floors: 1 floor is likelier",
        "F9, a red stone: nothing is possible",
        "F8, a red pyramid of 3 floors: a blue pyramid of 3 floors is possible",
        "G1, a red pyramid of 3 floors: anything else is possible",
    ]


def test_the_list_of_doubts_ends_after_a_dozen() -> None:
    said = lines(*(match(f"A{row}", THREE, {THREE: 0.5, TWO: 0.4}) for row in range(1, 21)))
    assert len(said) == MOST_LINES + 3 == 15
    assert said[-3:] == ["... and 8 more", "0 of 20 pieces on the palettes are read back for sure", FEW_SURE]


def read_back(sure: int, pieces: int) -> list[Match]:
    """So many pieces, so many of them read back for sure."""
    return [match(f"A{row}", THREE, {THREE: 0.98 if row <= sure else 0.6}) for row in range(1, pieces + 1)]


@pytest.mark.parametrize(
    ("sure", "pieces", "outlook"),
    [
        (0, 10, [FEW_SURE]),
        (7, 10, [FEW_SURE]),
        (8, 10, [boards_read(80), SOME_SURE]),
        (52, 55, [boards_read(80), SOME_SURE]),
        (53, 55, [boards_read(93)]),
        (54, 55, [boards_read(93)]),
        (55, 55, [boards_read(98)]),
    ],
)
def test_how_many_pieces_are_read_back_for_sure_tells_how_boards_will_be_read(
    sure: int, pieces: int, outlook: list[str]
) -> None:
    """Where few are, the board may be a little aside of where its corners say: then the pieces are right, and so is
    their JSON."""
    said = lines(*read_back(sure, pieces))
    summary = said.index(f"{sure} of {pieces} pieces on the palettes are read back for sure")
    assert said[summary + 1 :] == outlook


def test_wrong_pieces_do_not_count_among_those_that_are_read_back() -> None:
    wrong = match("C4", Pyramid("blue", 3), {None: 0.99})
    assert "10 of 10 pieces on the palettes are read back for sure" in lines(*read_back(10, 10), wrong=(wrong,))


def test_wrong_pieces_are_told_with_what_was_expected_and_what_is_seen() -> None:
    said = lines(
        wrong=(
            match("C4", Pyramid("blue", 3), {None: 0.99}),
            match("C5", THREE, {TWO: 0.98}),
            match("C6", None, {Stones(("blue", "red")): 0.98}),
        )
    )
    assert said[:3] == [
        "palette-1.jpg: a blue pyramid of 3 floors should be on C4, but nothing is seen",
        "palette-1.jpg: a red pyramid of 3 floors should be on C5, but 2 floors are seen",
        "palette-1.jpg: nothing should be on C6, but blue and red stones are seen",
    ]


def test_pieces_that_changed_places_are_told_together() -> None:
    red, blue = Ship("red"), Ship("blue")
    said = lines(wrong=(match("A1", red, {blue: 0.98}), match("B1", blue, {red: 0.98})))
    assert said[0] == (
        "palette-1.jpg: the red ship should be on A1 and the blue ship on B1, but they are seen the other way round"
    )
    moved = lines(wrong=(match("A1", None, {red: 0.98}), match("B1", red, {None: 0.98})))
    assert moved[0] == "palette-1.jpg: the red ship should be on B1, but is seen on A1"


def test_palettes_of_another_picture_or_in_the_dark_get_a_sentence_of_their_own() -> None:
    said = list(told(Lesson(None, strangers=("palette-1.jpg",), unreadable={"palette-2.jpg": "it is dark"}), "pacal"))
    assert said == [
        "palette-1.jpg: the pieces are nowhere where palette-1.json has them: is it the JSON of another picture?",
        "no palette fits its JSON: does board_corners_px in setup.json begin at the corner next to A1?",
        "palette-2.jpg: cannot be read: it is dark",
    ]


@pytest.fixture
def wrong_lesson(table: Path, monkeypatch: pytest.MonkeyPatch) -> Lesson:
    """What `companion teach` comes to in this test: one wrong square."""
    lesson = Lesson(Table.load(table), wrong=(match("C4", THREE, {None: 0.99}),))
    monkeypatch.setattr(teach, "learn", lambda setup, progress: lesson)
    return lesson


def taught_into(folder: Path, *options: str) -> Result:
    return CliRunner().invoke(teach.command, [str(PICTURES), "--out", str(folder), *options])


def test_with_a_wrong_piece_no_table_is_written_and_the_error_says_what_to_do(
    wrong_lesson: Lesson, tmp_path: Path
) -> None:
    result = taught_into(tmp_path / "table")
    assert isinstance(result.exception, BadSetup)
    assert "correct the JSON" in str(result.exception)
    assert "should be on C4" in result.stdout
    assert not (tmp_path / "table").exists()


def test_anyway_keeps_the_table_that_was_learned_without_the_wrong_piece(wrong_lesson: Lesson, tmp_path: Path) -> None:
    result = taught_into(tmp_path / "table", "--anyway")
    assert result.exit_code == 0
    assert "should be on C4" in result.stdout
    assert Table.load(tmp_path / "table").board.name == "reference"


def test_where_few_pieces_are_read_back_no_table_is_written_unless_anyway(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lesson = Lesson(Table.load(table), tuple(read_back(7, 10)))
    monkeypatch.setattr(teach, "learn", lambda setup, progress: lesson)
    result = taught_into(tmp_path / "table")
    assert isinstance(result.exception, BadSetup)
    assert "so few pieces are read back" in str(result.exception)
    assert not (tmp_path / "table").exists()
    assert taught_into(tmp_path / "table", "--anyway").exit_code == 0
    assert Table.load(tmp_path / "table").board.name == "reference"


def test_anyway_needs_something_left_to_learn_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(teach, "learn", lambda setup, progress: Lesson(None, strangers=("palette-1.jpg",)))
    result = taught_into(tmp_path / "table", "--anyway")
    assert isinstance(result.exception, BadSetup)
    assert "too little is left" in str(result.exception)
    assert not (tmp_path / "table").exists()
