"""Which legal actions lead to what is seen (spec: protocol, explain): one action is a whole turn."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations, permutations

from companion.games.game import Turn
from companion.games.pacru.actions import Action, Choice, Move, Rotate, order
from companion.games.pacru.extras import moves_on
from companion.games.pacru.moving import can_move, route_of, routes
from companion.games.pacru.pieces import Heading, OnField
from companion.games.pacru.refusal import why_not
from companion.games.pacru.rotating import rotations
from companion.games.pacru.state import State
from companion.games.pacru.turn import after
from companion.games.pacru.view import visible
from companion.observation import Seen
from companion.squares import Square


def explain(state: State, seen: Seen) -> list[tuple[Action, ...]]:
    """The turns that end in exactly what is seen, sorted by canonical JSON (see ``Game.explain``)."""
    found = [action for action in _shown(state, seen) if why_not(state, action) is None]
    return [(action,) for action in sorted(found, key=order) if visible(after(state, action)) == seen]


def turns(state: State, fixed: Collection[Square] = ()) -> Iterator[Turn[State, Action]]:
    """Every turn that leaves what is fixed as it looks, moves first, then rotations (see ``Game.turns``)."""
    if state.phase == "over":
        return
    now = visible(state)
    for action in _actions(state, frozenset(fixed)):
        following = after(state, action)
        then = visible(following) if fixed else now
        if all(now.get(name) == then.get(name) for name in fixed):
            yield Turn((action,), following)


def _actions(state: State, fixed: Collection[Square]) -> Iterator[Action]:
    """Every legal action, rotations with each choice of markers; only those that change no fixed field."""
    for route in routes(state):
        if route.start not in fixed and route.to not in fixed:
            for move in moves_on(state, route):
                if move.mark not in fixed and move.meet not in fixed:
                    yield move
    for name, heading, choice in rotations(state) if can_move(state) else ():
        if name not in fixed and isinstance(choice, Choice):
            fields = [field for field in choice.origin if field not in fixed]
            for remove in combinations(fields, choice.choose):
                yield Rotate(name, heading, remove)


def _shown(state: State, seen: Seen) -> Iterator[Action]:
    """The actions that a picture leaves possible, by what changed; whether they are legal is not looked at."""
    player = state.to_act
    chevrons, markers = _own(visible(state), player)
    chevrons_seen, markers_seen = _own(seen, player)
    left, arrived = chevrons - chevrons_seen, chevrons_seen - chevrons
    if len(left) != 1 or len(arrived) != 1:
        return
    (start, _), (to, heading) = *left, *arrived
    if start == to:
        yield Rotate(start, heading, tuple(sorted(markers - markers_seen)))
        return
    route = route_of(state, start, to)
    if route is None:
        return
    claimed = markers_seen - markers - ({to} if route.captures else set())
    rest = claimed.difference(route.passed)
    if len(rest) <= 1:
        yield Move(start, to, None, True, next(iter(rest), None))
    if len(claimed) <= 2:
        spare = (None,) * (2 - len(claimed))
        for mark, meet in set(permutations((*claimed, *spare))):
            yield Move(start, to, mark, False, meet)


def _own(seen: Seen, player: str) -> tuple[set[tuple[Square, Heading]], set[Square]]:
    """The chevrons of a player that are seen, with their headings, and the fields with the player's markers."""
    chevrons, markers = set(), set()
    for name, content in seen.items():
        if isinstance(content, OnField):
            if content.chevron is not None and content.chevron.colour == player:
                chevrons.add((name, content.chevron.heading))
            if content.marker == player:
                markers.add(name)
    return chevrons, markers
