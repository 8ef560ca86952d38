"""``companion palettes``: what teaching needs beside pictures, and a sheet that shows what to lay."""

from __future__ import annotations

import errno
import json
import shutil
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion import games
from companion.cli import cli
from companion.cli.palette_sheet import SHADES, sheet
from companion.cli.palettes import SHEET, take_all
from companion.cli.teach import board_of
from companion.errors import BadSetup, StartError
from companion.games.pacal.layout import load_layout
from companion.games.pacal.pieces import COLOURS, Piece
from companion.squares import Square
from companion.wiring import photographs
from vision.frames import Picture, read_picture
from vision.teaching.laying import Laid, palettes_to_lay

LAYOUT = Path(games.__file__).parents[1] / "layouts" / "pacal-reference.toml"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["palettes", *map(str, arguments)])


def test_with_three_photographs_what_is_written_teaches_a_table(tmp_path: Path) -> None:
    folder = tmp_path / "my-table"
    result = run(folder, "--demo")
    assert result.exit_code == 0, result.output
    taught = CliRunner().invoke(cli, ["teach", str(folder), "--out", str(tmp_path / "table")])
    assert taught.exit_code == 0, taught.output
    assert "found them, from A1 on" in taught.stderr
    assert "55 of 55 pieces on the palettes are read back for sure" in taught.stdout


def picture(shade: int) -> Picture:
    """One that has colour, bright or dark."""
    return np.tile(np.array([shade // 2, shade // 3, shade], np.uint8), (360, 640, 1))


def photographed(folder: Path, shades: list[int], answers: list[str]) -> list[Laid]:
    """What was laid for each picture that was taken, so bright, with these answers."""
    laid: list[Laid] = []

    def take(pieces: Mapping[Square, Piece]) -> Picture:
        laid.append(dict(pieces))
        return picture(shades.pop(0))

    board = board_of("pacal", "reference")
    wanted = dict(zip(("empty", "palette-1", "palette-2"), ({}, *palettes_to_lay(board)), strict=True))
    take_all(folder, board, wanted, take, lambda question: answers.pop(0))
    return laid


def test_a_picture_that_is_too_dark_is_taken_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = palettes_to_lay(board_of("pacal", "reference"))
    assert photographed(tmp_path, [200, 3, 180, 160], ["", "", "", ""]) == [{}, first, first, second]
    assert "That will not do: the picture is too dark" in capsys.readouterr().out
    for name, shade in (("empty", 200), ("palette-1", 180), ("palette-2", 160)):
        assert abs(int(read_picture(tmp_path / f"{name}.jpg")[..., 2].mean()) - shade) < 4


def test_whoever_stops_keeps_what_was_taken(tmp_path: Path) -> None:
    assert len(photographed(tmp_path, [200, 200], ["", "", "q"])) == 2
    assert sorted(file.name for file in tmp_path.iterdir()) == ["empty.jpg", "palette-1.jpg"]


def test_no_picture_is_taken_where_one_is_already(tmp_path: Path) -> None:
    (tmp_path / "palette-2.jpg").write_bytes(b"mine")
    with pytest.raises(BadSetup, match=r"palette-2\.jpg: is there already"):
        photographed(tmp_path, [], [])
    assert [file.name for file in tmp_path.iterdir()] == ["palette-2.jpg"]


def test_without_anybody_at_the_keyboard_it_says_what_can_be_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photographs, "from_camera", lambda folder: nullcontext(lambda laid: picture(200)))
    result = run(tmp_path, "--photograph")
    assert isinstance(result.exception, StartError)
    assert "take the pictures as palettes.pdf shows" in str(result.exception)
    assert not (tmp_path / "empty.jpg").exists()


@pytest.mark.parametrize("arguments", [("--photograph",), ("--board", "own.toml")])
def test_the_demo_table_has_its_own_board_and_camera(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    assert run(tmp_path / "none", "--demo", *arguments).exit_code == 2
    assert not (tmp_path / "none").exists()


def test_what_to_lay_is_drawn_in_the_terminal_and_on_a_sheet_of_two_pages(tmp_path: Path) -> None:
    result = run(tmp_path)
    board = board_of("pacal", "reference")
    first, second = palettes_to_lay(board)
    for name, laid in (("palette-1", first), ("palette-2", second)):
        _, _, drawn = result.stdout.partition(f"{name}.jpg: these {len(laid)} pieces lie on the board:\n\n")
        rows = drawn.split("\n")[1 : 1 + board.rows]
        assert sum(cell not in (".", "") for row in rows for cell in row[3:].split()) == len(laid)
    assert (tmp_path / SHEET).read_bytes().startswith(b"%PDF-")
    assert sheet(load_layout("reference"), {"palette-1": first, "palette-2": second}).pages_count == 2
    assert SHADES.keys() == set(COLOURS)


def test_a_board_of_ones_own_is_named_by_the_file_beside_the_pictures(tmp_path: Path) -> None:
    with pytest.raises(BadSetup, match=r"own\.toml: is no file"):
        CliRunner().invoke(cli, ["palettes", str(tmp_path), "--board", "own.toml"], catch_exceptions=False)
    shutil.copy(LAYOUT, tmp_path / "own.toml")
    assert run(tmp_path, "--board", "own.toml").exit_code == 0
    assert json.loads((tmp_path / "setup.json").read_text())["board"] == "own.toml"


def test_it_writes_over_nothing_that_says_something_else(tmp_path: Path) -> None:
    assert run(tmp_path).exit_code == 0
    assert run(tmp_path).exit_code == 0
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    (tmp_path / "palette-2.json").write_text("{}")
    result = run(tmp_path)
    assert isinstance(result.exception, BadSetup)
    assert "palette-2.json: is there already" in str(result.exception)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {**before, "palette-2.json": b"{}"}


def test_of_what_cannot_be_written_nothing_is_left(tmp_path: Path) -> None:
    (tmp_path / SHEET).mkdir()
    result = run(tmp_path)
    assert isinstance(result.exception, BadSetup)
    assert f"{SHEET}.new: cannot be written" in str(result.exception)
    assert [file.name for file in tmp_path.iterdir()] == [SHEET]


@pytest.mark.parametrize("full", ["palettes.pdf.new", "palette-2.json.new", "palette-1.jpg.new"])
def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: str) -> None:
    (tmp_path / SHEET).write_bytes(b"mine")
    write = Path.write_bytes

    def write_some(file: Path, data: bytes) -> int:
        if file.name != full:
            return write(file, data)
        write(file, data[:100])
        raise OSError(errno.ENOSPC, "No space left on device", str(file))

    monkeypatch.setattr(Path, "write_bytes", write_some)
    result = run(tmp_path, "--demo")
    assert isinstance(result.exception, BadSetup)
    assert "No space left on device" in str(result.exception)
    left = {file.name for file in tmp_path.iterdir()}
    if full.endswith("jpg.new"):
        assert left == {SHEET, "setup.json", "palette-1.json", "palette-2.json", "empty.jpg"}
    else:
        assert left == {SHEET}
        assert (tmp_path / SHEET).read_bytes() == b"mine"
