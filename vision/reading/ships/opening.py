"""Where a ship's opening is seen, and whether it is one.

A ship's top is a disc that shows its inside, right above its foot. Whatever stands before a ship hides its foot first,
and the opening of a ship on another square is seen at another place.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache, partial

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS
from companion.squares import Square
from vision.frames import grey
from vision.geometry import Floats
from vision.grid import MM_PER_PX, lean
from vision.light.appearance import Map
from vision.logarithms import OFFSET
from vision.parabola import vertex
from vision.reading.evidence import Scene
from vision.reading.places import cut, on_canvas, sampled
from vision.reading.shapes import SHIP_MM, SHIP_RADIUS_MM
from vision.reading.showing import UNKNOWN, best_fit

OPEN_MM, WITH_RIM_MM = SHIP_RADIUS_MM - 1.3, SHIP_RADIUS_MM - 0.8
"""The radius of the opening, and with half of the rim."""
STRAY_PX = 6
"""How far from the middle of its square (px of the maps) a ship is looked for in both directions, ..."""
AWAY = 0.006
"""... and what it costs to stand a millimetre from there, for the square of the distance, beside the share of the disc
that looks like an inside."""
RIM_FROM_PX, RIM_TO_PX, AROUND = 0.5, 0.8, 1.32
"""The rim begins so far within the opening and ends so far outside it; and so many radii from its middle the ring ends
of which less must look like an inside."""
LEAST, COUNTS, MOST = 0.7, 50.0, 6.0
"""How much more of the disc than of the ring round it looks like an inside, at least, to speak for a ship; what more of
it counts in natural logarithms of odds; and how much it counts at most. Of 1,962 looks at what networks are in doubt
of, in plain, bright, dim, warm and noisy pictures, 836 show more than the first, all of them ships."""
WHOLE = 0.8
"""Where less of the disc looks like an inside, a part of it is likely lit."""
CLOSED, HARDLY, NONE = 0.15, 0.45, -4.0
"""Where no disc shows an inside, or what nothing known looks like, by more than the first, there is no opening, which
speaks against a ship by the last (natural logarithm of odds); where one does by more than the second nothing speaks
against it, in between a part of that. Of 4,884 looks at ships, plain, in bright light and in noise, glossy and hidden
ones too, all show more than 0.21, 998 of 1,000 more than 0.32; of 994 at what networks took for one now and then, and
was none, 935 show less than 0.15 and 44 up to 0.5, where two of 968 ships do."""
OFF_MM, ASTRAY = 3.9, -2.0
"""What shows an opening no more plainly than ``LEAST``, but further from the middle of its square than the first, is
the shadow of a ship for the most part: that speaks against one by the second. Of those 968 ships none stands so far
aside, of the 59 others that show more than 0.15 22 seem to; but people may place ships so."""
INSIDE_MM, RIM_MM, ROUND_MM = (
    SHIP_RADIUS_MM + away for away in (np.arange(-14, -4, 0.5), np.array([-1.7, -1.2, -0.7]), np.arange(1.5, 4, 0.5))
)
"""How far from its middle a ship shows its inside and its rim, and what is round it."""
HOLLOW, RIM, DARK, SHADOW = 0.5, 0.25, 0.65, -2.5
"""What looks like an inside by more than the first, with no rim that is brighter by the second (a logarithm), but is
darker than what is round it by the third, is the shadow of a ship, and speaks against one by the last (natural
logarithm of odds): a lamp that casts so dark a shadow shines on a ship's rim. Of 1,716 looks at ships, in all sorts of
light and in noise, none with so faint a rim is darker than what is round it by more than 0.57; of 20 looks at the
shadows of one table none is darker by less than 0.74, or has a rim by more than 0.21. Of 524 looks at glossy ships,
under lamps that shine into them, seven are taken for shadows so: two ships."""
_WAYS = np.array([[[np.cos(angle), np.sin(angle)]] for angle in np.arange(32) * np.pi / 16])
"""All directions, 32 x 1 x 2."""


@dataclass(frozen=True)
class Opening:
    """What looks most like the opening of a ship on a square.

    share: how much more of it than of the ring round it looks like an inside, from -1 to 1. open: the same of an inside
    or nothing known, where that is more. stray_mm: how far (x and y) from the middle of the square the ship stands, if
    it is one.
    """

    share: float
    open: float
    stray_mm: Floats


class Openings:
    """The openings on one scene. Each is looked for once, however often it is asked after."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.of = cache(partial(find_opening, scene))

    def told(self, name: Square) -> float:
        """How much the opening on a square speaks for a ship there: natural logarithms of odds."""
        opening = self.of(name)
        if opening.share > HOLLOW and _is_shadow(self.scene, name, opening.stray_mm):
            return SHADOW
        if opening.share >= LEAST:
            return min(COUNTS * (opening.share - LEAST), MOST)
        closed = NONE * float(np.clip((HARDLY - opening.open) / (HARDLY - CLOSED), 0, 1))
        aside = ASTRAY * bool(np.hypot(*opening.stray_mm) > OFF_MM)
        return max(closed + aside, NONE)


