"""Where chevrons can move, before any extras (PACRU-MOVE-1 to PACRU-MOVE-5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from companion.games.pacru.ground import BORDERLAND, DIRECTIONS, LINES
from companion.games.pacru.pieces import FIELDS, HEADINGS, Heading
from companion.games.pacru.state import State
from companion.squares import Square


class Route(NamedTuple):
    """A way that a chevron can go.

    heading: the direction in which it goes, and its heading afterwards. passed: the fields between start and end, from
    the start on. entered: the borderland that it enters, None when it stays in one. ahead: the field in front of the
    chevron once it has moved, "" at the edge. jumps: a chevron is on one of the fields passed. captures: it is a
    pincer.
    """

    start: Square
    to: Square
    heading: Heading
    passed: tuple[Square, ...]
    entered: tuple[Square, ...] | None
    ahead: Square
    jumps: bool = False
    captures: bool = False


def _routes_on(start: Square, heading: Heading) -> tuple[Route, ...]:
    line = LINES[start][heading]
    return tuple(
        Route(
            start,
            to,
            heading,
            line[:distance],
            BORDERLAND[to] if BORDERLAND[to] != BORDERLAND[start] else None,
            line[distance + 1] if to != line[-1] else "",
        )
        for distance, to in enumerate(line)
    )


_ROUTES = {(start, heading): _routes_on(start, heading) for start in FIELDS for heading in HEADINGS}
AHEAD: Mapping[Square, Mapping[Heading, tuple[tuple[Route, ...], ...]]] = {
    start: {heading: tuple(_ROUTES[start, way] for way in DIRECTIONS[heading]) for heading in HEADINGS}
    for start in FIELDS
}
"""The ways of a chevron on each field and of each heading, in its three directions up to the edge, as if there was
nothing else on the board."""


def power(state: State, start: Square) -> int:
    """How many fields a chevron of the player to act can go from a field (PACRU-MOVE-2)."""
    return [*map(state.markers.get, BORDERLAND[start])].count(state.to_act) or 1


def routes(state: State) -> Iterator[Route]:
    """Every way that the player to act can move a chevron; pincers come last."""
    player = state.to_act
    attacks: dict[Square, list[Route]] = {}
    for start, chevron in state.chevrons.items():
        if chevron.colour == player:
            yield from _ahead(state, start, chevron.heading, attacks)
    for attackers in attacks.values():
        if len(attackers) >= 2:
            for route in attackers:
                yield route._replace(captures=True)


def route_of(state: State, start: Square, to: Square) -> Route | None:
    """The way that the player to act can move from one field to another, None when there is none."""
    return next((route for route in routes(state) if route.start == start and route.to == to), None)


def can_move(state: State) -> bool:
    """Whether the player to act has a legal move (PACRU-OUT-1)."""
    return next(routes(state), None) is not None


def _ahead(state: State, start: Square, heading: Heading, attacks: dict[Square, list[Route]]) -> list[Route]:
    """The ways of one chevron to fields without chevrons.

    attacks: its ways to enemy chevrons are added here by their ends, for it takes two to capture (PACRU-MOVE-5).
    """
    player, chevrons, markers = state.to_act, state.chevrons, state.markers
    reach = power(state, start)
    ahead = []
    for line in AHEAD[start][heading]:
        jumps = False
        for route in line[:reach]:
            to = route.to
            if to in chevrons:
                if not jumps and chevrons[to].colour != player:
                    attacks.setdefault(to, []).append(route)
                jumps = True
            elif jumps:
                if markers.get(start) == markers.get(to) == player:
                    ahead.append(route._replace(jumps=True))
            elif markers.get(to, player) == player:
                ahead.append(route)
    return ahead
