"""What can be done now, and how the board is drawn: JSON for the public page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.games.pacru.actions import Move, Rotate
from companion.games.pacru.extras import can_connect, moves_on
from companion.games.pacru.ground import BORDERLAND
from companion.games.pacru.moving import Route, power, routes
from companion.games.pacru.pieces import FIELDS, SIDE
from companion.games.pacru.rotating import rotations
from companion.games.pacru.scoring import leaders
from companion.games.pacru.state import State
from companion.games.pacru.words import describe
from companion.games.phrases import counted, listed
from companion.squares import Square


def outlook(state: State) -> dict[str, Any]:
    """What can be done in this turn, how far chevrons can go, who holds each borderland, and how near the end is."""
    ways = [] if state.phase == "over" else list(routes(state))
    return {
        "todo": _todo(state),
        "powers": _powers(state),
        "moves": [_move(state, route) for route in sorted(ways, key=lambda route: (route.start, route.to))],
        "rotations": [_rotation(state, rotation) for rotation in sorted(rotations(state))] if ways else [],
        "borderlands": {entry[0]: _markers(state, entry) for entry in borderlands()},
        "end": end(state),
    }


def drawing(state: State) -> dict[str, Any]:
    """The size of the board and its borderlands, each with its fields."""
    return {"columns": SIDE, "rows": SIDE, "borderlands": {entry[0]: list(entry) for entry in borderlands()}}


def borderlands() -> Iterable[tuple[Square, ...]]:
    """The nine borderlands; their first fields name them."""
    return dict.fromkeys(BORDERLAND[name] for name in FIELDS)


def end(state: State) -> str:
    """How near the end is, in one sentence."""
    if state.phase == "over":
        why = "has put the last marker on the board" if state.ending == "markers" else "is the last in the game"
        return f"The game is over: {state.winner} {why}."
    first = leaders(state)
    verb = "needs" if len(first) == 1 else "need"
    return f"{listed(first)} {verb} {counted(state.supply[first[0]], 'more marker')} on the board to win."


def _todo(state: State) -> list[dict[str, str]]:
    if state.phase == "over":
        return []
    return [{"step": "turn", "state": "now", "text": "move one chevron, or rotate one"}]


def _powers(state: State) -> dict[Square, int]:
    if state.phase == "over":
        return {}
    return {name: power(state, name) for name, chevron in state.chevrons.items() if chevron.colour == state.to_act}


def _move(state: State, route: Route) -> dict[str, Any]:
    """A route, with the move that takes fewest extras on it, and the fields that each extra could mark."""
    ways = moves_on(state, route)
    plainest = min(ways, key=_extras)
    captured = state.chevrons.get(route.to)
    between = route.passed if can_connect(state, route) else ()
    return {
        "action": plainest.to_json(),
        "text": describe(plainest, state.to_act),
        "from": route.start,
        "to": route.to,
        "heading": route.heading,
        "captures": captured and captured.colour,
        "marks": sorted({way.mark for way in ways if way.mark is not None}),
        "connects": [name for name in between if state.markers.get(name) != state.to_act],
        "meets": sorted({way.meet for way in ways if way.meet is not None}),
    }


def _extras(move: Move) -> int:
    return (move.mark is not None) + move.connect + (move.meet is not None)


def _rotation(state: State, rotation: Rotate) -> dict[str, Any]:
    """A rotation whose action leaves open which markers it takes."""
    return {
        "action": rotation.to_json(),
        "text": describe(rotation, state.to_act),
        "field": rotation.field,
        "heading": rotation.heading,
    }


def _markers(state: State, fields: tuple[Square, ...]) -> dict[str, int]:
    """The markers of each player who has any in a borderland."""
    owners = [state.markers[name] for name in fields if name in state.markers]
    return {player: owners.count(player) for player in state.players if player in owners}
