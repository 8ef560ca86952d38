"""``companion rules``: a game's rules as they are played here, in short."""

from __future__ import annotations

import json
import shutil
import textwrap
from collections.abc import Iterator

import click

from companion import games
from companion.games.options import OneOf, Option, Switch
from companion.games.reference import Reference, Ruling, read_reference

MAX_WIDTH = 100
INDENT = "  "


@click.command("rules")
@click.argument("game", metavar="GAME", type=click.Choice(games.names()))
def command(game: str) -> None:
    """Print the rules of GAME as they are played here, with every ruling and what an option makes of it.

    GAME is pacal, pacru or pompeji.
    """
    width = min(shutil.get_terminal_size().columns, MAX_WIDTH)
    options = {option.name: option for option in games.get(game).options}
    click.echo("\n".join(rules_text(read_reference(game), options, width)))


def rules_text(reference: Reference, options: dict[str, Option], width: int) -> Iterator[str]:
    """The rules, line by line. width: how many characters fit in a line. options: the game's, by name."""
    yield reference.title
    yield "=" * len(reference.title)
    yield from _wrapped(f"{reference.about} {reference.source}", width)
    for section in reference.sections:
        yield from ("", section.heading, "-" * len(section.heading))
        for rule in section.rules:
            yield from _item(f"{rule.text} [{', '.join(rule.ids)}]", width)
    heading = "Rulings, and the options that change them"
    yield from ("", heading, "-" * len(heading))
    for ruling in reference.rulings:
        yield from _ruling(ruling, options, width)


def _ruling(ruling: Ruling, options: dict[str, Option], width: int) -> Iterator[str]:
    yield from _item(f"{ruling.question} {ruling.here} [{ruling.id}]", width)
    if ruling.option is not None:
        told = f"Option {ruling.option}: {_settings(options[ruling.option])}. {ruling.changed}"
        yield from _wrapped(told, width, INDENT * 2, INDENT * 2)


def _settings(option: Option) -> str:
    """What an option can be set to besides what it is without being set."""
    if isinstance(option.kind, Switch | OneOf):
        return " or ".join(json.dumps(value) for value in option.kind.examples() if value != option.default)
    return option.kind.words()


def _item(text: str, width: int) -> list[str]:
    return _wrapped(text, width, "- ", INDENT)


def _wrapped(text: str, width: int, first: str = "", others: str = "") -> list[str]:
    """Lines of a text. first, others: what stands before the first line and before the others."""
    # The IDs of rules hold hyphens, and are not to be torn apart.
    return textwrap.wrap(text, width, initial_indent=first, subsequent_indent=others, break_on_hyphens=False)
