"""Stones that look out from behind a ship, of which a tip is seen and no more.

The networks were shown many stones behind ships of which nothing can be seen, and took from it that a tip says next to
nothing either. But a spot in a piece's own colour right behind a ship, where the board has not that colour, is hardly
anything else: a ship's wall, seen just outside of where it should end, is a long thin line, and a stone's dark side
lies beside its upper face.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache, partial

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS
from companion.observation import Odds, likeliest
from companion.squares import Square
from vision.grid import READ_PX_PER_MM, SHRINK
from vision.light.appearance import STRANGE, Looks
from vision.logarithms import Layers, logarithms, logarithms_without
from vision.noise import LEAST, more_than, noise_of, without_noise
from vision.reading.evidence import Scene
from vision.reading.odds import colours_of, with_stone
from vision.reading.ships.behind import hidden_pixels
from vision.reading.ships.opening import Openings
from vision.reading.stones.fit import bare_closely
from vision.reading.stones.outline import Mask

AROUND_PX = 3
"""So many px of the maps round a square are looked at too."""
LEAST_HIDDEN, TOO_BLIND = 0.12, 0.1
"""Of squares of which ships hide less than such a share nothing is sought: a stone there is seen well enough. Nor on
those that are more than so blind: where a ship keeps a mirrored lamp's light from the board, that has another colour
behind it. Of nine looks at tips on 53 tables, plain, bright and in noise, the two on such squares were at none."""
UNLIKE_BARE, LEAST_FIT = 2.0, -3.5
"""A pixel may show a tip that fits a colour by so much better than bare board, and no worse than so (log densities)."""
FROM_MM, NEAR_MM, FAR_MM = 0.9, 2.2, 10.0
"""Nearer to a ship than the first its rim is mixed with what is behind it; a tip begins nearer than the second, ends
beyond that, and before the third: of a larger part of a stone more is known."""
LEAST_MM2, LEAST_WIDE_MM, LONGEST_MM, STICKS_OUT = 2.8, 1.2, 15.0, 0.15
"""How large a tip must be; how wide: its area over how long it is; how long it may be, as a stone is no longer; and how
far it reaches away from the ship, beside how long it is."""
SMALL_MM2, SMALL_LONG_MM = 1.0, 3.0
"""Beside stones that are known it may be as small as the first, if it is no longer than the second: half of all squares
with stones have several."""
BESIDE_STONE, BESIDE_PX = 0.15, 2
"""How much of what lies so near to it may look like a stone of another colour: it may be a side of that."""
MORE_LIKE, CHANGED = 3.0, 0.47
"""How much better it must fit its colour than the empty board does there, on average (log density); and by how much the
board must have changed there (an opponent logarithm): a printed river beside a ship may look a little bluer than it was
taught. On 29 tables the tips of five stones fit better by 3.7 and more, in any light, three that were none by 2.4 at
most. On 197 others, in five lights, those of six stones changed by 0.52 and more in 17 looks, and ten of thirteen that
were none by less than 0.47."""
INK = 1.0
"""Where the empty board is darker than beside it by so much (a logarithm) ink is printed. It mirrors a lamp as stones
do, and has no colour of its own then: a numeral beside a ship was a purple stone with 0.73."""
CLEAREST_PX, DOUBTED, CLEARLY, TOLD = 4, 5.5, 7.5, 0.9
"""So many of its pixels that tell most fit its colour by so much better than bare board, on average, that it says
nothing; or by so much that it is as likely a stone as the last. Of 19 that told 0.35 or more on 186 tables 15 were
stones of that colour, and of the ten that told 0.85 or more all."""
DOUBTED_BESIDE, CLEARLY_BESIDE = 5.0, 6.0
"""The same beside stones that are known. All nine looks at small ones of 5.5 and more, on the 197 tables, are of four
stones; a numeral's edge comes to 5.0."""
IN_NOISE = 1.5
"""So much better it must fit in a picture that is so noisy that it is smoothed: of 14 looks at tips in noise ten were
at none, which fitted by 5.7 to 7.8, those at a stone alone by 8.2."""


