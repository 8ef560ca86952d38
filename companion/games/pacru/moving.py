"""Where chevrons can move, before any extras (PACRU-MOVE-1 to PACRU-MOVE-5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.games.pacru.ground import BORDERLAND, DIRECTIONS, LINES
from companion.games.pacru.pieces import Heading
from companion.games.pacru.state import State
from companion.squares import Square


class Route(NamedTuple):
    """A way that a chevron can go.

    heading: the direction in which it goes, and its heading afterwards. passed: the fields between start and end, from
    the start on. jumps: a chevron is on one of them. captures: it is a pincer.
    """

    start: Square
    to: Square
    heading: Heading
    passed: tuple[Square, ...]
    jumps: bool = False
    captures: bool = False


def power(state: State, start: Square) -> int:
    """How many fields a chevron of the player to act can go from a field (PACRU-MOVE-2)."""
    player, markers = state.to_act, state.markers
    return [markers.get(name) for name in BORDERLAND[start]].count(player) or 1


def routes(state: State) -> Iterator[Route]:
    """Every way that the player to act can move a chevron; pincers come last."""
    player, chevrons = state.to_act, state.chevrons
    attacks: dict[Square, list[Route]] = {}
    for start, chevron in chevrons.items():
        if chevron.colour == player:
            for route in _ahead(state, start, chevron.heading):
                if route.captures:
                    attacks.setdefault(route.to, []).append(route)
                else:
                    yield route
    for attackers in attacks.values():
        if len(attackers) >= 2:
            yield from attackers


def route_of(state: State, start: Square, to: Square) -> Route | None:
    """The way that the player to act can move from one field to another, None when there is none."""
    return next((route for route in routes(state) if route.start == start and route.to == to), None)


def can_move(state: State) -> bool:
    """Whether the player to act has a legal move (PACRU-OUT-1)."""
    return next(routes(state), None) is not None


def _ahead(state: State, start: Square, heading: Heading) -> list[Route]:
    """The ways of one chevron; those that capture are attacks, which need a second one (PACRU-MOVE-5)."""
    player, chevrons, markers = state.to_act, state.chevrons, state.markers
    starts_own = markers.get(start) == player
    reach = power(state, start)
    ahead = []
    for way in DIRECTIONS[heading]:
        line = LINES[start][way][:reach]
        jumps = False
        for distance, to in enumerate(line):
            chevron = chevrons.get(to)
            if chevron is None:
                owner = markers.get(to)
                ends_own = owner == player
                if (ends_own or owner is None) and (not jumps or (starts_own and ends_own)):
                    ahead.append(Route(start, to, way, line[:distance], jumps))
                continue
            if chevron.colour != player and not jumps:
                ahead.append(Route(start, to, way, line[:distance], False, True))
            jumps = True
    return ahead
