"""``companion selftest``: a dozen placements that show how well a table is read."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import click

from companion.boards import Board
from companion.cli.asking import asked
from companion.cli.table_option import table_folder
from companion.selftest.marks import Marks, mark, result
from companion.selftest.plan import STEPS, Step, plan
from companion.selftest.words import LEGEND, instruction, report, summary
from companion.wiring.selftest import Take, from_camera, from_folder, simulated
from vision.reader import Reader
from vision.table import Table

FORMAT = 1

Say: TypeAlias = Callable[[str], None]
Ask: TypeAlias = Callable[[str], str]
"""Asks an owner something and gives back the answer, in small letters."""
_ASK: Ask = partial(asked, instead="give the pictures with --images")


@click.command(name="selftest")
@table_folder("Folder of a table that was taught.")
@click.option("--demo", is_flag=True, help="A simulated camera and table, which puts the pieces there by itself.")
@click.option(
    "--images",
    type=click.Path(path_type=Path),
    help="Read the pictures of this folder instead, in the order of their names: one for each step.",
)
@click.option("--plan", "only_plan", is_flag=True, help="Only print the placements, to photograph them for --images.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON; all else goes to standard error.")
def command(table_dir: Path, demo: bool, images: Path | None, only_plan: bool, as_json: bool) -> None:
    """Put a dozen small placements on your table and see how well they are read.

    Each step says which pieces to put where; press Enter when they stand, and the camera looks.
    """
    if demo + only_plan + (images is not None) > 1:
        raise click.UsageError("only one of --demo, --images and --plan can be given")

    def say(text: str) -> None:
        click.echo(text, err=as_json)

    if only_plan:
        board = Table.load(table_dir).board
        say(LEGEND)
        for number, step in enumerate(plan(board), 1):
            say(f"\n{instruction(board, step, number)}")
        return
    with _pictures(table_dir, demo, images, say) as (table, take):
        say(LEGEND)
        done = run(table, plan(table.board), take, say, None if images is not None else _ASK)
    if not done:
        raise click.Abort
    end = result(done)
    if as_json:
        click.echo(json.dumps(_to_json(table.board, done)))
    if len(done) < STEPS:
        say(f"\nOnly {len(done)} of {STEPS} steps were looked at.")
    say(f"\n{summary(end)}")


def run(table: Table, steps: tuple[Step, ...], take: Take, say: Say, ask: Ask | None) -> list[Marks]:
    """The marks of each placement, until the last one, the last picture, or the owner's wish to stop.

    ask: None asks nothing, and each picture is taken at once.
    """
    reader = Reader(table)
    squares = len(table.board.squares)
    done: list[Marks] = []
    for number, step in enumerate(steps, 1):
        say(f"\n{instruction(table.board, step, number)}")
        again = True
        while again:
            if ask is not None and ask("  Press Enter when all stands like this (q: stop here)") == "q":
                return done
            picture = take(step)
            if picture is None:
                return done
            marks = mark(reader.read(picture), step.standing, squares)
            say(report(marks))
            again = False
            # A piece that stays unsure is told each time, but asked about only when it is new.
            doubtful = marks.wrong or any(mark.square in step.put for mark in marks.unsure)
            if ask is not None and doubtful:
                answer = ask("  Enter: go on   r: put it right and repeat this step   q: stop here")
                again = answer == "r"
                if answer == "q":
                    return [*done, marks]
        done.append(marks)
    return done


@contextlib.contextmanager
def _pictures(table_dir: Path, demo: bool, images: Path | None, say: Say) -> Iterator[tuple[Table, Take]]:
    """The table, and what takes its pictures."""
    if demo:
        yield simulated(say)
    elif images is not None:
        yield Table.load(table_dir), from_folder(images)
    else:
        table = Table.load(table_dir)
        with from_camera(table_dir) as take:
            yield table, take


def _to_json(board: Board, done: list[Marks]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "game": board.game,
        "board": board.name,
        **result(done).to_json(),
        "placements": [marks.to_json() for marks in done],
    }
