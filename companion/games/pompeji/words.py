"""Actions and cards in words, for buttons, logs and questions. Nothing here tells what is in a hand or in the pile."""

from __future__ import annotations

from companion.games.phrases import counted, listed
from companion.games.pompeji.actions import Action, Discard, Draw, Permit, Place, PlaceStatue, Reveal, RevealSome
from companion.games.pompeji.pieces import Card, Content


def describe(action: Action, player: str) -> str:
    """An action in words; places are told from the start card."""
    match action:
        case Place(card, row, column):
            return f"{player} lays {name(card)} {where(row, column)}"
        case PlaceStatue(row, column, building, colour):
            return f"{player} lays the statue as {building} {colour} {where(row, column)}"
        case Discard(card):
            return f"{player} puts {name(card)} beside the pile"
        case Permit(owner):
            return f"{owner} breaks in with a building permit"
        case Draw("draw"):
            return f"{player} draws a card"
        case Draw("volcano"):
            return f"{player} draws a volcano"
        case Draw():
            return f"{player} draws no card"
        case Reveal(cards):
            return f"{player} shows {listed([name(card) for card in cards]) if cards else 'an empty hand'}"
        case RevealSome(count):
            return f"{player} shows {counted(count, 'card')}"


def name(content: Content | None) -> str:
    """What lies on a place, in words; None is nothing."""
    if content is None:
        return "nothing"
    return f"{content.building} {content.colour} ({content.value})" if isinstance(content, Card) else "a statue"


def where(row: int, column: int) -> str:
    """A place as it is found from the start card: ``2 right and 1 down from the start card``."""
    across = f"{abs(column)} {'right' if column > 0 else 'left'}" if column else ""
    down = f"{abs(row)} {'down' if row > 0 else 'up'}" if row else ""
    return f"{' and '.join(filter(None, (across, down)))} from the start card"
