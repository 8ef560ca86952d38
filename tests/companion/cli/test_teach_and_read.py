from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.cli import cli
from companion.cli.bench import command as bench
from companion.cli.teach import board_of
from companion.errors import BadPicture, BadSetup, BadTable, StartError
from vision.frames import encode_jpeg, read_picture
from vision.table import Table
from vision.teaching.setup_folder import read_setup

PICTURES = Path(__file__).parents[2] / "vision" / "pictures" / "setup"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def test_what_was_taught_can_be_read(table: Path) -> None:
    still = PICTURES / "still-002.jpg"
    result = run("read", still, still, "--table", table)
    assert result.exit_code == 0
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(lines) == 2
    assert lines[0]["image"] == str(still)
    assert lines[0]["usable"] is True
    assert set(lines[0]["squares"]) == set(json.loads((PICTURES / "still-002.json").read_text())["squares"])
    assert len(lines[0]["board_corners_px"]) == 4
    assert all(0 < sure <= 1 for sure in lines[0]["confidence"].values())


def test_a_broken_picture_gets_its_line_and_the_others_theirs(table: Path, tmp_path: Path) -> None:
    (tmp_path / "broken.jpg").write_bytes((PICTURES / "still-002.jpg").read_bytes()[:300])
    result = run("read", tmp_path / "broken.jpg", PICTURES / "still-002.jpg", "--table", table)
    broken, good = [json.loads(line) for line in result.stdout.splitlines()]
    assert (broken["usable"], good["usable"]) == (False, True)
    assert "broken" in broken["reason"]
    assert isinstance(result.exception, BadPicture)


def test_teaching_ends_with_how_many_pieces_are_read_back(teaching: tuple[Path, Result]) -> None:
    *doubts, many, boards = teaching[1].stdout.splitlines()
    found = re.fullmatch(r"(\d+) of (\d+) pieces on the palettes are read back for sure", many)
    assert found is not None
    sure, pieces = map(int, found.groups())
    assert pieces == 59
    assert re.fullmatch(r"where as many were, 9\d of 100 boards were read without a mistake", boards)
    assert len(doubts) == min(pieces - sure, 12) + (pieces - sure > 12)
    assert all(": unsure of " in line for line in doubts[:12])


def test_wrong_pieces_are_named_and_no_table_is_written(tmp_path: Path) -> None:
    spoiled = tmp_path / "spoiled"
    shutil.copytree(PICTURES, spoiled)
    file = spoiled / "palette-1.json"
    truth = json.loads(file.read_text(encoding="utf-8"))
    squares = truth["squares"]
    squares["F11"] = {"stones": ["blue"]}
    squares["J1"], squares["K10"] = squares["K10"], squares["J1"]
    del squares["H8"]
    file.write_text(json.dumps(truth), encoding="utf-8")
    result = run("teach", spoiled, "--out", tmp_path / "table")
    assert isinstance(result.exception, BadSetup)
    assert "no table was written" in str(result.exception)
    assert not (tmp_path / "table").exists()
    assert {line for line in result.stdout.splitlines() if "should be" in line} == {
        "palette-1.jpg: a blue stone should be on F11, but nothing is seen",
        "palette-1.jpg: the purple ship should be on J1 and the red ship on K10, but they are seen the other way round",
        "palette-1.jpg: nothing should be on H8, but a red pyramid of 3 floors is seen",
    }


def test_reading_without_a_table_says_so(tmp_path: Path) -> None:
    assert isinstance(run("read", PICTURES / "still-002.jpg", "--table", tmp_path).exception, BadTable)


def test_teaching_from_half_a_setup_leaves_no_table(tmp_path: Path) -> None:
    shutil.copy(PICTURES / "setup.json", tmp_path)
    result = run("teach", tmp_path, "--out", tmp_path / "table")
    assert isinstance(result.exception, BadSetup)
    assert not (tmp_path / "table").exists()


def test_the_bench_prints_a_line_for_each_setup(tmp_path: Path) -> None:
    shutil.copytree(PICTURES, tmp_path / "setup-01")
    result = CliRunner().invoke(bench, ["vision", str(tmp_path), "--change", "none"])
    assert result.exit_code == 0, result.output
    assert any(line.startswith("setup-01") for line in result.stdout.splitlines())
    assert any(line.startswith("all") for line in result.stdout.splitlines())


def test_the_bench_without_setups_says_so(tmp_path: Path) -> None:
    assert isinstance(CliRunner().invoke(bench, ["vision", str(tmp_path)]).exception, BadSetup)


def test_what_was_understood_is_drawn_beside_the_pictures_not_over_them(table: Path, tmp_path: Path) -> None:
    still = tmp_path / "still-002.jpg"
    shutil.copy(PICTURES / "still-002.jpg", still)
    before = still.read_bytes()
    result = run("read", still, still, "--table", table, "--draw", tmp_path)
    assert result.exit_code == 0, result.output
    assert still.read_bytes() == before
    drawn, picture = read_picture(tmp_path / "still-002-read.jpg"), read_picture(still)
    assert drawn.shape == picture.shape
    changed = np.abs(drawn.astype(int) - picture).max(axis=2) > 60
    assert changed.sum() > 2000


def test_pictures_of_one_name_are_not_drawn_over_each_other(table: Path, tmp_path: Path) -> None:
    shutil.copy(PICTURES / "still-002.jpg", tmp_path)
    result = run("read", PICTURES / "still-002.jpg", tmp_path / "still-002.jpg", "--table", table, "--draw", tmp_path)
    assert isinstance(result.exception, StartError)
    assert "same name" in str(result.exception)
    assert not list(tmp_path.glob("*-read.jpg"))


def test_a_folder_to_draw_into_that_cannot_be_made_is_told(table: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = run("read", PICTURES / "still-002.jpg", "--table", table, "--draw", tmp_path / "file" / "drawn")
    assert isinstance(result.exception, StartError)
    assert "cannot be made" in str(result.exception)


@pytest.fixture
def silent(tmp_path: Path) -> Path:
    """The set-up, without a word of where the board is."""
    folder = tmp_path / "silent"
    shutil.copytree(PICTURES, folder)
    header = json.loads((folder / "setup.json").read_text(encoding="utf-8"))
    del header["board_corners_px"]
    (folder / "setup.json").write_text(json.dumps(header), encoding="utf-8")
    return folder


def test_nobody_has_to_say_where_the_board_is(silent: Path, table: Path, tmp_path: Path) -> None:
    result = run("teach", silent, "--out", tmp_path / "table")
    assert result.exit_code == 0, result.output
    found = Table.load(tmp_path / "table").corners_px
    assert np.abs(found - Table.load(table).corners_px).max() < 1.0
    # What it says of them can be written into setup.json.
    [line] = [line for line in result.stderr.splitlines() if line.startswith("found them")]
    said = json.loads("{" + line.partition(": ")[2] + "}")["board_corners_px"]
    assert np.abs(found - said).max() <= 0.05
    assert not read_setup(silent, board_of).corners_said


def test_a_board_that_is_not_found_is_told_with_what_to_do(silent: Path, tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    picture = rng.integers(60, 200, (648, 1152, 3), dtype=np.uint8)
    (silent / "empty.jpg").write_bytes(encode_jpeg(picture))
    result = run("teach", silent, "--out", tmp_path / "table")
    assert isinstance(result.exception, BadSetup)
    assert "corners are not found" in str(result.exception)
    assert "board_corners_px" in str(result.exception)
    assert not (tmp_path / "table").exists()
