"""How likely ships are, and of which colours: by their openings, walls and light, and as no two have one colour."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS, Ship
from companion.observation import Odds
from companion.squares import Square
from vision.geometry import Floats
from vision.reading.odds import BARE, FAINT, SHIPS, of_colours, ship_shares, with_told
from vision.reading.ships.colour_bleeding import ColourBleeding
from vision.reading.ships.opening import Openings
from vision.reading.ships.walls import ShipWalls

ABSENT_PLAYER, FROM_MANY, MANY = 0.05, 0.01, 16
"""How likely a ship is beside the others if its colour has no other piece on the board, and if there are so many there:
every player has some of them then."""
MAYBE_SHIP, LIKELY, SURELY_SHIP = 0.001, 0.5, 0.99
"""Where a ship is no likelier than the first, or as likely as the last, its opening is not asked; what is likelier than
the second is taken for one."""
WITHOUT_WALL, UNASKED = 0.3, 0.01
"""What the logarithms of the networks' odds still count beside a wall; and how likely a colour is then that they were
not asked after."""


class ShipLooker:
    """Looks closer at the ships of one table's pictures."""

    def __init__(self, walls: ShipWalls, bleeding: ColourBleeding) -> None:
        self._walls = walls
        self._bleeding = bleeding

    def look(self, openings: Openings, squares: Mapping[Square, Odds]) -> dict[Square, Odds]:
        """The probabilities on some squares, by the openings of ships there, where the networks are not sure of these,
        and by their walls and their light on the board beside them."""
        found = dict(squares)
        for name, odds in squares.items():
            if MAYBE_SHIP < sum(ship_shares(odds)) < SURELY_SHIP:
                found[name] = with_opening(odds, openings.told(name))
        # However sure the networks are of a colour: in the dark a blue ship was a purple one to them, with 0.9999.
        ships = [(name, openings.of(name).stray_mm) for name in likely_ships(found)]
        if ships:
            for (name, _), told in zip(ships, self._walls.told(openings.scene, ships), strict=True):
                found[name] = with_wall(found[name], told + self._bleeding.told(openings.scene, name))
        return found


def with_opening(odds: Odds, told: float) -> Odds:
    """The probabilities on a square, of the same sum, given how much an opening speaks for a ship there
    (``Openings.told``)."""
    # They add up to less than 1 where something may lie over the square: what looks like an opening may be of that.
    return with_told(odds, SHIPS, told)


def with_wall(odds: Odds, told: Floats) -> Odds:
    """The probabilities on a square with a ship, given what its wall and its light tell of each colour
    (``ShipWalls.told``, ``ColourBleeding.told``)."""
    shares = np.array(ship_shares(odds))
    return _with_colours(odds, np.maximum(shares / shares.sum(), UNASKED) ** WITHOUT_WALL * np.exp(told))


def ships_apart(squares: Mapping[Square, Odds]) -> dict[Square, Odds]:
    """The probabilities on all squares, given that no two ships have one colour, and that most often a ship's player
    has other pieces too."""
    ships = likely_ships(squares)
    if not ships:
        return dict(squares)
    shares = np.array([ship_shares(squares[name]) for name in ships])
    others = [of_colours(odds) for name, odds in squares.items() if odds.keys() != BARE and name not in ships]
    seen = np.array([[0.0] * len(COLOURS), *others])
    absent = FROM_MANY if seen.sum() >= MANY else ABSENT_PLAYER
    after = _ship_colours(shares, absent + (1 - absent) * seen.max(axis=0))
    return {**squares, **{name: _with_colours(squares[name], row) for name, row in zip(ships, after, strict=True)}}


def likely_ships(squares: Mapping[Square, Odds]) -> list[Square]:
    """The squares that most likely hold a ship."""
    return [name for name, odds in squares.items() if odds.keys() != BARE and sum(ship_shares(odds)) > LIKELY]


def _with_colours(odds: Odds, weights: Floats) -> Odds:
    """The same, the ship there, if it is one, being of colours as likely as these weights say (5, of any sum)."""
    shares = sum(ship_shares(odds)) * weights / weights.sum()
    others = {content: p for content, p in odds.items() if not isinstance(content, Ship)}
    return others | {ship: float(p) for ship, p in zip(SHIPS, shares, strict=True) if p > FAINT}


def _ship_colours(shares: Floats, likely: Floats) -> Floats:
    """The probability of each colour for each ship (ships x colours), given that no two ships have the same.

    Seen from right above, a ship shows its opening only: then its colour is that of a player who has pieces on the
    board (likely: how much so ships of each colour are) and no other ship.
    """
    weights = np.maximum(shares / shares.sum(axis=1, keepdims=True), 1e-6) * likely
    if not 2 <= len(weights) <= len(COLOURS):
        return np.asarray(weights / weights.sum(axis=1, keepdims=True), np.float64)
    total = np.zeros_like(weights)
    rows, ways = np.arange(len(weights)), _ways(len(weights))
    np.add.at(total, (rows, ways), weights[rows, ways].prod(axis=1, keepdims=True))
    return np.asarray(total / total.sum(axis=1, keepdims=True), np.float64)


@cache
def _ways(count: int) -> NDArray[np.int64]:
    """Every way to give so many ships different colours, one a row."""
    return np.array(list(permutations(range(len(COLOURS)), count)))
