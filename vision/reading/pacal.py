"""Reading the pieces of Pacal's Rocket: from a scene to how likely each content of each square is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations, permutations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS, MAX_FLOORS, Pyramid, Ship, Stones
from companion.observation import Content
from companion.squares import Square
from vision.geometry import Floats
from vision.reading.behind import behind_ships
from vision.reading.covered import mirroring_squares
from vision.reading.crops import Cutter
from vision.reading.evidence import Scene
from vision.reading.network import SquareNetwork
from vision.reading.ship_opening import told_by_opening
from vision.reading.ship_walls import ShipWalls

Odds: TypeAlias = Mapping[Content | None, float]

UNSEEN, UNSEEN_BLIND, UNSEEN_COVERED = 2e-4, 0.1, 0.4
"""How likely something is on a square that looks bare; where the picture cannot tell; and where its print is gone."""
MIRRORED = 0.3
"""How likely something that looks bare but mirrors a lamp (``mirroring_squares``) is a piece: of seven such squares of
rendered tables two were."""
UNDER_SOMETHING, PERHAPS_UNDER = 0.2, 0.15
"""How much is doubted of what is read on a square over which something lies with the latter probability, or a larger
one: more than the 3 % that were found wrong though said with 0.9, so that nothing is sure under a hand."""
BEHIND_SHIP = 0.4
"""How likely a stone is not seen on a square that is all behind ships; of a smaller share its square, as measured on
rendered tables: 2 % where they hide a quarter of it, 9 to 17 % where about half."""
ABSENT_PLAYER = 0.05
"""How likely a ship is beside the others if its colour has no other piece on the board."""
BARE_SHOWN = 0.6
"""How often the networks were shown a square that holds nothing beside one that holds something, in training."""
MAYBE_SHIP, LIKELY, SURELY_SHIP = 0.001, 0.5, 0.99
"""Where a ship is likelier than the first and not as likely as the last, its opening is looked for; what is likelier
than the second is taken for one."""
SURE_OF_SHIP = 0.9995
"""Where the networks are less sure of a ship's colour its wall is looked at."""
WITHOUT_WALL, UNASKED = 0.6, 0.01
"""What the logarithms of their odds still count then; and how likely a colour is that they were not asked after."""
SHIPS = tuple(Ship(colour) for colour in COLOURS)
BARE = {None}
"""All that is listed of a square on which nothing shows."""
FAINT = 1e-5
"""Contents that are less likely than this are not listed."""


def read_squares(
    scene: Scene,
    usual: Sequence[float],
    asked: Mapping[Square, list[int]],
    covered: Mapping[Square, float],
    network: SquareNetwork,
    walls: ShipWalls,
) -> dict[Square, Odds]:
    """For each square of the board the probability of each content, None being nothing.

    usual: the usual shade of each colour (``vision.reading.evidence``). asked: the squares that may hold something,
    with the colours that may be there (``vision.reading.crops``). covered: how surely other squares are covered.
    walls: tells the colours of ships.
    """
    wanted = [(name, colour) for name, colours in asked.items() for colour in colours]
    scores, covers = network.look(Cutter(scene, usual), wanted)
    rows: dict[Square, dict[int, Floats]] = {name: {} for name in asked}
    under: dict[Square, float] = dict.fromkeys(asked, 0.0)
    for (name, colour), row, cover in zip(wanted, scores, covers.tolist(), strict=True):
        rows[name][colour] = row
        under[name] = max(under[name], cover)
    squares: dict[Square, dict[Content | None, float]] = {}
    for name, blindness in zip(scene.places.names, scene.blindness.tolist(), strict=True):
        if name in rows:
            seen = 1 - UNDER_SOMETHING * min(under[name] / PERHAPS_UNDER, 1)
            squares[name] = {content: p * seen for content, p in contents(rows[name]).items()}
        else:
            unseen = max(UNSEEN, UNSEEN_BLIND * blindness, UNSEEN_COVERED * covered.get(name, 0.0))
            squares[name] = {None: 1 - unseen}
    for name in mirroring_squares(scene):
        squares[name] = {content: p * (1 - MIRRORED * (content is None)) for content, p in squares[name].items()}
    for name in asked:
        if sum(shares := _shares(squares[name])) > MAYBE_SHIP and max(shares) < SURE_OF_SHIP:
            squares[name] = _ship_looked_at(scene, name, squares[name], walls)
    found = ships_apart(squares)
    hidden = behind_ships(scene, _ships(found))
    return {**found, **{name: doubted(found[name], share) for name, share in hidden.items()}}


def _ship_looked_at(
    scene: Scene, name: Square, odds: dict[Content | None, float], walls: ShipWalls
) -> dict[Content | None, float]:
    """The probabilities on a square where a ship may stand, by its opening and its wall too."""
    if sum(_shares(odds)) < SURELY_SHIP:
        odds = with_opening(odds, told_by_opening(scene, name))
    told = walls.told(scene, name) if sum(_shares(odds)) > LIKELY else None
    return odds if told is None else with_wall(odds, told)


