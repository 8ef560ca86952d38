"""Points: of a card that is laid (POMP-STREET, POMP-SCORE), and of the game as it stands (POMP-END)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from companion.games.pompeji.city import City, Position
from companion.games.pompeji.pieces import Card, Content
from companion.games.pompeji.state import State

STREETS = {"row": (0, 1), "column": (1, 0), "diagonal down": (1, 1), "diagonal up": (-1, 1)}
"""The four streets of a place: steps in rows and columns, the diagonals as they are read from left to right."""

SEVEN = 7
"""The buildings of a whole street, and the points for them (POMP-SCORE-3)."""


class Scored(NamedTuple):
    """What a card scores in one of its streets: for its building, its colour, and the seventh building."""

    street: str
    building: int
    colour: int
    seventh: int

    @property
    def points(self) -> int:
        return self.building + self.colour + self.seventh


def scored(city: City, position: Position, card: Card, statues_count: bool) -> tuple[Scored, ...]:
    """What a card scores that is laid on a free place of a city, street by street; those with no points are left out.

    statues_count: whether the statues of a street count as buildings for its seventh (R-SEVENTH).
    """
    found = (
        _in_street(name, list(_joined(city, position, step)), card, statues_count) for name, step in STREETS.items()
    )
    return tuple(street for street in found if street.points)


def score(state: State) -> dict[str, Any]:
    """The score as if the game ended now (spec: pompeji, Score)."""
    players: dict[str, dict[str, Any]] = {}
    for player in state.players:
        points, hand = state.points[player], hand_penalty(state, player)
        players[player] = {"points": points, "hand": hand, "total": points - (hand or 0)}
    most = max(entry["total"] for entry in players.values())
    return {
        "over": state.phase == "over",
        "players": players,
        "leaders": [player for player in state.players if players[player]["total"] == most],
    }


def hand_penalty(state: State, player: str) -> int | None:
    """What is taken off for a player's hand (POMP-END-1, R-STATUE-HAND); None while the hand is not known."""
    hand = state.hands[player]
    if isinstance(hand, int):
        return None
    return sum(card.value for card in hand) + (state.statues[player] if state.options.statue_penalty else 0)


def _joined(city: City, position: Position, step: tuple[int, int]) -> Iterator[Content]:
    """What is joined to a place in one of its streets, up to the first empty place on either side (POMP-STREET-1)."""
    for rows, columns in (step, (-step[0], -step[1])):
        row, column = position[0] + rows, position[1] + columns
        while (row, column) in city:
            yield city[row, column]
            row, column = row + rows, column + columns


def _in_street(name: str, others: list[Content], card: Card, statues_count: bool) -> Scored:
    cards = [other for other in others if isinstance(other, Card)]
    alike = [other.value for other in cards if other.building == card.building]
    coloured = [other.value for other in cards if other.colour == card.colour]
    buildings = len(others if statues_count else cards) + 1
    return Scored(
        name,
        sum(alike) + card.value if alike else 0,
        max(*coloured, card.value) if coloured else 0,
        SEVEN if buildings == SEVEN else 0,
    )
