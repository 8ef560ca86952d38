"""Layout files: what they mean, and what is refused with what is wrong where (SETUP-1, SETUP-3)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.boards import MAX_FILE_BYTES
from companion.errors import BadLayout
from companion.games.pacal import GAME
from companion.games.pacal.ground import ground
from companion.games.pacal.layout import load_layout

MAP = "AAA~\nASSS\n.SSS\nBBBB"
SHORE = "..#.\n....\n....\n#..."


def test_the_reference_layout_has_what_the_rulebook_says() -> None:
    layout = load_layout("reference")
    place = ground(layout, 5)
    assert len(set(place.district.values())) == 16
    assert place.values[layout.sacred] == 7 and len(place.sacred) == 9
    assert len(place.lake) == 7 and place.covered == ()
    assert layout.board().squares == frozenset(place.district)


@pytest.mark.parametrize(("players", "districts"), [(2, "ODI"), (3, "DI"), (4, "D"), (5, "")])
def test_covers_lie_on_the_board_by_the_number_of_players(players: int, districts: str) -> None:
    layout = load_layout("reference")
    place = ground(layout, players)
    everything = ground(layout, 5).district
    assert {everything[name] for name in place.covered} == set(districts)
    assert set(everything) - set(place.district) == set(place.covered)
    assert not place.shore & set(place.covered)


def test_a_layout_file_of_another_board_is_played_on_as_given(board: Callable[..., str]) -> None:
    path = board(MAP, SHORE, {"2": ["B"], "2/3": []})
    state = GAME.new(["red", "blue"], path, {}, None)
    assert state.to_json()["board"] == path
    assert GAME.state_from_json(state.to_json()) == state
    assert GAME.drawing(state) == {
        "columns": 4,
        "rows": 4,
        "districts": MAP.split("\n"),
        "shore": SHORE.split("\n"),
        "values": {"A": 3, "B": 4, "S": 7},
        "sacred": "S",
        "covered": ["A4", "B4", "C4", "D4"],
    }
    printed = GAME.board(path)
    assert printed is not None
    assert "A3" not in printed.squares and "A4" in printed.squares


def changed(path: str, old: str, new: str) -> str:
    text = Path(path).read_text(encoding="utf-8")
    assert old in text
    Path(path).write_text(text.replace(old, new), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("AAA~", "AAA", "districts, row 2"),
        ("\nBBBB", "", "same size"),
        (SHORE, "..#\n...\n...\n#..", "same size"),
        ("..#.", "..#", "shore, row 2"),
        ("..#.", "...#", "D1"),
        ("..#.", "..x.", "C1.*'x'"),
        ("AAA~", "AA ~", "C1.*' '"),
        ("AAA~", "AA?~", "row 1, column 3"),
        ("AAA~", "AACÄ", "'Ä'"),
        ("AAA~", "AAC~", "district C has no value"),
        ("A = 3", "A = 3, C = 4", "'C', which is not in the map"),
        ("A = 3, ", "", "district A has no value"),
        ("A = 3", "A = 0", "1 to 9"),
        ("A = 3", "A = 10", "1 to 9"),
        ("A = 3", "A = 3.0", "1 to 9"),
        ("A = 3", "A = true", "1 to 9"),
        ("A = 3", 'A = "3"', "1 to 9"),
        ('sacred = "S"', 'sacred = "T"', "'T'"),
        ('sacred = "S"', "sacred = 7", "sacred is 7"),
        ('sacred = "S"', "", "sacred is None"),
        ('"2" = ["B"]', '"2" = ["C"]', "'C', which is not in the map"),
        ('"2" = ["B"]', '"2" = ["S"]', "lies on the sacred district S"),
        ('"2" = ["B"]', '"2" = "B"', "must be a list"),
        ('"2" = ["B"]', '"3" = ["B"]', "no cover '3'"),
        ("[covers]", "[cover]", "nothing called 'cover'"),
        ("[covers]", "covers = 3\n[more]", "covers must list"),
        ("format = 1", "format = 2", "format is 2"),
        ('game = "pacal"', 'game = "pacru"', "pacru"),
        ('name = "small"', 'name = ""', "name must be a word"),
        ('name = "small"', "name = 3", "name must be a word"),
        ("board_mm = [300.0, 300.0]", "board_mm = [300.0]", "board_mm"),
        ("290.0, 290.0]", "310.0, 290.0]", "grid_mm"),
        ('districts = """', 'district = """', "districts must be a map"),
        ("values = {", "values = 3 #", "values must give"),
        ("format = 1", "format = ", "not a TOML file"),
        ("format = 1", "format = " + "[" * 5000, "nested"),
    ],
)
def test_a_wrong_layout_is_refused_with_what_is_wrong_and_where(
    board: Callable[..., str], old: str, new: str, said: str
) -> None:
    path = changed(board(MAP, SHORE, {"2": ["B"], "2/3": []}), old, new)
    with pytest.raises(BadLayout, match=said):
        GAME.new(["red", "blue"], path, {}, None)


def test_a_district_is_worth_1_to_9(board: Callable[..., str]) -> None:
    path = board(MAP, SHORE, {"2": ["B"], "2/3": []}, A=1, B=9)
    assert load_layout(path).values == (("A", 1), ("B", 9), ("S", 7))


@pytest.mark.parametrize("map_", ["A" * 27, "A\n" * 100])
def test_a_board_without_names_for_its_squares_is_refused(board: Callable[..., str], map_: str) -> None:
    with pytest.raises(BadLayout, match="at most 26 columns and 99 rows"):
        load_layout(board(map_))
    assert load_layout(board("S" * 26 + "\n" + "A" * 26)).board().columns == 26


def test_too_few_sacred_squares_for_the_players_are_refused(board: Callable[..., str]) -> None:
    path = board("AAAA\nASSA\nAAAA", covers={"2": [], "2/3": []})
    assert GAME.new(["red", "blue"], path, {}, None).phase == "place"
    with pytest.raises(BadLayout, match="2 squares, and 3 players"):
        GAME.new(["red", "blue", "green"], path, {}, None)


def test_a_board_without_covers_is_played_on_whole(board: Callable[..., str]) -> None:
    path = changed(board(MAP, SHORE, {"2": ["B"], "2/3": []}), '[covers]\n"2" = ["B"]\n"2/3" = []', "")
    assert GAME.drawing(GAME.new(["red", "blue"], path, {}, None))["covered"] == []


def test_a_cover_that_so_many_players_need_must_be_there(board: Callable[..., str]) -> None:
    path = board(MAP, SHORE, {"2": ["B"], "2/3": []})
    assert GAME.new(["red", "blue", "green"], path, {}, None)
    assert GAME.new(["red", "blue", "green", "yellow", "purple"], path, {}, None)
    with pytest.raises(BadLayout, match='the cover "4"'):
        GAME.new(["red", "blue", "green", "yellow"], path, {}, None)


@pytest.mark.parametrize(
    "name", ["/dev/zero", "/", "", "\0", "a" * 5000, "é" * 3000, "reference.toml", "../pacal", "\ud800"]
)
def test_a_board_that_is_no_layout_file_is_refused(name: str) -> None:
    with pytest.raises(BadLayout):
        load_layout(name)


def test_a_file_that_is_far_too_long_is_not_read(board: Callable[..., str]) -> None:
    path = Path(board())
    path.write_text(f"{path.read_text(encoding='utf-8')}# {' ' * MAX_FILE_BYTES}", encoding="utf-8")
    with pytest.raises(BadLayout, match="nor a file that can be read"):
        load_layout(str(path))


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "picture.toml").write_bytes(b"\xff\xd8\xff")
    with pytest.raises(BadLayout, match="not a text file"):
        load_layout(str(tmp_path / "picture.toml"))
