"""``companion palettes``: what to lay for the pictures that a table is taught from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from companion.boards import is_path
from companion.cli.palette_sheet import sheet
from companion.errors import BadSetup
from companion.games.pacal.layout import GAME, load_layout
from companion.observation import squares_to_json
from companion.selftest.words import SYMBOLS, drawing
from vision.teaching.laying import palettes_to_lay

FORMAT = 1
SHEET = "palettes.pdf"


@click.command(name="palettes")
@click.argument("setup_dir", type=click.Path(path_type=Path))
@click.option(
    "--board",
    "layout",
    default="reference",
    show_default=True,
    help="A built-in board, or the name of a layout file in SETUP_DIR.",
)
def command(setup_dir: Path, layout: str) -> None:
    """Say what to lay on the board for the pictures from which a table is taught.

    Writes to SETUP_DIR what teaching needs beside the pictures, and a sheet to print or look at that shows two
    palettes. With their pictures, and that of the empty board, companion teach learns the table.
    """
    own = setup_dir / layout
    if is_path(layout) and not own.is_file():
        raise BadSetup(f"{own}: is no file; the layout of a board of your own must be in the folder of its pictures")
    printed = load_layout(str(own) if own.is_file() else layout)
    board = printed.board()
    palettes = {f"palette-{number}": laid for number, laid in enumerate(palettes_to_lay(board), 1)}
    files = {"setup.json": _json({"format": FORMAT, "game": GAME, "board": layout})}
    for name, laid in palettes.items():
        files[f"{name}.json"] = _json({"format": FORMAT, "squares": squares_to_json(laid)})
    _write(setup_dir, {name: text.encode() for name, text in files.items()}, bytes(sheet(printed, palettes).output()))
    click.echo(SYMBOLS)
    for name, laid in palettes.items():
        click.echo(f"\n{name}.jpg shows:\n\n{drawing(board, laid)}")
    click.echo(f"\nThe same to print: {setup_dir / SHEET}. Take empty.jpg first, with nothing on the board.", err=True)


def _json(data: Mapping[str, Any]) -> str:
    return json.dumps(data) + "\n"


def _write(folder: Path, files: Mapping[str, bytes], pages: bytes) -> None:
    """Write files that are not there already, and the sheet; none of them if one cannot be. Raises BadSetup, also where
    one is there that says something else."""
    written: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            if (folder / name).exists() and (folder / name).read_bytes() != data:
                raise BadSetup(
                    f"{folder / name}: is there already and says something else; choose another folder, or remove it"
                )
        for name, data in (*files.items(), (SHEET, pages)):
            written.append(folder / name)
            written[-1].write_bytes(data)
    except OSError as error:
        for file in written:
            with suppress(OSError):
                file.unlink()
        raise BadSetup(f"{error.filename or folder}: cannot be written ({error.strerror})") from None
