"""How many positions can be reached after so many actions; the first numbers can be counted by hand."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.games.game import canonical
from companion.games.pacal import GAME
from companion.games.pacal.pieces import COLOURS

COUNTS = [
    # Two players: nine squares for the first ship, eight for the second, five faces.
    (2, {}, [9, 72, 360]),
    (3, {}, [9, 72, 504, 2520]),
    (3, {"faces": [2, "arrows"]}, [9, 72, 504, 1008]),
    (5, {}, [9, 72, 504, 3024]),
]


@pytest.mark.parametrize(("players", "options", "counts"), COUNTS)
def test_as_many_sequences_as_counted_lead_from_the_start(
    players: int, options: dict[str, object], counts: list[int]
) -> None:
    states = [GAME.new(COLOURS[:players], "reference", options, None)]
    for count in counts:
        states = [GAME.apply(state, action).state for state in states for action in GAME.legal(state)]
        assert len(states) == count
    assert len({canonical(GAME.state_to_json(state)) for state in states}) == counts[-1]


def test_the_first_flights_from_the_middle_of_the_sacred_district() -> None:
    """From G7 a number leads four ways out; the arrows to five squares in the west, north and south each, and two
    in the east, where the cover on K7 ends the row."""
    state = GAME.new(["red", "blue"], "reference", {}, None)
    for square in ("G7", "F6"):
        state = GAME.apply(state, GAME.action_from_json({"type": "place", "square": square})).state
    for face, modes in ((2, {"straight": 4}), (5, {"straight": 4}), ("arrows", {"arrows": 5 + 5 + 5 + 2})):
        rolled = GAME.apply(state, GAME.action_from_json({"type": "roll", "face": face})).state
        assert Counter(GAME.action_to_json(action)["mode"] for action in GAME.legal(rolled)) == modes
