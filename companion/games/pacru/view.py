"""What can be seen of a state: all of it, by a camera above the table and by everybody at it."""

from __future__ import annotations

from typing import Any

from companion.errors import BadCommand
from companion.games.pacru.pieces import OnField
from companion.games.pacru.state import State
from companion.squares import Square


def visible(state: State) -> dict[Square, OnField]:
    """What a camera above the table must see."""
    seen = {name: OnField(owner, state.chevrons.get(name)) for name, owner in state.markers.items()}
    for name, chevron in state.chevrons.items():
        if name not in seen:
            seen[name] = OnField(None, chevron)
    return seen


def view(state: State, viewer: str) -> dict[str, Any]:
    """The state as JSON; nothing in it is hidden from anybody. Raises BadCommand for who is not at the table."""
    if viewer != "public" and viewer not in state.players:
        known = ", ".join(("public", *state.players))
        raise BadCommand(f"nobody at this table is {viewer!r}; a view is for one of: {known}")
    return state.to_json()
