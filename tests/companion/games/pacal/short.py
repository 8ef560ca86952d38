"""Actions of Pacal's Rocket in short words, and those that are legal."""

from __future__ import annotations

from typing import Any, TypeVar

from companion.games.pacal import GAME
from companion.games.pacal.state import State
from companion.observation import Die

Kind = TypeVar("Kind")


def all_legal(state: State, kind: type[Kind]) -> list[Kind]:
    """All that is legal, which is nothing but actions of a kind."""
    legal = GAME.legal(state)
    found: list[Kind] = [action for action in legal if isinstance(action, kind)]
    assert found == legal
    return found


def place(square: str) -> dict[str, Any]:
    return {"type": "place", "square": square}


def roll(face: Die) -> dict[str, Any]:
    return {"type": "roll", "face": face}


def fly(to: str, mode: str = "straight", **more: Any) -> dict[str, Any]:
    return {"type": "fly", "mode": mode, "to": to, **more}


def stones(*into: str) -> dict[str, Any]:
    return {"type": "stones", "into": list(into), "from": ["supply"] * len(into)}


def build(at: str, floors: int, *uses: str) -> dict[str, Any]:
    return {"type": "build", "at": at, "floors": floors, "uses": list(uses)}


PASS = {"type": "pass"}
