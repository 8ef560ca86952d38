"""Turning a chevron where it stands (PACRU-ROT-1, PACRU-ROT-2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.games.pacru.actions import Choice, Rotate
from companion.games.pacru.ground import turned
from companion.games.pacru.pieces import Heading
from companion.games.pacru.state import State
from companion.squares import Square

PRICES: Mapping[int, int] = {-2: 4, -1: 2, 1: 2, 2: 4}
"""What a turn by so many times 45° costs, in markers."""


def price(before: Heading, after: Heading) -> int | None:
    """The markers that a rotation costs; None for one that there is not."""
    return next((cost for eighths, cost in PRICES.items() if turned(before, eighths) == after), None)


def removable(state: State) -> tuple[Square, ...]:
    """The fields from which the player to act can take a marker for a rotation, sorted as text."""
    player, everywhere = state.to_act, state.options.rotation_markers == "any"
    own = (name for name, owner in state.markers.items() if owner == player)
    return tuple(sorted(name for name in own if everywhere or name not in state.chevrons))


def rotations(state: State) -> Iterator[Rotate]:
    """Every rotation that the player to act can pay, the choice of markers left open; moves are not looked at."""
    fields = removable(state)
    for name, chevron in state.chevrons.items():
        if chevron.colour == state.to_act:
            for eighths, cost in PRICES.items():
                if cost <= len(fields):
                    yield Rotate(name, turned(chevron.heading, eighths), Choice(cost, fields))
