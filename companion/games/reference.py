"""The short rules of a game for people: the one text that the command line prints and the page shows.

It is written in ``rules.toml`` beside the game's code. What an option can be set to, and what it is when nobody sets
it, is not written there: that comes from the game's own list of options.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import msgspec

from companion.typed_toml import read_toml


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule. ids: what the messages call it, like ``FLY-4``; several where one sentence tells them better."""

    ids: tuple[str, ...]
    text: str


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules that belong together."""

    heading: str
    rules: tuple[Rule, ...]


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the printed rules leave open or tell differently, and what is played here.

    option: the option that changes it, None when none does; changed: what is played when it is set otherwise.
    """

    id: str
    question: str
    here: str
    option: str | None = None
    changed: str | None = None


class Reference(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The short rules of one game. about: who made it, and for whom. source: what they were put together from."""

    title: str
    about: str
    source: str
    sections: tuple[Section, ...]
    rulings: tuple[Ruling, ...]


def read_reference(game: str) -> Reference:
    """The short rules of a game, by its name. Raises BadConfig when the text is broken."""
    return read_toml(Path(str(resources.files(f"companion.games.{game}") / "rules.toml")), Reference)
