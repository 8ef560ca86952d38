"""``companion palettes``: what to lay for the pictures that a table is taught from."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import click

from companion.boards import Board, is_path
from companion.cli.asking import asked
from companion.cli.palette_sheet import sheet
from companion.cli.table_option import table_folder
from companion.errors import BadSetup
from companion.games.pacal.layout import GAME, load_layout
from companion.observation import squares_to_json
from companion.selftest.words import SYMBOLS, drawing
from companion.wiring import photographs
from companion.wiring.demo import BOARD
from companion.wiring.photographs import Photograph
from vision.frames import Picture, encode_jpeg
from vision.quality import light_trouble
from vision.teaching.laying import Laid, palettes_to_lay
from vision.teaching.setup_folder import FORMAT

SHEET = "palettes.pdf"
QUALITY = 95
"""Of the pictures, as JPEG."""


@click.command(name="palettes")
@click.argument("setup_dir", type=click.Path(path_type=Path))
@click.option(
    "--board",
    "layout",
    default="reference",
    show_default=True,
    help="A built-in board, or the name of a layout file in SETUP_DIR.",
)
@click.option("--photograph", is_flag=True, help="Take the pictures, too, with the camera above the table.")
@click.option("--demo", is_flag=True, help="Take them of a simulated table, which puts the pieces there by itself.")
@table_folder("The folder with the camera's settings, if it has any.")
def command(setup_dir: Path, layout: str, photograph: bool, demo: bool, table_dir: Path) -> None:
    """Say what to lay on the board for the pictures from which a table is taught.

    Writes to SETUP_DIR what teaching needs beside the pictures, and a sheet to print or look at that shows two
    palettes. With their pictures, and that of the empty board, companion teach learns the table.
    """
    if demo and (photograph or layout != BOARD):
        raise click.UsageError(f"--demo takes pictures of board {BOARD!r} by itself: no --photograph, no other --board")
    own = setup_dir / layout
    if is_path(layout) and not own.is_file():
        raise BadSetup(f"{own}: is no file; the layout of a board of your own must be in the folder of its pictures")
    printed = load_layout(str(own) if own.is_file() else layout)
    board = printed.board()
    palettes = {f"palette-{number}": laid for number, laid in enumerate(palettes_to_lay(board), 1)}
    files = {"setup.json": _json({"format": FORMAT, "game": GAME, "board": layout})}
    for name, laid in palettes.items():
        files[f"{name}.json"] = _json({"format": FORMAT, "squares": squares_to_json(laid)})
    _check_there(setup_dir, files)
    _write(setup_dir, {SHEET: bytes(sheet(printed, palettes).output()), **files})
    click.echo(f"What to lay, to print or look at: {setup_dir / SHEET}\n")
    click.echo(SYMBOLS)
    wanted: dict[str, Laid] = {"empty": {}, **palettes}
    if demo:
        take_all(setup_dir, board, wanted, photographs.simulated(), lambda question: "")
    elif photograph:
        with photographs.from_camera(table_dir) as take:
            take_all(setup_dir, board, wanted, take, partial(asked, instead=f"take the pictures as {SHEET} shows"))
    else:
        for name, laid in wanted.items():
            click.echo(f"\n{name}.jpg: {_shown(board, laid)}")


def take_all(
    folder: Path, board: Board, wanted: Mapping[str, Laid], take: Photograph, ask: Callable[[str], str]
) -> None:
    """Lead an owner through the pictures, one after the other, until all are taken or they have had enough.

    wanted: what is to be laid for each. ask: asks them something, and gives back the answer. Raises BadSetup where one
    is there already or cannot be written, and HardwareError.
    """
    for name in wanted:
        if (folder / f"{name}.jpg").exists():
            raise BadSetup(f"{folder / name}.jpg: is there already; remove it if all pictures are to be taken again")
    for name, laid in wanted.items():
        click.echo(f"\n{name}.jpg: {_shown(board, laid)}\n")
        if (picture := _taken(laid, take, ask)) is None:
            return
        _write(folder, {f"{name}.jpg": encode_jpeg(picture, QUALITY)})
    click.echo(f"\nNow: companion teach {folder} --out table")


def _taken(laid: Laid, take: Photograph, ask: Callable[[str], str]) -> Picture | None:
    """A picture in whose light a table can be taught; None when the owner has had enough."""
    while ask("Press Enter when it lies like this and no hand is over the board (q: stop here)") != "q":
        picture = take(laid)
        if (trouble := light_trouble(picture)) is None:
            return picture
        click.echo(f"That will not do: {trouble}")
    return None


def _shown(board: Board, laid: Laid) -> str:
    return f"these {len(laid)} pieces lie on the board:\n\n{drawing(board, laid)}" if laid else "the board is empty."


def _json(data: Mapping[str, Any]) -> bytes:
    return f"{json.dumps(data)}\n".encode()


def _check_there(folder: Path, files: Mapping[str, bytes]) -> None:
    """Raises BadSetup where one of some files is there already and says something else."""
    for name, data in files.items():
        try:
            same = (folder / name).read_bytes() == data
        except FileNotFoundError:
            continue
        except OSError as error:
            raise BadSetup(f"{folder / name}: cannot be read ({error.strerror})") from None
        if not same:
            raise BadSetup(
                f"{folder / name}: is there already and says something else; choose another folder, or remove it"
            )


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files, each whole or not at all; none of them where there is no room for all. Raises BadSetup."""
    fresh = {folder / f"{name}.new": folder / name for name in files}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, data in zip(fresh, files.values(), strict=True):
            file.write_bytes(data)
        for file, place in fresh.items():
            file.replace(place)
    except OSError as error:
        for file in fresh:
            with suppress(OSError):
                file.unlink()
        raise BadSetup(f"{error.filename or folder}: cannot be written ({error.strerror})") from None
