"""What is legal in a turn, and the state after it (PACRU-TURN-1, PACRU-OUT-1 to PACRU-END-2)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.pacru.actions import Action, Choice, Move, Rotate
from companion.games.pacru.extras import Marks, marks_before_meeting, moves
from companion.games.pacru.moving import can_move, route_of
from companion.games.pacru.pieces import Chevron
from companion.games.pacru.rotating import rotations
from companion.games.pacru.state import State


def legal(state: State) -> list[Action]:
    """Every legal action of the player to act, sorted by canonical JSON; rotations with their choice left open."""
    if state.phase == "over":
        return []
    ways = moves(state)
    if not ways:
        # Who cannot move may not rotate either (PACRU-TURN-2).
        return []
    # In JSON an action begins with "connect", "field" or "from".
    connecting = [way for way in ways if way.connect]
    others = [way for way in ways if not way.connect] if connecting else ways
    return [*connecting, *sorted(rotations(state)), *others]


def after(state: State, action: Action) -> State:
    """The state after an action that is legal; whether it is must be known already."""
    if isinstance(action, Rotate):
        return _end_turn(_rotated(state, action))
    return _end_turn(_moved(state, action))


def _moved(state: State, move: Move) -> State:
    """A move carried out in the order of PACRU-MOVE-6."""
    player = state.to_act
    route = route_of(state, move.start, move.to)
    assert route is not None
    chevrons = {name: chevron for name, chevron in state.chevrons.items() if name != move.start}
    chevrons[move.to] = Chevron(player, route.heading)
    marks = marks_before_meeting(state, route, move.mark, move.connect)
    if move.meet is not None:
        marks = marks.put(player, (move.meet,))
    return replace(state, chevrons=chevrons, markers=marks.markers, supply=marks.supply)


def _rotated(state: State, action: Rotate) -> State:
    assert not isinstance(action.remove, Choice)
    chevrons = {**state.chevrons, action.field: Chevron(state.to_act, action.heading)}
    marks = Marks(state.markers, state.supply).take(state.to_act, action.remove)
    return replace(state, chevrons=chevrons, markers=marks.markers, supply=marks.supply)


def _end_turn(state: State) -> State:
    """The next player's turn, or the end of the game (PACRU-END-1, PACRU-END-2)."""
    player = state.to_act
    state = replace(state, turn=state.turn + 1)
    if not state.supply[player]:
        return replace(state, phase="over", winner=player, ending="markers")
    standing = {chevron.colour for chevron in state.chevrons.values()}
    gone = tuple(other for other in state.others(player) if other not in standing and other not in state.out)
    state = replace(state, out=state.out + gone)
    for following in state.others(player):
        if following in state.out:
            continue
        state = replace(state, to_act=following)
        if can_move(state):
            return state
        state = _without(state, following)
    return replace(state, phase="over", to_act=player, winner=player, ending="last")


def _without(state: State, player: str) -> State:
    """The state without the chevrons of a player who is out (PACRU-OUT-1)."""
    chevrons = {name: chevron for name, chevron in state.chevrons.items() if chevron.colour != player}
    return replace(state, chevrons=chevrons, out=(*state.out, player))
