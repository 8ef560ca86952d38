"""Small positions, and legal moves as short texts, for the tests of Pacru."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from companion.errors import IllegalAction
from companion.games.pacru import GAME
from companion.games.pacru.actions import Move
from companion.games.pacru.pieces import COLOURS
from companion.games.pacru.state import SETS, State


def position_json(chevrons: Mapping[str, str], **fields: Any) -> dict[str, Any]:
    """A state as JSON: chevrons as ``{"C5": "red E"}``, markers as ``red="A9 B9"``; supplies hold what is left."""
    players = fields.get("players", ["red", "yellow"])
    markers = {name: colour for colour in COLOURS for name in fields.pop(colour, "").split()}
    owners = list(markers.values())
    data = {
        "game": "pacru",
        "board": "reference",
        "options": {},
        "players": players,
        "phase": "turn",
        "turn": 20,
        "to_act": "red",
        "chevrons": {
            name: dict(zip(("colour", "heading"), text.split(), strict=True)) for name, text in chevrons.items()
        },
        "markers": markers,
        "supply": {player: SETS[len(players)].markers - owners.count(player) for player in players},
        "out": [],
        "winner": None,
        "ending": None,
    }
    return {**data, **fields}


@pytest.fixture
def position() -> Callable[..., State]:
    """Makes a state: red's turn against yellow, whose one chevron is far off on I9 unless the position has others."""

    def make(chevrons: Mapping[str, str], **fields: Any) -> State:
        if "players" not in fields and not any(text.startswith("yellow") for text in chevrons.values()):
            chevrons = {**chevrons, "I9": "yellow NW"}
        return GAME.state_from_json(position_json(chevrons, **fields))

    return make


@pytest.fixture
def position_data() -> Callable[..., dict[str, Any]]:
    """Makes a state as JSON, whether it can be or not."""
    return position_json


@pytest.fixture
def moves() -> Callable[..., list[str]]:
    """Tells legal moves in short: ``D5 mark D4 meet E1``, without the field where they start; sorted."""

    def tell(state: State, start: str) -> list[str]:
        told = []
        for action in GAME.legal(state):
            if isinstance(action, Move) and action.start == start:
                extras = [f" mark {action.mark}"] if action.mark else []
                extras += [" connect"] if action.connect else []
                extras += [f" meet {action.meet}"] if action.meet else []
                told.append(action.to + "".join(extras))
        return sorted(told)

    return tell


@pytest.fixture
def refused() -> Callable[..., str]:
    """Applies an action, given as JSON, that must be refused; returns the message, which begins with the rule's ID."""

    def apply(state: State, data: Any) -> str:
        with pytest.raises(IllegalAction) as error:
            GAME.apply(state, GAME.action_from_json(data))
        assert str(error.value).startswith(f"{error.value.rule}: ")
        return str(error.value)

    return apply


@pytest.fixture
def move() -> Callable[..., State]:
    """The state after a move, which must be legal."""

    def apply(state: State, start: str, to: str, **extras: Any) -> State:
        action = GAME.action_from_json({"type": "move", "from": start, "to": to, **extras})
        return GAME.apply(state, action).state

    return apply


@pytest.fixture
def rotate() -> Callable[..., State]:
    """The state after a rotation, which must be legal; the fields to take markers from as ``A1 B2``."""

    def apply(state: State, field: str, heading: str, remove: str) -> State:
        data = {"type": "rotate", "field": field, "heading": heading, "remove": remove.split()}
        return GAME.apply(state, GAME.action_from_json(data)).state

    return apply
