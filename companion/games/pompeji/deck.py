"""Decks of building cards: which value is on which card, read from a deck file (POMP-CARD-1, POMP-CARD-2)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from companion.boards import read_deck
from companion.errors import BadLayout
from companion.games.pompeji.pieces import Card

GAME = "pompeji"
KINDS = 7
"""How many buildings there are, and how many colours; a card of each building in each colour."""

VALUES = range(1, 8)
VOLCANOES = 2
MAX_NAME = 40


@dataclass(frozen=True)
class Deck:
    """The 49 building cards. values: by building, in the order of the colours."""

    name: str
    buildings: tuple[str, ...]
    colours: tuple[str, ...]
    values: Mapping[str, tuple[int, ...]]

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """All cards, sorted as a hand is."""
        return sorted_hand(
            Card(building, colour, value)
            for building in self.buildings
            for colour, value in zip(self.colours, self.values[building], strict=True)
        )

    @cached_property
    def known(self) -> frozenset[Card]:
        return frozenset(self.cards)

    @cached_property
    def names_in_text_order(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Buildings and colours as canonical JSON sorts them."""
        return tuple(sorted(self.buildings, key=json.dumps)), tuple(sorted(self.colours, key=json.dumps))

    @cached_property
    def text_order(self) -> Mapping[Card, int]:
        """The number of each card in the order of canonical JSON."""
        in_order = sorted(self.cards, key=lambda card: (json.dumps(card.building), json.dumps(card.colour)))
        return {card: number for number, card in enumerate(in_order)}

    def why_not(self, card: Card) -> str | None:
        """Why a card is none of this deck's, for people; None when it is."""
        if card in self.known:
            return None
        if card.building not in self.buildings:
            return f"the deck has no building {card.building!r}; there are: {', '.join(self.buildings)}"
        if card.colour not in self.colours:
            return f"the deck has no colour {card.colour!r}; there are: {', '.join(self.colours)}"
        value = self.values[card.building][self.colours.index(card.colour)]
        return f"{card.building} {card.colour} has the value {value} in this deck, not {card.value!r}"


def sorted_hand(cards: Any) -> tuple[Card, ...]:
    """Cards by building, colour and value as text, as hands are sorted."""
    return tuple(sorted(cards, key=lambda card: (card.building, card.colour, str(card.value))))


def load_deck(name: str) -> Deck:
    """A deck by its built-in name or the path of its file. Raises BadLayout that says what is wrong and where."""
    where, data = read_deck(GAME, name)
    buildings = _names(where, data, "buildings")
    colours = _names(where, data, "colours")
    return Deck(data["name"], buildings, colours, _values(where, data.get("values"), buildings, colours))


def _names(where: str, data: Mapping[str, Any], key: str) -> tuple[str, ...]:
    names = data.get(key)
    if not isinstance(names, list):
        raise BadLayout(f"{where}: {key} must be a list of {KINDS} names, not {names!r}")
    for name in names:
        if not isinstance(name, str) or not name.strip() or not name.isprintable() or len(name) > MAX_NAME:
            raise BadLayout(f"{where}: {key}: {name!r} is no name; up to {MAX_NAME} letters were expected")
        if names.count(name) > 1:
            raise BadLayout(f"{where}: {key} names {name} twice; there is one card of each building in each colour")
    if len(names) != KINDS:
        raise BadLayout(f"{where}: {key} must be {KINDS} names, not {len(names)}: {', '.join(names)}")
    return tuple(names)


def _values(
    where: str, values: Any, buildings: tuple[str, ...], colours: tuple[str, ...]
) -> dict[str, tuple[int, ...]]:
    if not isinstance(values, dict):
        raise BadLayout(f"{where}: values must give the values of each building, not {values!r}")
    for building in values:
        if building not in buildings:
            raise BadLayout(f"{where}: values names {building!r}, which is not among the buildings")
    for building in buildings:
        if building not in values:
            raise BadLayout(f"{where}: the cards of {building} are missing: values has no line for it")
        _check_line(where, building, values[building], colours)
    return {building: tuple(values[building]) for building in buildings}


def _check_line(where: str, building: str, line: Any, colours: tuple[str, ...]) -> None:
    if not isinstance(line, list):
        raise BadLayout(f"{where}: {building} must be {KINDS} values, one a colour, not {line!r}")
    if len(line) < KINDS:
        raise BadLayout(f"{where}: {building} {colours[len(line)]} is missing: {building} has {len(line)} values")
    if len(line) > KINDS:
        raise BadLayout(f"{where}: {building} has {len(line)} values, there are only {KINDS} colours")
    for colour, value in zip(colours, line, strict=True):
        if type(value) is not int or value not in VALUES:
            raise BadLayout(f"{where}: {building} {colour} has the value {value!r}; one from 1 to 7 was expected")
