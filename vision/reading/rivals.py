"""Tells which of two colours a square shows, or both, where each fits what is seen about as well.

The networks that read squares are asked after one colour at a time: a stone that a lamp makes pale may fit purple and
blue, and is then claimed for both. Where that leaves a doubt, another network looks at both colours at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.games.pacal.pieces import COLOURS, Pyramid, Ship, Stones
from companion.observation import Content
from companion.squares import Square
from vision.appearance import Looks
from vision.geometry import Floats
from vision.reading.crops import FIT_SCALE, LEAN_SCALE, WHOLE, Planes, Way, square_plane, way_of
from vision.reading.evidence import Scene
from vision.reading.nets import TEMPERATURE, load, run, shares
from vision.reading.ships import FAINT, Odds, expected, ship_shares

NETWORK = "rivals.onnx"
DOUBTFUL, CLAIMED, PERHAPS_SHIP = 0.97, 0.02, 0.1
"""Where a square's likeliest content is less likely than the first, two colours at least are claimed with the second or
more, and a ship is no likelier than the third (walls tell their colours), rivals are told apart."""
TRUST = 0.5
"""How much of the way from what was known to what this network says the logarithms of the odds go."""
SEEN, LOGARITHMS = 14, 11
"""The planes of what is seen: how well it fits five colours, a ship's inside and bare board; how blind it is, how much
brighter than before, how much print there is and how well it is seen; and from the last of these numbers on its three
opponent logarithms."""
CLAIM_RANGES = np.array(
    [*[(-7.0, 5.0)] * 7, (0.0, 1.0), (-2.5, 2.5), (0.0, 1.0), (-1.0, 1.0), *[(-1.6, 1.6)] * 2, (-4.0, 2.0)], np.float32
)
"""What is lower or higher on each plane tells no more: the network learned from such as were kept as bytes between
these. What is darker than the last begins is nearly black, whatever its colour."""
CHANNELS = 18
"""What the network sees of it for two colours: how well each fits, and the likeliest other one; all that is no colour's
own; how its logarithms differ from each colour's, where the square is, and how far a ship's upper end leans."""
LIMIT = 2.0
"""Differences of logarithms that are larger tell no more."""
WAYS, SHIP_WAYS, PYRAMID_WAYS = 8, (4, 5), (6, 7)
"""What may be there of a first and a second colour: neither, a stone of the first, of the second, of both; a ship of
the first, of the second; a pyramid of the first, of the second."""
_SWAPPED = [0, 2, 1, 3, *SHIP_WAYS[::-1], *PYRAMID_WAYS[::-1]]
"""The same ways when first and second are swapped."""


@dataclass(frozen=True)
class Claim:
    """What is seen about a square, turned as crops are (``vision.reading.crops``), with a margin on all sides.

    seen: ``SEEN`` planes. square: 1 on the square, 0 round it, without a margin. leans: see ``way_of``.
    """

    seen: Planes
    square: Planes
    leans: tuple[float, float]

    @staticmethod
    def of(scene: Scene, name: Square, margin: int) -> Claim:
        """What a scene shows about a square, with so many px on all sides; at the maps' edge what is nearest."""
        way, leans = way_of(scene, name)
        x, y = scene.about(name)[0].round().astype(int).tolist()
        layers = [*scene.fits, scene.bare, scene.blind, scene.brighter, scene.printed, scene.shown]
        wide = [np.arange(part.start - margin, part.stop + margin) for part in way.window(x, y, WHOLE)]
        part = np.ix_(*(np.clip(along, 0, most - 1) for along, most in zip(wide, scene.bare.shape, strict=True)))
        colour = np.moveaxis(scene.difference[part] + scene.empty[part], -1, 0)
        seen = np.stack([*(layer[part] for layer in layers), *colour])
        seen = way.turn(np.clip(seen, CLAIM_RANGES[:, :1, None], CLAIM_RANGES[:, 1:, None]))
        square = square_plane(scene.board.square_mm, Way(False, False, way.swapped), WHOLE)
        return Claim(np.ascontiguousarray(seen, np.float32), square, leans)

    def planes(self, looks: Planes, first: int, second: int) -> Planes:
        """What the network sees of two colours, if there is no margin: channels x height x width.

        looks: the colours' opponent logarithms, 5 x 3.
        """
        fits, logarithms = self.seen[: len(COLOURS)], self.seen[LOGARITHMS:]
        planes = np.empty((CHANNELS, WHOLE.side, WHOLE.side), np.float32)
        planes[0], planes[1] = fits[first], fits[second]
        planes[2] = fits[[colour for colour in range(len(COLOURS)) if colour not in (first, second)]].max(axis=0)
        planes[3:9] = self.seen[len(COLOURS) : LOGARITHMS]
        planes[:5] *= FIT_SCALE
        for start, colour in ((9, first), (12, second)):
            np.clip(logarithms - looks[colour][:, None, None], -LIMIT, LIMIT, out=planes[start : start + 3])
        planes[15] = self.square
        planes[16], planes[17] = (lean * LEAN_SCALE for lean in self.leans)
        return planes


class Rivals:
    """Tells apart the colours that one table's squares may show."""

    def __init__(self, looks: Looks) -> None:
        self._net = load(NETWORK)
        self._looks = looks.means[: len(COLOURS)].astype(np.float32)

    def weigh(self, scene: Scene, name: Square, odds: Odds) -> Odds:
        """The probabilities on a square, if two colours may both be claimed for what one of them shows."""
        pair = rivals_of(odds)
        if pair is None:
            return odds
        claim = Claim.of(scene, name, 0)
        both = np.stack([claim.planes(self._looks, *order) for order in (pair, pair[::-1])])
        first, second = run(self._net, [both], WAYS)
        said = (first + second[_SWAPPED]) / 2 / TEMPERATURE
        return weighed(odds, pair, shares(said[None])[0])


def rivals_of(odds: Odds) -> tuple[int, int] | None:
    """The two colours that may be there, or not, most doubtfully; None where there is no doubt, or but one colour."""
    if max(odds.values()) >= DOUBTFUL or sum(ship_shares(odds)) > PERHAPS_SHIP:
        return None
    claimed = expected(odds).sum(axis=1)
    first, second = np.argsort(-claimed * (1 - claimed) * (claimed > CLAIMED), kind="stable")[:2].tolist()
    return (first, second) if claimed[second] > CLAIMED else None


def weighed(odds: Odds, pair: tuple[int, int], told: Floats) -> Odds:
    """The same probabilities, of the same sum, given the logarithms of how likely each of the ``WAYS`` is."""
    ways = {content: way_of_two(content, *pair) for content in odds}
    known = np.full(WAYS, FAINT)
    np.add.at(known, list(ways.values()), list(odds.values()))
    more = np.exp(TRUST * (np.maximum(told, np.log(FAINT)) - np.log(known)))
    found = {content: p * float(more[ways[content]]) for content, p in odds.items()}
    scale = sum(odds.values()) / sum(found.values())
    return {content: p * scale for content, p in found.items()}


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
