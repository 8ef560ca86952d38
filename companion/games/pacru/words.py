"""Actions and pieces in words, for buttons, logs and questions."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.pacru.actions import Action, Choice, Move, Rotate
from companion.games.pacru.pieces import Chevron, Heading, OnField
from companion.games.phrases import listed

HEADING_NAMES: Mapping[Heading, str] = {
    "N": "north",
    "NE": "north-east",
    "E": "east",
    "SE": "south-east",
    "S": "south",
    "SW": "south-west",
    "W": "west",
    "NW": "north-west",
}


def describe(action: Action, player: str) -> str:
    """An action in words: ``red moves from C5 to D5, marks D4 for the border``."""
    if isinstance(action, Move):
        parts = [f"{player} moves from {action.start} to {action.to}"]
        if action.mark is not None:
            parts.append(f"marks {action.mark} for the border")
        if action.connect:
            parts.append("marks all fields between")
        if action.meet is not None:
            parts.append(f"marks {action.meet} for the meeting")
        return ", ".join(parts)
    return f"{player} turns the chevron on {action.field} to the {heads(action.heading)}, {_paid(action)}"


def heads(heading: Heading) -> str:
    """A heading in words: ``north-east``."""
    return HEADING_NAMES[heading]


def name_on_field(content: OnField | None) -> str:
    """What is on a field, in words; None is nothing."""
    match content:
        case OnField(str(marker), Chevron(colour, heading)):
            return f"a {colour} chevron heading {heads(heading)} on a {marker} marker"
        case OnField(None, Chevron(colour, heading)):
            return f"a {colour} chevron heading {heads(heading)}"
        case OnField(str(marker), None):
            return f"a {marker} marker"
    return "nothing"


def _paid(action: Rotate) -> str:
    if isinstance(action.remove, Choice):
        return f"and takes {action.remove.choose} markers off the board"
    return f"and takes the markers off {listed(action.remove)}"
