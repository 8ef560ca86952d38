"""Tells which stones a square shows by those that are found on it by their shape (``fit``).

Where the networks that read squares leave a doubt, stones are looked for. A small network says of each that may lie
there how likely it is one of a colour, beside none: by what its upper face looks like, its sides, what is beside it,
and what the empty board shows there. That makes some sets of stones likelier than others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS, Stones
from companion.observation import Content, Odds, likeliest
from companion.squares import Square
from vision.geometry import Floats
from vision.light.appearance import Looks
from vision.reading.claim import Claim
from vision.reading.evidence import Scene, Shown, usual_shades
from vision.reading.nets import load, run, shares
from vision.reading.odds import FAINT, SETS, colours_of, scaled, ship_shares, with_stone
from vision.reading.rivals import EASILY_TAKEN, PERHAPS_SHIP
from vision.reading.stones.colours import StoneColours, whiteness
from vision.reading.stones.features import FEATURES, features
from vision.reading.stones.fit import Lying, Patch, find_stones
from vision.reading.stones.outline import MARGIN

NETWORK = "stones.onnx"
DOUBTFUL, PERHAPS_STONES, PERHAPS_BARE = 0.97, 0.02, 0.01
"""Where a square's likeliest content is less likely than the first, stones are likelier than the second, and a ship is
not likely, stones are looked for; and where nothing is likeliest, but stones are likelier than the third: a stone that
a lamp makes white may look like bright board."""
TOO_BLIND = 0.6
"""On squares that are blinder none are looked for: little is left there to find a stone's shape by."""
SHOWN_PX, HARDLY_SHOWN, BRIGHTER = 8, 0.8, 0.4
"""Of colours that are ``EASILY_TAKEN`` for each other stones are looked for however sure the networks are, if they are
pale. A stone's colour is so if the so many pixels that fit it best are so much less likely to be of it than one that is
just as usual (logarithms of densities), and so much brighter (the logarithm's median)."""
PALE, WHITE = 0.25, 0.5
"""A stone with so much white in its light, beside that of a white sheet, mirrors a lamp; with more than the second it
shows hardly any colour."""
OWN, COLOURS_TOLD = 0.33, 0.5
"""Which colour a pale stone has: how much what the network for stones says of that counts, and the one for their
colours (``colours``)."""
UNFOUND = -3.0
"""The logarithm of how likely a stone that lies there is not found, beside one that is."""
NO_STONES = -2.0
"""How much what is found speaks for a pyramid or a ship (natural logarithm), if the likeliest set of stones has 0."""
LEAST_TOLD = -8.0
"""What is found speaks against nothing by more than this, before it is weighed."""
FOUND_ODDS, MORE = 0.7, 0.2
"""Where one that was found is a stone of a colour with at least such odds (their logarithm), a set of stones with that
colour is no less likely than such a share of the set without it, and so with each that was found: a stone that a lamp
makes white or pale has a shape still, though the networks were not asked after its colour, or do not see any of it."""
ENOUGH, TRUSTED = 8, -1.5
"""So many of a table's known stones show whether what is found can be trusted: if it tells more of them on average, in
natural logarithms. On the tables that were measured it tells -0.2 to -0.6; guessing tells -3.5."""


class Trust(NamedTuple):
    """How much what was known of a square counts, and what is found on it: both come from the same pixels, and say
    more than they know."""

    known: float
    found: float


USUAL, IN_WHITE = Trust(0.85, 0.5), Trust(0.2, 0.9)
"""Usually, and where a stone is white: what was known goes by colours, but no lamp hides its shape."""
FURTHER = 0.8
"""How much likelier each stone is beside the first (natural logarithm) than all that tells of it says: of 43 looks at
squares said to hold one more stone with 0.1 to 0.5, 0.24 on average, 31 did; of 88 tables, in four sorts of light."""

Weights: TypeAlias = NDArray[np.float64]
"""Stones that were found x colours: how likely each is a stone of a colour, beside none (logarithms of odds)."""


class StoneFinder:
    """Looks for stones on the pictures of one table."""

    def __init__(self, looks: Looks, trusted: bool = True) -> None:
        """trusted: whether what is found tells anything there, as ``can_find_stones`` says; if not, none are sought."""
        self._net, self._colours = load(NETWORK), StoneColours(looks)
        self._looks, self._trusted = looks, trusted
        usual = list(looks.means[: len(COLOURS)].T.astype(np.float32))
        self._usual, self._shades = looks.plain.log_densities(usual).diagonal(), usual_shades(looks)

    def weigh(self, scene: Scene, name: Square, odds: Odds, before: Odds | None = None) -> Odds:
        """The probabilities on a square, if it is doubtful what stones are there, by those that are found.

        before: those before rivals were told apart, None where they were not. What was doubtful then is looked at as
        well: rivals may err.
        """
        if not self._trusted or scene.blindness[scene.places.names.index(name)] > TOO_BLIND:
            return odds
        doubtful = perhaps_stones(odds) or (before is not None and perhaps_stones(before))
        if not doubtful and not self._pale(scene, name, odds):
            return odds
        return weighed(odds, *self.said(scene, name))

    def _pale(self, scene: Scene, name: Square, odds: Odds) -> bool:
        """Whether a square surely has stones of a colour that is easily taken for another, and is pale there."""
        content = likeliest(odds)
        if odds[content] < DOUBTFUL:
            return False
        there = scene.places.window(scene.places.names.index(name))
        for colour in {*EASILY_TAKEN}.intersection(colours_of(content) or ()):
            fits = scene.fits[colour][there].ravel()
            best = np.argpartition(fits, -SHOWN_PX)[-SHOWN_PX:]
            if fits[best].min() < self._usual[colour] - HARDLY_SHOWN:
                brighter = float(np.median(scene.shade[there].ravel()[best])) - self._shades[colour]
                if brighter > BRIGHTER:
                    return True
        return False

    def said(self, scene: Scene, name: Square) -> tuple[Weights, Trust]:
        """What is said of the stones that are found on a square, and how far that is to be trusted."""
        patch = Patch.of(Claim.of(scene, name, MARGIN), self._looks)
        stones = find_stones(patch)
        if not stones:
            return np.zeros((0, len(COLOURS))), USUAL
        said = said_of(self._net, patch, stones, self._looks)
        white = np.array([whiteness(patch, stone) for stone in stones])
        pale = np.flatnonzero(white > PALE)
        if pale.size:
            said[pale] = coloured(said[pale], self._colours.told(patch, [stones[stone] for stone in pale]))
        return said, IN_WHITE if (white[said.max(axis=1) > 0] > WHITE).any() else USUAL


