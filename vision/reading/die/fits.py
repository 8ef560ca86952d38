"""How well dice fit a picture: a white cube, with a drawing on its upper face and on its sides.

Places that may be a die's are straightened to a view from above. There each face, turned and shifted, is compared with
the picture, by the correlation of the drawing on it and by how the whole cube stands out from the table. The second
keeps the pips of a side face from counting as the upper ones; on a table as white as the die, where no cube stands out,
it is the drawings on its sides that speak for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from companion.observation import Die
from vision.geometry import Floats
from vision.logarithms import BURNT
from vision.reading.die.camera import TOP_MM, DieCamera
from vision.reading.die.side import drawn_on_side, is_below, may_be_side, upper_from_side
from vision.reading.die.templates import (
    ALL_PIPS,
    DRAWING_MM,
    EDGE_MM,
    FACE_NOISE,
    FACES,
    USUAL_PIPS,
    Grey,
    Grid,
    Layer,
    cube_templates,
    face_templates,
    turns,
)
from vision.reading.die.view import DieView

MAX_CUBES, MAX_FINALISTS = 3, 2
"""So many are looked at for a whole cube, and so many of those closely."""
LEAST_FACE = 0.45
"""Where no face fits better than this, the whole cube is not looked at."""
BARE_CORNERS: tuple[Die, ...] = (2, 3, "arrows")
CLEARLY = 0.1
"""Faces of which the picture may leave out a corner, as the one across is bare too, if they fit better than all others
by so much: a five without a corner fits a three."""
NEAR_MM = 2.5
"""Where a network sees a die its middle is no further off."""
SAME_MM = 3.0
"""Fits that are no further apart are of the same cube."""
BETTER_CUBE, BETTER_DIE = 0.1, 1.5
"""Arrows on a side may fit better than pips on the upper face, but the cube under them fits worse by more than the
first. So it does, too, where a lamp shines on a side more than on the upper face; but with the drawing on that side the
odds of the upper face are better by more than the logarithm's second. If they are worse by as much it is none: stripes
above a die may look like arrows."""
SEEN_BETTER = 6.0
"""But what lies below what networks see as a die by so much more (logarithm of odds) is a side of that: they were
taught to tell upper faces from sides."""
LEAST_LOG_ODDS = -5.0
"""What at a first look is less likely a die is not looked at closely."""
FACE_WEIGHT, CUBE_WEIGHT = 6.0, 13.0
NO_DIE = 15.0
ARROWS_RARER = 2.0
A_SIDE = 20.0
"""The logarithm of a die's odds against none is a face's evidence and a cube's, each with its weight, less what no die
has. Arrows are many drawings, which other things resemble more easily than pips; and at the picture's edge a side may
look like an upper face, if that would be outside. Fitted to rendered and drawn dice."""
PLAIN_SIDE = 0.6
"""A drawing on a side counts as one on the upper face, as far as it fits better than this: other things fit as well. In
1,350 pictures of ninety tables, plain, bright and in noise, nothing that is no die has odds above 1 for it."""
SOME_DRAWN, DRAWN_SIDE = 0.7, 0.85
"""And what a drawing fits below as well as the latter is no side itself, as below those is the table; what it fits no
better than the former may be one."""
SIGHT_WEIGHT, SIGHT_MOST = 1.5, 6.0
"""How much the network that sees dice counts beside all this, and how sure it may be. It speaks for nothing that looks
as it was taught, or may be a side whose upper face is outside the picture: to the network these look like dice."""
WAS_THERE = 7.0
"""What looks as it was taught (``TaughtTable``) is so much less likely a die; no less likely than that, as the die may
have lain there, too, and not have been thrown since."""
BURNT_NOISE, MUCH_BURNT = 1.0, 0.8
"""The contrast, in grey levels, that counts as none on a face of which a larger share is burnt out (``BURNT``): white
has no noise there, and its pips are faint."""
OTHER_FACE = 0.7
"""The correlation at which a drawing is as likely to be none of the faces' as the one it resembles most."""

