"""Small cities, drawn as they lie, for the tests of Pompeji."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from companion.errors import IllegalAction
from companion.games.pompeji import GAME
from companion.games.pompeji.actions import Action, Place
from companion.games.pompeji.deck import load_deck
from companion.games.pompeji.pieces import Card
from companion.games.pompeji.state import State

DECK = load_deck("reference")
VOLCANO = {"volcano": True}


def card(name: str) -> Card:
    """A card by its name, ``temple.red``."""
    building, colour = name.split(".")
    return next(one for one in DECK.cards if (one.building, one.colour) == (building, colour))


def cards(names: str) -> list[Card]:
    return [card(name) for name in names.split()]


def drawn(city: str) -> Iterator[dict[str, Any]]:
    """A city as JSON from lines of ``temple.red``, ``statue`` and ``-`` for nothing; ``*`` marks the start card, which
    otherwise is the first that there is."""
    lines = [line.split() for line in city.strip().splitlines()]
    names = {(row, column): name for row, line in enumerate(lines) for column, name in enumerate(line) if name != "-"}
    start = next((place for place, name in names.items() if name.endswith("*")), min(names))
    for (row, column), name in sorted(names.items()):
        what = {"statue": True} if name == "statue" else card(name.rstrip("*")).to_json()
        yield {"row": row - start[0], "column": column - start[1], **what}


def position_json(
    city: str,
    hands: Mapping[str, str | int] | None = None,
    *,
    pile: str | int = "",
    discards: str = "",
    unseen: str = "",
    **fields: Any,
) -> dict[str, Any]:
    """A state as JSON: red to act in a game of two, with three cards each, unless said otherwise.

    hands: cards by name, or how many. pile: its top, ``temple.red volcano``; what is left of the deck follows. With
    hidden hands it is a number of cards, and what is then left over lies beside the pile, of the ``unseen`` cards as
    few as can be. Statues in the city are those of the last players.
    """
    laid = list(drawn(city))
    sizes = hands or {"red": 3, "blue": 3}
    hidden = fields.get("options", {}).get("hands") == "hidden"
    volcanoes_left = 2 - fields.get("volcanoes", 0)
    top = str(pile).split() if not hidden else []
    shown = [discards, *(name for name in top if name != "volcano")]
    shown += [hand for hand in sizes.values() if isinstance(hand, str)]
    gone = {Card(one["building"], one["colour"], one["value"]) for one in laid if "building" in one}
    gone.update(cards(" ".join(shown)))
    left = [one.to_json() for one in sorted(DECK.cards, key=cards(unseen).__contains__) if one not in gone]
    held: dict[str, Any] = {}
    for player, hand in sizes.items():
        if isinstance(hand, str):
            held[player] = [one.to_json() for one in sorted(cards(hand))]
        else:
            held[player] = hand if hidden else [left.pop(0) for _ in range(hand)]
    beside = [one.to_json() for one in cards(discards)]
    rest: Any = [VOLCANO if name == "volcano" else card(name).to_json() for name in top] + left
    rest += [VOLCANO] * (volcanoes_left - top.count("volcano"))
    if hidden:
        unknown = len(left) - sum(hand for hand in held.values() if isinstance(hand, int))
        rest = int(pile) if pile != "" else unknown + volcanoes_left
        beside += left[: unknown + volcanoes_left - rest]
    not_laid = len(sizes) - sum("statue" in one for one in laid)
    first = next(iter(sizes))
    return {
        "game": "pompeji",
        "deck": "reference",
        "options": {},
        "players": list(sizes),
        "phase": "turn",
        "turn": 1,
        "turn_of": first,
        "to_act": first,
        "interruption": "none",
        "city": laid,
        "hands": held,
        "statues": {player: int(index < not_laid) for index, player in enumerate(sizes)},
        "permits": dict.fromkeys(sizes, fields.get("options", {}).get("permits", 1)),
        "points": dict.fromkeys(sizes, 0),
        "pile": rest,
        "discards": beside,
        "volcanoes": 0,
        "ending": None,
        **fields,
    }


@pytest.fixture
def position() -> Callable[..., State]:
    """Makes a state of a drawn city (see ``position_json``)."""
    return lambda *city, **more: GAME.state_from_json(position_json(*city, **more))


@pytest.fixture
def position_data() -> Callable[..., dict[str, Any]]:
    """Makes the JSON form of a state, to be spoilt."""
    return position_json


@pytest.fixture
def place() -> Callable[[str, int, int], Place]:
    """The action that lays a card, by its name, row and column."""
    return lambda name, row, column: Place(card(name), row, column)


@pytest.fixture
def named() -> Callable[[str], Card]:
    """A card by its name."""
    return card


@pytest.fixture
def refused() -> Callable[[State, Action], str]:
    """The rule by which an action is refused; the message names it too."""

    def rule(state: State, action: Action) -> str:
        with pytest.raises(IllegalAction) as caught:
            GAME.apply(state, action)
        assert str(caught.value).startswith(f"{caught.value.rule}: ")
        assert action not in GAME.legal(state)
        return caught.value.rule

    return rule


@pytest.fixture
def points() -> Callable[[State, Action], int]:
    """What the player to act scores with an action."""

    def scored(state: State, action: Action) -> int:
        assert action in GAME.legal(state)
        return GAME.apply(state, action).state.points[state.to_act] - state.points[state.to_act]

    return scored
