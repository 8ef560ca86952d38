"""How likely ships are, and of which colours: by their openings, walls and light, and as each player has but one."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate

import numpy as np

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
PLAIN = 0.9
"""Where a ship is likelier than that it stays one, whatever colours the others have: that a ship stands somewhere is
plainer to see than its colour."""
WITHOUT_WALL, UNASKED = 0.3, 0.01
"""What the logarithms of the networks' odds still count beside a wall; and how likely a colour is then that they were
not asked after."""
_SETS = np.arange(2 ** len(COLOURS))
"""All sets of colours, a bit for each."""
_TAKEN = np.array(
    [np.eye(len(_SETS))]
    + [np.eye(len(_SETS))[_SETS | bit] * ((_SETS & bit) == 0)[:, None] for bit in 1 << np.arange(len(COLOURS))]
)
"""For no ship, and one of each colour: from which set to which it leads, 6 x 32 x 32; to none where it is taken."""
_APART = ((_SETS[:, None] & _SETS) == 0).astype(np.float64)
"""Which two sets have no colour in common, 32 x 32."""


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
    weights = np.maximum(shares / shares.sum(), UNASKED) ** WITHOUT_WALL * np.exp(told)
    return _with_ships(odds, 1.0, shares.sum() * weights / weights.sum())


def ships_apart(squares: Mapping[Square, Odds]) -> dict[Square, Odds]:
    """The probabilities on all squares, given that each player has one ship (SETUP-2), and most often other pieces on
    the board too.

    Seen from right above, a ship shows its opening only: then its colour is that of a player who has pieces on the
    board and no other ship. And a ship that leans over the square behind it does not stand there as well.
    """
    maybe = [name for name, odds in squares.items() if odds.keys() != BARE and sum(ship_shares(odds)) > MAYBE_SHIP]
    if not maybe:
        return dict(squares)
    likely = likely_ships(squares)
    others = [of_colours(odds) for name, odds in squares.items() if odds.keys() != BARE and name not in likely]
    seen = np.array([[0.0] * len(COLOURS), *others])
    absent = FROM_MANY if seen.sum() >= MANY else ABSENT_PLAYER
    shares = np.array([ship_shares(squares[name]) for name in maybe])
    ships = shares.sum(axis=1)
    colours = np.maximum(shares / ships[:, None], 1e-6) * (absent + (1 - absent) * seen.max(axis=0))
    total = np.array([sum(squares[name].values()) for name in maybe])
    free = np.where(ships > PLAIN, 0, total - ships)
    chances = _each_once(np.column_stack([free, ships[:, None] * colours / colours.sum(axis=1, keepdims=True)]))
    chances *= ((free + ships) / chances.sum(axis=1))[:, None]
    times = np.where(free > 0, chances[:, 0] / np.maximum(free, FAINT), 1.0)
    rows = zip(maybe, times.tolist(), chances[:, 1:], strict=True)
    return {**squares, **{name: _with_ships(squares[name], *row) for name, *row in rows}}


def likely_ships(squares: Mapping[Square, Odds]) -> list[Square]:
    """The squares that most likely hold a ship."""
    return [name for name, odds in squares.items() if odds.keys() != BARE and sum(ship_shares(odds)) > LIKELY]


def _with_ships(odds: Odds, times: float, ships: Floats) -> Odds:
    """The same, all but ships so many times as likely, and a ship of each colour as likely as said (5)."""
    others = {content: p * times for content, p in odds.items() if not isinstance(content, Ship)}
    return others | {ship: float(p) for ship, p in zip(SHIPS, ships, strict=True) if p > FAINT}


def _each_once(chances: Floats) -> Floats:
    """The same weights of no ship and a ship of each colour on some squares (squares x 6), given that no colour has
    two; as they are where there is no way to have that.

    What is left is summed up over all sets of colours that ships before a square, and behind it, may have (the forward
    and backward sums of L. Baum et al., 1970).
    """

    def and_one_more(sets: Floats, row: Floats) -> Floats:
        return np.asarray(row @ (sets @ _TAKEN), np.float64)

    none = np.eye(len(_SETS))[0]
    before = list(accumulate(chances[:-1], and_one_more, initial=none))
    behind = list(accumulate(chances[:0:-1], and_one_more, initial=none))[::-1]
    ways = np.array([(one @ _TAKEN) @ (_APART @ other) for one, other in zip(before, behind, strict=True)])
    found = chances * ways
    # Each row adds up to the weight of all ways.
    return found if found.any() else chances
