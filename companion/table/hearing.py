"""What a button can mean, given what was pressed before it in this turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.game import Game, Press
from companion.referee.weigh import Explanation, is_done


def meanings(game: Game[Any, Any], state: Any, pending: Sequence[Press], button: str, more_to_see: bool) -> list[Press]:
    """The presses that a button can mean now, together with those that are pending and one that may follow.

    more_to_see: whether something may have happened on the board that is not told yet. Without it 'done' must end the
    turn as it stands.
    """
    if game.over(state) or is_done(pending):
        return []
    return [press for press in game.presses(state, button) if _fits(game, state, (*pending, press), more_to_see)]


def agree(game: Game[Any, Any], state: Any, presses: Sequence[Press]) -> bool:
    """Whether some turn that goes on from here answers to just these presses."""
    return next(game.turns(state, presses), None) is not None


def end_unseen(game: Game[Any, Any], state: Any, pending: Sequence[Press]) -> Explanation | None:
    """How 'done' ends the turn when there is no picture to ask: nothing on the board has changed."""
    if not is_done(pending):
        return None
    shown = game.visible(state)
    ends = [turn for turn in game.turns(state, pending) if game.visible(turn.state) == shown]
    return Explanation(ends[0].actions, ends[0].state, tuple(pending)) if len(ends) == 1 else None


def _fits(game: Game[Any, Any], state: Any, presses: tuple[Press, ...], more_to_see: bool) -> bool:
    if is_done(presses) and not more_to_see:
        return bool(game.explain(state, game.visible(state), presses))
    return agree(game, state, presses) or any(
        agree(game, state, (*presses, missing)) for colour in game.colours for missing in game.presses(state, colour)
    )
