"""Reading the JSON form of a state: each part that is not what it must be is refused by name (spec: protocol, ``set``).

Every function raises BadState with where it is, what was expected and what came.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from companion.errors import BadState

T = TypeVar("T")

LARGEST = 1_000_000
"""No number of a game comes near it. Python writes none of more than 4,300 digits: one that can just be read would end
the table as soon as something is added to it."""


def read_object(where: str, data: Any, keys: frozenset[str] | None = None) -> Mapping[str, Any]:
    """An object, which has just these keys if any are given."""
    if not isinstance(data, Mapping):
        raise BadState(f"{where} must be an object, not {data!r}")
    if keys is not None:
        for key in sorted(keys - data.keys()):
            raise BadState(f"{where} has no {key!r}")
        for key in sorted(data.keys() - keys):
            raise BadState(f"{where} has {key!r}, which there is not")
    return data


def read_word(where: str, value: Any, known: Sequence[T]) -> T:
    """One of the words that are known."""
    for entry in known:
        if isinstance(value, str) and value == entry:
            return entry
    raise BadState(f"{where} is {value!r}; one of {', '.join(map(str, known))} was expected")


def read_number(where: str, value: Any, least: int, most: int | None = None) -> int:
    """A whole number within bounds. most: None where only ``LARGEST`` limits it."""
    if most is None and type(value) is int and value > LARGEST:
        most = LARGEST
    if type(value) is not int or value < least or (most is not None and value > most):
        bounds = f"from {least}" if most is None else f"from {least} to {most}"
        raise BadState(f"{where} is {value!r}; a whole number {bounds} was expected")
    return value


def read_by_player(where: str, data: Any, players: tuple[str, ...], read: Callable[[str, Any], T]) -> dict[str, T]:
    """An object with one entry for each player, in turn order."""
    fields = read_object(where, data, frozenset(players))
    return {player: read(f"{where} of {player}", fields[player]) for player in players}


def read_players(title: str, colours: Sequence[str], counts: range, data: Any) -> tuple[str, ...]:
    """The players in turn order.

    title: how messages name the game. Raises ValueError, for it is read from ``new`` too, for colours that there are
    not, one that plays twice, or a wrong number of them.
    """
    if isinstance(data, str) or not isinstance(data, Sequence):
        raise ValueError(f"players must be a list of colours, not {data!r}")
    for colour in data:
        if not isinstance(colour, str) or colour not in colours:
            raise ValueError(f"players: {colour!r} is no colour of this game: {', '.join(colours)}")
    if len(set(data)) != len(data):
        raise ValueError(f"players: each colour can play once only, not {', '.join(data)}")
    if len(data) not in counts:
        raise ValueError(f"players: {title} is for {counts[0]} to {counts[-1]} players, not {len(data)}")
    return tuple(data)
