"""A player of Pacal's Rocket who makes sensible moves: looks one turn ahead, and writes what was played as a script."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.demo.script import FORMAT, Opening, Script, Step
from companion.demo.writing import write_steps
from companion.games.game import Game

MAX_CHOICES = 12
"""How many actions of one phase are looked at, a random sample of them when there are more: enough to play well."""


def play_script(
    game: Game[Any, Any],
    players: Sequence[str],
    board: str,
    options: Mapping[str, Any],
    seed: int,
    max_turns: int = 400,
) -> Script:
    """A whole game played by the rules, as a script with what must be shown after each step.

    seed: the same seed gives the same game. max_turns: stop there though the game is not over.
    """
    state = game.new(players, board, options, seed)
    steps = play_on(game, state, seed, max_turns)
    return Script(Opening(FORMAT, game.name, tuple(players), board, dict(options)), steps)


def play_on(game: Game[Any, Any], state: Any, seed: int, max_turns: int = 400) -> tuple[Step, ...]:
    """The steps from a state to the end of the game; see ``play_script``."""
    return write_steps(game, state, _actions(game, state, random.Random(seed), max_turns))


def _actions(game: Game[Any, Any], state: Any, chance: random.Random, max_turns: int) -> Iterator[Any]:
    for _ in range(max_turns):
        if game.over(state):
            return
        for action in _turn(game, state, chance):
            state = game.apply(state, action).state
            yield action


def _turn(game: Game[Any, Any], state: Any, chance: random.Random) -> list[Any]:
    """The actions up to where somebody else acts, or a die is to be rolled: the best of those looked at."""
    actions = game.legal(state)
    first = game.action_to_json(actions[0])["type"]
    if first in ("place", "roll"):
        return [chance.choice(actions)]
    me = game.to_act(state)
    return max(_ends(game, state, me, chance), key=lambda end: (_worth(game, end[1], me), chance.random()))[0]


def _ends(game: Game[Any, Any], state: Any, me: str, chance: random.Random) -> Iterator[tuple[list[Any], Any]]:
    actions = _different(game, game.legal(state))
    if len(actions) > MAX_CHOICES:
        actions = chance.sample(actions, MAX_CHOICES)
    for action in actions:
        after = game.apply(state, action).state
        kind = game.action_to_json(action)["type"]
        if kind in ("build", "pass"):
            yield [action], after
        else:
            for rest, end in _ends(game, after, me, chance):
                yield [action, *rest], end


def _different(game: Game[Any, Any], actions: Sequence[Any]) -> list[Any]:
    """The actions without turning flights to where a straight one leads: nobody could tell the two apart."""
    flights = [(action, game.action_to_json(action)) for action in actions]
    straight = {data["to"] for _, data in flights if data.get("mode") == "straight"}
    return [action for action, data in flights if data.get("mode") != "turning" or data["to"] not in straight]


def _worth(game: Game[Any, Any], state: Any, me: str) -> float:
    """How good a position is for a player, in points: those won, those that would follow, and what can still be built.

    Stones lie ready for constellations, one of a colour on a square (two would go back, FLY-2); floors decide
    majorities later; a god stone is worth more in the hand than the points it gives at the end.
    """
    data = game.state_to_json(state)
    score = game.score(state)["players"]

    points = {player: score[player]["track"] + 0.3 * score[player]["total"] for player in score}
    ahead: float = points.pop(me) - max(points.values())
    stones = sum(1 for here in data["stones"].values() if me in here)
    floors: int = sum(pyramid["floors"] for pyramid in data["pyramids"].values() if pyramid["colour"] == me)
    gods = len(data["supply"][me]["gods"])
    return ahead + 0.7 * stones + 0.8 * floors + 3.0 * gods
