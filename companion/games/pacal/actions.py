"""The actions of Pacal's Rocket: small values with a JSON form that goes both ways (spec: pacal, Actions)."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from companion.errors import IllegalAction
from companion.observation import Die
from companion.squares import Square, position

Mode: TypeAlias = Literal["straight", "arrows", "turning", "god", "stranded"]
"""How a ship flies. The order is that in which ``explain`` prefers them when several lead to the same square."""

MODES: tuple[Mode, ...] = get_args(Mode)
SUPPLY = "supply"


class Place(NamedTuple):
    """Put the ship on the board (SETUP-4)."""

    square: Square

    def to_json(self) -> dict[str, Any]:
        return {"type": "place", "square": self.square}


class Roll(NamedTuple):
    """The die shows this face (ROUND-1)."""

    face: Die

    def to_json(self) -> dict[str, Any]:
        return {"type": "roll", "face": self.face}


class Fly(NamedTuple):
    """Fly to a square; ``god`` is the god stone discarded for it (FLY-7)."""

    mode: Mode
    to: Square
    god: int | None = None

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {"type": "fly", "mode": self.mode, "to": self.to}
        if self.god is not None:
            data["god"] = self.god
        return data


class BringIn(NamedTuple):
    """Bring in stones: into whose ships, own first, and from where, ``"supply"`` first (STONE-1, STONE-2)."""

    into: tuple[str, ...]
    origin: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {"type": "stones", "into": list(self.into), "from": list(self.origin)}


class Build(NamedTuple):
    """Build a pyramid on a square of a constellation; ``uses`` is all of it, sorted as text (BUILD-3, BUILD-4)."""

    at: Square
    floors: int
    uses: tuple[Square, ...]

    def to_json(self) -> dict[str, Any]:
        return {"type": "build", "at": self.at, "floors": self.floors, "uses": list(self.uses)}


class Pass(NamedTuple):
    """Build nothing (BUILD-6)."""

    def to_json(self) -> dict[str, Any]:
        return {"type": "pass"}


Action: TypeAlias = Place | Roll | Fly | BringIn | Build | Pass


def text(action: Action) -> str:
    """The canonical JSON of an action, made by hand because ``legal`` sorts hundreds of them by it."""
    match action:
        case Place(square):
            return f'{{"square":"{square}","type":"place"}}'
        case Roll(face):
            return f'{{"face":{_value(face)},"type":"roll"}}'
        case Fly(mode, to, None):
            return f'{{"mode":"{mode}","to":"{to}","type":"fly"}}'
        case Fly(mode, to, god):
            return f'{{"god":{god},"mode":"{mode}","to":"{to}","type":"fly"}}'
        case BringIn(into, origin):
            return f'{{"from":{_list(origin)},"into":{_list(into)},"type":"stones"}}'
        case Build(at, floors, uses):
            return f'{{"at":"{at}","floors":{floors},"type":"build","uses":{_list(uses)}}}'
        case Pass():
            return '{"type":"pass"}'


def in_text(names: tuple[str, ...]) -> tuple[str, ...]:
    """A sort key that sorts lists of squares and colours as their JSON does: a longer list comes before its beginning.

    In text the last name is followed by "]", which comes after the "," before one more name.
    """
    return (*names, "~")


def action_from_json(data: Any) -> Action:
    """An action from its JSON form. Raises IllegalAction (TURN-1) for what is not the form of any action."""
    match data:
        case {"type": "place", "square": str(name), **rest} if not rest and _is_square(name):
            return Place(name)
        case {"type": "roll", "face": (int() | str()) as face, **rest} if not rest and _is_face(face):
            return Roll(face)
        case {"type": "fly", "mode": "god", "to": str(to), "god": int(god), **rest} if not rest and type(god) is int:
            if _is_square(to):
                return Fly("god", to, god)
        case {"type": "fly", "mode": str(mode), "to": str(to), **rest} if not rest and _is_square(to):
            for known in MODES:
                if mode == known != "god":
                    return Fly(known, to)
        case {"type": "stones", "into": list(into), "from": list(origin), **rest} if not rest:
            if all(isinstance(entry, str) for entry in into + origin):
                return BringIn(tuple(into), tuple(origin))
        case {"type": "build", "at": str(at), "floors": int(floors), "uses": list(uses), **rest} if not rest:
            if type(floors) is int and _is_square(at) and all(isinstance(name, str) for name in uses):
                return Build(at, floors, tuple(uses))
        case {"type": "pass", **rest} if not rest:
            return Pass()
    raise IllegalAction("TURN-1", f"no action of Pacal's Rocket has this form: {_excerpt(data)}")


def _is_square(name: str) -> bool:
    try:
        position(name)
    except ValueError:
        return False
    return True


def _is_face(face: int | str) -> bool:
    return face == "arrows" or type(face) is int


def _value(face: Die) -> str:
    return f'"{face}"' if isinstance(face, str) else str(face)


def _list(names: tuple[str, ...]) -> str:
    return '["' + '","'.join(names) + '"]' if names else "[]"


def _excerpt(data: Any) -> str:
    text = repr(data)
    return text if len(text) <= 200 else text[:200] + "…"
