"""Small boards and positions, written as they look, for the tests of Pacal's Rocket."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from companion.games.pacal import GAME
from companion.games.pacal.pieces import PYRAMIDS, STONES
from companion.games.pacal.state import GODS, State

BoardMaker = Callable[..., str]
PositionMaker = Callable[..., State]

PLAIN = """
AAAAAAA
AAAAAAA
AASSSAA
AASSSAA
AAAAAAA
BBBBBBB
BBBBBBB
"""
"""Seven by seven, the sacred district S in C3 to E4, district B in the two lowest rows."""


def layout_text(districts: str, shore: str = "", covers: Mapping[str, list[str]] | None = None, **values: int) -> str:
    """A layout file. Values not given are 7 for S, and 3, 4, 5… for A, B, C…"""
    lines = districts.strip("\n")
    letters = sorted(set(lines) - set("~.\n"))
    worth = {letter: 7 if letter == "S" else 3 + index for index, letter in enumerate(letters)} | values
    bank = shore.strip("\n") or "\n".join("." * len(line) for line in lines.split("\n"))
    under = covers if covers is not None else {"2": [], "2/3": [], "4": []}
    return "\n".join(
        [
            'format = 1\ngame = "pacal"\nname = "small"',
            "board_mm = [300.0, 300.0]\ngrid_mm = [10.0, 10.0, 290.0, 290.0]",
            f'districts = """\n{lines}\n"""\nshore = """\n{bank}\n"""\nsacred = "S"',
            "values = { " + ", ".join(f"{letter} = {value}" for letter, value in worth.items()) + " }",
            "[covers]",
            *(f'"{name}" = {json.dumps(letters)}' for name, letters in under.items()),
        ]
    )


@pytest.fixture
def board(tmp_path: Path) -> BoardMaker:
    """Writes a layout file from a map and returns its path."""

    def make(districts: str = PLAIN, shore: str = "", covers: Any = None, **values: int) -> str:
        path = tmp_path / "small.toml"
        path.write_text(layout_text(districts, shore, covers, **values), encoding="utf-8")
        return str(path)

    return make


def position_json(
    board: str,
    ships: Mapping[str, str | None],
    *,
    stones: Mapping[str, str] | None = None,
    pyramids: Mapping[str, str] | None = None,
    gods: Mapping[str, list[int]] | None = None,
    **fields: Any,
) -> dict[str, Any]:
    """A state as JSON: stones as ``"red red blue"``, pyramids as ``"red 3"``; supplies hold what is left."""
    players = list(ships)
    counts = {
        name: {colour: text.split().count(colour) for colour in dict.fromkeys(text.split())}
        for name, text in (stones or {}).items()
    }
    built = {
        name: {"colour": text.split()[0], "floors": int(text.split()[1])} for name, text in (pyramids or {}).items()
    }
    supply = {
        player: {
            "stones": STONES - sum(colours.get(player, 0) for colours in counts.values()),
            "pyramids": [
                known - sum(pyramid == {"colour": player, "floors": floors} for pyramid in built.values())
                for floors, known in enumerate(PYRAMIDS, 1)
            ],
            "gods": (gods or {}).get(player, list(GODS)),
        }
        for player in players
    }
    data = {
        "game": "pacal",
        "board": board,
        "options": {},
        "players": players,
        "phase": "fly",
        "round": 1 + len(players),
        "starter": players[0],
        "to_act": players[0],
        "roll": 3,
        "allowance": 0,
        "ships": dict(ships),
        "stones": counts,
        "pyramids": built,
        "supply": supply,
        "track": dict.fromkeys(players, 0),
        "ending": None,
    }
    changed = {**data, **fields}
    if "starter" not in fields and (len(players) > 2 or changed["options"].get("two_player_rotation")):
        changed["starter"] = players[(changed["round"] - 1) % len(players)]
    if changed["phase"] in ("place", "roll", "over"):
        changed["roll"] = None
    return changed


@pytest.fixture
def position(board: BoardMaker) -> PositionMaker:
    """Makes a state on a small board: red's turn to fly in a later round with a 3, unless said otherwise."""

    def make(ships: Mapping[str, str | None], districts: str = PLAIN, shore: str = "", **more: Any) -> State:
        covers = more.pop("covers", None)
        return GAME.state_from_json(position_json(board(districts, shore, covers), ships, **more))

    return make