def find_opening(scene: Scene, name: Square) -> Opening:
    """The opening of the ship that may stand on a square."""
    top, larger = _top(scene, name)
    opening = _disc(OPEN_MM, larger)
    side = len(opening) + 2 * STRAY_PX
    *colours, inside = (cut(fits, top, side) for fits in scene.fits[: len(COLOURS) + 1])
    most = best_fit(np.array(colours), cut(scene.bare, top, side))
    share, at = _likeliest(inside >= most, opening)
    lit = share
    if share < WHOLE:
        # A lamp shines into it: its floor and its rim look like nothing known.
        lit, at = _likeliest(np.maximum(inside, UNKNOWN) >= most, _disc(WITH_RIM_MM, larger))
    return Opening(share, max(share, lit), at / larger)


def _is_shadow(scene: Scene, name: Square, stray_mm: Floats) -> bool:
    """Whether the dark disc of a ship that would stand there is the shadow of one, and no opening."""
    top, larger = _top(scene, name)
    rings = (top + larger * (stray_mm + _WAYS * away[:, None]) / MM_PER_PX for away in (INSIDE_MM, RIM_MM, ROUND_MM))
    inside, rim, around = (np.log(grey(sampled(scene.straight, on_canvas(ring))) + OFFSET) for ring in rings)
    dark = float(inside.mean())
    return bool(np.median(rim.max(axis=1)) - dark < RIM and np.median(around) - dark > DARK)


def _top(scene: Scene, name: Square) -> tuple[Floats, float]:
    """Where the top of a ship in the middle of a square is seen (x and y on the maps, px), and how many times as large
    as it is."""
    middle, eye = scene.about(name)
    return middle + lean(eye, np.zeros((1, 2)), SHIP_MM)[0] / MM_PER_PX, float(eye[2] / (eye[2] - SHIP_MM))


def _likeliest(shows: NDArray[np.bool_], disc: Map) -> tuple[float, Floats]:
    """How much more of a disc than of the ring round it shows something, where most does, and how far that is from the
    middle of what is looked at (x and y, mm)."""
    found = cv2.matchTemplate(shows.astype(np.float32), disc, cv2.TM_CCORR)
    steps = (np.arange(2 * STRAY_PX + 1) - STRAY_PX) * MM_PER_PX
    worth = found - AWAY * (steps[:, None] ** 2 + steps**2)
    y, x = divmod(int(worth.argmax()), len(steps))
    about = np.asarray(cv2.copyMakeBorder(worth, 1, 1, 1, 1, cv2.BORDER_REFLECT_101))
    between = vertex(np.stack([about[y + 1, x : x + 3], about[y : y + 3, x + 1]], axis=1))
    return float(found[y, x]), np.array([steps[x], steps[y]] + between * MM_PER_PX)


@lru_cache(maxsize=8)
def _disc(radius_mm: float, larger: float) -> Map:
    """What gives, correlated with a mask, the share of a disc less that of the ring round it. It is seen so much larger
    than on the board, in a square into which any of them fits. Not to be changed: as long as the camera stays where it
    is, it is the same for all ships."""
    radius_px, reach = larger * radius_mm / MM_PER_PX, int(np.ceil(larger * WITH_RIM_MM / MM_PER_PX * AROUND))
    steps = np.arange(-reach, reach + 1)
    away = np.hypot(steps[:, None], steps)
    disc = away <= radius_px - RIM_FROM_PX
    ring = (away > radius_px + RIM_TO_PX) & (away <= radius_px * AROUND)
    return np.asarray(disc / disc.sum() - ring / ring.sum(), np.float32)
