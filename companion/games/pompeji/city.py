"""The city: what lies where, and what fits where (POMP-PLACE-1 to POMP-PLACE-3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from companion.games.pompeji.pieces import Card, Content, Statue

Position: TypeAlias = tuple[int, int]
"""Row and column, counted from the start card; both can be negative."""

City: TypeAlias = Mapping[Position, Content]

MOST = 7
"""The most rows, and the most columns, of a city (POMP-PLACE-2)."""


class FreePlace(NamedTuple):
    """A place where something could be laid, and what lies on its sides."""

    row: int
    column: int
    beside: Sequence[Content]

    def fits(self, building: str, colour: str) -> bool:
        """Whether nothing beside it is alike (POMP-PLACE-3)."""
        for content in self.beside:  # noqa: SIM110 - asked so often that the time of a generator counts
            if content.building == building or content.colour == colour:
                return False
        return True


def sides(position: Position) -> tuple[Position, Position, Position, Position]:
    """The places on the four sides."""
    row, column = position
    return (row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)


def free_places(city: City, attach_to_statue: bool) -> list[FreePlace]:
    """The free places that have a card on a side, in the order of canonical JSON.

    attach_to_statue: whether a statue alone is enough (R-ATTACH).
    """
    top, left, bottom, right = frame(city)
    beside: dict[Position, list[Content]] = {}
    for (row, column), content in city.items():
        for place in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
            if place not in city:
                beside.setdefault(place, []).append(content)
    places = [
        FreePlace(row, column, contents)
        for (row, column), contents in beside.items()
        if bottom - MOST < row < top + MOST and right - MOST < column < left + MOST
        if attach_to_statue or any(isinstance(content, Card) for content in contents)
    ]
    places.sort(key=lambda place: (str(place.column), str(place.row)))
    return places


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