def doubted(odds: Odds, share: float) -> Odds:
    """The probabilities on a square of which ships hide a share: stones may stand there, or more of them."""
    seen = 1 - BEHIND_SHIP * share**2
    return {content: p * seen if content is None or isinstance(content, Stones) else p for content, p in odds.items()}


def contents(scores: Mapping[int, Floats]) -> dict[Content | None, float]:
    """The probability of each content of a square, from the scores of the colours that may be there."""
    colours = tuple(sorted(scores))
    possible, together = _possible(colours)
    rows = np.array([scores[colour] for colour in colours]).reshape(len(colours), -1)
    values = np.concatenate([together @ rows[:, 0], rows[:, 1:].ravel()])
    values[0] -= math.log(BARE_SHOWN)
    values = np.exp(values - values.max())
    values /= values.sum()
    return {possible[index]: float(values[index]) for index in np.flatnonzero(values > FAINT)}


@cache
def _possible(colours: tuple[int, ...]) -> tuple[tuple[Content | None, ...], Floats]:
    """What a square may hold of some colours: the sets of stones first, and which colours are in each of these (sets x
    colours); then for each colour its ship, and its pyramids."""
    sets = [chosen for count in range(len(colours) + 1) for chosen in combinations(colours, count)]
    stones = [Stones(tuple(sorted(COLOURS[colour] for colour in chosen))) if chosen else None for chosen in sets]
    others: list[Content] = []
    for colour in colours:
        others += [Ship(COLOURS[colour]), *(Pyramid(COLOURS[colour], 1 + floor) for floor in range(MAX_FLOORS))]
    return (*stones, *others), np.array([[float(colour in chosen) for colour in colours] for chosen in sets])


def ships_apart(squares: dict[Square, dict[Content | None, float]]) -> dict[Square, Odds]:
    """The same, given that no two ships have one colour, and that most often a ship's player has other pieces too."""
    ships = _ships(squares)
    if not ships:
        return dict(squares)
    shares = np.array([_shares(squares[name]) for name in ships])
    in_play = np.zeros(len(COLOURS))
    for name, odds in squares.items():
        if odds.keys() != BARE and name not in ships:
            in_play = np.maximum(in_play, _presence(odds))
    found: dict[Square, Odds] = dict(squares)
    for name, before, after in zip(ships, shares, _ship_colours(shares, in_play), strict=True):
        found[name] = _with_ships(squares[name], before.sum() * after)
    return found


def with_opening(odds: Mapping[Content | None, float], told: float) -> dict[Content | None, float]:
    """The probabilities on a square, given how much an opening speaks for a ship there (``told_by_opening``)."""
    total = 1 + sum(_shares(odds)) * math.expm1(told)
    return {content: p * (math.exp(told) if isinstance(content, Ship) else 1) / total for content, p in odds.items()}


def with_wall(odds: Mapping[Content | None, float], told: Floats) -> dict[Content | None, float]:
    """The probabilities on a square with a ship, given what its wall tells of each colour (``ShipWalls.told``)."""
    shares = np.array(_shares(odds))
    weights = np.maximum(shares / shares.sum(), UNASKED) ** WITHOUT_WALL * np.exp(told)
    after = shares.sum() * weights / weights.sum()
    return _with_ships(odds, after)


def _with_ships(odds: Odds, shares: Floats) -> dict[Content | None, float]:
    """The same with such a probability of each colour's ship."""
    others = {content: p for content, p in odds.items() if not isinstance(content, Ship)}
    return others | {ship: float(p) for ship, p in zip(SHIPS, shares, strict=True) if p > FAINT}


def _ships(squares: Mapping[Square, Odds]) -> list[Square]:
    """The squares that most likely hold a ship."""
    return [name for name, odds in squares.items() if odds.keys() != BARE and sum(_shares(odds)) > LIKELY]


def _shares(odds: Odds) -> list[float]:
    """The probability of a ship of each colour."""
    return [odds.get(ship, 0.0) for ship in SHIPS]


def _presence(odds: Odds) -> Floats:
    """How likely each colour has a stone or a pyramid there."""
    present = np.zeros(len(COLOURS))
    for content, p in odds.items():
        match content:
            case Pyramid(colour, _):
                present[COLOURS.index(colour)] += p
            case Stones(colours):
                present[[COLOURS.index(colour) for colour in set(colours)]] += p
    return present


def _ship_colours(shares: Floats, in_play: Floats) -> Floats:
    """The probability of each colour for each ship (ships x colours), given that no two ships have the same.

    Seen from right above, a ship shows its opening only: then its colour is that of a player who has pieces on the
    board (in_play: how likely each has) and no other ship.
    """
    weights = np.maximum(shares / shares.sum(axis=1, keepdims=True), 1e-6) * (
        ABSENT_PLAYER + (1 - ABSENT_PLAYER) * in_play
    )
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
