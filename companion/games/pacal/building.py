"""Constellations, and the pyramids that they allow (BUILD-1 to BUILD-7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from companion.games.pacal.actions import Build, in_text
from companion.games.pacal.ground import SQUARE_FLOORS, Ground, Pair, between
from companion.games.pacal.pieces import MAX_FLOORS
from companion.games.pacal.state import State
from companion.squares import Square


class Constellation(NamedTuple):
    """Markers of one player that allow a pyramid of so many floors; ``uses`` is sorted as text."""

    floors: int
    uses: tuple[Square, ...]


class Begun(NamedTuple):
    """The constellations of two squares or more that a square begins, by the second one."""

    seconds: frozenset[Square]
    by_second: Mapping[Square, list[Constellation]]


def constellations(state: State, player: str) -> list[Constellation]:
    """The constellations of a player's markers as they can be seen now (BUILD-1), with a stone or without."""
    markers = {*state.stones_seen(player), *_own_pyramids(state, player)}
    return [Constellation(1, (name,)) for name in markers] + _made_of(state, markers)


def builds(state: State, player: str) -> list[Build]:
    """Every pyramid that the markers visible now allow a player, sorted by canonical JSON."""
    stones, own_pyramids = set(state.stones_seen(player)), set(_own_pyramids(state, player))
    heights = _heights(state.supply[player].pyramids)
    master = state.options.master
    empty = empty_squares(state) if state.options.empty_gaps else None
    # A single square is worth one floor, and one floor replaces no pyramid.
    found = [Build(at, 1, (at,)) for at in stones] if heights[0] else []
    for floors, uses in _made_of(state, stones | own_pyramids):
        if not heights[floors - 1]:
            continue
        own = stones.intersection(uses)
        if not own:
            continue
        if empty is not None and not between(floors, uses) <= empty:
            continue
        pyramids = own_pyramids.intersection(uses)
        # BUILD-7: the master builds new pyramids from stones alone, and takes one pyramid only to replace it.
        places = own if not (master and pyramids) else set()
        replaced = pyramids if not (master and len(pyramids) > 1) else set()
        for height in heights[floors - 1]:
            found += [Build(at, height, uses) for at in places]
            found += [Build(at, height, uses) for at in replaced if state.pyramids[at].floors < height]
    return sorted(found, key=_in_text)


def empty_squares(state: State) -> set[Square]:
    """The squares of the board with nothing on them."""
    return state.ground.district.keys() - state.stones.keys() - state.pyramids.keys() - state.ship_squares()


def heights_for(state: State, player: str, floors: int) -> tuple[int, ...]:
    """The heights that a player may use for a constellation of that height (BUILD-5)."""
    return _heights(state.supply[player].pyramids)[floors - 1]


@lru_cache(maxsize=512)
def _heights(supply: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """For constellations of 1 to 5 floors the heights that a supply of pyramids allows (BUILD-5)."""
    left = [height for height in range(1, MAX_FLOORS + 1) if supply[height - 1]]
    return tuple(
        (floors,) if floors in left else tuple(height for height in left if height < floors)
        for floors in range(1, MAX_FLOORS + 1)
    )


def filled_gaps(state: State, floors: int, uses: tuple[Square, ...]) -> list[Square]:
    """What lies in the gaps of a constellation and is no square of the board with nothing on it (R-GAPS)."""
    return sorted(between(floors, uses) - empty_squares(state))


def _own_pyramids(state: State, player: str) -> list[Square]:
    return [name for name, pyramid in state.pyramids.items() if pyramid.colour == player]


def _made_of(state: State, markers: set[Square]) -> list[Constellation]:
    """The constellations of two squares or more that have all of them among the markers."""
    begun_on = _begun(state.ground, state.options.diagonal_lines, state.options.tilted_squares)
    found = []
    for first in markers:
        seconds, by_second = begun_on[first]
        for second in markers & seconds:
            for constellation in by_second[second]:
                if markers.issuperset(constellation.uses):
                    found.append(constellation)
    return found


@lru_cache(maxsize=32)
def _begun(ground: Ground, diagonal_lines: bool, tilted_squares: bool) -> Mapping[Square, Begun]:
    """All constellations of two squares or more that there can be on a board, by the first two of their squares."""
    begun_on = {}
    for first in ground.district:
        by_second = {}
        for second, pair in ground.pairs[first].items():
            begun = _begun_by(pair, diagonal_lines, tilted_squares)
            found = [Constellation(floors, tuple(sorted((first, second, *rest)))) for floors, rest in begun]
            if found:
                by_second[second] = found
        begun_on[first] = Begun(frozenset(by_second), by_second)
    return begun_on


def _begun_by(pair: Pair, diagonal_lines: bool, tilted_squares: bool) -> Iterator[tuple[int, tuple[Square, ...]]]:
    """What a pair of squares can be part of: the floors and the other squares."""
    if pair.near:
        yield 2, ()
    if diagonal_lines or not pair.diagonal:
        for more in range(1, len(pair.line) + 1):
            yield 2 + more, pair.line[:more]
    if pair.square:
        yield SQUARE_FLOORS, pair.square
    if tilted_squares and pair.tilted:
        yield SQUARE_FLOORS, pair.tilted


def _in_text(build: Build) -> tuple[Square, int, tuple[str, ...]]:
    return build.at, build.floors, in_text(build.uses)