class TipFinder:
    """Looks for tips on the pictures of one table."""

    def __init__(self, looks: Looks) -> None:
        self._looks = looks

    def weigh(
        self,
        openings: Openings,
        squares: Mapping[Square, Odds],
        asked: Mapping[Square, Collection[int]],
        ships: Collection[Square],
        shares: Mapping[Square, float],
    ) -> dict[Square, Odds]:
        """The probabilities on all squares, given the tips that look out from behind ships.

        asked: the colours that may be there (``vision.reading.candidates``). ships: where some stand. shares: how much
        of other squares they hide (``vision.reading.ships.behind.behind_ships``).
        """
        found = dict(squares)
        hidden = cache(partial(hidden_pixels, openings, ships))
        for name, share in shares.items():
            known = colours_of(likeliest(squares[name]))
            blind = openings.scene.blindness[openings.scene.places.names.index(name)] > TOO_BLIND
            if share < LEAST_HIDDEN or blind or known is None:
                continue
            # So little of another stone may be seen that nobody has asked after its colour.
            if perhaps := set(range(len(COLOURS)) if known else asked.get(name, ())) - set(known):
                behind = _Behind.of(openings.scene, name, hidden())
                found[name] = with_tips(squares[name], self._tips(behind, perhaps, known))
        return found

    def _tips(self, behind: _Behind, perhaps: Collection[int], known: Collection[int]) -> dict[int, float]:
        """How likely there is a stone of each colour of which a tip is seen, those left out of which none is.

        perhaps: the colours that it may have. known: those of the stones that are there.
        """
        fits = self._fits(behind.seen)
        best, colours = fits.max(axis=0), fits.argmax(axis=0)
        shown = (best > LEAST_FIT) & (behind.away > FROM_MM)
        least_mm2 = SMALL_MM2 if known else LEAST_MM2
        if np.count_nonzero(np.isin(colours[shown], list(perhaps))) < least_mm2 * READ_PX_PER_MM**2:
            return {}
        bare, _ = bare_closely(behind.seen, behind.empty, behind.gain, self._looks)
        told = best - np.maximum(bare, np.float32(STRANGE))
        colours = np.where(shown & (told > UNLIKE_BARE), colours, -1)
        spots = [
            (float(np.sort(told[spot])[-CLEAREST_PX:].mean()), colour, spot)
            for colour in sorted(perhaps)
            for spot in _spots(colours == colour)
            if _sticks_out(spot, behind.away, bool(known))
            and (best[spot] - self._fits(behind.empty[spot])[colour]).mean() > MORE_LIKE
            and np.abs(behind.seen[spot] - behind.empty[spot]).max(axis=-1).mean() > CHANGED
            and not _is_ink(spot, behind.empty)
        ]
        doubted, clearly = (DOUBTED_BESIDE, CLEARLY_BESIDE) if known else (DOUBTED, CLEARLY)
        more = IN_NOISE if behind.noisy else 0.0
        found: dict[int, float] = {}
        of_stone = np.isin(colours, list(known))
        for clearest, colour, spot in sorted(spots, key=lambda one: -one[0]):
            if _share_beside(spot, of_stone) < BESIDE_STONE:
                likely = TOLD * float(np.clip((clearest - more - doubted) / (clearly - doubted), 0, 1))
                found[colour] = max(found.get(colour, 0.0), likely)
                of_stone |= spot
        return found

    def _fits(self, logs: Layers) -> NDArray[np.float32]:
        """How well pixels (opponent logarithms, of any shape) fit each colour: colours x pixels, log densities."""
        fits = self._looks.plain.log_densities(list(logs.reshape(-1, 3).T), STRANGE)[: len(COLOURS)]
        return fits.reshape(-1, *logs.shape[:-1])


