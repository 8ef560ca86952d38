"""Turning a chevron where it stands (PACRU-ROT-1, PACRU-ROT-2)."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.pacru.actions import Choice, Rotate
from companion.games.pacru.ground import turned
from companion.games.pacru.pieces import HEADINGS, Heading
from companion.games.pacru.state import State
from companion.squares import Square

TURNS: Mapping[Heading, Mapping[Heading, int]] = {
    heading: {turned(heading, eighths): cost for eighths, cost in ((-2, 4), (-1, 2), (1, 2), (2, 4))}
    for heading in HEADINGS
}
"""What it costs to turn a chevron from each heading to those that it can be turned to, in markers (PACRU-ROT-1)."""


def removable(state: State) -> tuple[Square, ...]:
    """The fields from which the player to act can take a marker for a rotation, sorted as text."""
    player, bound = state.to_act, () if state.options.rotation_markers == "any" else state.chevrons
    return tuple(sorted([name for name, owner in state.markers.items() if owner == player and name not in bound]))


def rotations(state: State) -> list[Rotate]:
    """Every rotation that the player to act can pay, the choice of markers left open; moves are not looked at."""
    player, fields = state.to_act, removable(state)
    choices = {cost: Choice(cost, fields) for cost in (2, 4) if cost <= len(fields)}
    return [
        Rotate(name, heading, choices[cost])
        for name, chevron in state.chevrons.items()
        if chevron.colour == player
        for heading, cost in TURNS[chevron.heading].items()
        if cost in choices
    ]
