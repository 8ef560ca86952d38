"""What can stand on a field of Pacru, and what a button can say (spec: observation, protocol)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from companion.squares import Square, square

COLOURS = ("red", "yellow", "green", "blue", "purple")

Heading: TypeAlias = Literal["N", "NE", "E", "SE", "S", "SW", "W", "NW"]

HEADINGS: tuple[Heading, ...] = get_args(Heading)
"""Clockwise, each turned by 45° from the one before; north is towards row 1."""

SIDE = 9
"""Fields in a row and in a column."""

FIELDS: tuple[Square, ...] = tuple(square(column, row) for column in range(SIDE) for row in range(SIDE))
"""Every field of the board, sorted as text."""


class Chevron(NamedTuple):
    colour: str
    heading: Heading

    def to_json(self) -> dict[str, Any]:
        return {"colour": self.colour, "heading": self.heading}


class OnField(NamedTuple):
    """What is on a field: the colour of the marker, the chevron, or both; never neither."""

    marker: str | None = None
    chevron: Chevron | None = None

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {}
        if self.marker is not None:
            data["marker"] = self.marker
        if self.chevron is not None:
            data["chevron"] = self.chevron.to_json()
        return data


class DonePress(NamedTuple):
    """The player to act ends the turn; a turn of Pacru shows, so this changes nothing."""

    @property
    def button(self) -> str:
        return "done"

    def to_json(self) -> dict[str, Any]:
        return {"press": "done"}


def on_field_from_json(data: Any) -> OnField:
    """What is on a field, from its JSON form. Raises ValueError that says what was expected and what came."""
    match data:
        case {"marker": str(colour), "chevron": chevron, **rest} if not rest:
            return OnField(_colour(colour), chevron_from_json(chevron))
        case {"marker": str(colour), **rest} if not rest:
            return OnField(_colour(colour))
        case {"chevron": chevron, **rest} if not rest:
            return OnField(None, chevron_from_json(chevron))
    raise ValueError(f"a marker, a chevron or both were expected, not {data!r}")


def chevron_from_json(data: Any) -> Chevron:
    """A chevron from its JSON form. Raises ValueError that says what was expected and what came."""
    match data:
        case {"colour": str(colour), "heading": str(name), **rest} if not rest:
            return Chevron(_colour(colour), heading_from_json(name))
    raise ValueError(f"a chevron with its colour and heading was expected, not {data!r}")


def heading_from_json(data: Any) -> Heading:
    """A heading. Raises ValueError for what is none."""
    for heading in HEADINGS:
        if isinstance(data, str) and data == heading:
            return heading
    raise ValueError(f"{data!r} is no heading: {', '.join(HEADINGS)}")


def squares_from_json(data: Any) -> dict[Square, OnField]:
    """The ``squares`` of an observation. Raises ValueError that names the field."""
    if not isinstance(data, Mapping):
        raise ValueError(f"squares must be an object from field to what is on it, not {data!r}")
    seen = {}
    for name, content in data.items():
        if name not in FIELDS:
            raise ValueError(f"{name!r} is no field of the board, which are {FIELDS[0]} to {FIELDS[-1]}")
        try:
            seen[name] = on_field_from_json(content)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    return seen


def press_from_json(data: Any) -> DonePress:
    """A press from its JSON form. Raises ValueError that says what was expected and what came."""
    match data:
        case {"press": "done", **rest} if not rest:
            return DonePress()
    raise ValueError(f"a press of 'done' was expected, the only one in Pacru, not {data!r}")


def _colour(name: str) -> str:
    if name not in COLOURS:
        raise ValueError(f"{name!r} is no colour of this game: {', '.join(COLOURS)}")
    return name
