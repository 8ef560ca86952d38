"""A state from its JSON form; one that is malformed or contradicts itself is refused (protocol, ``set``)."""

from __future__ import annotations

from typing import Any, get_args

from companion.errors import BadLayout, BadState
from companion.games.fields import read_by_player, read_number, read_object, read_players, read_word
from companion.games.pompeji.beginning import PLAYER_COUNTS
from companion.games.pompeji.check import check
from companion.games.pompeji.city import MOST, City, Position
from companion.games.pompeji.deck import VOLCANOES, Deck, load_deck
from companion.games.pompeji.options import options_from_json
from companion.games.pompeji.pieces import COLOURS, Card, Content, Statue
from companion.games.pompeji.state import Ending, Hand, Interruption, Phase, Pile, State, Volcano

KEYS = frozenset(State.__slots__) - {"cards"} | {"game"}
CARD = frozenset(Card._fields)
WHERE = frozenset(("row", "column"))


def state_from_json(data: Any) -> State:
    """A state from its JSON form. Raises BadState that says what is wrong."""
    fields = read_object("the state", data, KEYS)
    if fields["game"] != "pompeji":
        raise BadState(f"game is {fields['game']!r}, a state of 'pompeji' was expected")
    if not isinstance(fields["deck"], str):
        raise BadState(f"deck must be the name of a deck or the path of its file, not {fields['deck']!r}")
    try:
        players = read_players("Pompeji", COLOURS, PLAYER_COUNTS, fields["players"])
        options = options_from_json(fields["options"])
        deck = load_deck(fields["deck"])
    except (BadLayout, ValueError) as error:
        raise BadState(str(error)) from None
    state = State(
        deck=fields["deck"],
        options=options,
        players=players,
        phase=read_word("phase", fields["phase"], get_args(Phase)),
        turn=read_number("turn", fields["turn"], 1),
        turn_of=read_word("turn_of", fields["turn_of"], players),
        to_act=read_word("to_act", fields["to_act"], players),
        interruption=read_word("interruption", fields["interruption"], get_args(Interruption)),
        city=_city(fields["city"], deck),
        hands=read_by_player("hands", fields["hands"], players, lambda where, hand: _hand(where, hand, deck)),
        statues=read_by_player("statues", fields["statues"], players, lambda where, n: read_number(where, n, 0, 1)),
        permits=read_by_player(
            "permits", fields["permits"], players, lambda where, n: read_number(where, n, 0, options.permits)
        ),
        points=read_by_player("points", fields["points"], players, lambda where, n: read_number(where, n, 0)),
        pile=_pile(fields["pile"], deck),
        discards=_cards("discards", fields["discards"], deck),
        volcanoes=read_number("volcanoes", fields["volcanoes"], 0, VOLCANOES),
        ending=None if fields["ending"] is None else read_word("ending", fields["ending"], get_args(Ending)),
        cards=deck,
    )
    problem = check(state)
    if problem is not None:
        raise BadState(problem)
    return state


def _city(data: Any, deck: Deck) -> City:
    city: dict[Position, Content] = {}
    for entry in _list("the city", data):
        fields = read_object("an entry of the city", entry)
        statue = "statue" in fields
        fields = read_object("an entry of the city", entry, WHERE | ({"statue"} if statue else CARD))
        position = tuple(
            read_number(f"an entry of the city: its {axis}", fields[axis], 1 - MOST, MOST - 1)
            for axis in ("row", "column")
        )
        where = f"row {position[0]}, column {position[1]} of the city"
        if city and position <= max(city):
            problem = "two cards lie" if position in city else "the cards are not sorted by row, then column:"
            raise BadState(f"{problem} in {where}")
        if statue and fields["statue"] is not True:
            raise BadState(f"{where}: statue must be true, not {fields['statue']!r}")
        city[position[0], position[1]] = Statue() if statue else _card(where, _only_card(fields), deck)
    return city


def _only_card(fields: Any) -> dict[str, Any]:
    return {key: fields[key] for key in CARD}


def _hand(where: str, data: Any, deck: Deck) -> Hand:
    return _cards(where, data, deck) if isinstance(data, list) else read_number(where, data, 0)


def _pile(data: Any, deck: Deck) -> Pile:
    if not isinstance(data, list):
        return read_number("pile", data, 0)
    return tuple(Volcano() if _is_volcano(entry) else _card("the pile", entry, deck) for entry in data)


def _is_volcano(entry: Any) -> bool:
    return isinstance(entry, dict) and entry.keys() == {"volcano"} and entry["volcano"] is True


def _cards(where: str, data: Any, deck: Deck) -> tuple[Card, ...]:
    return tuple(_card(where, entry, deck) for entry in _list(where, data))


def _card(where: str, data: Any, deck: Deck) -> Card:
    fields = read_object(f"{where}: a card", data, CARD)
    card = Card(
        read_word(f"{where}: a card's building", fields["building"], deck.buildings),
        read_word(f"{where}: a card's colour", fields["colour"], deck.colours),
        read_number(f"{where}: a card's value", fields["value"], 1),
    )
    unknown = deck.why_not(card)
    if unknown is not None:
        raise BadState(f"{where}: {unknown}")
    return card


def _list(where: str, data: Any) -> list[Any]:
    if not isinstance(data, list):
        raise BadState(f"{where} must be a list, not {data!r}")
    return data
