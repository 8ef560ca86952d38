"""Reading the pieces of Pacal's Rocket: from a scene to how likely each content of each square is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from companion.games.pacal.pieces import COLOURS, MAX_FLOORS, Pyramid, Ship
from companion.observation import Content, Odds
from companion.squares import Square
from vision.reading.covered import WHITE_PX, beside, mirroring_squares
from vision.reading.crops import Cutter
from vision.reading.evidence import Scene
from vision.reading.hardly_shown import DOUBT, hardly_shown
from vision.reading.network import SquareNetwork
from vision.reading.odds import FAINT, sets_of, stones_of
from vision.reading.pyramids.plates import without_shadow
from vision.reading.rivals import Rivals
from vision.reading.ships.behind import behind_ships, doubted
from vision.reading.ships.looker import ShipLooker, likely_ships, ships_apart
from vision.reading.ships.opening import Openings
from vision.reading.stones.finder import StoneFinder
from vision.reading.stones.tips import TipFinder

UNSEEN, UNSEEN_BLIND, UNSEEN_COVERED = 2e-4, 0.1, 0.4
"""How likely something is on a square that looks bare; where the picture cannot tell; and where its print is gone."""
MIRRORED = 0.3
"""How likely something that looks bare but mirrors a lamp (``mirroring_squares``) is a piece: of seven such squares of
rendered tables two were. And how likely what is all white for it is something else: of seven such pieces three were."""
UNDER_SOMETHING, PERHAPS_UNDER = 0.2, 0.15
"""How much is doubted of what is read on a square over which something lies with the latter probability, or a larger
one: more than the 3 % that were found wrong though said with 0.9, so that nothing is sure under a hand."""
PARTLY_BLIND, UNDER_LAMP = 0.05, 0.015
"""How much is doubted of what is read on a square that is more than so blind: a lamp is mirrored in it, or beside it,
and colours are paler there. Of 305 such squares, said with 0.99, on which something stands three were wrong; of 9,338
others none."""
BARE_SHOWN = 0.6
"""How often the networks were shown a square that holds nothing beside one that holds something, in training."""


class Answers(NamedTuple):
    """What networks say of the squares that may hold something.

    rows: for each square and colour asked after the scores of each content (``SquareNetwork``). over: how likely
    something that is no piece lies over each.
    """

    rows: Mapping[Square, Mapping[int, Sequence[float]]]
    over: Mapping[Square, float]


class SquareReader:
    """Reads the squares of one table's pictures."""

    def __init__(
        self,
        usual: Sequence[float],
        network: SquareNetwork,
        rivals: Rivals,
        stones: StoneFinder,
        ships: ShipLooker,
        tips: TipFinder,
    ) -> None:
        """usual: the usual shade of each colour (``vision.reading.evidence``). rivals, stones, ships, tips: look closer
        at what may be of either of two colours, at stones, at ships, and at what looks out from behind these."""
        self._usual = usual
        self._network, self._rivals, self._stones, self._ships, self._tips = network, rivals, stones, ships, tips

    def ask(self, scene: Scene, asked: Mapping[Square, list[int]]) -> Answers:
        """What the networks say.

        asked: the squares that may hold something, with the colours that may be there (``vision.reading.candidates``).
        """
        wanted = [(name, colour) for name, colours in asked.items() for colour in colours]
        scores, covers = self._network.look(Cutter(scene, self._usual), wanted)
        rows: dict[Square, dict[int, list[float]]] = {name: {} for name in asked}
        over = dict.fromkeys(asked, 0.0)
        for (name, colour), row, cover in zip(wanted, scores.tolist(), covers.tolist(), strict=True):
            rows[name][colour] = row
            over[name] = max(over[name], cover)
        return Answers(rows, over)

    def read(
        self, scene: Scene, answers: Answers, covered: Mapping[Square, float]
    ) -> tuple[dict[Square, Odds], dict[Square, float]]:
        """For each square of the board the probability of each content, None being nothing; and how much of squares
        ships hide.

        answers: of the networks. covered: how surely squares that they were not asked of are covered.
        """
        rows = answers.rows
        under = {name: min(over / PERHAPS_UNDER, 1) for name, over in answers.over.items()}
        near = beside({name: share for name, share in under.items() if share >= 1}, list(rows))
        squares: dict[Square, Odds] = {}
        for name, blindness in zip(scene.places.names, scene.blindness.tolist(), strict=True):
            if name in rows:
                over = UNDER_SOMETHING * max(under[name], near.get(name, 0.0))
                told = without_shadow(scene, name, contents(rows[name]))
                told = self._stones.weigh(scene, name, self._rivals.weigh(scene, name, told), told)
                hardly = DOUBT * hardly_shown(scene, name, told)
                seen = 1 - max(over, hardly, UNDER_LAMP * (blindness > PARTLY_BLIND))
                squares[name] = {content: p * seen for content, p in told.items()}
            else:
                unseen = max(UNSEEN, UNSEEN_BLIND * blindness, UNSEEN_COVERED * covered.get(name, 0.0))
                squares[name] = {None: 1 - unseen}
        openings = Openings(scene)
        squares |= self._ships.look(openings, {name: squares[name] for name in rows})
        found = ships_apart(squares)
        ships = likely_ships(found)
        hidden = behind_ships(scene, ships)
        found = self._tips.weigh(openings, found, rows, ships, hidden)
        return {**found, **{name: doubted(found[name], share) for name, share in hidden.items()}}, hidden


def with_mirrors(squares: Mapping[Square, Odds], scene: Scene) -> dict[Square, Odds]:
    """The probabilities on all squares, given that what looks bare but mirrors a lamp, and what is all white for it,
    may be a piece of any colour, not only of those that seem to be there: so this comes after all that tells colours
    apart."""
    found = dict(squares)
    for name, px in mirroring_squares(scene).items():
        white = px >= WHITE_PX
        found[name] = {content: p * (1 - MIRRORED * (white or content is None)) for content, p in squares[name].items()}
    return found


def contents(scores: Mapping[int, Sequence[float]]) -> dict[Content | None, float]:
    """The probability of each content of a square, from the scores of the colours that may be there (7 each)."""
    # A square has so few that plain numbers are quicker than arrays.
    colours = tuple(sorted(scores))
    possible, sets = _possible(colours)
    values = [sum([scores[colour][0] for colour in chosen]) for chosen in sets]
    values[0] -= math.log(BARE_SHOWN)
    for colour in colours:
        values.extend(scores[colour][1:])
    top = max(values)
    weights = [math.exp(value - top) for value in values]
    total = sum(weights)
    return {
        content: weight / total for content, weight in zip(possible, weights, strict=True) if weight > FAINT * total
    }


@cache
def _possible(colours: tuple[int, ...]) -> tuple[tuple[Content | None, ...], tuple[tuple[int, ...], ...]]:
    """What a square may hold of some colours: the sets of stones first, then for each colour its ship, and its
    pyramids. And which colours are in each of the sets."""
    sets = sets_of(colours)
    stones = [stones_of(chosen) if chosen else None for chosen in sets]
    others: list[Content] = []
    for colour in colours:
        others += [Ship(COLOURS[colour]), *(Pyramid(COLOURS[colour], 1 + floor) for floor in range(MAX_FLOORS))]
    return (*stones, *others), sets
