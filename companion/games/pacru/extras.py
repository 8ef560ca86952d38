"""What a move brings besides: captures, and marks for borders, connections and meetings (PACRU-MOVE-6, its extras)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from companion.games.pacru.actions import LAST, Move
from companion.games.pacru.ground import BORDERLAND, OPPOSITE
from companion.games.pacru.moving import Route, routes
from companion.games.pacru.pieces import FIELDS
from companion.games.pacru.state import SETS, State
from companion.squares import Square


class Marks(NamedTuple):
    """The markers on the board, and those in the supplies; neither is ever changed."""

    markers: Mapping[Square, str]
    supply: Mapping[str, int]

    def put(self, player: str, fields: Iterable[Square]) -> Marks:
        """With the player's markers on these fields, while there are any (PACRU-MARK-1, PACRU-MOVE-7)."""
        markers, supply = dict(self.markers), dict(self.supply)
        for name in fields:
            owner = markers.get(name)
            if owner == player or not supply[player]:
                continue
            if owner is not None:
                supply[owner] += 1
            markers[name] = player
            supply[player] -= 1
        return Marks(markers, supply)

    def take(self, player: str, fields: Iterable[Square]) -> Marks:
        """Without the player's markers on these fields (PACRU-ROT-2)."""
        gone = frozenset(fields)
        markers = {name: owner for name, owner in self.markers.items() if name not in gone}
        return Marks(markers, {**self.supply, player: self.supply[player] + len(gone)})


def moves(state: State) -> list[Move]:
    """Every legal move of the player to act, sorted by from, mark, meet, to; what is left out comes last."""
    found = [move for route in sorted(routes(state)) for move in moves_on(state, route)]
    return sorted(found, key=lambda move: f"{move.start}{move.mark or LAST}{move.meet or LAST}")


def moves_on(state: State, route: Route) -> list[Move]:
    """The legal moves on a route: the move with every choice of extras."""
    start, to = route.start, route.to
    steps = second_steps(state, route)
    if route.ahead not in state.chevrons or not has_met(state, route):
        ready = _ready_moves(start, to)
        return [ready[step] for step in steps]
    found = []
    for mark, connect in steps:
        fields = meeting_fields(state, route, marks_before_meeting(state, route, mark, connect))
        if not fields or state.options.bonuses != "mandatory":
            found.append(Move(start, to, mark, connect))
        found += [Move(start, to, mark, connect, name) for name in fields]
    return found


def second_steps(state: State, route: Route) -> list[tuple[Square | None, bool]]:
    """What can be taken in the second step: the field of a border crossing, or a connection change, or neither."""
    steps: list[tuple[Square | None, bool]] = [(name, False) for name in crossing_fields(state, route)]
    if route.passed and can_connect(state, route):
        steps.append((None, True))
    if not steps or state.options.bonuses != "mandatory":
        steps.append((None, False))
    return steps


def crossing_fields(state: State, route: Route) -> list[Square]:
    """The fields that may be marked for a border crossing (PACRU-CROSS-1, PACRU-CROSS-2), sorted as text."""
    entered = route.entered
    if entered is None:
        return []
    player, to, chevrons, markers = state.to_act, route.to, state.chevrons, state.markers
    if route.captures:
        if state.supply[player] == 1:
            # The marker under the captured chevron is the last one, and the game is over (PACRU-MOVE-7).
            return []
        markers = {**markers, to: player}
    free = [name for name in entered if name not in markers and name not in chevrons]
    if not state.options.landing_field and to in free:
        free.remove(to)
    if free or (state.options.filled_borderland == "marked" and any(name not in markers for name in entered)):
        return free
    return [name for name in entered if name not in chevrons and markers.get(name, player) != player]


def can_connect(state: State, route: Route) -> bool:
    """Whether the connection between start and end may be changed (PACRU-CONN-1)."""
    player, markers = state.to_act, state.markers
    return (
        not route.jumps
        and markers.get(route.start) == markers.get(route.to) == player
        and any(markers.get(name) != player for name in route.passed)
    )


def has_met(state: State, route: Route) -> bool:
    """Whether a chevron of the same colour faces the one that moved (PACRU-MEET-1)."""
    other = state.chevrons.get(route.ahead)
    return other is not None and other.colour == state.to_act and other.heading == OPPOSITE[route.heading]


def marks_after_capture(state: State, route: Route) -> Marks:
    """The markers after the first step of a move (PACRU-MOVE-5)."""
    marks = Marks(state.markers, state.supply)
    return marks.put(state.to_act, (route.to,)) if route.captures else marks


def marks_before_meeting(state: State, route: Route, mark: Square | None, connect: bool) -> Marks:
    """The markers after the second step of a move."""
    marks = marks_after_capture(state, route)
    if mark is not None:
        return marks.put(state.to_act, (mark,))
    return marks.put(state.to_act, route.passed) if connect else marks


def meeting_fields(state: State, route: Route, marks: Marks) -> list[Square]:
    """The fields that may be marked for a meeting that there is, sorted as text.

    marks: as they are after the second step.
    """
    player, options, (markers, supply) = state.to_act, state.options, marks
    if not supply[player]:
        return []
    if options.meeting_on_markers and not (markers.get(route.to) == markers.get(route.ahead) == player):
        return []
    pieces = SETS[len(state.players)].markers
    if all(pieces - supply[other] < options.meeting_threshold for other in state.others(player)):
        return []
    occupied = state.chevrons.keys() - {route.start} | {route.to}
    if options.meeting_target == "any":
        return [name for name in FIELDS if name not in occupied and markers.get(name) != player]
    return [name for name in FIELDS if name not in occupied and name not in markers]


@lru_cache(maxsize=1024)
def _ready_moves(start: Square, to: Square) -> dict[tuple[Square | None, bool], Move]:
    """The moves with each second step, made once: there are dozens in a list, and the same in many lists."""
    steps = [(None, False), (None, True), *[(mark, False) for mark in BORDERLAND[to]]]
    return {(mark, connect): Move(start, to, mark, connect) for mark, connect in steps}
