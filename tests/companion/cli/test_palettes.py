"""``companion palettes``: what teaching needs beside pictures, and a sheet that shows what to lay."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion import games
from companion.cli import cli
from companion.cli.palette_sheet import SHADES, sheet
from companion.cli.palettes import SHEET
from companion.cli.teach import board_of
from companion.errors import BadSetup
from companion.games.pacal.layout import load_layout
from companion.games.pacal.pieces import COLOURS
from companion.wiring.demo import VIEW
from vision.simulated.printed import printed_board
from vision.simulated.scene import Renderer
from vision.simulated.setup import write_setup
from vision.teaching.laying import palettes_to_lay

LAYOUT = Path(games.__file__).parents[1] / "layouts" / "pacal-reference.toml"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["palettes", *map(str, arguments)])


def test_with_three_photographs_what_is_written_teaches_a_table(tmp_path: Path) -> None:
    folder, photographs = tmp_path / "my-table", tmp_path / "photographs"
    result = run(folder)
    assert result.exit_code == 0, result.output
    write_setup(photographs, Renderer(printed_board("pacal", "reference")), VIEW)
    for name in ("empty", "palette-1", "palette-2"):
        shutil.copy(photographs / f"{name}.jpg", folder)
    taught = CliRunner().invoke(cli, ["teach", str(folder), "--out", str(tmp_path / "table")])
    assert taught.exit_code == 0, taught.output
    assert "found them, from A1 on" in taught.stderr
    assert "55 of 55 pieces on the palettes are read back for sure" in taught.stdout


def test_what_to_lay_is_drawn_in_the_terminal_and_on_a_sheet_of_two_pages(tmp_path: Path) -> None:
    result = run(tmp_path)
    board = board_of("pacal", "reference")
    first, second = palettes_to_lay(board)
    for name, laid in (("palette-1", first), ("palette-2", second)):
        _, _, drawn = result.stdout.partition(f"{name}.jpg shows:\n\n")
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
    assert f"{SHEET}: cannot be written" in str(result.exception)
    assert [file.name for file in tmp_path.iterdir()] == [SHEET]
