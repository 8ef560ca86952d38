"""What can be seen of a state: by a camera above the table, and by a viewer."""

from __future__ import annotations

from typing import Any

from companion.errors import BadCommand
from companion.games.pompeji.city import City, frame
from companion.games.pompeji.pieces import Content
from companion.games.pompeji.state import State
from companion.squares import Square, square


def visible(city: City) -> dict[Square, Content]:
    """What a camera above the table must see: the city, from its top left most occupied row and column."""
    top, left, _, _ = frame(city)
    return {square(column - left, row - top): content for (row, column), content in city.items()}


def view(state: State, viewer: str) -> dict[str, Any]:
    """The state as JSON, of the pile and of the hands of others only how many cards they have. Raises BadCommand."""
    if viewer != "public" and viewer not in state.players:
        known = ", ".join(("public", *state.players))
        raise BadCommand(f"nobody at this table is {viewer!r}; a view is for one of: {known}")
    data = state.to_json()
    if not state.options.hidden:
        data["pile"] = state.pile_size
        for player in state.players:
            if player != viewer:
                data["hands"][player] = state.hand_size(player)
    return data
