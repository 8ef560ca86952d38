"""Where a ship may fly (FLY-1 to FLY-10)."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from companion.games.pacal.actions import Fly, Mode
from companion.games.pacal.ground import Ground
from companion.games.pacal.state import State
from companion.squares import Square

ALLOWANCE: dict[Mode, int] = {"straight": 2, "arrows": 2, "turning": 1, "god": 1, "stranded": 0}
"""How many stones a flight allows."""


def flights(state: State) -> list[Fly]:
    """Every legal flight of the player to act, sorted by canonical JSON: god stones first, then by mode, by square."""
    flown, ground = rolled_flights(state), state.ground
    gods = state.supply[state.to_act].gods
    if state.round == 1:
        if flown or not gods:
            return flown or _stranded(state)
        outside = [to for to in _free(state) if to not in ground.sacred]
        return [flight for god in gods for flight in _flights_to(outside, ground, "god", god)]
    if gods:
        start = state.ships[state.to_act]
        elsewhere = [to for to in _free(state) if to != start]
        return [flight for god in gods for flight in _flights_to(elsewhere, ground, "god", god)] + flown
    return flown or _stranded(state)


def rolled_flights(state: State) -> list[Fly]:
    """The flights that the die allows: arrows, or straight and turning, sorted by canonical JSON."""
    ground, start = state.ground, state.ships[state.to_act]
    assert start is not None and state.roll is not None
    obstacles = _obstacles(state)
    if isinstance(state.roll, str):
        flown = _flights_to(arrows(ground, start, obstacles), ground, "arrows")
    else:
        flown = _flights_to(straight(ground, start, obstacles, state.roll), ground, "straight")
        if state.round > 1:
            flown += _flights_to(turning(ground, start, obstacles, state.roll), ground, "turning")
    if state.round == 1:
        return [flight for flight in flown if flight.to not in ground.sacred]
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
    """Where a flight of ``length`` squares with at least one turn may end, dead ends included (FLY-5).

    All flights are followed at once, step by step, on bitboards (see ``Ground.bits``), one for each direction in which
    a ship has come to its square. A step is a shift: by one to the north and south, by a column to the east and west.
    """
    column, here = ground.column, ground.bits[start]
    free = ground.board & ~sum([ground.bits[name] for name in obstacles])
    # The squares from which a ship that goes north, east, south, west can go on: straight on, left or right.
    along, across = free << 1 | free >> 1, free << column | free >> column
    on_north, on_south = free << 1 | across, free >> 1 | across
    on_east, on_west = free >> column | along, free << column | along
    # The ships that have turned, and after the first step those that have not turned yet.
    north = east = south = west = ends = 0
    straight_north, straight_south = here >> 1 & free, here << 1 & free
    straight_east, straight_west = here << column & free, here >> column & free
    for _ in range(length - 1):
        ends |= north & ~on_north | east & ~on_east | south & ~on_south | west & ~on_west
        vertical = north | south | straight_north | straight_south
        horizontal = east | west | straight_east | straight_west
        north, south = (north | horizontal) >> 1 & free, (south | horizontal) << 1 & free
        east, west = (east | vertical) << column & free, (west | vertical) >> column & free
        straight_north, straight_south = straight_north >> 1 & free, straight_south << 1 & free
        straight_east, straight_west = straight_east << column & free, straight_west >> column & free
    return ground.squares((ends | north | east | south | west) & ~here)


def arrows(ground: Ground, start: Square, obstacles: Collection[Square]) -> list[Square]:
    """The squares in the four directions that are no obstacles, beyond obstacles too (FLY-6)."""
    return [name for ray in ground.rays[start] for name in ray if name not in obstacles]


def _free(state: State) -> list[Square]:
    """The free squares once the ship is lifted: the one that it left is among them (FLY-1, FLY-8)."""
    obstacles = _obstacles(state)
    return [name for name in state.ground.district if name not in obstacles]


def _stranded(state: State) -> list[Fly]:
    return _flights_to(_free(state), state.ground, "stranded")


def _flights_to(squares: Collection[Square], ground: Ground, mode: Mode, god: int | None = None) -> list[Fly]:
    """The flights to those squares, sorted by canonical JSON."""
    flight_to = _ready_flights(ground, mode, god)
    return [flight_to[to] for to in sorted(squares)]


@lru_cache(maxsize=256)
def _ready_flights(ground: Ground, mode: Mode, god: int | None) -> dict[Square, Fly]:
    """The flight to each square, made once: there are hundreds in a list, and they are the same in all of them."""
    return {to: Fly(mode, to, god) for to in ground.district}


def _obstacles(state: State) -> set[Square]:
    """Squares with pyramids, other ships and the lake; the ship that flies is lifted first (FLY-1, FLY-3)."""
    ships = {square for colour, square in state.ships.items() if colour != state.to_act and square is not None}
    return ships.union(state.pyramids, state.ground.lake)
