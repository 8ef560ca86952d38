"""Points: the majority in a district, and the final scoring (SCORE-1, FINAL-1 to FINAL-5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from companion.games.pacal.pieces import Pyramid
from companion.games.pacal.state import State
from companion.squares import Square

WATER_POINTS = (12, 8, 4)
SECOND_POINTS = 2
PENULTIMATE_POINTS = 5


def floors_in(state: State, pyramids: Mapping[Square, Pyramid], district: str) -> dict[str, int]:
    """The floors of each player who has any in a district."""
    return _floors(pyramid for name, pyramid in pyramids.items() if state.ground.district[name] == district)


def leader(floors: Mapping[str, int]) -> str | None:
    """Who has more floors than every other player; None while nobody has."""
    most = max(floors.values(), default=0)
    leaders = [player for player, count in floors.items() if count == most]
    return leaders[0] if len(leaders) == 1 else None


def majority_points(state: State, player: str, district: str, pyramids: Mapping[Square, Pyramid]) -> int:
    """What a player scores whose build led from the state's pyramids to these (SCORE-1)."""
    before = leader(floors_in(state, state.pyramids, district))
    after = leader(floors_in(state, pyramids, district))
    return state.ground.values[district] if after == player != before else 0


def score(state: State) -> dict[str, Any]:
    """The score as if the game ended now (spec: pacal, Score)."""
    water = _water(state)
    districts = _districts(state)
    players = {}
    for player in state.players:
        parts = {
            "track": state.track[player],
            "water": water.get(player, 0),
            "districts": districts.get(player, 0),
            "gods": sum(state.supply[player].gods),
        }
        players[player] = {**parts, "total": sum(parts.values())}
    most = max(entry["total"] for entry in players.values())
    return {
        "over": state.phase == "over",
        "players": players,
        "leaders": [player for player in state.players if players[player]["total"] == most],
    }


def shared_places(floors: Mapping[str, int]) -> dict[str, int]:
    """The points for water: tied players share the points of their places, rounded down (FINAL-2)."""
    points: dict[str, int] = {}
    place = 0
    for count in sorted(set(floors.values()), reverse=True):
        tied = [player for player, own in floors.items() if own == count]
        points.update(dict.fromkeys(tied, sum(WATER_POINTS[place : place + len(tied)]) // len(tied)))
        place += len(tied)
    return points


def first_and_second(floors: Mapping[str, int], value: int) -> dict[str, int]:
    """The points for one district at the end (FINAL-3)."""
    counts = sorted(set(floors.values()), reverse=True)
    first = [player for player, own in floors.items() if own == counts[0]]
    points = dict.fromkeys(first, value)
    if len(first) == 1 and len(counts) > 1:
        points.update({player: SECOND_POINTS for player, own in floors.items() if own == counts[1]})
    return points


def _water(state: State) -> dict[str, int]:
    return shared_places(_floors(pyramid for name, pyramid in state.pyramids.items() if name in state.ground.shore))


def _districts(state: State) -> dict[str, int]:
    total: dict[str, int] = {}
    for district in {state.ground.district[name] for name in state.pyramids}:
        points = first_and_second(floors_in(state, state.pyramids, district), state.ground.values[district])
        for player, scored in points.items():
            total[player] = total.get(player, 0) + scored
    return total


def _floors(pyramids: Iterable[Pyramid]) -> dict[str, int]:
    floors: dict[str, int] = {}
    for pyramid in pyramids:
        floors[pyramid.colour] = floors.get(pyramid.colour, 0) + pyramid.floors
    return floors
