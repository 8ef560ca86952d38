"""The script of a game: what players do and when, and what the companion must show after each step.

One format for the demo table, for tests and for bug reports. A script is a text file of JSON lines. The first line is
the game; every other line is one step:

    {"script": 1, "game": "pacal", "board": "reference", "players": ["red", "blue"], "options": {}}
    {"t": 12.0, "action": {"type": "roll", "face": 3}, "expect": {"to_act": "red", "phase": "fly", "heard": 0}}
    {"t": 14.0, "action": {"type": "fly", "mode": "straight", "to": "F3"}, "expect": {…}}
    {"t": 19.0, "action": {"type": "stones", …}, "presses": ["red", "blue"], "expect": {…}}

``t``: when the step begins, in seconds from the start. ``action``: what the player to act does, as in the referee
protocol. ``presses``: the buttons pressed with it. ``expect``: parts of the public view that must be shown then, and
``heard``, the number of stones heard that no action holds yet. Empty lines and lines that begin with # say nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from companion.errors import BadConfig

FORMAT = 1


class Opening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: which game, who plays, in turn order."""

    script: int
    game: str
    players: tuple[str, ...]
    board: str = "reference"
    options: dict[str, Any] = {}


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One thing that a player does at the table."""

    t: float
    action: dict[str, Any]
    presses: tuple[str, ...] = ()
    expect: dict[str, Any] = {}


class Script(msgspec.Struct, frozen=True):
    """A whole game, or the beginning of one."""

    opening: Opening
    steps: tuple[Step, ...]


def read_script(path: Path) -> Script:
    """A script from its file. Raises BadConfig naming the file and the line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadConfig(f"{path}: the script cannot be read ({error})") from None
    return parse_script(lines, str(path))


def parse_script(lines: Iterable[str], where: str = "script") -> Script:
    """A script from its lines. Raises BadConfig naming the line, what was expected and what came."""
    opening: Opening | None = None
    steps: list[Step] = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            if opening is None:
                opening = msgspec.json.decode(line, type=Opening)
            else:
                steps.append(msgspec.json.decode(line, type=Step))
        except msgspec.DecodeError as error:
            raise BadConfig(f"{where}, line {number}: {error}") from None
        if steps[1:] and steps[-1].t < steps[-2].t:
            raise BadConfig(f"{where}, line {number}: t {steps[-1].t:g} is before the step above it")
    if opening is None:
        raise BadConfig(f"{where}: no line that says which game it is")
    if opening.script != FORMAT:
        raise BadConfig(f"{where}: format {opening.script}, this version reads format {FORMAT}")
    return Script(opening, tuple(steps))


def script_lines(script: Script) -> list[str]:
    """The text of a script, line by line; ``parse_script`` reads it back."""
    return [json.dumps(msgspec.to_builtins(part), ensure_ascii=False) for part in (script.opening, *script.steps)]
