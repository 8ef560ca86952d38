"""Which stones may be brought in, and where stones go (STONE-1, STONE-2, FLY-2)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from companion.games.pacal.actions import SUPPLY, BringIn, in_text
from companion.games.pacal.state import State, Supply
from companion.squares import Square

StoneMap = Mapping[Square, Mapping[str, int]]


def bringings(state: State) -> list[BringIn]:
    """Every legal way for the player to act to bring in stones, sorted by canonical JSON."""
    from_where = [origins(state, count) for count in range(state.allowance + 1)]
    ships = sorted(ships_to_fill(state), key=in_text)
    found = [BringIn(into, origin) for into in ships for origin in from_where[len(into)]]
    return sorted(found, key=lambda action: in_text(action.origin))


def ships_to_fill(state: State) -> list[tuple[str, ...]]:
    """Into which ships stones may go: none, the own one, the own one and another (STONE-1)."""
    player = state.to_act
    ships: list[tuple[str, ...]] = [()]
    if state.allowance >= 1:
        ships.append((player,))
    if state.allowance >= 2:
        ships += [(player, other) for other in state.players if other != player]
    return ships


def origins(state: State, count: int) -> list[tuple[str, ...]]:
    """From where so many stones of the player to act may come: the supply first, then the board (STONE-2)."""
    supplied = min(count, state.supply[state.to_act].stones)
    if supplied == count:
        return [(SUPPLY,) * count]
    on_board = sorted(state.stones_seen(state.to_act))
    return [(SUPPLY,) * supplied + taken for taken in combinations(on_board, count - supplied)]


def put_stone(stones: StoneMap, name: Square, colour: str) -> dict[Square, Mapping[str, int]]:
    """The stones with one more on a square."""
    there = stones.get(name, {})
    return {**stones, name: {**there, colour: there.get(colour, 0) + 1}}


def take_stones(stones: StoneMap, name: Square, colour: str) -> dict[Square, Mapping[str, int]]:
    """The stones without those of a colour on a square."""
    rest = {other: count for other, count in stones[name].items() if other != colour}
    taken = dict(stones)
    if rest:
        taken[name] = rest
    else:
        del taken[name]
    return taken


def uncover(stones: StoneMap, name: Square, supply: Mapping[str, Supply]) -> tuple[StoneMap, dict[str, Supply]]:
    """Stones and supplies once the ship on a square is lifted: two of a colour or more go back (FLY-1, FLY-2)."""
    supplies = dict(supply)
    for colour, count in stones.get(name, {}).items():
        if count >= 2:
            supplies[colour] = supplies[colour].give_stones(count)
            stones = take_stones(stones, name, colour)
    return stones, supplies
