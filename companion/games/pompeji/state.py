"""The state of a game of Pompeji: an immutable value with its JSON form (spec: pompeji, State)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from companion.games.pompeji.city import City
from companion.games.pompeji.deck import Deck
from companion.games.pompeji.options import Options
from companion.games.pompeji.pieces import Card

Phase: TypeAlias = Literal["turn", "draw", "drawn", "reveal", "over"]
Interruption: TypeAlias = Literal["none", "running", "used"]
Ending: TypeAlias = Literal["volcano"]

HAND = 3
"""The cards that are dealt, and the most that a hand can have (POMP-SETUP-2)."""


@dataclass(frozen=True, slots=True)
class Volcano:
    """A volcano in the pile."""

    def to_json(self) -> dict[str, Any]:
        return {"volcano": True}


Hand: TypeAlias = tuple[Card, ...] | int
"""The cards of a hand, sorted; their number where they are not known (POMP-TABLE-1)."""

Pile: TypeAlias = tuple[Card | Volcano, ...] | int
"""The pile from the top; its number of cards, volcanoes included, where they are not known."""


@dataclass(frozen=True, slots=True)
class State:
    """Everything about a game at one moment; the names are those of the JSON form. The mappings are never changed.

    deck: as it was named; cards: its cards. turn: number of the regular turn, which is ``turn_of``'s.
    statues, permits: how many each player has left. volcanoes: how many have been drawn.
    """

    deck: str
    options: Options
    players: tuple[str, ...]
    phase: Phase
    turn: int
    turn_of: str
    to_act: str
    interruption: Interruption
    city: City
    hands: Mapping[str, Hand]
    statues: Mapping[str, int]
    permits: Mapping[str, int]
    points: Mapping[str, int]
    pile: Pile
    discards: tuple[Card, ...]
    volcanoes: int
    ending: Ending | None
    cards: Deck = field(repr=False, compare=False)

    def to_json(self) -> dict[str, Any]:
        return {
            "game": "pompeji",
            "deck": self.deck,
            "options": self.options.to_json(),
            "players": list(self.players),
            "phase": self.phase,
            "turn": self.turn,
            "turn_of": self.turn_of,
            "to_act": self.to_act,
            "interruption": self.interruption,
            "city": [
                {"row": row, "column": column, **content.to_json()}
                for (row, column), content in sorted(self.city.items(), key=lambda entry: entry[0])
            ],
            "hands": {player: _cards_to_json(hand) for player, hand in self.hands.items()},
            "statues": dict(self.statues),
            "permits": dict(self.permits),
            "points": dict(self.points),
            "pile": _cards_to_json(self.pile),
            "discards": _cards_to_json(self.discards),
            "volcanoes": self.volcanoes,
            "ending": self.ending,
        }

    def after(self, player: str) -> str:
        """The next player clockwise."""
        return self.players[(self.players.index(player) + 1) % len(self.players)]

    def hand_size(self, player: str) -> int:
        hand = self.hands[player]
        return hand if isinstance(hand, int) else len(hand)

    @property
    def pile_size(self) -> int:
        return self.pile if isinstance(self.pile, int) else len(self.pile)

    def unseen(self) -> tuple[Card, ...]:
        """The cards that nobody can see in the city, beside the pile or among hands that were shown, sorted.

        With hidden hands these may be in any hand (POMP-TABLE-2); with open ones they are all that the public knows.
        """
        gone = {*self.city.values(), *self.discards}
        if self.options.hidden:
            gone.update(card for hand in self.hands.values() if not isinstance(hand, int) for card in hand)
        return tuple(card for card in self.cards.cards if card not in gone)


def _cards_to_json(cards: Pile | Hand) -> int | list[dict[str, Any]]:
    return cards if isinstance(cards, int) else [card.to_json() for card in cards]
