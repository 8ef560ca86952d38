"""``companion read``: what is on the board in pictures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

from companion.errors import BadPicture, StartError
from companion.observation import Reading
from vision.frames import Picture, encode_jpeg, read_picture
from vision.overlay import draw
from vision.reader import Reader
from vision.table import Table


@click.command(name="read")
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="IMAGE...")
@click.option(
    "--table", "table_dir", required=True, type=click.Path(path_type=Path), help="Folder of a table that was taught."
)
@click.option(
    "--draw",
    "drawn_dir",
    type=click.Path(path_type=Path, file_okay=False),
    help="Draw what was understood over each picture, as NAME-read.jpg in this folder.",
)
def command(images: tuple[Path, ...], table_dir: Path, drawn_dir: Path | None) -> None:
    """Print what is on the board in each IMAGE, one JSON line each.

    Every picture gets its line; one that cannot be opened is not usable, and the exit status is then 1.
    """
    table = Table.load(table_dir)
    drawings = _drawings(images, drawn_dir)
    reader = Reader(table)
    broken = 0
    for image in images:
        try:
            picture = read_picture(image)
        except BadPicture as error:
            reading = Reading.unusable(table.game, table.board.name, str(error))
            broken += 1
        else:
            reading = reader.read(picture)
            if image in drawings:
                _write(drawings[image], draw(picture, table, reading))
        click.echo(json.dumps({"image": str(image), **reading.to_json()}))
    if broken:
        raise BadPicture(f"{broken} of {len(images)} pictures could not be opened; see the reason in their lines")


def _drawings(images: Sequence[Path], folder: Path | None) -> dict[Path, Path]:
    """The file to draw each picture into; none without a folder, which is made. Raises StartError."""
    if folder is None:
        return {}
    files = {image: folder / f"{image.stem}-read.jpg" for image in images}
    if len(set(files.values())) < len(files):
        raise StartError("--draw: two of the pictures have the same name; read them one after the other")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StartError(f"{folder}: cannot be made ({error.strerror})") from None
    return files


def _write(file: Path, picture: Picture) -> None:
    try:
        file.write_bytes(encode_jpeg(picture))
    except OSError as error:
        raise StartError(f"{file}: cannot be written ({error.strerror})") from None
