"""What happened when one picture shows more than one turn, or what nobody told: a turn's end, a roll, a god stone.

Players don't wait for the camera. Two of them may have placed their ships, or flown and built, before the picture was
settled; and they forget to press 'done'. Each step must be shown by the picture in all that it changed, and the last
one must explain the whole board. What was told by nobody, though the rest explains it, is never taken for granted: such
a way is marked as ``untold``, and is to be asked about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from companion.games.game import Game, Press
from companion.observation import Reading
from companion.referee.weigh import Accept, Explanation, Fit, is_done, must_roll, outcomes, weigh

MAX_WAYS = 4
"""More ways than these cannot be asked about."""


@dataclass(frozen=True)
class Way:
    """Turns, one after the other, that lead to what is seen.

    untold: one of their actions neither showed nor was pressed.
    """

    turns: tuple[Explanation, ...]
    untold: bool

    @property
    def state(self) -> Any:
        return self.turns[-1].state


def catch_up(game: Game[Any, Any], state: Any, reading: Reading, presses: Sequence[Press]) -> list[Way]:
    """The ways from a state to what is seen that one turn alone does not explain; those that were told first.

    Empty when there is none; more than ``MAX_WAYS`` are cut off.
    """
    depth = len(game.score(state)["players"]) + 1
    ways: list[Way] = []
    several = _ways(game, state, reading, tuple(presses), depth)
    for way in chain(_forgotten_press(game, state, reading, presses), several):
        if all(way.state != other.state for other in ways):
            ways.append(way)
        if len(ways) > MAX_WAYS:
            break
    return sorted(ways, key=lambda way: way.untold)


def first_told(ways: Sequence[Way], presses: Sequence[Press]) -> Explanation | None:
    """The turn that surely came first: that of the only way that was told, or what 'done' ended in every way alike.

    ways: those of ``catch_up``. What came after that turn may be asked about once its presses are known.
    """
    told = [way for way in ways if not way.untold]
    if len(told) == 1:
        return told[0].turns[0]
    if not is_done(presses) or not 0 < len(ways) <= MAX_WAYS:
        return None
    first = ways[0].turns[0]
    if not is_done(first.used):
        return None
    return first if all(len(way.turns) > 1 and way.turns[0] == first for way in ways) else None


def until_done(ways: Sequence[Way]) -> list[Way]:
    """The same ways, each up to the turn that a 'done' ended, if one did: they do not know what was pressed after it,
    which belongs to what came then."""
    cut: list[Way] = []
    for way in ways:
        ended = next((number for number, turn in enumerate(way.turns, 1) if is_done(turn.used)), None)
        shorter = Way(way.turns[:ended], way.untold)
        if all(shorter.turns != other.turns for other in cut):
            cut.append(shorter)
    return cut


def _forgotten_press(game: Game[Any, Any], state: Any, reading: Reading, presses: Sequence[Press]) -> Iterator[Way]:
    """What one press of the god button, that nobody made, would explain."""
    if must_roll(game, state):
        return
    for press in game.presses(state, "god"):
        pressed = [*presses, press]
        for explanation in outcomes(game, state, pressed, game.explain(state, reading.seen(), pressed)):
            used = tuple(other for other in explanation.used if other != press)
            yield Way((Explanation(explanation.actions, explanation.state, used),), True)


def _ways(
    game: Game[Any, Any], state: Any, reading: Reading, presses: tuple[Press, ...], depth: int, guessed: bool = False
) -> Iterator[Way]:
    """The ways that begin with a whole turn or a roll; ``guessed``: there was an untold step, and one is enough."""
    if depth == 0 or game.over(state):
        return
    # What was pressed before a roll is of the turn after it.
    rest = presses if must_roll(game, state) else ()
    for step, untold in _steps(game, state, reading, presses, guessed):
        match weigh(game, step.state, reading, rest):
            case Accept(Explanation(actions=())):
                # An untold step that explains nothing is none.
                if not untold:
                    yield Way((step,), untold)
            case Accept(last):
                yield Way((step, last), untold)
            case _:
                for way in _ways(game, step.state, reading, rest, depth - 1, guessed or untold):
                    yield Way((step, *way.turns), untold or way.untold)


def _steps(
    game: Game[Any, Any], state: Any, reading: Reading, presses: tuple[Press, ...], guessed: bool
) -> Iterator[tuple[Explanation, bool]]:
    """What can have happened first: a roll, or a whole turn that the picture shows; and whether nobody told of it."""
    if must_roll(game, state):
        rolls = [] if guessed else game.legal(state)
        # Of rolls that lead to the same the one that the die shows is told, though it may have lain there before.
        for roll in sorted(rolls, key=lambda roll: game.action_to_json(roll)["face"] != reading.die):
            yield Explanation((roll,), game.apply(state, roll).state), True
        return
    fit, now, player = Fit(reading), game.visible(state), game.to_act(state)
    for done in [()] if guessed else [(), tuple(game.presses(state, "done"))]:
        for turn in game.turns(state, (*presses, *done), fit.fixed(now)):
            ended = must_roll(game, turn.state) or game.to_act(turn.state) != player
            if ended and fit.shows(now, game.visible(turn.state)):
                yield Explanation(turn.actions, turn.state, presses), bool(done)