@dataclass(frozen=True)
class _Behind:
    """What the straightened picture shows of a square behind ships, and of a little round it.

    seen, empty: its opponent logarithms with the light taken out, and the empty board's. gain: the light's. away: how
    far each pixel is from what the ships hide, mm. noisy: whether it was smoothed first.
    """

    seen: Layers
    empty: Layers
    gain: Layers
    away: NDArray[np.float32]
    noisy: bool

    @staticmethod
    def of(scene: Scene, name: Square, hidden: NDArray[np.uint8]) -> _Behind:
        """hidden: ``vision.reading.ships.behind.hidden_pixels``."""
        rows, columns = (
            slice(max(part.start - AROUND_PX, 0), min(part.stop + AROUND_PX, most))
            for part, most in zip(scene.places.window(scene.places.names.index(name)), scene.bare.shape, strict=True)
        )
        there = tuple(slice(SHRINK * part.start, SHRINK * part.stop) for part in (rows, columns))
        picture = scene.straight[there]
        gain = np.asarray(cv2.resize(scene.gain[rows, columns], picture.shape[1::-1]), np.float32)
        away = cv2.distanceTransform(1 - hidden[there], cv2.DIST_L2, 5) / READ_PX_PER_MM
        noise = more_than(picture, noise_of(scene.taught[there]))
        picture = without_noise(picture, noise)
        seen, empty = logarithms_without(gain, picture), logarithms(scene.empty_at(*there))
        return _Behind(seen, empty, gain, np.asarray(away, np.float32), noise >= LEAST)


def _spots(shown: Mask) -> list[Mask]:
    """The parts of a mask that hang together and have their middle on its square, not round it."""
    count, labels, _, middles = cv2.connectedComponentsWithStats(shown.astype(np.uint8), connectivity=8)
    around = SHRINK * AROUND_PX - 0.5
    within = (middles >= around) & (middles <= np.array(shown.shape[::-1]) - 1 - around)
    return [labels == label for label in range(1, count) if within[label].all()]


def _sticks_out(spot: Mask, away: NDArray[np.float32], beside: bool) -> bool:
    """Whether pixels may be a tip by where they are. away: how far each is from the ships, mm. beside: whether stones
    are known on the square."""
    area_mm2 = np.count_nonzero(spot) / READ_PX_PER_MM**2
    long_mm = float(max(np.ptp(np.flatnonzero(spot.any(axis=axis))) for axis in (0, 1)) + 1) / READ_PX_PER_MM
    nearest, furthest = float(away[spot].min()), float(away[spot].max())
    if beside and long_mm <= SMALL_LONG_MM:
        return bool(area_mm2 >= SMALL_MM2 and nearest < NEAR_MM)
    if long_mm > LONGEST_MM or area_mm2 < max(LEAST_MM2, LEAST_WIDE_MM * long_mm):
        return False
    return nearest < NEAR_MM < furthest < FAR_MM and furthest - FROM_MM >= STICKS_OUT * long_mm


def _is_ink(spot: Mask, empty: Layers) -> bool:
    """Whether the empty board shows dark print on some pixels, and none, or less, beside them."""
    brightness = empty[..., -1]
    return float(brightness[_beside(spot)].mean() - brightness[spot].mean()) > INK


def _share_beside(spot: Mask, other: Mask) -> float:
    """How much of what lies beside some pixels is of other ones."""
    return float(other[_beside(spot)].mean())


def _beside(spot: Mask) -> Mask:
    """What lies beside some pixels."""
    side = 2 * BESIDE_PX + 1
    return (cv2.dilate(spot.astype(np.uint8), np.ones((side, side), np.uint8)) > 0) & ~spot


def with_tips(odds: Odds, tips: Mapping[int, float]) -> Odds:
    """The probabilities on a square, of the same sum, given how likely a stone of each colour looks out there."""
    found = dict(odds)
    for colour, likely in tips.items():
        for content, p in list(found.items()):
            if (together := with_stone(content, colour)) is not None:
                found[content] = (1 - likely) * p
                found[together] = found.get(together, 0.0) + likely * p
    return found
