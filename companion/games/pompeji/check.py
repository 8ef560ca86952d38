"""What can contradict itself in a state. A state that legal actions lead to passes every one of these checks."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.phrases import counted
from companion.games.pompeji.city import MOST, City, Position, frame, sides, why_not_beside
from companion.games.pompeji.deck import VOLCANOES, sorted_hand
from companion.games.pompeji.drawing import PACK, can_come
from companion.games.pompeji.pieces import Card, Statue
from companion.games.pompeji.state import HAND, State, Volcano


def check(state: State) -> str | None:
    """What is wrong with a state, in a sentence for people, or None when nothing is."""
    for problems in (_city, _known, _cards, _phase, _hands, _turn):
        for problem in problems(state):
            return problem
    return None


def _city(state: State) -> Iterator[str]:
    """A city that cannot have grown card by card."""
    city = state.city
    if not isinstance(city.get((0, 0)), Card):
        yield "the city has no building in row 0, column 0, where the start card lies (POMP-SETUP-3)"
        return
    top, left, bottom, right = frame(city)
    if bottom - top >= MOST or right - left >= MOST:
        size = f"{bottom - top + 1} rows and {right - left + 1} columns"
        yield f"the city has {size}; there are seven at most (POMP-PLACE-2)"
    loose = city.keys() - _joined(city)
    if loose:
        yield f"{_name(city, min(loose))} is not joined to the start card (POMP-PLACE-1)"
    for position, card in city.items():
        alike = isinstance(card, Card) and why_not_beside(city, position, card.building, card.colour)
        if alike:
            yield f"{_name(city, position)}: {alike} (POMP-PLACE-3)"
    laid = sum(isinstance(content, Statue) for content in city.values())
    if laid + sum(state.statues.values()) != len(state.players):
        yield (
            f"{counted(laid, 'statue')} in the city and {sum(state.statues.values())} not laid yet; each of the "
            f"{len(state.players)} players has one (POMP-SETUP-1)"
        )


def _known(state: State) -> Iterator[str]:
    """Cards where only their number can be known, or the other way round (POMP-TABLE-1, POMP-TABLE-4)."""
    if state.options.hidden != isinstance(state.pile, int):
        must = "its number of cards" if state.options.hidden else "the list of its cards"
        yield f"hands are {state.options.hands}, so pile must be {must}"
    shows = state.players.index(state.to_act) if state.phase == "reveal" else 0
    for index, player in enumerate(state.players):
        hand = state.hands[player]
        if not state.options.hidden or state.phase == "over":
            if isinstance(hand, int):
                why = "hands are open" if not state.options.hidden else "the game is over"
                yield f"{why}, so the hand of {player} must be the list of its cards, not {hand}"
        elif state.phase != "reveal":
            if not isinstance(hand, int):
                yield f"hands are hidden, so the hand of {player} must be its number of cards (POMP-TABLE-1)"
        elif index < shows and isinstance(hand, int):
            yield f"{player} shows the hand before {state.to_act}, so it must be the list of its cards (POMP-TABLE-4)"
        elif index >= shows and not isinstance(hand, int):
            yield f"{player} cannot have shown the hand yet: {state.to_act} is to show one (POMP-TABLE-4)"
        elif player == state.to_act and not hand:
            yield f"{player} has no card, so somebody else is to show a hand (POMP-TABLE-4)"


def _cards(state: State) -> Iterator[str]:
    """Cards that are twice or nowhere, volcanoes that are too many or too few (POMP-CARD-1)."""
    places: dict[Card, str] = {}
    for card, where in _located(state):
        if card in places:
            yield f"{card.building} {card.colour} is there twice: {places[card]} and {where} (POMP-CARD-1)"
        places[card] = where
    cards = state.cards.cards
    if isinstance(state.pile, int):
        hands = sum(hand for hand in state.hands.values() if isinstance(hand, int))
        count = len(places) + hands + state.pile - (VOLCANOES - state.volcanoes)
        if count != len(cards):
            yield f"city, discards, hands and pile have {count} building cards; there are {len(cards)} (POMP-CARD-1)"
        most = (VOLCANOES - state.volcanoes + 1) * PACK - 1
        least = (VOLCANOES - state.volcanoes - 1) * PACK + 1
        if state.pile < least or (state.volcanoes and state.pile > most):
            cards_left = counted(state.pile, "card")
            yield f"the pile has {cards_left} with {state.volcanoes} volcanoes drawn: that cannot be (POMP-SETUP-2)"
        return
    for card in cards:
        if card not in places:
            yield f"{card.building} {card.colour} is missing: it is neither in the city nor anywhere else (POMP-CARD-1)"
    left = sum(isinstance(entry, Volcano) for entry in state.pile)
    if left + state.volcanoes != VOLCANOES:
        yield f"{left} volcanoes in the pile and {state.volcanoes} drawn; there are {VOLCANOES} (POMP-SETUP-2)"


def _hands(state: State) -> Iterator[str]:
    """Hands of the wrong size or order."""
    ended = state.volcanoes == VOLCANOES
    for player in state.players:
        hand, size = state.hands[player], state.hand_size(player)
        drawing = state.phase == "drawn" and player == state.to_act
        if not isinstance(hand, int) and hand != sorted_hand(hand):
            yield f"the hand of {player} is not sorted by building, colour, value"
        if size > HAND:
            yield f"{player} has {size} cards in the hand; there are never more than {HAND} (POMP-SETUP-2)"
        if not size and not ended and not drawing:
            yield f"{player} has no card in the hand: who has none must draw (POMP-VOLCANO-2)"
        if not state.volcanoes and size != HAND - drawing:
            yield f"{player} has {counted(size, 'card')}; before the first volcano it is {HAND - drawing} (POMP-DRAW-1)"


def _turn(state: State) -> Iterator[str]:
    """Who cannot be to act."""
    ended = state.volcanoes == VOLCANOES
    if state.interruption != "running" and state.to_act != state.turn_of and not ended:
        yield f"it is the turn of {state.turn_of} and nobody breaks in, so to_act is not {state.to_act} (POMP-TURN-1)"
    most = state.options.permits
    if state.interruption == "running" and not ended and state.permits[state.to_act] == most:
        yield f"{state.to_act} breaks in, but has all building permits still (POMP-PERMIT-1)"
    if state.interruption != "none" and all(left == most for left in state.permits.values()):
        yield "the turn has been broken into, but nobody has used a building permit (POMP-PERMIT-1)"


def _phase(state: State) -> Iterator[str]:
    """A phase that it cannot be."""
    player, size = state.to_act, state.hand_size(state.to_act)
    if (state.volcanoes == VOLCANOES) != (state.phase in ("reveal", "over")):
        yield f"the phase is {state.phase} with {state.volcanoes} volcanoes drawn: the second ends it (POMP-VOLCANO-3)"
    if (state.volcanoes == VOLCANOES) != (state.ending is not None):
        yield f"ending is {state.ending!r} with {state.volcanoes} volcanoes drawn: the second ends it (POMP-VOLCANO-3)"
    if state.phase in ("drawn", "reveal") and not state.options.hidden:
        yield f"the phase is {state.phase}, which there is only with hidden hands (POMP-TABLE-3)"
    if state.phase == "draw" and not state.volcanoes:
        yield "the phase is draw, but before the first volcano drawing is no choice (POMP-DRAW-1)"
    if state.phase == "draw" and size == HAND:
        yield f"the phase is draw, but {player} has {size} cards in the hand already (POMP-VOLCANO-1)"
    if state.phase != "drawn":
        return
    if len(can_come(state.pile_size, state.volcanoes)) == 1:
        yield f"the phase is drawn, but from a pile of {state.pile_size} only one thing can be drawn (POMP-TABLE-3)"
    if state.volcanoes and size and not (state.options.first_volcano_draw == "forced" and size == HAND - 1):
        yield f"the phase is drawn, but {player} has {counted(size, 'card')} and need not draw (POMP-VOLCANO-2)"


def _joined(city: City) -> set[Position]:
    """The places that are joined to the start card by sides."""
    reached, edge = {(0, 0)}, [(0, 0)]
    while edge:
        for side in sides(edge.pop()):
            if side in city and side not in reached:
                reached.add(side)
                edge.append(side)
    return reached


def _located(state: State) -> Iterator[tuple[Card, str]]:
    """Every building card that is known, and where it is."""
    hands = [(hand, f"in the hand of {player}") for player, hand in state.hands.items() if not isinstance(hand, int)]
    pile = () if isinstance(state.pile, int) else state.pile
    lists = [(state.city.values(), "in the city"), *hands, (pile, "in the pile"), (state.discards, "beside the pile")]
    for contents, where in lists:
        for content in contents:
            if isinstance(content, Card):
                yield content, where


def _name(city: City, position: Position) -> str:
    content = city[position]
    name = f"{content.building} {content.colour}" if isinstance(content, Card) else "a statue"
    return f"{name} in row {position[0]}, column {position[1]}"
