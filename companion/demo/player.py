"""A player who makes sensible moves: looks one turn ahead, in any game, and writes down what was played as a script."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.demo.script import FORMAT, Opening, Script, Step
from companion.games.game import Game

MAX_CHOICES = 12
"""How many actions of one phase are looked at, a random sample of them when there are more: enough to play well."""

PACE_SECONDS = {"place": 5.0, "roll": 2.0, "fly": 6.0, "stones": 2.5, "build": 6.0, "pass": 2.5}
"""How long a step takes at the table, by type of action."""


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
    chance = random.Random(seed)
    state = game.new(players, board, options, seed)
    steps: list[Step] = []
    t = 2.0
    turns = 0
    while not game.over(state) and turns < max_turns:
        for action in _turn(game, state, chance):
            data = game.action_to_json(action)
            before, state = state, game.apply(state, action).state
            presses = _presses(data)
            steps.append(Step(t, data, presses, _expect(game, before, state, data)))
            t += PACE_SECONDS[data["type"]]
        turns += 1
    return Script(Opening(FORMAT, game.name, tuple(players), board, dict(options)), tuple(steps))


def _turn(game: Game[Any, Any], state: Any, chance: random.Random) -> list[Any]:
    """The actions up to where somebody else acts, or a die is to be rolled: the best of those looked at."""
    actions = game.legal(state)
    first = game.action_to_json(actions[0])["type"]
    if first in ("place", "roll"):
        return [chance.choice(actions)]
    me = game.to_act(state)
    return max(_ends(game, state, me, chance), key=lambda end: (_worth(game, end[1], me), chance.random()))[0]


def _ends(game: Game[Any, Any], state: Any, me: str, chance: random.Random) -> Iterator[tuple[list[Any], Any]]:
    actions = game.legal(state)
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


def _worth(game: Game[Any, Any], state: Any, me: str) -> float:
    """How good a position is for a player: the points won so far, against the best of the others, and what they would
    have if the game ended now; stones in sight are worth a little, for they are what is built with."""
    score = game.score(state)["players"]
    others = [player for player in score if player != me]

    def points(player: str) -> float:
        return float(score[player]["track"]) + 0.3 * float(score[player]["total"])

    in_sight = sum(
        1 for piece in game.visible(state).values() for colour in getattr(piece, "colours", ()) if colour == me
    )
    return points(me) - max(points(player) for player in others) + 0.4 * in_sight


def _presses(action: Mapping[str, Any]) -> tuple[str, ...]:
    """The buttons that go with an action: a ship's colour for each stone dropped into it, god, done."""
    match action["type"]:
        case "stones":
            return tuple(action["into"])
        case "fly" if action["mode"] == "god":
            return ("god",)
        case "pass":
            return ("done",)
    return ()


def _expect(game: Game[Any, Any], before: Any, after: Any, action: Mapping[str, Any]) -> dict[str, Any]:
    """What must be shown after an action. Stones are only heard: they count when the turn goes on."""
    heard = len(action["into"]) if action["type"] == "stones" else 0
    view = game.view(before if action["type"] == "stones" else after, "public")
    return {key: view[key] for key in ("phase", "to_act", "round", "track")} | {"heard": heard}
