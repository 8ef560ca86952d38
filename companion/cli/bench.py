"""``companion bench``: how fast this machine's rules are, and how well and how fast it reads pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click

from companion import games
from companion.bench import corners, reading, speed, watching
from companion.bench.rules import measure, measure_chess
from companion.bench.rules import report as rules_report
from companion.bench.scenes import find_setups
from companion.cli.teach import board_of
from vision.measuring import changes, evaluate
from vision.measuring.robustness import Borne
from vision.measuring.speed import one_thread
from vision.teaching.palettes import ReadBack
from vision.teaching.setup_folder import read_setup

Command = TypeVar("Command", bound=Callable[..., Any])


@click.group(name="bench")
def command() -> None:
    """Measure what the README says, on this machine."""


@command.command(name="rules")
def rules_command() -> None:
    """Time the rules of every game on fixed positions, beside python-chess, which lists legal moves in the same run."""
    chess = measure_chess()
    figures = {}
    for name in games.names():
        click.echo(f"{name}: timing", err=True)
        figures[name] = measure(name)
    for line in rules_report(figures, chess):
        click.echo(line)


def _scenes(function: Command) -> Command:
    """The arguments of every command that looks at scenes."""
    folder = click.argument("scenes_dir", type=click.Path(path_type=Path))
    only = click.option(
        "--setup", "only", multiple=True, metavar="NN", help="Only this set-up; may be given more than once."
    )
    return folder(only(function))


@command.command(name="vision")
@_scenes
@click.option(
    "--apart", multiple=True, metavar="NN", help="A set-up that was kept out of tuning: its figures are told apart too."
)
@click.option(
    "--change",
    "kinds",
    multiple=True,
    type=click.Choice([*changes.NAMES, "none"]),
    help="Only this change of the pictures, or none; all when not given.",
)
@click.option(
    "--draws",
    type=click.IntRange(1),
    default=1,
    metavar="N",
    help=f"Make changes that go by chance ({', '.join(changes.BY_CHANCE)}) N times; once when not given.",
)
@click.option("--misses", is_flag=True, help="List the squares read wrongly, or otherwise after a change.")
def vision_command(
    scenes_dir: Path, only: tuple[str, ...], apart: tuple[str, ...], kinds: tuple[str, ...], draws: int, misses: bool
) -> None:
    """Teach from each setup in SCENES_DIR, read its stills, as they are and changed, and compare with their truth.

    SCENES_DIR holds setup-* folders with still-*.jpg beside their truth, still-*.json.
    """
    one_thread()
    setups = find_setups(scenes_dir, only)
    find_setups(scenes_dir, apart)  # So that a name that is not there is told before the work, not after it.
    scores: dict[str, evaluate.Score] = {}
    backs: dict[str, ReadBack] = {}
    borne: dict[str, dict[str, Borne]] = {}
    for path in setups:
        click.echo(f"{path.name}: teaching", err=True)
        table, backs[path.name] = reading.taught(path, board_of)
        found = []
        for still in reading.measure(path, table, kinds or changes.NAMES, draws):
            click.echo(f"{still.still.name}: read", err=True)
            found.append(still)
            if misses:
                _echo(reading.misses(still))
        scores[path.name] = evaluate.total(still.score for still in found)
        borne[path.name] = reading.sum_borne(still.borne for still in found)
    _echo(reading.accuracy_report(scores, backs, apart))
    _echo(reading.robustness_report(borne, apart))


@command.command(name="corners")
@_scenes
def corners_command(scenes_dir: Path, only: tuple[str, ...]) -> None:
    """Find the board in the empty picture of each setup in SCENES_DIR, without being told where it is, and compare with
    what its setup.json says."""
    one_thread()
    searches: dict[str, corners.Search] = {}
    for path in find_setups(scenes_dir, only):
        click.echo(f"{path.name}: looking for the board", err=True)
        searches[path.name] = corners.measure(read_setup(path, board_of))
    _echo(corners.report(searches))


@command.command(name="watch")
@_scenes
def watch_command(scenes_dir: Path, only: tuple[str, ...]) -> None:
    """Teach from each setup in SCENES_DIR and watch its recordings, turn-*, as if they were live: are hands noticed,
    and how soon after they have left is the board read? And how soon is it after the camera was bumped, from one still
    to the next?"""
    one_thread()
    watched: dict[str, watching.Watched] = {}
    bumps: dict[str, watching.Watched] = {}
    for path in find_setups(scenes_dir, only):
        click.echo(f"{path.name}: teaching and watching", err=True)
        for found, some in zip((watched, bumps), watching.measure(path, board_of), strict=True):
            found.update(some)
    _echo(watching.report(watched, bumps))


@command.command(name="speed")
@_scenes
def speed_command(scenes_dir: Path, only: tuple[str, ...]) -> None:
    """Time reading and watching the scenes of SCENES_DIR on one thread, beside straightening the board and converting
    it to Lab, and measure the memory that a reader adds."""
    one_thread()
    taken = speed.Speed()
    for path in find_setups(scenes_dir, only):
        click.echo(f"{path.name}: teaching and timing", err=True)
        taken += speed.measure(path, board_of)
    _echo(speed.report(taken))


def _echo(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)
