"""How a game begins (PACRU-SETUP-1 to PACRU-SETUP-3)."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.pacru.options import Options
from companion.games.pacru.pieces import Chevron, Heading
from companion.games.pacru.state import SETS, State
from companion.squares import Square

Group = Mapping[Square, Heading]

MIDDLE_GROUPS: Mapping[str, Group] = {
    "a": {"G1": "S", "I5": "W", "G9": "N"},
    "b": {"C1": "S", "A5": "E", "C9": "N"},
    "c": {"E1": "S", "A3": "E", "I3": "W"},
    "d": {"A7": "E", "I7": "W", "E9": "N"},
}
"""The chevrons of three and four players, by the letter printed on the board."""

GROUPS: Mapping[int, tuple[Group, ...]] = {
    2: (
        {"A1": "SE", "G1": "S", "I5": "W", "G9": "N"},
        {"C1": "S", "A5": "E", "C9": "N", "I9": "NW"},
    ),
    3: tuple(MIDDLE_GROUPS[letter] for letter in "cab"),
    4: tuple(MIDDLE_GROUPS[letter] for letter in "adbc"),
}
"""The chevrons of each player in turn order, by the number of players."""


def first_state(board: str, options: Options, players: tuple[str, ...]) -> State:
    """The state in which a game begins; ``players`` are in turn order."""
    groups = zip(players, GROUPS[len(players)], strict=True)
    return State(
        board=board,
        options=options,
        players=players,
        phase="turn",
        turn=1,
        to_act=players[0],
        chevrons={name: Chevron(player, heading) for player, group in groups for name, heading in group.items()},
        markers={},
        supply=dict.fromkeys(players, SETS[len(players)].markers),
        out=(),
        winner=None,
        ending=None,
    )
