"""What can be seen of a state: by a camera above the table, and by a viewer (STONE-3)."""

from __future__ import annotations

from typing import Any

from companion.errors import BadCommand
from companion.games.pacal.pieces import Ship, Stones
from companion.games.pacal.state import State
from companion.observation import Content
from companion.squares import Square


def visible(state: State) -> dict[Square, Content]:
    """What a camera above the table must see."""
    seen: dict[Square, Content] = dict(state.pyramids)
    for name, colours in state.stones.items():
        seen[name] = Stones(tuple(sorted(colours)))
    # Last, because a ship hides the stones on its square.
    for colour, square in state.ships.items():
        if square is not None:
            seen[square] = Ship(colour)
    return seen


def view(state: State, viewer: str) -> dict[str, Any]:
    """The state as JSON without the stones under ships, but for the viewer's own. Raises BadCommand."""
    if viewer != "public" and viewer not in state.players:
        known = ", ".join(("public", *state.players))
        raise BadCommand(f"nobody at this table is {viewer!r}; a view is for one of: {known}")
    data = state.to_json()
    for square in state.ship_squares():
        hidden = data["stones"].pop(square, {})
        if viewer in hidden:
            data["stones"][square] = {viewer: hidden[viewer]}
    return data
