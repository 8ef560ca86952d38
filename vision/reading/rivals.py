"""Tells which colours a square shows where several fit what is seen about as well.

The networks that read squares are asked after one colour at a time, on maps that are coarser than the picture: a stone
that a lamp makes pale may fit purple and blue, and is then claimed for both. Where that leaves a doubt, another network
looks at two colours at once, and closer: a stone's sides, which no lamp makes pale, are but two pixels of the
straightened picture wide.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from companion.games.pacal.pieces import COLOURS, Pyramid, Ship, Stones
from companion.observation import Content, Odds
from companion.squares import Square
from vision.geometry import Floats
from vision.light.appearance import Looks
from vision.logarithms import Layers
from vision.reading.claim import CLOSE, MAPS_FROM, Claim
from vision.reading.crops import FIT_SCALE, LEAN_SCALE, Planes
from vision.reading.evidence import Scene
from vision.reading.nets import TEMPERATURE, load, run, shares
from vision.reading.odds import FAINT, colours_of, of_colours, scaled, ship_shares, stones_of

NETWORK = "rivals.onnx"
DOUBTFUL, CLAIMED, PERHAPS_SHIP = 0.97, 0.02, 0.1
"""Where a square's likeliest content is less likely than the first, two colours at least are claimed with the second or
more, and a ship is no likelier than the third (walls tell their colours), rivals are told apart."""
TRUST = 0.85
"""How much of the way from what was known to what this network says the logarithms of the odds go."""
EASILY_TAKEN: tuple[int, int] = (COLOURS.index("blue"), COLOURS.index("purple"))
"""Colours that are taken for each other where a lamp makes stones pale: where but one of the two is claimed ..."""
NOT_CLAIMED, TRUST_TAKEN = 0.1, 0.6
"""... that is told apart from the other too, which is taken to be so many times as likely before; and of what is said
then so much counts, as the network learned of colours that are both claimed: that a leaning pyramid's own colour shows
on the square behind it was a stone to it."""
CHANNELS = 21
"""What the network sees of it for two colours: how its logarithms differ from each colour's and the empty board's, how
dark it is, how well it fits each of the two and the likeliest other, all else that is seen, and how far a ship's upper
end leans."""
LIMIT, DARK = 2.0, -3.0
"""Differences of logarithms that are larger tell no more; nor does what is darker than the last."""
WAYS, SHIP_WAYS, PYRAMID_WAYS = 8, (4, 5), (6, 7)
"""What may be there of a first and a second colour: neither, a stone of the first, of the second, of both; a ship of
the first, of the second; a pyramid of the first, of the second."""
_SWAPPED = [0, 2, 1, 3, *SHIP_WAYS[::-1], *PYRAMID_WAYS[::-1]]
"""The same ways when first and second are swapped."""


def planes(layers: Layers, leans: tuple[float, float], looks: Planes, first: int, second: int) -> Planes:
    """What the network sees of two colours: channels x height x width.

    layers: a claim's, without a margin. leans: see ``way_of``. looks: the colours' opponent logarithms, 5 x 3.
    """
    seen = np.moveaxis(layers, -1, 0)
    fits, rest = seen[MAPS_FROM : MAPS_FROM + len(COLOURS)], seen[MAPS_FROM + len(COLOURS) :]
    found = np.empty((CHANNELS, *CLOSE.shape), np.float32)
    for start, there in ((0, looks[first][:, None, None]), (3, looks[second][:, None, None]), (6, seen[3:6])):
        np.clip(seen[:3] - there, -LIMIT, LIMIT, out=found[start : start + 3])
    np.maximum(seen[6], DARK, out=found[9])
    found[10], found[11] = fits[first], fits[second]
    found[12] = fits[[colour for colour in range(len(COLOURS)) if colour not in (first, second)]].max(axis=0)
    found[13:-2] = rest
    found[10:15] *= FIT_SCALE
    found[-2], found[-1] = (lean * LEAN_SCALE for lean in leans)
    return found


class Rivals:
    """Tells apart the colours that one table's squares may show."""

    def __init__(self, looks: Looks) -> None:
        self._net = load(NETWORK)
        self._looks = looks.means[: len(COLOURS)].astype(np.float32)

    def weigh(self, scene: Scene, name: Square, odds: Odds) -> Odds:
        """The probabilities on a square, if several colours may be claimed for what one of them shows."""
        colours = rivals_of(odds)
        pairs, taken = list(combinations(colours, 2)), len({*colours}.intersection(EASILY_TAKEN)) == 1
        wanted = [*pairs, EASILY_TAKEN] if taken else pairs
        if not wanted:
            return odds
        claim = Claim.of(scene, name, 0)
        layers = claim.layers()
        both = [planes(layers, claim.leans, self._looks, *order) for pair in wanted for order in (pair, pair[::-1])]
        said = run(self._net, both, WAYS)
        told = shares((said[::2] + said[1::2, _SWAPPED]) / 2 / TEMPERATURE)
        odds = weighed(odds, pairs, told[: len(pairs)])
        return weighed(with_taken(odds), [EASILY_TAKEN], told[len(pairs) :], TRUST_TAKEN) if taken else odds


def rivals_of(odds: Odds) -> list[int]:
    """The colours that may be there, if it is doubtful what is."""
    if max(odds.values()) >= DOUBTFUL or sum(ship_shares(odds)) > PERHAPS_SHIP:
        return []
    return [colour for colour, many in enumerate(of_colours(odds)) if many > CLAIMED]


def with_taken(odds: Odds) -> Odds:
    """The same probabilities, of the same sum, where stones of one of ``EASILY_TAKEN`` may be of the other too."""
    found = dict(odds)
    for content, p in odds.items():
        colours = {*(colours_of(content) or ())}
        if len(colours.intersection(EASILY_TAKEN)) == 1:
            other = stones_of(colours.symmetric_difference(EASILY_TAKEN))
            found[other] = found.get(other, 0.0) + NOT_CLAIMED * p
    return scaled(found, sum(odds.values()))


def weighed(odds: Odds, pairs: Sequence[tuple[int, int]], told: Floats, trust: float = TRUST) -> Odds:
    """The same probabilities, of the same sum, given the logarithms of how likely each of the ``WAYS`` is for some
    pairs of colours (pairs x ways): their mean counts, as what one of them says is told by the others too. trust: see
    ``TRUST``."""
    more = dict.fromkeys(odds, 0.0)
    for pair, said in zip(pairs, told, strict=True):
        ways = {content: way_of_two(content, *pair) for content in odds}
        known = np.full(WAYS, FAINT)
        np.add.at(known, list(ways.values()), list(odds.values()))
        change = trust / len(pairs) * (np.maximum(said, np.log(FAINT)) - np.log(known))
        for content, way in ways.items():
            more[content] += float(change[way])
    found = {content: p * math.exp(more[content]) for content, p in odds.items()}
    return scaled(found, sum(odds.values()))


def way_of_two(content: Content | None, first: int, second: int) -> int:
    """Which of the ``WAYS`` a square's content is."""
    one, other = COLOURS[first], COLOURS[second]
    match content:
        case Stones(colours):
            return (one in colours) + 2 * (other in colours)
        case Ship(colour):
            ways = SHIP_WAYS
        case Pyramid(colour):
            ways = PYRAMID_WAYS
        case _:
            return 0
    return ways[colour == other] if colour in (one, other) else 0