def said_of(net: cv2.dnn.Net, patch: Patch, stones: Sequence[Lying], looks: Looks) -> Weights:
    """What the network for stones says of some that may lie on a patch's square, at least one."""
    return run(net, features(patch, stones, looks).reshape(-1, FEATURES), 1).reshape(-1, len(COLOURS))


def perhaps_stones(odds: Odds) -> bool:
    """Whether it is doubtful what stones are on a square."""
    best = likeliest(odds)
    if best is not None and odds[best] >= DOUBTFUL:
        return False
    stones = sum(p for content, p in odds.items() if isinstance(content, Stones))
    least = PERHAPS_BARE if best is None else PERHAPS_STONES
    return stones >= least and sum(ship_shares(odds)) <= PERHAPS_SHIP


def can_find_stones(shown: Sequence[Shown], looks: Looks) -> bool:
    """Whether what is found on pictures of known pieces tells of their stones; not if these have another shape."""
    finder, told = StoneFinder(looks), list[float]()
    for scene, pieces in shown:
        for name, piece in pieces.items():
            if isinstance(piece, Stones) and len(told) < ENOUGH:
                logs = likely_sets(finder.said(scene, name)[0])
                told.append(float(logs[SETS.index(colours_of(piece) or ())] - np.log(np.exp(logs).sum())))
    return not told or float(np.mean(told)) > TRUSTED


def coloured(said: Weights, colours: Floats) -> Weights:
    """What a network says of stones, but which colour they have also by what another one says of that (``colours``)."""
    any_colour = np.logaddexp.reduce(said, axis=1, keepdims=True)
    return np.asarray(any_colour + shares(OWN * said + COLOURS_TOLD * colours), np.float64)


def weighed(odds: Odds, said: Weights, trust: Trust = USUAL) -> Odds:
    """The same probabilities, of the same sum, given what is said of the stones that were found."""
    total = sum(odds.values())
    odds = _with_more(odds, said)
    told = dict(zip(SETS, likely_sets(said).tolist(), strict=True))
    of_stones = {content: told[colours] for content in odds if (colours := colours_of(content)) is not None}
    most = max(of_stones.values(), default=0.0)
    more = dict.fromkeys(odds, NO_STONES) | {content: max(log - most, LEAST_TOLD) for content, log in of_stones.items()}
    logs = {
        content: trust.known * np.log(max(p / total, FAINT)) + trust.found * more[content] + FURTHER * _further(content)
        for content, p in odds.items()
    }
    top = max(logs.values())
    found = {content: float(np.exp(log - top)) for content, log in logs.items()}
    return scaled(found, total)


def _further(content: Content | None) -> int:
    """How many stones there are beside the first."""
    return max(len(colours_of(content) or ()) - 1, 0)


def _with_more(odds: Odds, said: Weights) -> Odds:
    """The same odds, and those of sets with more stones, of colours that were found (``MORE``): of a larger sum."""
    found = np.flatnonzero(said.max(axis=0, initial=-np.inf) >= FOUND_ODDS).tolist()
    more = dict(odds)
    for colour in found:
        for content, p in list(more.items()):
            if (together := with_stone(content, colour)) is not None:
                more[together] = max(more.get(together, 0.0), MORE * p)
    return more


def likely_sets(said: Weights) -> Floats:
    """How likely each set of stones makes what was found, beside none (logarithms): whichever stones of the set are
    whichever of those that were found, the others unfound; all else that was found is none."""
    odds = np.exp(np.clip(said, -30, 12))
    everything = 1 << len(odds)
    # For each set, how much all ways weigh together that use just so many of the stones that were found (bit by bit).
    ways: dict[tuple[int, ...], Floats] = {(): np.eye(1, everything)[0]}
    for colours in SETS[1:]:
        before = ways[colours[:-1]]
        now = before * np.exp(UNFOUND)
        for stone in range(len(odds)):
            with_it = np.flatnonzero(np.arange(everything) >> stone & 1)
            now[with_it] += before[with_it ^ (1 << stone)] * odds[stone, colours[-1]]
        ways[colours] = now
    return np.log([ways[colours].sum() for colours in SETS])
