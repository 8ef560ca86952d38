"""Reading the pieces of Pacal's Rocket: from a scene to how likely each content of each square is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from typing import TypeAlias

import numpy as np

from companion.games.pacal.pieces import COLOURS, MAX_FLOORS, Pyramid, Ship, Stones
from companion.observation import Content
from companion.squares import Square
from vision.geometry import Floats
from vision.reading.crops import candidates, cut
from vision.reading.evidence import Scene
from vision.reading.network import SquareNetwork

Odds: TypeAlias = Mapping[Content | None, float]

UNSEEN, UNSEEN_BLIND = 1e-4, 0.1
"""How likely something is on a square that looks bare; and where the picture cannot tell."""
BLINDING = 3.0
"""A square of which a third is blind tells nothing: what is blind is most often the piece's own outline."""
BARE = 0.9
"""The share of the squares that usually are bare."""
ABSENT_PLAYER = 0.05
"""How likely a ship is beside the others if its colour has no other piece on the board."""
FAINT = 1e-5
"""Contents that are less likely than this are not listed."""


def read_squares(scene: Scene, usual: Sequence[float], network: SquareNetwork) -> dict[Square, Odds]:
    """For each square of the board the probability of each content, None being nothing.

    usual: the usual shade of each colour (``vision.reading.evidence``).
    """
    asked = candidates(scene)
    wanted = [(name, colour) for name, colours in asked.items() for colour in colours]
    scores = network.scores(cut(scene, usual, wanted))
    rows: dict[Square, dict[int, Floats]] = {name: {} for name in asked}
    for (name, colour), row in zip(wanted, scores, strict=True):
        rows[name][colour] = row
    squares: dict[Square, dict[Content | None, float]] = {}
    for name, blindness in _blindness(scene).items():
        if name in rows:
            squares[name] = doubted(contents(rows[name]), blindness)
        else:
            squares[name] = {None: 1 - UNSEEN - UNSEEN_BLIND * blindness}
    return ships_apart(squares)


def contents(scores: Mapping[int, Floats]) -> dict[Content | None, float]:
    """The probability of each content of a square, from the scores of the colours that may be there."""
    weights: dict[Content | None, float] = {}
    for count in range(len(scores) + 1):
        for chosen in combinations(sorted(scores), count):
            weight = float(sum(scores[colour][0] for colour in chosen))
            weights[Stones(tuple(sorted(COLOURS[colour] for colour in chosen))) if chosen else None] = weight
    for colour, row in scores.items():
        weights[Ship(COLOURS[colour])] = float(row[1])
        for floors in range(1, MAX_FLOORS + 1):
            weights[Pyramid(COLOURS[colour], floors)] = float(row[1 + floors])
    values = np.array(list(weights.values()))
    values = np.exp(values - values.max())
    return {content: float(p) for content, p in zip(weights, values / values.sum(), strict=True) if p > FAINT}


def doubted(odds: Odds, blindness: float) -> dict[Content | None, float]:
    """Odds that count for less where the picture tells little: there most squares are what most squares are, bare.

    blindness: how little it tells, from 0 to 1.
    """
    trust = max(0.0, 1 - BLINDING * blindness)
    usual = {content: BARE if content is None else (1 - BARE) / max(len(odds) - 1, 1) for content in odds}
    weights = {content: p**trust * usual[content] ** (1 - trust) for content, p in odds.items()}
    total = sum(weights.values())
    return {content: weight / total for content, weight in weights.items()}


def _blindness(scene: Scene) -> dict[Square, float]:
    """How little the picture tells of each square, from 0 to 1."""
    left, top, right, bottom = scene.places.edges
    shares = scene.places.sums(scene.blind) / ((right - left) * (bottom - top))
    return dict(zip(scene.places.names, shares.tolist(), strict=True))


def ships_apart(squares: dict[Square, dict[Content | None, float]]) -> dict[Square, Odds]:
    """The same, given that no two ships have one colour, and that most often a ship's player has other pieces too."""
    ships = [name for name, odds in squares.items() if _shares(odds).sum() > 0.5]
    if not ships:
        return dict(squares)
    shares = np.array([_shares(squares[name]) for name in ships])
    in_play = np.zeros(len(COLOURS))
    for name, odds in squares.items():
        if name not in ships:
            in_play = np.maximum(in_play, _presence(odds))
    found: dict[Square, Odds] = dict(squares)
    for name, before, after in zip(ships, shares, _ship_colours(shares, in_play), strict=True):
        others = {content: p for content, p in squares[name].items() if not isinstance(content, Ship)}
        found[name] = others | {
            Ship(c): float(before.sum() * p) for c, p in zip(COLOURS, after, strict=True) if p > FAINT
        }
    return found


def _shares(odds: Odds) -> Floats:
    """The probability of a ship of each colour."""
    return np.array([odds.get(Ship(colour), 0.0) for colour in COLOURS])


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
    rows = np.arange(len(weights))
    for colours in permutations(range(len(COLOURS)), len(weights)):
        total[rows, colours] += weights[rows, colours].prod()
    return np.asarray(total / total.sum(axis=1, keepdims=True), np.float64)
