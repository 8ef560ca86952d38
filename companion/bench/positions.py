"""The fixed positions on which the rules are timed: out of whole games that lie beside this module.

A file holds games, each as the line ``new {…}`` and its actions, one a line, ``> {…}``, in the referee protocol's form;
the actions of a turn follow each other, an empty line ends it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import groupby
from typing import Any

from companion import games
from companion.games.game import Game, Press
from companion.observation import Seen

BEGIN, ACTION = "new ", "> "
POSITIONS = 100


@dataclass(frozen=True)
class Position:
    """A position in the middle of a game, what was done there, and the turn in which that was.

    turn_start: the state when the turn began; seen and presses: what explains the whole turn.
    """

    state: Any
    action: Any
    turn_start: Any
    seen: Seen
    presses: tuple[Press, ...]


def positions(name: str) -> dict[str, list[Position]]:
    """The fixed positions of a game, by the phase of the turn: as many of each, of those in which there is a choice,
    spread evenly over the middle halves of its recorded games."""
    game = games.get(name)
    text = (resources.files("companion.bench") / "games" / f"{name}.txt").read_text(encoding="utf-8")
    by_phase: dict[str, list[Position]] = {}
    for lines in _games(text.splitlines()):
        found = list(_positions(game, lines))
        for position in found[len(found) // 4 : len(found) * 3 // 4]:
            if len(game.legal(position.state)) > 1:
                by_phase.setdefault(game.state_to_json(position.state)["phase"], []).append(position)
    count = POSITIONS // len(by_phase)
    return {phase: [some[i * len(some) // count] for i in range(count)] for phase, some in sorted(by_phase.items())}


def _games(lines: Sequence[str]) -> Iterator[list[str]]:
    starts = [number for number, line in enumerate(lines) if line.startswith(BEGIN)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield list(lines[start:end])


def _positions(game: Game[Any, Any], lines: Sequence[str]) -> Iterator[Position]:
    """Each position of a recorded game with its turn."""
    start = json.loads(lines[0].removeprefix(BEGIN))
    more = {key: start[key] for key in start.keys() - {"game", "players", "board", "options", "seed"}}
    state = game.new(start["players"], start.get("board", "reference"), start["options"], start.get("seed"), more)
    for has_actions, group in groupby(lines[1:], bool):
        if not has_actions:
            continue
        actions = [game.action_from_json(json.loads(line.removeprefix(ACTION))) for line in group]
        states = [state]
        for action in actions:
            states.append(game.apply(states[-1], action).state)
        seen, presses = game.visible(states[-1]), tuple(press for action in actions for press in game.told(action))
        yield from (Position(at, action, state, seen, presses) for at, action in zip(states, actions, strict=False))
        state = states[-1]
