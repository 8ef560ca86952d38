"""How much memory a reader adds: measured in a process of its own, ``python -m companion.bench.memory``."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from companion.errors import StartError
from vision.frames import read_picture
from vision.measuring.speed import one_thread
from vision.reader import Reader
from vision.table import Table

STATUS = Path("/proc/self/status")
PEAK = "VmHWM:"
"""The line of ``STATUS`` with the most memory that this program has held. Not ``getrusage``'s: the kernel takes that
over from the process that started this one."""


def added_mb(table: Path, pictures: Sequence[Path]) -> float:
    """By how many MB (10^6 bytes) loading a table and reading pictures raises the peak of a process that else only
    imports the same modules.

    Raises StartError where the system does not tell, or the process failed.
    """
    return _peak_mb(table, *pictures) - _peak_mb()


def _peak_mb(*arguments: Path) -> float:
    command = [sys.executable, "-m", "companion.bench.memory", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["it says nothing"])[-1]
        raise StartError(f"the memory of a reader could not be measured: {last}")
    return float(done.stdout) / 1e6


def peak_bytes(status: str) -> int:
    """The peak from the text of ``STATUS``. Raises StartError when it is not in it."""
    for line in status.splitlines():
        if line.startswith(PEAK):
            return int(line.split()[1]) * 1024
    raise StartError(f"{STATUS} has no line {PEAK}, so that memory cannot be measured on this system")


@click.command()
@click.argument("table", required=False, type=click.Path(path_type=Path))
@click.argument("pictures", nargs=-1, type=click.Path(path_type=Path))
def main(table: Path | None, pictures: tuple[Path, ...]) -> None:
    """Read PICTURES with TABLE, or nothing, and print the most memory held, in bytes."""
    one_thread()
    if table is not None:
        reader = Reader(Table.load(table))
        for picture in pictures:
            reader.read(read_picture(picture))
    click.echo(peak_bytes(STATUS.read_text(encoding="ascii") if STATUS.exists() else ""))


if __name__ == "__main__":
    main()
