"""What hands do on the board of Pacal's Rocket, as plain values, from the state before and the state after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from companion.games.pacal.pieces import Pyramid, Ship
from companion.squares import Square, reading_order


class Standing(NamedTuple):
    """Everything that physically is on one square; stones under a ship are here too."""

    ship: Ship | None = None
    pyramid: Pyramid | None = None
    stones: tuple[str, ...] = ()


Standings: TypeAlias = Mapping[Square, Standing]
EMPTY = Standing()


class Touch(NamedTuple):
    """The hand comes to a square and leaves it like this; ``carries`` is the ship in the hand afterwards."""

    square: Square
    leaves: Standing
    carries: Ship | None = None


def standings(state: Mapping[str, Any]) -> dict[Square, Standing]:
    """What physically is on each square, from the JSON of a full state."""
    table: dict[Square, Standing] = {}
    for name, stones in state["stones"].items():
        colours = tuple(colour for colour in sorted(stones) for _ in range(stones[colour]))
        table[name] = table.get(name, EMPTY)._replace(stones=colours)
    for name, pyramid in state["pyramids"].items():
        table[name] = table.get(name, EMPTY)._replace(pyramid=Pyramid(pyramid["colour"], pyramid["floors"]))
    for colour, name in state["ships"].items():
        if name is not None:
            table[name] = table.get(name, EMPTY)._replace(ship=Ship(colour))
    return table


def touches(before: Standings, after: Standings) -> list[Touch]:
    """The squares that a hand visits to turn one table into the other, in the order in which a player does it.

    A ship is lifted, carried and put down first; then what else changed is put in order, row by row.
    """
    changed = {name for name in {*before, *after} if before.get(name, EMPTY) != after.get(name, EMPTY)}
    came = {name for name in changed if (ship := after.get(name, EMPTY).ship) and before.get(name, EMPTY).ship != ship}
    visits: list[Touch] = []
    for to in sorted(came, key=reading_order):
        ship = after[to].ship
        start = next((name for name in changed if before.get(name, EMPTY).ship == ship), None)
        if start is not None:
            # Lifting leaves all stones where they lay (FLY-1); those that go back to a supply go afterwards.
            visits.append(Touch(start, before[start]._replace(ship=None), carries=ship))
        landed = before.get(to, EMPTY)._replace(ship=ship)
        visits.append(Touch(to, landed))
    shown = {touch.square: touch.leaves for touch in visits}
    rest = [name for name in changed if shown.get(name, before.get(name, EMPTY)) != after.get(name, EMPTY)]
    visits.extend(Touch(name, after.get(name, EMPTY)) for name in sorted(rest, key=reading_order))
    return visits
