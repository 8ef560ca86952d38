"""``companion export``: a game of the journal, for other programs."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from companion.cli.table_option import table_folder
from companion.config import read_settings
from companion.demo.writing import as_script
from companion.errors import JournalError
from companion.journal.entries import Recorded, Started
from companion.journal.export import as_bgstats, as_csv, as_json
from companion.journal.replay import game_of
from companion.journal.store import Journal

FORMS = {"json": as_json, "csv": as_csv, "bgstats": as_bgstats, "script": as_script}


@click.command("export")
@click.argument("game", type=click.IntRange(min=1))
@click.option(
    "--format", "form", type=click.Choice(list(FORMS)), default="json", show_default=True, help="What to write."
)
@click.option(
    "--journal",
    type=click.Path(path_type=Path),
    help="The journal's file, when it is not the one of the table's settings.",
)
@table_folder("The table's folder.")
def command(game: int, form: str, journal: Path | None, table_dir: Path) -> None:
    """Write a GAME of the journal, named by its number, to standard output.

    json: everything, with what lies hidden in a game that is not over. csv: a row an action. bgstats: for a finished
    game, a link that opens the app BG Stats with the play filled in. script: what `companion run --script` plays, for a
    report of what went wrong.
    """
    opened = Journal.open_to_read(journal or read_settings(table_dir).journal_path)
    try:
        entries = opened.entries(game)
        if not entries:
            raise JournalError(f"there is no game {game} in {opened.path}; {_listed(opened.games())}")
        click.echo(FORMS[form](game_of(entries), entries))
    finally:
        opened.close()


def _listed(recorded: list[Recorded]) -> str:
    """The games that there are, in words."""
    if not recorded:
        return "no game has been started yet"
    return "there are: " + "; ".join(
        f"{start.game} ({start.entry.game}, {', '.join(start.entry.players)}, {_when(start.t)})"
        for start in recorded
        if isinstance(start.entry, Started)
    )


def _when(t: float) -> str:
    return f"{datetime.fromtimestamp(t):%Y-%m-%d %H:%M}"
