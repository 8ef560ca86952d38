"""The state of a game of Pacru: an immutable value with its JSON form (spec: pacru, State)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from companion.games.pacru.options import Options
from companion.games.pacru.pieces import Chevron
from companion.squares import Square

Phase: TypeAlias = Literal["turn", "over"]
Ending: TypeAlias = Literal["markers", "last"]


class Set(NamedTuple):
    """The pieces of each player."""

    chevrons: int
    markers: int


SETS: Mapping[int, Set] = {2: Set(4, 42), 3: Set(3, 28), 4: Set(3, 24)}
"""What each player has, by the number of players (PACRU-SETUP-1)."""


@dataclass(frozen=True, slots=True)
class State:
    """Everything about a game at one moment; the names are those of the JSON form. The mappings are never changed."""

    board: str
    options: Options
    players: tuple[str, ...]
    phase: Phase
    turn: int
    to_act: str
    chevrons: Mapping[Square, Chevron]
    markers: Mapping[Square, str]
    supply: Mapping[str, int]
    out: tuple[str, ...]
    winner: str | None
    ending: Ending | None

    def to_json(self) -> dict[str, Any]:
        return {
            "game": "pacru",
            "board": self.board,
            "options": self.options.to_json(),
            "players": list(self.players),
            "phase": self.phase,
            "turn": self.turn,
            "to_act": self.to_act,
            "chevrons": {name: chevron.to_json() for name, chevron in self.chevrons.items()},
            "markers": dict(self.markers),
            "supply": dict(self.supply),
            "out": list(self.out),
            "winner": self.winner,
            "ending": self.ending,
        }

    def on_board(self, player: str) -> int:
        """How many markers of a player are on the board."""
        return SETS[len(self.players)].markers - self.supply[player]

    def others(self, player: str) -> tuple[str, ...]:
        """The other players, in turn order after this one."""
        seat = self.players.index(player)
        return self.players[seat + 1 :] + self.players[:seat]
