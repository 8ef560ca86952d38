"""What can lie in the city of Pompeji, and what a button can say (spec: observation; pompeji, explain)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias, get_args

from companion.observation import Seen
from companion.squares import Square, position, reading_order, square

COLOURS = ("red", "yellow", "green", "blue", "purple")
"""What players are named by; the colours of the cards are the deck's."""


class Card(NamedTuple):
    """A building card."""

    building: str
    colour: str
    value: int

    def to_json(self) -> dict[str, Any]:
        return {"building": self.building, "colour": self.colour, "value": self.value}


@dataclass(frozen=True, slots=True)
class Statue:
    """A statue that lies in the city: no building, no colour, whatever it stood for (POMP-STATUE-3)."""

    building: ClassVar[None] = None
    colour: ClassVar[None] = None

    def to_json(self) -> dict[str, Any]:
        return {"statue": True}


Content: TypeAlias = Card | Statue
"""What can lie on a place of the city."""

Drawing: TypeAlias = Literal["draw", "keep", "volcano"]
"""What drawing can come to: a building card, no card, a volcano."""

DRAWINGS: tuple[Drawing, ...] = get_args(Drawing)


class PermitPress(NamedTuple):
    """A player breaks into the turn."""

    player: str

    @property
    def button(self) -> str:
        return self.player

    def to_json(self) -> dict[str, Any]:
        return {"press": "permit", "player": self.player}


class StatuePress(NamedTuple):
    """The building and the colour that the statue stands for."""

    building: str
    colour: str

    @property
    def button(self) -> str:
        return "statue"

    def to_json(self) -> dict[str, Any]:
        return {"press": "statue", "building": self.building, "colour": self.colour}


class DiscardPress(NamedTuple):
    """The player to act puts a card beside the pile."""

    card: Card

    @property
    def button(self) -> str:
        return "discard"

    def to_json(self) -> dict[str, Any]:
        return {"press": "discard", "card": self.card.to_json()}


@dataclass(frozen=True, slots=True)
class DrawPress:
    """What the player to act drew, or that they drew none."""

    drawing: Drawing

    @property
    def button(self) -> str:
        return self.drawing

    def to_json(self) -> dict[str, Any]:
        return {"press": self.drawing}


@dataclass(frozen=True, slots=True)
class DonePress:
    """Changes nothing: a turn of Pompeji ends by itself."""

    @property
    def button(self) -> str:
        return "done"

    def to_json(self) -> dict[str, Any]:
        return {"press": "done"}


Press: TypeAlias = PermitPress | StatuePress | DiscardPress | DrawPress | DonePress


def card_from_json(data: Any) -> Card:
    """A building card from its JSON form, of whatever deck. Raises ValueError that says what was expected."""
    match data:
        case {"building": str(building), "colour": str(colour), "value": int(value), **rest} if not rest:
            if type(value) is int:
                return Card(building, colour, value)
    raise ValueError(f"a card with a building, a colour and a value was expected, not {data!r}")


def cards_to_json(seen: Seen) -> list[dict[str, Any]]:
    """The ``cards`` of an observation, row by row."""
    entries = []
    for name in sorted(seen, key=reading_order):
        column, row = position(name)
        entries.append({"row": row, "column": column, **seen[name].to_json()})
    return entries


def cards_from_json(data: Any) -> dict[Square, Content]:
    """The ``cards`` of an observation. Raises ValueError that names the entry."""
    if not isinstance(data, list):
        raise ValueError(f"a list of what lies on the places of the city was expected, not {data!r}")
    seen: dict[Square, Content] = {}
    for entry in data:
        match entry:
            case {"row": int(row), "column": int(column), **content} if type(row) is type(column) is int:
                name = square(column, row)
                if name in seen:
                    raise ValueError(f"two cards are in row {row}, column {column}")
                seen[name] = Statue() if _is_statue(content) else card_from_json(content)
            case _:
                raise ValueError(f"something with a row and a column was expected, not {entry!r}")
    return seen


def press_from_json(data: Any) -> Press:
    """A press from its JSON form. Raises ValueError that says what was expected and what came."""
    match data:
        case {"press": "permit", "player": str(player), **rest} if not rest:
            if player not in COLOURS:
                raise ValueError(f"{player!r} is no player of this game: {', '.join(COLOURS)}")
            return PermitPress(player)
        case {"press": "statue", "building": str(building), "colour": str(colour), **rest} if not rest:
            return StatuePress(building, colour)
        case {"press": "discard", "card": card, **rest} if not rest:
            return DiscardPress(card_from_json(card))
        case {"press": "done", **rest} if not rest:
            return DonePress()
        case {"press": str(word), **rest} if not rest:
            for drawing in DRAWINGS:
                if word == drawing:
                    return DrawPress(drawing)
    raise ValueError(f"a press of permit, statue, discard, draw, keep, volcano or done was expected, not {data!r}")


def _is_statue(content: Any) -> bool:
    return content.keys() == {"statue"} and content["statue"] is True