_SPOT_BELOW_MM = 5.0
"""How far below its upper face the spots of a die are on average, of which its sides have some."""
_CUBE_NOISE = 5.0
"""Contrast, in grey levels, that counts as none."""
_COARSE = Grid(step_mm=1.0, side=19, reach=8, turns=turns(10))
_OFF_MM = np.hypot(*(np.mgrid[: _COARSE.shifts, : _COARSE.shifts] - _COARSE.reach)) * _COARSE.step_mm
"""How far off each of its shifts is."""
_CUBE = Grid(step_mm=2.0, side=23, reach=4, turns=turns(10))
_FINE = Grid(step_mm=0.5, side=37, reach=3, turns=())
_FINE_TURNS = (-7.5, -5.0, -2.5, 0.0, 2.5, 5.0, 7.5)
_DROP_STEP_MM = 2
"""Dice whose lower faces appear so far from each other share a drawing."""
SEARCHED_MM = _COARSE.reach * _COARSE.step_mm
"""So far about a place dice are looked for, each way."""


@dataclass(frozen=True)
class Fit:
    """A die where it fits best. centre_mm: of its upper face; turn: in radians, up to a quarter turn.

    faces: the correlation of each of FACES. cube: that of the whole cube. whole: whether enough of the face is in the
    picture. side: how much it may be a side of a die whose upper face is not, from 0 to 1. drawn: the best correlation
    of a drawing with one of its sides. taught: how much it looks as it was taught. sight: the logarithm of its odds
    by the network that sees dice, 0 as long as that was not asked.
    """

    centre_mm: Floats
    turn: float
    faces: Floats
    cube: float
    drawn: float
    whole: bool = True
    side: float = 0.0
    taught: float = 0.0
    sight: float = 0.0

    @cached_property
    def log_odds(self) -> float:
        """The logarithm of the odds that this is a die."""
        seen = _evidence(self.faces, np.arange(len(FACES))).max() + CUBE_WEIGHT * self.cube
        sides = _drawing(max(self.drawn, PLAIN_SIDE)) - _drawing(PLAIN_SIDE)
        undrawn = np.clip((DRAWN_SIDE - self.drawn) / (DRAWN_SIDE - SOME_DRAWN), 0, 1)
        known = self.side > 0 or self.taught > 0
        by_sight = SIGHT_WEIGHT * np.clip(self.sight, -SIGHT_MOST, 0 if known else SIGHT_MOST)
        return float(seen + sides + by_sight - NO_DIE - A_SIDE * self.side * undrawn - WAS_THERE * self.taught)


def _evidence(correlations: Floats | Layer, face: NDArray[np.intp]) -> Floats:
    """What correlations, in their first dimension with drawings of these faces, say for a die."""
    arrows = np.reshape(face == FACES.index("arrows"), (-1,) + (1,) * (correlations.ndim - 1))
    return _drawing(correlations) - ARROWS_RARER * arrows


def _drawing(correlations: Floats | Layer | float) -> Floats:
    """What correlations with a drawing say for a die."""
    return np.asarray(-FACE_WEIGHT * np.log(1 - np.clip(correlations, 0, 0.99) ** 2))


def best_fits(view: DieView, places: Sequence[tuple[float, float]]) -> list[Fit]:
    """The best fits about places (px) where a die may be, but for those that are a side of another; none about what
    does not look like a die at all."""
    fits = _fits(view, [view.camera.point(place, TOP_MM - _SPOT_BELOW_MM) for place in places])
    # What looks like an upper face may be a side, and the upper face none of the likely places.
    perhaps = apart([fit for fit in fits if fit.log_odds > LEAST_LOG_ODDS])
    fits += _fits(view, [upper_from_side(view.camera, fit.centre_mm) for fit in perhaps])
    # What is neither likely enough nor a cube of which others may be sides matters no more.
    fits = [fit for fit in fits if fit.log_odds > LEAST_LOG_ODDS or fit.faces.max() > OTHER_FACE]
    fits = [replace(fit, taught=view.as_taught(fit.centre_mm)) for fit in fits]
    best = sorted(without_sides(view.camera, fits), key=lambda fit: -fit.log_odds)[:MAX_FINALISTS]
    return [_refined(view, fit) for fit in best if fit.log_odds > LEAST_LOG_ODDS]


