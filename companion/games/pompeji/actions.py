"""The actions of Pompeji: small values with a JSON form that goes both ways (spec: pompeji, Actions)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from companion.errors import IllegalAction
from companion.games.pompeji.pieces import DRAWINGS, Card, Drawing, card_from_json


class Place(NamedTuple):
    """Lay a building card (POMP-TURN-1)."""

    card: Card
    row: int
    column: int

    def to_json(self) -> dict[str, Any]:
        return {"type": "place", "card": self.card.to_json(), "row": self.row, "column": self.column}


class PlaceStatue(NamedTuple):
    """Lay the statue, and say what it stands for (POMP-STATUE-1)."""

    row: int
    column: int
    building: str
    colour: str

    def to_json(self) -> dict[str, Any]:
        where = {"row": self.row, "column": self.column}
        return {"type": "statue", **where, "building": self.building, "colour": self.colour}


class Discard(NamedTuple):
    """Put a card beside the pile, for none can be laid (POMP-TURN-2)."""

    card: Card

    def to_json(self) -> dict[str, Any]:
        return {"type": "discard", "card": self.card.to_json()}


class Permit(NamedTuple):
    """Break into the turn (POMP-PERMIT-1)."""

    player: str

    def to_json(self) -> dict[str, Any]:
        return {"type": "permit", "player": self.player}


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw a card, or keep to what is in the hand; with hidden hands, what was drawn (POMP-VOLCANO-1, POMP-TABLE-3)."""

    drawing: Drawing

    def to_json(self) -> dict[str, Any]:
        return {"type": self.drawing}


@dataclass(frozen=True, slots=True)
class Reveal:
    """Show the hand at the end (POMP-TABLE-4)."""

    cards: tuple[Card, ...]

    def to_json(self) -> dict[str, Any]:
        return {"type": "reveal", "cards": [card.to_json() for card in self.cards]}


@dataclass(frozen=True, slots=True)
class RevealSome:
    """The open form of ``Reveal``: so many cards of these."""

    choose: int
    cards: tuple[Card, ...]

    def to_json(self) -> dict[str, Any]:
        cards = [card.to_json() for card in self.cards]
        return {"type": "reveal", "cards": {"choose": self.choose, "from": cards}}


Action: TypeAlias = Place | PlaceStatue | Discard | Permit | Draw | Reveal | RevealSome


def action_from_json(data: Any) -> Action:
    """An action from its JSON form. Raises IllegalAction (POMP-TURN-1) for what is not the form of any action."""
    try:
        action = _read(data)
    except ValueError:
        action = None
    if action is None:
        raise IllegalAction("POMP-TURN-1", f"no action of Pompeji has this form: {_excerpt(data)}")
    return action


def _read(data: Any) -> Action | None:
    """An action; None, or ValueError from one of its cards, when it is none."""
    match data:
        case {"type": "place", "card": card, "row": int(row), "column": int(column), **rest} if not rest:
            if type(row) is type(column) is int:
                return Place(card_from_json(card), row, column)
        case {
            "type": "statue",
            "row": int(row),
            "column": int(column),
            "building": str(building),
            "colour": str(colour),
            **rest,
        } if not rest:
            if type(row) is type(column) is int:
                return PlaceStatue(row, column, building, colour)
        case {"type": "discard", "card": card, **rest} if not rest:
            return Discard(card_from_json(card))
        case {"type": "permit", "player": str(player), **rest} if not rest:
            return Permit(player)
        case {"type": "reveal", "cards": list(cards), **rest} if not rest:
            return Reveal(tuple(map(card_from_json, cards)))
        case {"type": "reveal", "cards": {"choose": int(count), "from": list(cards), **more}, **rest}:
            if type(count) is int and not more and not rest:
                return RevealSome(count, tuple(map(card_from_json, cards)))
        case {"type": str(word), **rest} if not rest:
            return next((Draw(drawing) for drawing in DRAWINGS if drawing == word), None)
    return None


def _excerpt(data: Any) -> str:
    text = repr(data)
    return text if len(text) <= 200 else text[:200] + "…"
