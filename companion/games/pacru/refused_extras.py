"""Why an extra of a move is not to be had, or not to be declined; the route of the move is a legal one."""

from __future__ import annotations

from companion.errors import IllegalAction
from companion.games.pacru.actions import Move
from companion.games.pacru.extras import (
    can_connect,
    crossing_fields,
    has_met,
    marks_after_capture,
    marks_before_meeting,
    meeting_fields,
    second_steps,
)
from companion.games.pacru.ground import BORDERLAND, LINES, OPPOSITE
from companion.games.pacru.moving import Route
from companion.games.pacru.state import State
from companion.games.phrases import counted, listed
from companion.squares import Square


def why_no_crossing(state: State, route: Route, mark: Square | None) -> IllegalAction | None:
    """What is wrong with the mark for the border crossing, or for the filled borderland."""
    fields = crossing_fields(state, route)
    if mark is None or mark in fields:
        return None
    player, to, entered = state.to_act, route.to, BORDERLAND[route.to]
    if entered == BORDERLAND[route.start]:
        return IllegalAction(
            "PACRU-CROSS-1", f"from {route.start} to {to} no border is crossed, so there is no mark for one"
        )
    markers, supply = marks_after_capture(state, route)
    if not supply[player]:
        return _over(player)
    if mark not in entered:
        return IllegalAction(
            "PACRU-CROSS-1", f"the mark goes into the borderland entered, {entered[0]} to {entered[-1]}, not on {mark}"
        )
    if mark == to and mark not in markers:
        return IllegalAction(
            "R-LANDING", f"the option landing_field is off: {mark}, where the move ends, is not marked"
        )
    owner = markers.get(mark)
    if owner == player:
        return IllegalAction("PACRU-CROSS-1", f"{mark} is an own field already")
    if mark in state.chevrons:
        return IllegalAction("R-CHEVRON", f"a chevron is on {mark}, and a field with a chevron is not marked")
    neutral = [name for name in entered if name not in markers]
    return IllegalAction(
        "PACRU-CROSS-2",
        f"{mark} has a marker of {owner}, and the borderland entered still has {listed(neutral)} without one",
    )


def why_no_connection(state: State, route: Route, connect: bool) -> IllegalAction | None:
    """What is wrong with a connection change."""
    if not connect or can_connect(state, route):
        return None
    player, markers = state.to_act, state.markers
    if route.captures:
        return IllegalAction("R-CONN-PINCER", f"{route.to} was not own before the pincer, so it ends no connection")
    if not route.passed:
        return IllegalAction("PACRU-CONN-1", "the move is one field long, so there are no fields between to mark")
    for name in (route.start, route.to):
        if markers.get(name) != player:
            return IllegalAction(
                "PACRU-CONN-1", f"a connection leads from an own field to an own one, {name} is not own"
            )
    if route.jumps:
        return IllegalAction("PACRU-CONN-1", "the move jumps over a chevron, and then no connection is changed")
    return IllegalAction(
        "R-CONN-EMPTY",
        f"all fields between {route.start} and {route.to} are own already: there is nothing to change",
    )


def why_no_meeting(state: State, route: Route, move: Move) -> IllegalAction | None:
    """What is wrong with the mark for the meeting; the second step of the move is a legal one."""
    meet = move.meet
    if meet is None:
        return None
    player, options, to = state.to_act, state.options, route.to
    if not has_met(state, route):
        return IllegalAction(
            "PACRU-MEET-1",
            f"no own chevron is next to {to} in the heading {route.heading} that heads {OPPOSITE[route.heading]}",
        )
    marks = marks_before_meeting(state, route, move.mark, move.connect)
    if meet in meeting_fields(state, route, marks):
        return None
    if not marks.supply[player]:
        return _over(player)
    for name in (to, LINES[to][route.heading][0]):
        if options.meeting_on_markers and marks.markers.get(name) != player:
            return IllegalAction("R-MEET-OWN", f"both chevrons must stand on own markers to meet, and {name} has none")
    if meet == to or (meet in state.chevrons and meet != route.start):
        return IllegalAction("R-CHEVRON", f"a chevron is on {meet}, and a field with a chevron is not marked")
    owner = marks.markers.get(meet)
    if owner == player:
        return IllegalAction("PACRU-MEET-1", f"{meet} is an own field already")
    if owner is not None and options.meeting_target == "neutral":
        return IllegalAction("R-MEET-TARGET", f"{meet} has a marker of {owner}, and a meeting marks a neutral field")
    return IllegalAction(
        "R-MEET-NINE",
        f"a meeting counts only while an opponent has {counted(options.meeting_threshold, 'marker')} on the board",
    )


def why_not_declined(state: State, route: Route, move: Move) -> IllegalAction | None:
    """An extra that the option ``bonuses`` makes mandatory and the move leaves out (R-BONUS)."""
    if state.options.bonuses != "mandatory":
        return None
    if (move.mark, move.connect) not in second_steps(state, route):
        return IllegalAction(
            "R-BONUS", "the mark for the border or the connection change is mandatory here, and the move names neither"
        )
    marks = marks_before_meeting(state, route, move.mark, move.connect)
    if move.meet is None and has_met(state, route) and meeting_fields(state, route, marks):
        return IllegalAction("R-BONUS", "the mark for the meeting is mandatory here, and the move does not name it")
    return None


def _over(player: str) -> IllegalAction:
    return IllegalAction(
        "PACRU-MOVE-7", f"{player} has put the last marker on the board in a step before: the move names no more extras"
    )
