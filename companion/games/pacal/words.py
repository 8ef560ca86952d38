"""Actions and pieces in words, for buttons, logs and questions."""

from __future__ import annotations

from companion.games.pacal.actions import SUPPLY, Action, BringIn, Build, Fly, Pass, Place, Roll
from companion.games.pacal.pieces import Piece, Pyramid, Ship, Stones
from companion.games.phrases import counted, listed


def describe(action: Action, player: str) -> str:
    """An action in words; it never tells into which ship a stone went."""
    match action:
        case Place(square):
            return f"{player} places the ship on {square}"
        case Roll(face):
            return f"{player} rolls {'the arrows' if face == 'arrows' else face}"
        case Fly():
            return f"{player} {_flight(action)}"
        case BringIn(into, origin):
            taken = [name for name in origin if name != SUPPLY]
            source = f", taken from {listed(taken)}" if taken else ""
            return f"{player} brings in {counted(len(into), 'stone')}{source}"
        case Build(at, floors, uses):
            others = [name for name in uses if name != at]
            used = f", with {listed(others)}" if others else ""
            return f"{player} builds {counted(floors, 'floor')} on {at}{used}"
        case Pass():
            return f"{player} builds nothing"


def choice(action: Action, player: str) -> str:
    """An action in words, for a button that offers it: what can be done is no secret, only what was done."""
    if not isinstance(action, BringIn) or not action.into:
        return describe(action, player)
    ships = ["the own ship" if ship == player else f"{ship}'s ship" for ship in action.into]
    return f"{describe(action, player)}, into {listed(ships)}"


def name_piece(piece: Piece | None) -> str:
    """What is on a square, in words; None is nothing."""
    match piece:
        case Ship(colour):
            return f"the {colour} ship"
        case Pyramid(colour, floors):
            return f"a {colour} pyramid of {counted(floors, 'floor')}"
        case Stones(colours):
            return f"a {colours[0]} stone" if len(colours) == 1 else f"{listed(colours)} stones"
        case None:
            return "nothing"


def _flight(flight: Fly) -> str:
    match flight.mode:
        case "straight":
            return f"flies straight to {flight.to}"
        case "turning":
            return f"flies round a corner to {flight.to}"
        case "arrows":
            return f"flies by the arrows to {flight.to}"
        case "god":
            return f"discards god stone {flight.god} and puts the ship on {flight.to}"
        case "stranded":
            return f"is stranded and puts the ship on {flight.to}"