def fits_near(view: DieView, middles_mm: Sequence[Floats]) -> list[Fit]:
    """The fit of a die at each place where the middle of its upper face is known to lie, but for ``NEAR_MM``; none
    where nothing looks like a die at all."""
    templates = face_templates(_COARSE, USUAL_PIPS)
    looks = [templates.correlation(view.grey_patch(middle, _COARSE), FACE_NOISE) for middle in middles_mm]
    fits = [_fit(view, middle, faces, NEAR_MM) for middle, faces in zip(middles_mm, looks, strict=True)]
    fits = [replace(fit, taught=view.as_taught(fit.centre_mm)) for fit in fits]
    return [_refined(view, fit) for fit in fits if fit.log_odds > LEAST_LOG_ODDS]


def _fits(view: DieView, middles_mm: Sequence[Floats]) -> list[Fit]:
    """How cubes fit about those of some places where faces fit best."""
    looks = [_faces_about(view, middle) for middle in middles_mm]
    likely = sorted((look for look in looks if look[1].max() > LEAST_FACE), key=lambda look: -float(look[1].max()))
    return [_fit(view, middle, faces) for middle, faces in likely[:MAX_CUBES]]


def _faces_about(view: DieView, middle_mm: Floats) -> tuple[Floats, Layer]:
    """How well each face fits about a place, and the place: one to a side of it if they fit best at the border of what
    is searched about it, and better there, as the die may lie outside."""
    templates = face_templates(_COARSE, USUAL_PIPS)
    faces = templates.correlation(view.grey_patch(middle_mm, _COARSE), FACE_NOISE)
    away = _COARSE.step_mm * (np.array(_best(faces)[:0:-1]) - _COARSE.reach)
    if np.abs(away).max() < _COARSE.reach * _COARSE.step_mm:
        return middle_mm, faces
    others = templates.correlation(view.grey_patch(middle_mm + away, _COARSE), FACE_NOISE)
    return (middle_mm + away, others) if others.max() > faces.max() else (middle_mm, faces)


def _fit(view: DieView, middle_mm: Floats, faces: Layer, most_mm: float = np.inf) -> Fit:
    """Where the cube and its face fit best, no further than so far off. faces: the face's correlations around the
    cube's middle."""
    templates = face_templates(_COARSE, USUAL_PIPS)
    cubes = _BETWEEN @ _cube_correlation(view, middle_mm) @ _BETWEEN.T
    evidence = _evidence(faces, templates.face) + CUBE_WEIGHT * cubes[templates.turn]
    best = _best(np.where(most_mm < _OFF_MM, -np.inf, evidence))
    number, (down, across) = templates.turn[best[0]], best[1:]
    centre = middle_mm + _COARSE.step_mm * (np.array([across, down]) - _COARSE.reach)
    each = [faces[templates.face == face, down, across].max() for face in range(len(FACES))]
    turn = _COARSE.turns[number]
    drawn = drawn_on_side(view, centre, turn)
    return Fit(centre, turn, np.array(each), float(cubes[number, down, across]), drawn)


def _cube_correlation(view: DieView, middle_mm: Floats) -> Layer:
    """How well a cube, in each turn and at each shift, explains where it is how white: 0 to 1."""
    drop = view.camera.drop(middle_mm)
    side = _CUBE.side + 2 * _CUBE.reach
    patch = view.camera.from_above(view.white.filled, middle_mm + drop / 2, side, _CUBE.step_mm)
    across, down = _DROP_STEP_MM * np.round(drop / _DROP_STEP_MM).astype(int)
    templates = cube_templates(_CUBE, int(across), int(down))
    correlation = templates.correlation(patch, _CUBE_NOISE)
    table, sides = (correlation[templates.face == part] for part in range(2))
    # Whichever is brighter, table, upper face or sides: what counts is that each has a brightness of its own.
    return np.asarray(np.hypot(table, sides), np.float32)


