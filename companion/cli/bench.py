"""``companion bench``: how fast this machine's rules are, and how well and how fast it reads pictures."""

from __future__ import annotations

import json
import time
from pathlib import Path

import click

from companion import games
from companion.bench.rules import measure, measure_chess
from companion.bench.rules import report as rules_report
from companion.cli.teach import board_of
from companion.errors import BadSetup
from companion.games.pacal.pieces import squares_from_json
from companion.observation import Seen
from vision.evaluate import Score, report, score, total
from vision.frames import read_picture
from vision.reader import Reader
from vision.setup_folder import read_setup
from vision.teaching import teach


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


@command.command(name="vision")
@click.argument("scenes_dir", type=click.Path(path_type=Path))
@click.option("--misses", is_flag=True, help="List every square that was read wrongly.")
def vision_command(scenes_dir: Path, misses: bool) -> None:
    """Teach from each setup in SCENES_DIR, read its stills, and compare with their truth.

    SCENES_DIR holds setup-* folders with still-*.jpg beside their truth, still-*.json.
    """
    setups = sorted(path for path in scenes_dir.glob("setup-*") if path.is_dir())
    if not setups:
        raise BadSetup(f"{scenes_dir}: has no setup-* folders; a folder of scenes was expected")
    scores = {}
    for path in setups:
        click.echo(f"{path.name}: teaching and reading", err=True)
        scores[path.name] = _score_setup(path, misses)
    for line in report(scores):
        click.echo(line)


def _score_setup(path: Path, misses: bool) -> Score:
    table = teach(read_setup(path, board_of))
    reader = Reader(table)
    scores = []
    for still in sorted(path.glob("still-*.jpg")):
        truth = _read_truth(still.with_suffix(".json"))
        picture = read_picture(still)
        begin = time.perf_counter()
        reading = reader.read(picture)
        scores.append(score(reading, truth, table.board.squares, time.perf_counter() - begin))
        if misses:
            for miss in scores[-1].misses:
                saw, was = (piece.to_json() if piece else None for piece in (miss.saw, miss.truth))
                click.echo(f"{path.name}/{still.name} {miss.square}: saw {saw} ({miss.confidence:.3f}), was {was}")
            if not reading.usable:
                click.echo(f"{path.name}/{still.name}: {reading.reason}")
    return total(scores)


def _read_truth(file: Path) -> Seen:
    try:
        return squares_from_json(json.loads(file.read_text(encoding="utf-8"))["squares"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadSetup(f"{file}: the truth of a still was expected ({error!r})") from None
