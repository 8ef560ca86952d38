"""What happened on the table, by likelihood: the reader says how likely each content of each square is, the rules say
what can have happened, and the best explanation is taken when it is clearly best and fits. Otherwise it is asked or
waited for; nothing is ever guessed.

Everything is measured as *misfit*: how much less likely, as the natural logarithm of the odds, what should lie on a
square is than what the reader takes it for; 0 when they are the same. A square that cannot be read has many contents
that are about as likely, so it weighs little by itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

from companion.games.game import Game, Press
from companion.observation import Content, Place, Reading, Seen
from companion.squares import reading_order

MARGIN = 4.0
"""How much better than every other the best explanation must fit to be taken: odds of 55 to 1."""

SURE = 1 / (1 + math.exp(-MARGIN))
"""The probability from which a square counts as read for sure: odds of ``MARGIN`` against everything else together."""

SQUARE_MISFIT = 4.5
"""From here on a square surely holds something else than it should: odds of 90 to 1."""

TOTAL_MISFIT = 10.0
"""From here on the board as a whole does not fit, however little each square is off."""

UNLISTED_SHARES = 10
"""No content is less likely than this part of what a reading's list lacks to 1, listed or not: that much is doubted, as
more may lie there than can be seen."""

LEAST_PROBABILITY = 1e-5
"""No content is less likely than this: readers are never that sure."""

MAX_CHOICES = 4
"""More explanations than these are too many to ask about; a better picture is waited for."""

DONE = {"press": "done"}


@dataclass(frozen=True)
class Explanation:
    """Actions that can have happened, the state after them, and the presses that they answer to."""

    actions: tuple[Any, ...]
    state: Any
    used: tuple[Press, ...] = ()


@dataclass(frozen=True)
class Accept:
    """This happened; an explanation without actions says that nothing did."""

    explanation: Explanation


@dataclass(frozen=True)
class Ask:
    """One of these happened, likeliest first. squares: those in which they differ."""

    choices: tuple[Explanation, ...]
    squares: tuple[Place, ...]


@dataclass(frozen=True)
class Wait:
    """The picture does not tell: the reason for people, and the squares that cannot be made out. choices: what may have
    happened, if not nothing; none where there are too many to ask about."""

    reason: str
    squares: tuple[Place, ...] = ()
    choices: tuple[Explanation, ...] = ()


@dataclass(frozen=True)
class Unexplained:
    """No legal action leads to this. squares: where the board is not as it was, clearest first."""

    squares: tuple[Place, ...]


Verdict: TypeAlias = Accept | Ask | Wait | Unexplained


class Fit:
    """How well contents fit a reading."""

    def __init__(self, reading: Reading) -> None:
        self._squares, self._unseen = reading.squares, reading.unseen
        self._likeliest = {name: max(odds.values()) for name, odds in reading.squares.items()}
        doubts = {name: 1 - sum(odds.values()) for name, odds in reading.squares.items()}
        self._least = {name: max(doubt / UNLISTED_SHARES, LEAST_PROBABILITY) for name, doubt in doubts.items()}
        self._misfit: dict[tuple[Place, Content | None], float] = {}

    def misfit(self, name: Place, content: Content | None) -> float:
        """How much less likely a content is on a square than the likeliest; 0 on a square that was not read."""
        known = self._misfit.get((name, content))
        if known is None:
            known = self._misfit[name, content] = self._measure(name, content)
        return known

    def sure(self) -> bool:
        """Whether each square holds what it shows: nothing else is likely there, nor may show no more than that."""
        hidden = max((p for contents in self._unseen.values() for p in contents.values()), default=0.0)
        return hidden <= 1 - SURE and all(p >= SURE for p in self._likeliest.values())

    def probability(self, name: Place, content: Content | None) -> float:
        """How likely a content is on a square, or as likely as what it shows would make it."""
        hidden = 0.0 if content is None else self._unseen.get(name, {}).get(content, 0.0)
        shown = max(self._squares[name].get(content, 0.0), hidden * self._likeliest[name])
        return max(shown, self._least[name])

    def misfits(self, seen: Seen) -> dict[Place, float]:
        """The misfit of each square of a board that should look like this, where there is any."""
        measured = {name: self.misfit(name, seen.get(name)) for name in self._squares}
        return {name: misfit for name, misfit in measured.items() if misfit > 0}

    def fits(self, seen: Seen) -> bool:
        """Whether the board may look like this: no square surely holds anything else."""
        misfits = self.misfits(seen).values()
        return max(misfits, default=0.0) < SQUARE_MISFIT and sum(misfits) < TOTAL_MISFIT

    def fixed(self, now: Seen) -> set[Place]:
        """The places that surely look as they did: anything else there would alone rule a board out."""
        return {name for name in self._squares if self._change(name, now.get(name)) >= TOTAL_MISFIT}

    def shows(self, now: Seen, then: Seen) -> bool:
        """Whether everything in which ``then`` differs from ``now`` is what the reading most likely shows."""
        return all(
            name in self._squares and self.probability(name, then.get(name)) > 0.5 for name in different(now, then)
        )

    def _measure(self, name: Place, content: Content | None) -> float:
        return self._off(name, self.probability(name, content)) if name in self._squares else 0.0

    def _change(self, name: Place, content: Content | None) -> float:
        """The least misfit of anything else than a content on a square."""
        others = {*self._squares[name], *self._unseen.get(name, {})} - {content}
        return self._off(name, max((self.probability(name, other) for other in others), default=self._least[name]))

    def _off(self, name: Place, probability: float) -> float:
        return math.log(self._likeliest[name] / min(probability, self._likeliest[name]))


def weigh(game: Game[Any, Any], state: Any, reading: Reading, presses: Sequence[Press]) -> Verdict:
    """What a settled reading and the presses since ``state`` say happened, within the turn that is on.

    Actions at the end that neither show nor end the turn by a press are left out, and so are their presses: more may
    follow. A roll of the die is never concluded from what came after it.
    """
    if not reading.usable:
        return Wait(reading.reason or "the picture cannot be read")
    now = game.visible(state)
    fit = Fit(reading)
    if must_roll(game, state):
        return Accept(Explanation((), state)) if fit.fits(now) else Unexplained(_changed(fit, now))
    if fit.sure():
        exact = game.explain(state, reading.seen(), presses)
        if reading.seen() == now and not is_done(presses):
            exact = [*exact, ()]
        if exact:
            return _verdict(game, outcomes(game, state, presses, exact))
    near = _near(game, state, presses, fit, now)
    if not near:
        return Unexplained(_changed(fit, now))
    return _verdict(game, outcomes(game, state, presses, near))


def must_roll(game: Game[Any, Any], state: Any) -> bool:
    """Whether the die has to be rolled now."""
    legal = game.legal(state)
    return bool(legal) and game.action_to_json(legal[0])["type"] == "roll"


def different(now: Seen, then: Seen) -> set[Place]:
    """The squares in which two boards differ."""
    return {name for name, _ in now.items() ^ then.items()}


def outcomes(
    game: Game[Any, Any], state: Any, presses: Sequence[Press], found: Iterable[tuple[Any, ...]]
) -> list[Explanation]:
    """Legal actions without what is left open at their end; of those that lead to the same state, the first."""
    different_ones: list[Explanation] = []
    for actions in found:
        settled = _settled(game, state, presses, actions)
        if all(settled.state != other.state for other in different_ones):
            different_ones.append(settled)
    return different_ones


def _near(game: Game[Any, Any], state: Any, presses: Sequence[Press], fit: Fit, now: Seen) -> list[tuple[Any, ...]]:
    """The actions that fit about as well as the best, best first; none when the best does not fit."""
    base = sum(fit.misfits(now).values())
    weighed: list[tuple[float, tuple[Any, ...], Seen]] = [] if is_done(presses) else [(base, (), now)]
    for turn in game.turns(state, presses, fit.fixed(now)):
        then = game.visible(turn.state)
        change = sum(
            fit.misfit(name, then.get(name)) - fit.misfit(name, now.get(name)) for name in different(now, then)
        )
        weighed.append((base + change, turn.actions, then))
    weighed.sort(key=lambda one: one[0])
    if not weighed or not fit.fits(weighed[0][2]):
        return []
    limit = weighed[0][0] + MARGIN
    return [actions for misfit, actions, then in weighed if misfit < limit and fit.fits(then)]


def _settled(game: Game[Any, Any], state: Any, presses: Sequence[Press], actions: tuple[Any, ...]) -> Explanation:
    """Actions up to the last one that shows, or all of them when the turn was ended by a press."""
    states = [state]
    for action in actions:
        states.append(game.apply(states[-1], action).state)
    if is_done(presses):
        return Explanation(actions, states[-1], tuple(presses))
    count = len(actions)
    while count and game.visible(states[count]) == game.visible(states[count - 1]):
        count -= 1
    if count == len(actions):
        return Explanation(actions, states[count], tuple(presses))
    return Explanation(actions[:count], states[count], _answered(game, state, presses, actions[:count], states[count]))


def _answered(
    game: Game[Any, Any], state: Any, presses: Sequence[Press], actions: tuple[Any, ...], after: Any
) -> tuple[Press, ...]:
    """The presses that some actions answer to by themselves."""
    seen = game.visible(after)
    return next((some for some in _subsets(presses) if actions in game.explain(state, seen, some)), ())


def _subsets(presses: Sequence[Press]) -> Iterator[tuple[Press, ...]]:
    for size in range(len(presses) + 1):
        yield from combinations(presses, size)


def _verdict(game: Game[Any, Any], found: Sequence[Explanation]) -> Verdict:
    if len(found) == 1:
        return Accept(found[0])
    boards = [game.visible(outcome.state) for outcome in found]
    differing = set[Place]().union(*(different(boards[0], board) for board in boards[1:]))
    squares = tuple(sorted(differing, key=reading_order))
    if len(found) > MAX_CHOICES or any(not outcome.actions for outcome in found):
        where = ", ".join(squares) if len(squares) <= MAX_CHOICES else "the board"
        some = tuple(outcome for outcome in found if outcome.actions) if len(found) <= MAX_CHOICES else ()
        return Wait(f"{where} cannot be made out clearly", squares, some)
    return Ask(tuple(found), squares)


def _changed(fit: Fit, now: Seen) -> tuple[Place, ...]:
    """Where the board is not as it was, clearest first."""
    misfits = fit.misfits(now)
    return tuple(sorted(misfits, key=lambda name: -misfits[name]))


def is_done(presses: Iterable[Press]) -> bool:
    """Whether 'done' was pressed."""
    return any(press.to_json() == DONE for press in presses)
