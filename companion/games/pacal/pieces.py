"""What can stand on a square of Pacal's Rocket, how many there are, and what a button can say (spec: observation,
protocol, SETUP-2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from companion.squares import Square, position

COLOURS = ("red", "yellow", "green", "blue", "purple")
PYRAMIDS = (1, 3, 3, 2, 2)
"""The pyramids of a colour, by floors from 1 to 5 (SETUP-2)."""
MAX_FLOORS = len(PYRAMIDS)
STONES = 10
"""The stones of a colour that are in the game; the eleventh lies on the score track (SETUP-2)."""


class Ship(NamedTuple):
    colour: str

    def to_json(self) -> dict[str, Any]:
        return {"ship": self.colour}


class Pyramid(NamedTuple):
    colour: str
    floors: int

    def to_json(self) -> dict[str, Any]:
        return {"pyramid": {"colour": self.colour, "floors": self.floors}}


class Stones(NamedTuple):
    """Stones that can be seen; ``colours`` is sorted and has one entry a stone."""

    colours: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {"stones": list(self.colours)}


Piece: TypeAlias = Ship | Pyramid | Stones


class StonePress(NamedTuple):
    """The player to act dropped one of their stones into the ship of that colour."""

    ship: str

    @property
    def button(self) -> str:
        return self.ship

    def to_json(self) -> dict[str, Any]:
        return {"press": "stone", "ship": self.ship}


class GodPress(NamedTuple):
    """The player to act discards the god stone of that value instead of flying."""

    value: int

    @property
    def button(self) -> str:
        return "god"

    def to_json(self) -> dict[str, Any]:
        return {"press": "god", "value": self.value}


class DonePress(NamedTuple):
    """The player to act ends the turn."""

    @property
    def button(self) -> str:
        return "done"

    def to_json(self) -> dict[str, Any]:
        return {"press": "done"}


Press: TypeAlias = StonePress | GodPress | DonePress


def piece_from_json(data: Any) -> Piece:
    """What is on a square, from its JSON form. Raises ValueError that says what was expected and what came."""
    match data:
        case {"ship": str(colour), **rest} if not rest:
            return Ship(_colour(colour))
        case {"pyramid": {"colour": str(colour), "floors": int(floors), **more}, **rest} if not (more or rest):
            if isinstance(floors, bool) or not 1 <= floors <= MAX_FLOORS:
                raise ValueError(f"a pyramid has 1 to {MAX_FLOORS} floors, not {floors!r}")
            return Pyramid(_colour(colour), floors)
        case {"stones": [_, *_] as colours, **rest} if not rest:
            return Stones(tuple(sorted(_colour(colour) for colour in colours)))
    raise ValueError(f"a ship, a pyramid or stones were expected, not {data!r}")


def squares_from_json(data: Any) -> dict[Square, Piece]:
    """The ``squares`` of an observation. Raises ValueError that names the square."""
    if not isinstance(data, Mapping):
        raise ValueError(f"squares must be an object from square to what is on it, not {data!r}")
    seen = {}
    for name, piece in data.items():
        position(name)
        try:
            seen[name] = piece_from_json(piece)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    return seen


def press_from_json(data: Any) -> Press:
    """A press from its JSON form. Raises ValueError that says what was expected and what came."""
    match data:
        case {"press": "stone", "ship": str(ship), **rest} if not rest:
            return StonePress(_colour(ship))
        case {"press": "god", "value": int(value), **rest} if not rest and not isinstance(value, bool):
            return GodPress(value)
        case {"press": "done", **rest} if not rest:
            return DonePress()
    raise ValueError(f"a press of a stone, a god stone or 'done' was expected, not {data!r}")


def _colour(name: Any) -> str:
    if name not in COLOURS:
        raise ValueError(f"{name!r} is no colour of this game: {', '.join(COLOURS)}")
    return str(name)
