"""Constellations, and the pyramids that they allow (BUILD-1 to BUILD-7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.games.pacal.actions import Build
from companion.games.pacal.ground import between
from companion.games.pacal.state import State
from companion.squares import Square, position


class Constellation(NamedTuple):
    """Markers of one player that allow a pyramid of so many floors; ``uses`` is sorted as text."""

    floors: int
    uses: tuple[Square, ...]


def constellations(state: State, player: str) -> Iterator[Constellation]:
    """The constellations of a player's markers as they can be seen now (BUILD-1), with a stone or without."""
    markers = set(state.stones_seen(player))
    markers.update(name for name, pyramid in state.pyramids.items() if pyramid.colour == player)
    ordered = sorted(markers, key=position)
    options = state.options
    for i, first in enumerate(ordered):
        yield Constellation(1, (first,))
        pairs = state.ground.pairs[first]
        for second in ordered[i + 1 :]:
            pair = pairs.get(second)
            if pair is None:
                continue
            if pair.near:
                yield _constellation(2, first, second)
            if pair.line and pair.line[0] in markers and (options.diagonal_lines or not pair.diagonal):
                yield _constellation(3, first, second, pair.line[0])
                if len(pair.line) == 2 and pair.line[1] in markers:
                    yield _constellation(4, first, second, *pair.line)
            if pair.square and markers.issuperset(pair.square):
                yield _constellation(5, first, second, *pair.square)
            if options.tilted_squares and pair.tilted and markers.issuperset(pair.tilted):
                yield _constellation(5, first, second, *pair.tilted)


def builds(state: State, player: str) -> list[Build]:
    """Every pyramid that the markers visible now allow a player, in no order."""
    found = []
    stones = set(state.stones_seen(player))
    for floors, uses in constellations(state, player):
        own = [name for name in uses if name in stones]
        if not own or (state.options.empty_gaps and filled_gaps(state, floors, uses)):
            continue
        pyramids = [name for name in uses if name not in stones]
        heights = heights_for(state, player, floors)
        # BUILD-7: the master builds new pyramids from stones alone, and takes one pyramid only to replace it.
        places = own if not (state.options.master and pyramids) else []
        replaced = pyramids if not (state.options.master and len(pyramids) > 1) else []
        for height in heights:
            found += [Build(at, height, uses) for at in places]
            found += [Build(at, height, uses) for at in replaced if state.pyramids[at].floors < height]
    return found


def heights_for(state: State, player: str, floors: int) -> list[int]:
    """The heights that a player may use for a constellation of that height (BUILD-5)."""
    supply = state.supply[player].pyramids
    if supply[floors - 1]:
        return [floors]
    return [height for height in range(1, floors) if supply[height - 1]]


def _constellation(floors: int, *names: Square) -> Constellation:
    return Constellation(floors, tuple(sorted(names)))


def filled_gaps(state: State, floors: int, uses: tuple[Square, ...]) -> list[Square]:
    """What lies in the gaps of a constellation and is no square of the board with nothing on it (R-GAPS)."""
    ships = state.ship_squares()
    return sorted(
        name
        for name in between(floors, uses)
        if name not in state.ground.district or name in state.stones or name in state.pyramids or name in ships
    )
