"""What can be done now, and how the city is drawn: JSON for the public page, so nothing here looks into a hand."""

from __future__ import annotations

from typing import Any

from companion.games.phrases import counted, listed
from companion.games.pompeji.actions import Action, Draw, Permit, RevealSome
from companion.games.pompeji.city import MOST, frame, sides
from companion.games.pompeji.drawing import PACK, can_come
from companion.games.pompeji.pieces import Card
from companion.games.pompeji.state import State
from companion.games.pompeji.turn import legal, permits, places_in
from companion.games.pompeji.words import describe, where

STEPS = ("lay", "draw")


def outlook(state: State) -> dict[str, Any]:
    """What is still to do in this turn, what can be done for it, where something can be laid, and how near the end is.

    frame: row and column of the place that a camera sees as A1. cards: those that nobody has seen yet.
    """
    top, left, _, _ = frame(state.city)
    return {
        "todo": _todo(state),
        "actions": [{"action": action.to_json(), "text": describe(action, state.to_act)} for action in _open(state)],
        "frame": {"row": top, "column": left},
        "places": _places(state) if state.phase == "turn" else [],
        "cards": [card.to_json() for card in state.unseen()],
        "end": end(state),
    }


def drawing(state: State) -> dict[str, Any]:
    """The largest city that there can be, and the deck."""
    deck = state.cards
    return {
        "columns": MOST,
        "rows": MOST,
        "buildings": list(deck.buildings),
        "colours": list(deck.colours),
        "values": {building: list(values) for building, values in deck.values.items()},
    }


def end(state: State) -> str:
    """How near the end is, in one sentence, as far as everybody knows."""
    if state.phase == "over":
        return "The game is over: the second volcano has been drawn."
    if state.phase == "reveal":
        return "The second volcano has been drawn: the hands are shown."
    pile = f"{counted(state.pile_size, 'card')} in the pile; the"
    volcano = "second volcano, which ends the game," if state.volcanoes else "first volcano"
    ways = can_come(state.pile_size, state.volcanoes)
    if "volcano" in ways:
        return f"{pile} {volcano} {'can come with any of them' if 'draw' in ways else 'comes next'}."
    sure = state.pile_size - (1 if state.volcanoes else 2) * PACK
    return f"{pile} {volcano} comes after {counted(sure, 'more card')} at the earliest."


def _open(state: State) -> list[Action]:
    """What can be done, but for what depends on cards that are hidden: laying and discarding."""
    if state.phase == "turn":
        return list(map(Permit, permits(state)))
    return [action for action in legal(state) if isinstance(action, Draw | RevealSome)]


def _todo(state: State) -> list[dict[str, str]]:
    if state.phase in ("reveal", "over"):
        return []
    texts = {
        "lay": "lay a card or the statue" if state.statues[state.to_act] else "lay a card",
        "draw": "draw a card, or none" if state.volcanoes else "draw a card",
    }
    now = STEPS.index("lay" if state.phase == "turn" else "draw")
    states = ["done"] * now + ["now"] + ["open"] * (len(STEPS) - now - 1)
    return [{"step": step, "state": at, "text": texts[step]} for step, at in zip(STEPS, states, strict=True)]


def _places(state: State) -> list[dict[str, Any]]:
    """The free places where something could be laid, each with what may not lie there (POMP-PLACE-3)."""
    places = []
    for (row, column), _ in sorted(places_in(state).places):
        beside = [state.city.get(side) for side in sides((row, column))]
        cards = [content for content in beside if isinstance(content, Card)]
        buildings, colours = sorted({card.building for card in cards}), sorted({card.colour for card in cards})
        but = f": no {listed(buildings)}, nothing {listed(colours)}" if buildings else ""
        places.append(
            {
                "row": row,
                "column": column,
                "buildings": buildings,
                "colours": colours,
                "text": f"{where(row, column)}{but}",
            }
        )
    return places
