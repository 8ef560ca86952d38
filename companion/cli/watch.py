"""``companion watch``: a recorded sequence as if it were live."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import click

from companion.cli.numbers import Number
from companion.errors import BadPicture
from vision.reader import Reader
from vision.sources import Files, folder
from vision.table import Table
from vision.watching.watcher import MEASURES, Look, Watcher


@click.command(name="watch")
@click.argument("frames", type=click.Path(path_type=Path), metavar="FRAMES_DIR")
@click.option(
    "--table", "table_dir", required=True, type=click.Path(path_type=Path), help="Folder of a table that was taught."
)
@click.option("--fps", default=4.0, show_default=True, type=Number(0.1, 240), help="Pictures a second.")
@click.option(
    "--measures",
    type=click.File("w", encoding="utf-8"),
    help="Write what was measured in each frame to this file, as CSV; - is the standard output.",
)
def command(frames: Path, table_dir: Path, fps: float, measures: TextIO | None) -> None:
    """Print an observation each time the board has settled in the pictures of FRAMES_DIR, one JSON line each.

    The pictures are taken in the order of their names. "t" is in seconds from the first one, "file" the picture that
    was read. A picture that cannot be opened is left out, and the exit status is then 1.
    """
    table = Table.load(table_dir)
    broken: list[str] = []
    writer = csv.writer(measures) if measures is not None else None
    if writer is not None:
        writer.writerow(["file", "t", "sight", "read", *MEASURES])
    for look in _looks(folder(frames, fps), Watcher(table, Reader(table)), broken):
        if look.reading is not None:
            click.echo(json.dumps({"t": round(look.t, 3), "file": look.name, **look.reading.to_json()}))
        if writer is not None:
            numbers = [f"{look.measures[name]:.3f}" if name in look.measures else "" for name in MEASURES]
            writer.writerow([look.name, f"{look.t:.3f}", look.sight, int(look.reading is not None), *numbers])
    if broken:
        raise BadPicture(f"{len(broken)} of the frames could not be opened and were left out; the first: {broken[0]}")


def _looks(source: Files, watcher: Watcher, broken: list[str]) -> Iterator[Look]:
    """What each frame meant, and the end of the recording; messages about broken frames go to ``broken``."""
    while True:
        try:
            frame = source.read()
        except BadPicture as error:
            broken.append(str(error))
            continue
        if frame is None:
            break
        yield watcher.process(frame)
    last = watcher.finish()
    if last is not None:
        yield last
