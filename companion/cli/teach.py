"""``companion teach``: learn a table from pictures."""

from __future__ import annotations

from pathlib import Path

import click

from companion import games
from companion.boards import Board
from companion.errors import BadSetup
from companion.table.folder import keep_layout
from vision.setup_folder import read_setup
from vision.teaching import teach


@click.command(name="teach")
@click.argument("setup_dir", type=click.Path(path_type=Path))
@click.option("--out", "table_dir", required=True, type=click.Path(path_type=Path), help="Folder to keep the table in.")
def command(setup_dir: Path, table_dir: Path) -> None:
    """Learn a table from the pictures in SETUP_DIR.

    The folder holds setup.json, empty.jpg and at least one palette-*.jpg with its .json; see docs/reading.md.
    """
    setup = read_setup(setup_dir, board_of)
    table = teach(setup, progress=lambda text: click.echo(text, err=True))
    table.save(table_dir)
    keep_layout(table_dir, setup.layout)
    click.echo(f"learned a table for {table.game}, board {table.board.name!r}: {table_dir}", err=True)


def board_of(game: str, layout: str) -> Board:
    """The board of a game's layout (a built-in name or a path).

    Raises BadCommand for a game that there is not, BadSetup for one without a board, BadLayout for a wrong layout.
    """
    board = games.get(game).board(layout)
    if board is None:
        raise BadSetup(f"{game} has no board, so there is no table to teach for it")
    return board