def _refined(view: DieView, fit: Fit) -> Fit:
    """The same fit with finer steps: where the cube is cannot change much, what its face shows can."""
    grid = replace(_FINE, turns=tuple(fit.turn + np.radians(turn) for turn in _FINE_TURNS))
    templates = face_templates(grid, ALL_PIPS)
    patch = view.grey_patch(fit.centre_mm, grid)
    faces = templates.correlation(patch, _noise_of(patch))
    index, down, across = _best(faces)
    centre = fit.centre_mm + grid.step_mm * (np.array([across, down]) - grid.reach)
    each = np.array([faces[templates.face == face].max() for face in range(len(FACES))])
    turn = grid.turns[templates.turn[index]]
    whole = view.camera.corners_seen(DRAWING_MM, centre, turn) >= 4 - _has_bare_corners(each)
    side = may_be_side(view, centre, turn)
    drawn = drawn_on_side(view, centre, turn)
    (sight,) = view.sight.log_odds(view.camera, view.picture, [centre])
    return replace(fit, centre_mm=centre, turn=turn, faces=each, drawn=drawn, whole=whole, side=side, sight=sight)


def _noise_of(patch: Grey) -> float:
    """The contrast that counts as none on a face in the middle of a patch (``_FINE``)."""
    edge = (len(patch) - round(DRAWING_MM / _FINE.step_mm / np.sqrt(2))) // 2
    burnt = patch[edge:-edge, edge:-edge] >= BURNT
    return BURNT_NOISE if burnt.mean() > MUCH_BURNT else FACE_NOISE


_BETWEEN = np.array(
    [[max(0.0, 1 - abs(fine - 2 * coarse) / 2) for coarse in range(_CUBE.shifts)] for fine in range(_COARSE.shifts)],
    np.float32,
)
"""From the shifts at which the cube is tried to those of the face, which are half as far apart."""


def _has_bare_corners(faces: Floats) -> bool:
    """Whether a face with bare corners clearly fits best. faces: the correlation of each of FACES."""
    second, first = np.sort(faces)[-2:]
    return FACES[int(faces.argmax())] in BARE_CORNERS and bool(first - second > CLEARLY)


def _best(values: Floats | Layer) -> tuple[int, int, int]:
    index, down, across = np.unravel_index(int(values.argmax()), values.shape)
    return int(index), int(down), int(across)


def without_sides(camera: DieCamera, fits: Sequence[Fit]) -> list[Fit]:
    """The fits without those that are a side of a cube, and those beside one that fits much better, but for its upper
    face."""
    cubes = [fit for fit in fits if fit.faces.max() > OTHER_FACE]
    return [
        fit for fit in fits if not any(_is_side(camera, fit, cube) or _much_worse(camera, fit, cube) for cube in cubes)
    ]


def _is_side(camera: DieCamera, fit: Fit, cube: Fit) -> bool:
    """Whether a fit is a side of a cube: below its upper face, unless the cube there, or the die, fits much worse, and
    is not seen much better."""
    better = cube.log_odds - fit.log_odds
    worse = better < -BETTER_DIE or (better <= BETTER_DIE and cube.cube <= fit.cube - BETTER_CUBE)
    if worse and cube.sight <= fit.sight + SEEN_BETTER:
        return False
    return is_below(camera, fit.centre_mm, cube.centre_mm)


def _much_worse(camera: DieCamera, fit: Fit, cube: Fit) -> bool:
    """Whether a fit is beside a cube that fits much better, and not above a side that was taken for that."""
    if cube.cube <= fit.cube + BETTER_CUBE or np.hypot(*(cube.centre_mm - fit.centre_mm)) >= 1.5 * EDGE_MM:
        return False
    return not _is_side(camera, cube, fit)


def apart(fits: Sequence[Fit]) -> list[Fit]:
    """The fits without those that are of the same cube as a better one; the best first."""
    kept: list[Fit] = []
    for fit in sorted(fits, key=lambda fit: -fit.log_odds):
        if all(np.hypot(*(fit.centre_mm - better.centre_mm)) > SAME_MM for better in kept):
            kept.append(fit)
    return kept
