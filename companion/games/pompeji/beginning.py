"""A new game (POMP-SETUP, POMP-TABLE-1)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from companion.errors import BadCommand
from companion.games.fields import read_players
from companion.games.pompeji.deck import VOLCANOES, Deck, load_deck, sorted_hand
from companion.games.pompeji.drawing import PACK
from companion.games.pompeji.options import Options, options_from_json
from companion.games.pompeji.pieces import COLOURS, Card, card_from_json
from companion.games.pompeji.state import HAND, Hand, Pile, State, Volcano

PLAYER_COUNTS = range(2, 5)
MORE = ("deck", "start")


def new(players: Sequence[str], options: Mapping[str, Any], seed: int | None, more: Mapping[str, Any]) -> State:
    """The first state of a game.

    seed: of the shuffle, None for chance; hidden hands are shuffled by people. more: ``deck``, the built-in name or
    the path of a deck; ``start``, the start card of a game with hidden hands. Raises BadCommand, and BadLayout.
    """
    for key in more:
        if key not in MORE:
            raise BadCommand(f"a new game of Pompeji takes no {key!r}; there are: {', '.join(MORE)}")
    deck = more.get("deck", "reference")
    if not isinstance(deck, str):
        raise BadCommand(f"deck must be the name of a deck or the path of its file, not {deck!r}")
    try:
        seats = read_players("Pompeji", COLOURS, PLAYER_COUNTS, players)
        rulings = options_from_json(options)
    except ValueError as error:
        raise BadCommand(str(error)) from None
    cards = load_deck(deck)
    hands: Mapping[str, Hand]
    pile: Pile
    if rulings.hidden:
        start = _start(more, cards)
        hands, pile = dict.fromkeys(seats, HAND), len(cards.cards) + VOLCANOES - 1 - HAND * len(seats)
    elif "start" in more:
        raise BadCommand("start is for hidden hands; with open ones the start card is the top of the shuffled pile")
    else:
        start, hands, pile = _shuffled(cards, seats, random.Random(seed))
    return _first(deck, cards, rulings, seats, start, hands, pile)


def _first(
    deck: str,
    cards: Deck,
    options: Options,
    players: tuple[str, ...],
    start: Card,
    hands: Mapping[str, Hand],
    pile: Pile,
) -> State:
    return State(
        deck=deck,
        options=options,
        players=players,
        phase="turn",
        turn=1,
        turn_of=players[0],
        to_act=players[0],
        interruption="none",
        city={(0, 0): start},
        hands=hands,
        statues=dict.fromkeys(players, 1),
        permits=dict.fromkeys(players, options.permits),
        points=dict.fromkeys(players, 0),
        pile=pile,
        discards=(),
        volcanoes=0,
        ending=None,
        cards=cards,
    )


def _start(more: Mapping[str, Any], deck: Deck) -> Card:
    if "start" not in more:
        raise BadCommand("a game with hidden hands needs start, the card that lies in the city")
    try:
        card = card_from_json(more["start"])
    except ValueError as error:
        raise BadCommand(f"start: {error}") from None
    unknown = deck.why_not(card)
    if unknown is not None:
        raise BadCommand(f"start: {unknown}")
    return card


def _shuffled(
    deck: Deck, players: tuple[str, ...], chance: random.Random
) -> tuple[Card, dict[str, Hand], tuple[Card | Volcano, ...]]:
    """The start card, the hands and the pile of a shuffled deck (POMP-SETUP-2, POMP-SETUP-3, R-PILE)."""
    cards = list(deck.cards)
    chance.shuffle(cards)
    hands: dict[str, Hand] = {}
    for player in players:
        hands[player] = sorted_hand(cards[:HAND])
        cards = cards[HAND:]
    packs: list[Card | Volcano] = []
    for _ in range(VOLCANOES):
        pack: list[Card | Volcano] = [*cards[: PACK - 1], Volcano()]
        cards = cards[PACK - 1 :]
        chance.shuffle(pack)
        packs += pack
    return cards[0], hands, (*cards[1:], *packs)
