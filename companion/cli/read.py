"""``companion read``: what is on the board in pictures."""

from __future__ import annotations

import json
from pathlib import Path

import click

from companion.errors import BadPicture
from companion.observation import Reading
from vision.frames import read_picture
from vision.reader import Reader
from vision.table import Table


@click.command(name="read")
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="IMAGE...")
@click.option(
    "--table", "table_dir", required=True, type=click.Path(path_type=Path), help="Folder of a table that was taught."
)
def command(images: tuple[Path, ...], table_dir: Path) -> None:
    """Print what is on the board in each IMAGE, one JSON line each.

    Every picture gets its line; one that cannot be opened is not usable, and the exit status is then 1.
    """
    table = Table.load(table_dir)
    reader = Reader(table)
    broken = 0
    for image in images:
        try:
            reading = reader.read(read_picture(image))
        except BadPicture as error:
            reading = Reading.unusable(table.game, table.board.name, str(error))
            broken += 1
        click.echo(json.dumps({"image": str(image), **reading.to_json()}))
    if broken:
        raise BadPicture(f"{broken} of {len(images)} pictures could not be opened; see the reason in their lines")
