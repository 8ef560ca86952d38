"""``companion referee``: the rules over JSON lines."""

from __future__ import annotations

import sys

import click

from companion.referee.lines import Referee


@click.command("referee")
def command() -> None:
    """Answer JSON lines from standard input, one reply a line, until the input ends.

    Every command and its reply is described in the referee protocol.
    """
    referee = Referee()
    for line in sys.stdin.buffer:
        click.echo(referee.answer(line))
