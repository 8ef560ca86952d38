"""Why an action is not legal, by the ID of the rule that it breaks."""

from __future__ import annotations

from companion.errors import IllegalAction
from companion.games.phrases import counted, listed
from companion.games.pompeji.actions import Action, Discard, Draw, Permit, Place, PlaceStatue, Reveal, RevealSome
from companion.games.pompeji.city import why_not_beside, why_not_there
from companion.games.pompeji.pieces import Card
from companion.games.pompeji.state import State
from companion.games.pompeji.turn import choices, may_discard, places_in


def why_not(state: State, action: Action) -> IllegalAction | None:
    """The rule that an action breaks, or None when it is legal."""
    if state.phase == "over":
        return IllegalAction("POMP-VOLCANO-3", "the game is over: the second volcano has been drawn")
    if isinstance(action, Permit):
        return _permit(state, action.player)
    match action:
        case Place() if state.phase == "turn":
            return _card(state, action.card) or _place(state, action)
        case PlaceStatue() if state.phase == "turn":
            return _statue(state, action)
        case Discard(card) if state.phase == "turn":
            return _card(state, card) or _discard(state)
        case Draw() if state.phase in ("draw", "drawn"):
            return _draw(state, action)
        case Reveal(cards) if state.phase == "reveal":
            return _reveal(state, cards)
        case RevealSome() if state.phase == "reveal":
            count = state.hand_size(state.to_act)
            return IllegalAction(
                "POMP-TABLE-4", f"{state.to_act} must say which {counted(count, 'card')} the hand holds"
            )
    return _not_now(state, action)


def _not_now(state: State, action: Action) -> IllegalAction:
    """An action of another phase."""
    player = state.to_act
    if isinstance(action, Reveal | RevealSome):
        return IllegalAction("POMP-TABLE-4", "hands are shown after the second volcano, where the referee knows none")
    match state.phase:
        case "draw":
            return IllegalAction("POMP-VOLCANO-1", f"{player} has had the turn's card and now draws one, or keeps")
        case "drawn":
            return IllegalAction("POMP-TABLE-3", f"{player} must draw now: tell whether it was a building or a volcano")
        case "reveal":
            return IllegalAction("POMP-TABLE-4", f"the second volcano has been drawn: {player} now shows the hand")
    if state.volcanoes:
        return IllegalAction("POMP-TURN-1", f"{player} lays a card first, and draws after it")
    return IllegalAction("POMP-DRAW-1", "before the first volcano drawing is no choice: it is part of laying a card")


def _permit(state: State, player: str) -> IllegalAction | None:
    if player not in state.players:
        return IllegalAction("POMP-PERMIT-1", f"nobody here plays {player!r}; there are {listed(state.players)}")
    if state.phase != "turn":
        return IllegalAction("R-PERMIT-WHEN", "a turn is broken into only before its card is laid")
    if state.interruption == "running":
        return IllegalAction(
            "POMP-PERMIT-2", f"{state.to_act} is breaking into the turn of {state.turn_of}: nobody breaks into that"
        )
    if state.interruption == "used":
        return IllegalAction(
            "POMP-PERMIT-2", f"the turn of {state.turn_of} has been broken into already; that can be done once only"
        )
    if not state.permits[player]:
        return IllegalAction("POMP-PERMIT-1", f"{player} has no building permit left")
    return None


def _card(state: State, card: Card) -> IllegalAction | None:
    """Whether the player to act may have a card."""
    unknown = state.cards.why_not(card)
    if unknown is not None:
        return IllegalAction("POMP-CARD-1", unknown)
    hand = state.hands[state.to_act]
    if not isinstance(hand, int):
        if card in hand:
            return None
        # Messages are read by everybody at the table: they do not tell what else is in a hand.
        return IllegalAction("POMP-TURN-1", f"{card.building} {card.colour} is not in the hand of {state.to_act}")
    if card in state.discards or card in state.city.values():
        where = "beside the pile" if card in state.discards else "in the city"
        return IllegalAction(
            "POMP-TABLE-2", f"{card.building} {card.colour} lies {where}, so {state.to_act} cannot have it in the hand"
        )
    return None


def _place(state: State, action: Place | PlaceStatue) -> IllegalAction | None:
    """Whether a building or a statue may lie where it is to be laid."""
    position = (action.row, action.column)
    broken = why_not_there(state.city, position, state.options.attach_to_statue)
    if broken is not None:
        return IllegalAction(*broken)
    building, colour = action[2:] if isinstance(action, PlaceStatue) else action.card[:2]
    alike = why_not_beside(state.city, position, building, colour)
    return None if alike is None else IllegalAction("POMP-PLACE-3", alike)


def _statue(state: State, action: PlaceStatue) -> IllegalAction | None:
    if not state.statues[state.to_act]:
        return IllegalAction("POMP-STATUE-1", f"{state.to_act} has laid the statue already")
    for name, names in ((action.building, state.cards.buildings), (action.colour, state.cards.colours)):
        if name not in names:
            return IllegalAction(
                "POMP-STATUE-1", f"{name!r} is not in the deck; a statue stands for {', '.join(names)}"
            )
    return _place(state, action)


def _discard(state: State) -> IllegalAction | None:
    free = places_in(state)
    if may_discard(state, free):
        return None
    if state.options.statue_before_discard and state.statues[state.to_act] and free.places:
        return IllegalAction(
            "R-NO-PLACE", f"{state.to_act} can lay the statue, and in this game must rather than discard"
        )
    return IllegalAction(
        "POMP-TURN-2", f"who can lay a building card puts none aside, and {state.to_act} has one that can be laid"
    )


def _draw(state: State, action: Draw) -> IllegalAction | None:
    player, told = state.to_act, action.drawing
    if told in choices(state):
        return None
    if told == "keep" and state.volcanoes == 0:
        return IllegalAction("POMP-DRAW-1", f"before the first volcano drawing is no choice: {player} must draw")
    if told == "keep" and state.hand_size(player):
        return IllegalAction("R-FIRST-VOLCANO", f"in this game {player}, who drew the first volcano, must draw again")
    if told == "keep":
        return IllegalAction("POMP-VOLCANO-2", f"{player} has no building card in the hand and must draw")
    if not state.options.hidden:
        return IllegalAction("R-HIDDEN", "with open hands the referee sees what is drawn: it is no action")
    if told == "draw":
        return IllegalAction("POMP-TABLE-3", "nothing but the volcano is left in the pile")
    return IllegalAction("POMP-TABLE-3", f"no volcano can be among the top cards of a pile of {state.pile_size} yet")


def _reveal(state: State, cards: tuple[Card, ...]) -> IllegalAction | None:
    player, count = state.to_act, state.hand_size(state.to_act)
    if len(cards) != count or len(set(cards)) != count:
        return IllegalAction(
            "POMP-TABLE-4", f"{player} shows {counted(count, 'different card')}, not {len(set(cards))}"
        )
    unseen = state.unseen()
    for card in cards:
        if card not in unseen:
            unknown = state.cards.why_not(card) or f"{card.building} {card.colour} has been seen elsewhere"
            return IllegalAction("POMP-TABLE-4", f"{player} cannot show this: {unknown}")
    return None
