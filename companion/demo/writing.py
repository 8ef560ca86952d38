"""Writes a game down as a script: what was done, the presses that go with it, and what must be shown then."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.demo.script import FORMAT, Opening, Script, Step, script_lines
from companion.errors import IllegalAction, JournalError
from companion.games.game import Game
from companion.journal.entries import Recorded
from companion.journal.replay import replay

FIRST_SECONDS = 2.0
PACE_SECONDS = {"place": 4.5, "roll": 1.5, "fly": 4.5, "stones": 1.5, "build": 4.5, "pass": 1.5}
"""How long a step takes at the table at the least, by type of action."""


def write_steps(game: Game[Any, Any], state: Any, actions: Iterable[Any]) -> tuple[Step, ...]:
    """The steps of actions that follow each other from a state on. Raises IllegalAction for one that is not allowed."""
    steps: list[Step] = []
    t = FIRST_SECONDS
    for action in actions:
        data = game.action_to_json(action)
        before, state = state, game.apply(state, action).state
        steps.append(
            Step(t, data, tuple(press.button for press in game.told(action)), _expect(game, before, state, data))
        )
        t += PACE_SECONDS[data["type"]]
    return tuple(steps)


def as_script(game: Game[Any, Any], entries: Sequence[Recorded]) -> str:
    """A game of the journal as the text of a script, for a report of what went wrong: the demo table plays it.

    entries: all of the game; what was taken back is left out. Raises JournalError for a game in which the position was
    corrected by hand: no actions lead there.
    """
    course = replay(game, entries)
    started = course.started
    opening = Opening(FORMAT, started.game, tuple(started.players), started.board, dict(started.options))
    actions = [game.action_from_json(line.action) for line in course.log if line.action is not None]
    state = game.new(started.players, started.board, started.options, started.seed)
    try:
        steps = write_steps(game, state, actions)
    except IllegalAction:
        raise JournalError(f"game {course.number} was corrected by hand: no script leads to its positions") from None
    return "\n".join(script_lines(Script(opening, steps)))


def _expect(game: Game[Any, Any], before: Any, after: Any, action: Mapping[str, Any]) -> dict[str, Any]:
    """What must be shown after an action.

    Stones from the supply are only heard: they count when the turn goes on. Stones from the board are seen to go.
    """
    waits = action["type"] == "stones" and game.visible(before) == game.visible(after)
    view = game.view(before if waits else after, "public")
    heard = len(action["into"]) if waits else 0
    return {key: view[key] for key in ("phase", "to_act", "round", "track")} | {"heard": heard}
