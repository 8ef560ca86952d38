"""The actions of Pacru: small values with a JSON form that goes both ways (spec: pacru, Actions)."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from companion.errors import IllegalAction
from companion.games.pacru.pieces import FIELDS, HEADINGS, Heading
from companion.squares import Square


class Move(NamedTuple):
    """Move a chevron, with the extras that are taken.

    mark: the field marked for the border crossing. connect: whether the connection is changed. meet: the field marked
    for the meeting.
    """

    start: Square
    to: Square
    mark: Square | None = None
    connect: bool = False
    meet: Square | None = None

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {"type": "move", "from": self.start, "to": self.to}
        if self.mark is not None:
            data["mark"] = self.mark
        if self.connect:
            data["connect"] = True
        if self.meet is not None:
            data["meet"] = self.meet
        return data


class Choice(NamedTuple):
    """Markers that are still to be chosen: so many of those on some fields, sorted as text."""

    choose: int
    origin: tuple[Square, ...]


class Rotate(NamedTuple):
    """Turn the chevron on a field to a heading, and take markers off the board for it.

    remove: the fields they are taken from; a ``Choice`` stands for every rotation that fills it in.
    """

    field: Square
    heading: Heading
    remove: tuple[Square, ...] | Choice

    def to_json(self) -> dict[str, Any]:
        remove: Any = list(self.remove)
        if isinstance(self.remove, Choice):
            remove = {"choose": self.remove.choose, "from": list(self.remove.origin)}
        return {"type": "rotate", "field": self.field, "heading": self.heading, "remove": remove}


Action: TypeAlias = Move | Rotate

MOVE_KEYS = {"type", "from", "to", "mark", "connect", "meet"}
ROTATION_KEYS = {"type", "field", "heading", "remove"}

LAST = "~"
"""Sorts after every field."""


def order(action: Action) -> str:
    """A sort key that puts actions in the order of their canonical JSON, at a fraction of its cost.

    The names in that JSON come in alphabetical order (connect, field, from, mark, meet, to), so of two actions that are
    the same up to a name, the one that has it comes before the one that does not.
    """
    if isinstance(action, Rotate):
        return f"2{action.field}{action.heading}"
    start, to, mark, connect, meet = action
    return f"{1 if connect else 3}{start}{mark or LAST}{meet or LAST}{to}"


def action_from_json(data: Any) -> Action:
    """An action from its JSON form. Raises IllegalAction (PACRU-TURN-1) for what is not the form of any action."""
    action: Action | None = None
    match data:
        case {"type": "move", "from": _, "to": _}:
            action = _move_from_json(data)
        case {"type": "rotate", "field": _, "heading": _, "remove": _}:
            action = _rotation_from_json(data)
    if action is None:
        message = f"a turn is a move or a rotation, and this has the form of neither: {_excerpt(data)}"
        raise IllegalAction("PACRU-TURN-1", message)
    return action


def _move_from_json(data: dict[str, Any]) -> Move | None:
    fields = [data[key] for key in ("from", "to", "mark", "meet") if key in data]
    if data.keys() <= MOVE_KEYS and all(map(_is_field, fields)) and data.get("connect", True) is True:
        return Move(data["from"], data["to"], data.get("mark"), "connect" in data, data.get("meet"))
    return None


def _rotation_from_json(data: dict[str, Any]) -> Rotate | None:
    if data.keys() != ROTATION_KEYS or not _is_field(data["field"]) or data["heading"] not in HEADINGS:
        return None
    match data["remove"]:
        case list(names) if all(map(_is_field, names)):
            return Rotate(data["field"], data["heading"], tuple(names))
        case {"choose": int(choose), "from": list(names), **rest} if not rest and all(map(_is_field, names)):
            return Rotate(data["field"], data["heading"], Choice(choose, tuple(names)))
    return None


def _is_field(name: Any) -> bool:
    return isinstance(name, str) and name in FIELDS


def _excerpt(data: Any) -> str:
    words = repr(data)
    return words if len(words) <= 200 else words[:200] + "…"
