"""Drawing, and what follows on it: the next turn, or the end (POMP-DRAW, POMP-VOLCANO, POMP-TABLE-3, POMP-TABLE-4)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.pompeji.deck import VOLCANOES, sorted_hand
from companion.games.pompeji.pieces import Card, Drawing
from companion.games.pompeji.state import State

PACK = 9
"""The cards of each of the two packs at the bottom of the pile, its volcano included (POMP-SETUP-2)."""


def can_come(pile: int, volcanoes: int) -> tuple[Drawing, ...]:
    """What can be on top of a pile of so many cards after so many volcanoes, when nobody knows its cards.

    The first volcano is among the cards 18 to 10 from the bottom, the second among the last 9 (POMP-TABLE-3).
    """
    last = (VOLCANOES - 1 - volcanoes) * PACK
    if pile > last + PACK:
        return ("draw",)
    return ("volcano",) if pile == last + 1 else ("draw", "volcano")


def draw(state: State) -> State:
    """The player to act draws as after a building card: must they, or have they the choice?"""
    if state.volcanoes == 0 or state.hand_size(state.to_act) == 0:
        return must_draw(state)
    return replace(state, phase="draw")


def must_draw(state: State) -> State:
    """The player to act draws what is on top, or tells what it was (POMP-TABLE-3)."""
    drawing = _on_top(state)
    return replace(state, phase="drawn") if drawing is None else drawn(state, drawing)


def drawn(state: State, drawing: Drawing) -> State:
    """The state when the player to act has drawn this."""
    if drawing == "keep":
        return turn_done(state)
    if drawing == "draw":
        return turn_done(_take(state))
    pile = state.pile - 1 if isinstance(state.pile, int) else state.pile[1:]
    state = replace(state, pile=pile, volcanoes=state.volcanoes + 1)
    if state.volcanoes == VOLCANOES:
        return reveal_next(replace(state, ending="volcano"))
    match state.options.first_volcano_draw:
        case "forced":
            return must_draw(state)
        case "none" if state.hand_size(state.to_act):
            return turn_done(state)
    return draw(state)


def turn_done(state: State) -> State:
    """The turn is done: back to the player whose turn was broken into, or on to the next (POMP-PERMIT-1)."""
    if state.interruption == "running":
        return replace(state, phase="turn", to_act=state.turn_of, interruption="used")
    following = state.after(state.turn_of)
    return replace(state, phase="turn", turn=state.turn + 1, turn_of=following, to_act=following, interruption="none")


def reveal_next(state: State) -> State:
    """The next player who has cards shows them, or it is over; an empty hand is shown by itself (POMP-TABLE-4)."""
    hands = dict(state.hands)
    for player in state.players:
        if hands[player] == 0:
            hands[player] = ()
        elif isinstance(hands[player], int):
            return replace(state, phase="reveal", hands=hands, to_act=player)
    return replace(state, phase="over", hands=hands)


def _on_top(state: State) -> Drawing | None:
    """What the next draw brings; None when that must be told (POMP-TABLE-3)."""
    if isinstance(state.pile, int):
        ways = can_come(state.pile, state.volcanoes)
        return ways[0] if len(ways) == 1 else None
    return "draw" if isinstance(state.pile[0], Card) else "volcano"


def _take(state: State) -> State:
    """A building card goes from the pile into the hand of the player to act."""
    player, hand = state.to_act, state.hands[state.to_act]
    if isinstance(state.pile, int) or isinstance(hand, int):
        return replace(state, hands={**state.hands, player: state.hand_size(player) + 1}, pile=state.pile_size - 1)
    own = sorted_hand((*hand, state.pile[0]))
    return replace(state, hands={**state.hands, player: own}, pile=state.pile[1:])
