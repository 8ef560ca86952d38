"""What is legal in each phase, and the state after an action (POMP-TURN, POMP-STATUE, POMP-PERMIT)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product

from companion.games.pompeji.actions import Action, Discard, Draw, Permit, Place, PlaceStatue, Reveal, RevealSome
from companion.games.pompeji.city import Position
from companion.games.pompeji.deck import sorted_hand
from companion.games.pompeji.drawing import can_come, draw, drawn, must_draw, reveal_next, turn_done
from companion.games.pompeji.pieces import DRAWINGS, Card, Drawing, Statue
from companion.games.pompeji.places import PLACES, FreePlaces, free_places
from companion.games.pompeji.scoring import scored
from companion.games.pompeji.state import HAND, Hand, State

STATUE_VALUE = 1


def legal(state: State) -> list[Action]:
    """Every legal action, in the order of canonical JSON: what the player to act may do, and everybody's permits."""
    match state.phase:
        case "turn":
            free = places_in(state)
            return [*statues(state, free), *_with_cards(state, free), *map(Permit, sorted(permits(state)))]
        case "draw" | "drawn":
            return [Draw(drawing) for drawing in choices(state)]
        case "reveal":
            return [RevealSome(state.hand_size(state.to_act), state.unseen())]
        case "over":
            return []


def places_in(state: State) -> FreePlaces:
    """Where something could be laid."""
    return free_places(state.city, state.options.attach_to_statue)


def in_hand(state: State) -> Sequence[Card]:
    """The cards that the player to act may have in the hand, in the order of canonical JSON (POMP-TABLE-2)."""
    hand = state.hands[state.to_act]
    return sorted(state.unseen() if isinstance(hand, int) else hand, key=state.cards.text_order.__getitem__)


def placements(card: Card, free: FreePlaces) -> list[Place]:
    """The ways to lay a building card."""
    placement = _ready_placements(card)
    return [placement[place] for place in free.fitting(card.building, card.colour)]


def statues(state: State, free: FreePlaces) -> list[PlaceStatue]:
    """The ways to lay the statue of the player to act (POMP-STATUE-1)."""
    if not state.statues[state.to_act]:
        return []
    buildings, colours = state.cards.names_in_text_order
    found = []
    for building, colour in product(buildings, colours):
        statue = _ready_statues(building, colour)
        found += [statue[place] for place in free.fitting(building, colour)]
    return found


# There are hundreds of actions in a list, and the same ones in all of them: each is made once. The places of a deck's
# cards and of what its statues can stand for are twice 49 * 169 values, about 3 MB.
@lru_cache(maxsize=49)
def _ready_placements(card: Card) -> Mapping[Position, Place]:
    return {(row, column): Place(card, row, column) for row, column in PLACES}


@lru_cache(maxsize=49)
def _ready_statues(building: str, colour: str) -> Mapping[Position, PlaceStatue]:
    return {(row, column): PlaceStatue(row, column, building, colour) for row, column in PLACES}


def permits(state: State) -> list[str]:
    """Who may break into the turn (POMP-PERMIT-1, POMP-PERMIT-2)."""
    if state.phase != "turn" or state.interruption != "none":
        return []
    return [player for player in state.players if state.permits[player]]


def may_discard(state: State, free: FreePlaces) -> bool:
    """Whether a card may go beside the pile (POMP-TURN-2, R-NO-PLACE)."""
    if state.options.statue_before_discard and state.statues[state.to_act] and free.places:
        return False
    hand = state.hands[state.to_act]
    return isinstance(hand, int) or not any(free.fitting(card.building, card.colour) for card in hand)


def choices(state: State) -> list[Drawing]:
    """What can be told, or chosen, of the draw that the player to act is at (POMP-VOLCANO-1, POMP-TABLE-3)."""
    if state.phase not in ("draw", "drawn"):
        return []
    ways = can_come(state.pile, state.volcanoes) if isinstance(state.pile, int) else ("draw",)
    return [way for way in DRAWINGS if way in ways or (way == "keep" and state.phase == "draw")]


def _with_cards(state: State, free: FreePlaces) -> list[Place | Discard]:
    discard = may_discard(state, free)
    found: list[Place | Discard] = []
    for card in in_hand(state):
        found += placements(card, free)
        if discard:
            found.append(Discard(card))
    return found


def after(state: State, action: Action) -> State:
    """The state after an action that is legal; whether it is must be known already."""
    match action:
        case Place(card, row, column):
            laid = replace(
                state,
                city={**state.city, (row, column): card},
                hands=_without(state, card),
                points=_with_points(state, (row, column), card),
            )
            return draw(laid)
        case PlaceStatue():
            return _after_statue(state, action)
        case Discard(card):
            return draw(replace(state, hands=_without(state, card), discards=(*state.discards, card)))
        case Permit(player):
            left = {**state.permits, player: state.permits[player] - 1}
            return replace(state, permits=left, to_act=player, interruption="running")
        case Draw("draw") if not state.options.hidden:
            return must_draw(state)
        case Draw(drawing):
            return drawn(state, drawing)
        case Reveal(shown):
            return reveal_next(replace(state, hands={**state.hands, state.to_act: sorted_hand(shown)}))
        case RevealSome():
            raise ValueError("the open form of a reveal leads to no state: fill it in")


def _after_statue(state: State, action: PlaceStatue) -> State:
    row, column, building, colour = action
    player = state.to_act
    laid = replace(
        state,
        city={**state.city, (row, column): Statue()},
        statues={**state.statues, player: state.statues[player] - 1},
        points=_with_points(state, (row, column), Card(building, colour, STATUE_VALUE)),
    )
    draws = state.options.statue_draw and state.hand_size(player) < HAND
    return draw(laid) if draws else turn_done(laid)


def _with_points(state: State, position: Position, card: Card) -> dict[str, int]:
    player = state.to_act
    streets = scored(state.city, position, card, state.options.seventh_counts_statues)
    return {**state.points, player: state.points[player] + sum(street.points for street in streets)}


def _without(state: State, card: Card) -> dict[str, Hand]:
    """The hands when the player to act has played a card."""
    hand = state.hands[state.to_act]
    left = hand - 1 if isinstance(hand, int) else tuple(other for other in hand if other != card)
    return {**state.hands, state.to_act: left}
