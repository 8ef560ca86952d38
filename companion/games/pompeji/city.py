"""The city: what lies where, and what fits where (POMP-PLACE-1 to POMP-PLACE-3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from companion.games.pompeji.pieces import Card, Content, Statue

Position: TypeAlias = tuple[int, int]
"""Row and column, counted from the start card; both can be negative."""

City: TypeAlias = Mapping[Position, Content]

MOST = 7
"""The most rows, and the most columns, of a city (POMP-PLACE-2)."""


def sides(position: Position) -> tuple[Position, Position, Position, Position]:
    """The places on the four sides."""
    row, column = position
    return (row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)


def frame(positions: Iterable[Position]) -> tuple[int, int, int, int]:
    """Top row, left column, bottom row and right column of what lies on some places."""
    rows, columns = zip(*positions, strict=True)
    return min(rows), min(columns), max(rows), max(columns)


def why_not_there(city: City, position: Position, attach_to_statue: bool) -> tuple[str, str] | None:
    """The rule that forbids to lay anything there, and why, for people; None when none does."""
    if position in city:
        return "POMP-PLACE-1", "the place is taken: a card is laid on an empty place"
    beside = [city[side] for side in sides(position) if side in city]
    if not beside:
        return "POMP-PLACE-1", "nothing lies on any of the four sides of that place: a card is laid beside another"
    top, left, bottom, right = frame((*city, position))
    if bottom - top >= MOST or right - left >= MOST:
        line = "rows" if bottom - top >= MOST else "columns"
        return "POMP-PLACE-2", f"the city would have eight {line}; it has seven at most"
    if not attach_to_statue and all(isinstance(content, Statue) for content in beside):
        return "R-ATTACH", "only a statue lies on the sides of that place: in this game a building must lie there"
    return None


def why_not_beside(city: City, position: Position, building: str, colour: str) -> str | None:
    """What on the sides of a place is alike (POMP-PLACE-3), for people; None when nothing is."""
    for side in sides(position):
        card = city.get(side)
        if isinstance(card, Card) and card.building == building:
            return f"{card.building} {card.colour} lies on a side of that place, and this is a {building} too"
        if isinstance(card, Card) and card.colour == colour:
            return f"{card.building} {card.colour} lies on a side of that place, and this is {colour} too"
    return None
