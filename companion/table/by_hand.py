"""An action that the operator chose on the page, with what has to come before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.errors import IllegalAction
from companion.games.game import Game, Press
from companion.referee.weigh import Explanation, must_roll


def by_hand(game: Game[Any, Any], state: Any, pending: Sequence[Press], action: Any) -> Explanation:
    """The explanation that an action chosen by hand stands for.

    A build or the end of the turn may be chosen while stones are still being brought in: those that were heard go
    before it. Presses stay pending while they can still mean something in this turn.
    Raises IllegalAction when the action is not allowed now.
    """
    actions = (action,) if _is_legal(game, state, action) else _with_stones(game, state, pending, action)
    player, after = game.to_act(state), state
    for one in actions:
        after = game.apply(after, one).state
    ended = game.over(after) or must_roll(game, after) or game.to_act(after) != player
    stay = len(actions) == 1 and not ended and next(game.turns(after, pending), None) is not None
    return Explanation(actions, after, () if stay else tuple(pending))


def _is_legal(game: Game[Any, Any], state: Any, action: Any) -> bool:
    # Not by ``legal``: of an action whose choices are open that lists only the open form.
    try:
        game.apply(state, action)
    except IllegalAction:
        return False
    return True


def _with_stones(game: Game[Any, Any], state: Any, pending: Sequence[Press], action: Any) -> tuple[Any, ...]:
    """The action after others that do not show, when there is just one such way; else the action alone."""
    now = game.visible(state)
    ways = {
        turn.actions
        for done in ((), game.presses(state, "done"))
        for turn in game.turns(state, (*pending, *done))
        if turn.actions[-1] == action and game.visible(_before(game, state, turn.actions)) == now
    }
    return ways.pop() if len(ways) == 1 and not must_roll(game, state) else (action,)


def _before(game: Game[Any, Any], state: Any, actions: tuple[Any, ...]) -> Any:
    """The state before the last of some actions."""
    for action in actions[:-1]:
        state = game.apply(state, action).state
    return state
