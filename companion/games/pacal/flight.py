"""Where a ship may fly (FLY-1 to FLY-10)."""

from __future__ import annotations

from collections.abc import Collection

from companion.games.pacal.actions import Fly, Mode
from companion.games.pacal.ground import Ground
from companion.games.pacal.state import State
from companion.squares import Square

ALLOWANCE: dict[Mode, int] = {"straight": 2, "arrows": 2, "turning": 1, "god": 1, "stranded": 0}
"""How many stones a flight allows."""


def flights(state: State) -> list[Fly]:
    """Every legal flight of the player to act, in no order."""
    flown = rolled_flights(state)
    gods = state.supply[state.to_act].gods
    if state.round == 1:
        if flown or not gods:
            return flown or _stranded(state)
        outside = [to for to in _free(state) if to not in state.ground.sacred]
        return [Fly("god", to, god) for god in gods for to in outside]
    if gods:
        start = state.ships[state.to_act]
        elsewhere = [to for to in _free(state) if to != start]
        return flown + [Fly("god", to, god) for god in gods for to in elsewhere]
    return flown or _stranded(state)


def rolled_flights(state: State) -> list[Fly]:
    """The flights that the die allows: straight, turning, arrows."""
    start = state.ships[state.to_act]
    assert start is not None and state.roll is not None
    obstacles = _obstacles(state)
    if isinstance(state.roll, str):
        flown = [Fly("arrows", to) for to in arrows(state.ground, start, obstacles)]
    else:
        flown = [Fly("straight", to) for to in straight(state.ground, start, obstacles, state.roll)]
        if state.round > 1:
            flown += [Fly("turning", to) for to in turning(state.ground, start, obstacles, state.roll)]
    if state.round == 1:
        return [flight for flight in flown if flight.to not in state.ground.sacred]
    return flown


def straight(ground: Ground, start: Square, obstacles: Collection[Square], length: int) -> list[Square]:
    """Where a straight flight ends: after ``length`` squares, or before the first obstacle (FLY-4)."""
    ends = []
    for ray in ground.rays[start]:
        to = None
        for name in ray[:length]:
            if name in obstacles:
                break
            to = name
        if to is not None:
            ends.append(to)
    return ends


def turning(ground: Ground, start: Square, obstacles: Collection[Square], length: int) -> set[Square]:
    """Where a flight of ``length`` squares with at least one turn may end, dead ends included (FLY-5)."""
    ends: set[Square] = set()
    # Where the ship can be after some steps: its square, the direction in which it came, whether it has turned yet.
    ships = {(start, way, False) for way in range(4)}
    for step in range(length):
        following = set()
        for name, came, turned in ships:
            ways = (came, (came + 1) % 4, (came + 3) % 4) if step else (came,)
            blocked = True
            for way in ways:
                to = ground.steps[name][way]
                if to is not None and to not in obstacles:
                    following.add((to, way, turned or way != came))
                    blocked = False
            if blocked and turned:
                ends.add(name)
        ships = following
    ends.update(name for name, _, turned in ships if turned)
    ends.discard(start)
    return ends


def arrows(ground: Ground, start: Square, obstacles: Collection[Square]) -> list[Square]:
    """The squares in the four directions that are no obstacles, beyond obstacles too (FLY-6)."""
    return [name for ray in ground.rays[start] for name in ray if name not in obstacles]


def _free(state: State) -> list[Square]:
    """The free squares once the ship is lifted: the one that it left is among them (FLY-1, FLY-8)."""
    obstacles = _obstacles(state)
    return [name for name in state.ground.district if name not in obstacles]


def _stranded(state: State) -> list[Fly]:
    return [Fly("stranded", to) for to in _free(state)]


def _obstacles(state: State) -> set[Square]:
    """Squares with pyramids, other ships and the lake; the ship that flies is lifted first (FLY-1, FLY-3)."""
    ships = {square for colour, square in state.ships.items() if colour != state.to_act and square is not None}
    return ships.union(state.pyramids, state.ground.lake)
