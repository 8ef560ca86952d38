"""The state of a game of Pacal's Rocket: an immutable value with its JSON form (spec: pacal, State)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

from companion.games.pacal.ground import Ground
from companion.games.pacal.options import Options
from companion.games.pacal.pieces import PYRAMIDS, STONES, Pyramid
from companion.observation import Die
from companion.squares import Square

Phase: TypeAlias = Literal["place", "roll", "fly", "stones", "build", "over"]
Ending: TypeAlias = Literal["target", "penultimate"]

GODS = (2, 4, 6)


class Supply(NamedTuple):
    """What a player has in front of them; ``pyramids`` by floors, from 1 to 5."""

    stones: int = STONES
    pyramids: tuple[int, ...] = PYRAMIDS
    gods: tuple[int, ...] = GODS

    def give_stones(self, count: int) -> Supply:
        return Supply(self.stones + count, self.pyramids, self.gods)

    def give_pyramid(self, floors: int, count: int = 1) -> Supply:
        """With ``count`` more pyramids of that height; -1 takes one away."""
        pyramids = list(self.pyramids)
        pyramids[floors - 1] += count
        return Supply(self.stones, tuple(pyramids), self.gods)


@dataclass(frozen=True, slots=True)
class State:
    """Everything about a game at one moment; the names are those of the JSON form. The mappings are never changed.

    board: the layout as it was named; ground: the same as it is played on. stones: every stone on the board by square
    and colour, those in and under ships included; squares and colours with none are not in it.
    """

    board: str
    options: Options
    players: tuple[str, ...]
    phase: Phase
    round: int
    starter: str
    to_act: str
    roll: Die | None
    allowance: int
    ships: Mapping[str, Square | None]
    stones: Mapping[Square, Mapping[str, int]]
    pyramids: Mapping[Square, Pyramid]
    supply: Mapping[str, Supply]
    track: Mapping[str, int]
    ending: Ending | None
    ground: Ground = field(repr=False, compare=False)

    def to_json(self) -> dict[str, Any]:
        return {
            "game": "pacal",
            "board": self.board,
            "options": self.options.to_json(),
            "players": list(self.players),
            "phase": self.phase,
            "round": self.round,
            "starter": self.starter,
            "to_act": self.to_act,
            "roll": self.roll,
            "allowance": self.allowance,
            "ships": dict(self.ships),
            "stones": {name: dict(colours) for name, colours in self.stones.items()},
            "pyramids": {
                name: {"colour": pyramid.colour, "floors": pyramid.floors} for name, pyramid in self.pyramids.items()
            },
            "supply": {
                colour: {"stones": supply.stones, "pyramids": list(supply.pyramids), "gods": list(supply.gods)}
                for colour, supply in self.supply.items()
            },
            "track": dict(self.track),
            "ending": self.ending,
        }

    def ship_squares(self) -> set[Square | None]:
        """The squares with a ship; None is among them while a ship is not placed yet."""
        return set(self.ships.values())

    def stones_seen(self, colour: str) -> Iterator[Square]:
        """The squares where a stone of that colour can be seen: there is no ship on them (STONE-3)."""
        ships = self.ship_squares()
        return (name for name, colours in self.stones.items() if colour in colours and name not in ships)

    def after(self, player: str) -> str:
        """The next player clockwise."""
        return self.players[(self.players.index(player) + 1) % len(self.players)]

    @property
    def first_rotates(self) -> bool:
        """Whether the player who starts changes every round (ROUND-1, R-TWO-ORDER)."""
        return len(self.players) > 2 or self.options.two_player_rotation

    @property
    def target(self) -> int:
        """The points on the track that end the game (END-2, END-3, R-TARGET)."""
        return self.options.target or TARGETS[len(self.players)]


TARGETS: Mapping[int, int] = {2: 45, 3: 40, 4: 35, 5: 30}
"""Points on the track that end the game, by the number of players (END-2, END-3)."""


def starter_of(players: tuple[str, ...], round_: int, rotates: bool) -> str:
    """Who starts a round: the die goes round the table, or stays with the first player."""
    return players[(round_ - 1) % len(players)] if rotates else players[0]
