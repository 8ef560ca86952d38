"""Why an action is not legal, by the ID of the rule or ruling that it breaks."""

from __future__ import annotations

from companion.errors import IllegalAction
from companion.games.pacru.actions import Action, Choice, Move, Rotate
from companion.games.pacru.ground import DIRECTIONS, LINES
from companion.games.pacru.moving import can_move, power, route_of
from companion.games.pacru.refused_extras import why_no_connection, why_no_crossing, why_no_meeting, why_not_declined
from companion.games.pacru.rotating import TURNS, removable
from companion.games.pacru.state import State
from companion.games.pacru.words import heads
from companion.games.phrases import counted, listed
from companion.squares import Square


def why_not(state: State, action: Action) -> IllegalAction | None:
    """The rule that an action breaks, None when the action is legal."""
    if state.phase == "over":
        rule = "PACRU-END-1" if state.ending == "markers" else "PACRU-END-2"
        return IllegalAction(rule, f"the game is over, {state.winner} has won")
    start = action.field if isinstance(action, Rotate) else action.start
    chevron = state.chevrons.get(start)
    if chevron is None or chevron.colour != state.to_act:
        there = "no chevron" if chevron is None else f"a chevron of {chevron.colour}"
        own = [name for name, other in state.chevrons.items() if other.colour == state.to_act]
        return IllegalAction(
            "PACRU-TURN-1",
            f"{there} is on {start}; {state.to_act} moves or rotates one of those on {listed(sorted(own))}",
        )
    return _rotation(state, action) if isinstance(action, Rotate) else _move(state, action)


def _move(state: State, move: Move) -> IllegalAction | None:
    route = route_of(state, move.start, move.to)
    if route is None:
        return _no_route(state, move.start, move.to)
    if move.mark is not None and move.connect:
        return IllegalAction(
            "PACRU-MOVE-6", "a move brings the mark for the border or the connection change, not both: name one of them"
        )
    return (
        why_no_crossing(state, route, move.mark)
        or why_no_connection(state, route, move.connect)
        or why_no_meeting(state, route, move)
        or why_not_declined(state, route, move)
    )


def _no_route(state: State, start: Square, to: Square) -> IllegalAction:
    """Why a chevron cannot go from one field to another (PACRU-MOVE-1 to PACRU-MOVE-5)."""
    player, heading = state.to_act, state.chevrons[start].heading
    way = next((way for way in DIRECTIONS[heading] if to in LINES[start][way]), None)
    if way is None:
        ways = listed([heads(way) for way in DIRECTIONS[heading]])
        return IllegalAction(
            "PACRU-MOVE-1", f"the chevron on {start} goes {ways}, and {to} is in none of these directions"
        )
    distance, reach = LINES[start][way].index(to) + 1, power(state, start)
    if distance > reach:
        return IllegalAction(
            "PACRU-MOVE-2",
            f"the chevron on {start} has a power of {counted(reach, 'field')}, and {to} is {distance} fields away",
        )
    passed = LINES[start][way][: distance - 1]
    between = [name for name in passed if name in state.chevrons]
    standing = state.chevrons.get(to)
    if standing is not None and standing.colour == player:
        return IllegalAction("PACRU-MOVE-3", f"on {to} is an own chevron, a move ends on a field without one")
    if standing is not None and between:
        return IllegalAction(
            "PACRU-MOVE-5", f"a pincer never jumps, and a chevron is on {between[0]}, between {start} and {to}"
        )
    if standing is not None:
        return IllegalAction(
            "PACRU-MOVE-5",
            f"a pincer needs two own chevrons that attack {to}, and only the one on {start} does",
        )
    if state.markers.get(to, player) != player:
        return IllegalAction(
            "PACRU-MOVE-3", f"{to} has a marker of {state.markers[to]}, a move ends on a neutral or an own field"
        )
    return IllegalAction(
        "PACRU-MOVE-4",
        f"a chevron is on {between[0]}: only from an own field to an own field can a move jump over it, and "
        f"{start if state.markers.get(start) != player else to} is not own",
    )


def _rotation(state: State, action: Rotate) -> IllegalAction | None:
    """What is wrong with a rotation of an own chevron (PACRU-TURN-2, PACRU-ROT-1, PACRU-ROT-2)."""
    player, remove = state.to_act, action.remove
    if not can_move(state):
        return IllegalAction("PACRU-TURN-2", f"{player} cannot move any chevron, and who cannot move may not rotate")
    before = state.chevrons[action.field].heading
    cost = TURNS[before].get(action.heading)
    if cost is None:
        return IllegalAction(
            "PACRU-ROT-1",
            f"the chevron on {action.field} heads {heads(before)}, and a rotation turns it by 45° or 90°: "
            f"not to the {heads(action.heading)}",
        )
    fields = removable(state)
    if len(fields) < cost:
        return IllegalAction(
            "PACRU-ROT-2", f"this rotation costs {cost} markers, and {player} can take off only {len(fields)}"
        )
    if isinstance(remove, Choice):
        return IllegalAction("PACRU-ROT-2", f"remove must name the {cost} fields from which {player} takes the markers")
    if len(remove) != cost:
        return IllegalAction("PACRU-ROT-1", f"this rotation costs {cost} markers, not {len(remove)}")
    for name in remove:
        if state.markers.get(name) != player:
            return IllegalAction("PACRU-ROT-2", f"{player} has no marker on {name} that could be taken off")
        if name not in fields:
            return IllegalAction("R-ROT-WHICH", f"a chevron is on {name}, and markers come from fields without one")
        if remove.count(name) > 1:
            return IllegalAction("PACRU-ROT-2", f"{name} is named more than once, and there is one marker on it")
    return None
