"""What the special die shows: a white cube on the table beside the board.

The board's corners give the camera's pose, so wherever the die may lie its shape in the picture is known but for its
turn about the vertical: a square upper face, EDGE_MM above the table, and below it, towards the point under the camera,
as much of the side faces as can be seen. Places that are white, small and spotted are straightened to a view from
above. There each face, turned and shifted, is compared with the picture, by the correlation of the drawing on it and by
how the whole cube stands out from the table. The second keeps the pips of a side face from counting as the upper ones;
on a table as white as the die, where no cube stands out, it is the drawings on its sides that speak for it.

A wrong face is worse than none: a drawing that fits no face well and a face that is partly outside the picture count as
no die.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.observation import Die
from vision.frames import Picture
from vision.geometry import Floats
from vision.noise import noise_of
from vision.reading.die_camera import TOP_MM, DieCamera
from vision.reading.die_hidden import face_left
from vision.reading.die_places import Whiteness, likely_places
from vision.reading.die_side import drawn_on_side, is_below, may_be_side, upper_from_side
from vision.reading.die_taught import TaughtTable
from vision.reading.die_templates import (
    ALL_PIPS,
    DRAWING_MM,
    EDGE_MM,
    FACE_NOISE,
    FACES,
    USUAL_PIPS,
    Grid,
    Layer,
    cube_templates,
    face_templates,
    likelihood,
    turns,
)

SOFT, NOISY = 1 / 1024, 8.0
"""Pictures are sharpened against a blur of this share of their width (standard deviation), unless they have more noise
than so many grey levels (``vision.noise.noise_of``)."""
FIRST_CANDIDATES, MAX_CANDIDATES, EVENED_CANDIDATES = 6, 24, 3
"""Places that are looked at in a picture: as many at first, and as many in all when no die was found for sure among
those; and so many once more, as if no shadow's edge fell over them."""
MAX_CUBES, MAX_FINALISTS = 3, 2
"""So many are looked at for a whole cube, and so many of those closely."""
LEAST_FACE = 0.45
"""Where no face fits better than this, the whole cube is not looked at."""
SAME_MM = 3.0
"""Fits that are no further apart are of the same cube."""
BETTER_CUBE, BETTER_DIE = 0.1, 1.5
"""Arrows on a side may fit better than pips on the upper face, but the cube under them fits worse by more than the
first. So it does, too, where a lamp shines on a side more than on the upper face; but with the drawing on that side the
odds of the upper face are better by more than the logarithm's second."""
LEAST_LOG_ODDS = -5.0
"""What at a first look is less likely a die is not looked at closely."""
SURE_LOG_ODDS = 4.0
PERHAPS_NONE = 0.3
"""Where no die is as likely as this, one is looked for over which a shadow's edge falls, and one that is hidden in
part; the likelier of them counts."""

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
WAS_THERE = 7.0
"""What looks as it was taught (``TaughtTable``) is so much less likely a die; no less likely than that, as the die may
have lain there, too, and not have been thrown since."""
OTHER_FACE = 0.7
"""The correlation at which a drawing is as likely to be none of the faces' as the one it resembles most."""
FACE_SLIP = 0.01
"""How often a face is taken for another for reasons that the pixels do not show."""

_SPOT_BELOW_MM = 5.0
"""How far below its upper face the spots of a die are on average, of which its sides have some."""
_CUBE_NOISE = 5.0
"""Contrast, in grey levels, that counts as none."""

_COARSE = Grid(step_mm=1.0, side=19, reach=8, turns=turns(10))
_CUBE = Grid(step_mm=2.0, side=23, reach=4, turns=turns(10))
_FINE = Grid(step_mm=0.5, side=37, reach=3, turns=())
_FINE_TURNS = (-7.5, -5.0, -2.5, 0.0, 2.5, 5.0, 7.5)
_DROP_STEP_MM = 2
"""Dice whose lower faces appear so far from each other share a drawing."""


@dataclass(frozen=True)
class DieReading:
    """What the die shows, with how sure that is.

    odds: the probability of each face, and of None: no die to be seen; they add up to 1.
    centre_px: the middle of the upper face in the picture, None when most likely there is no die.
    """

    odds: Mapping[Die | None, float]
    centre_px: tuple[float, float] | None

    @property
    def die(self) -> Die | None:
        """The most likely face, None for no die."""
        return max(self.odds, key=lambda face: self.odds[face])


def read_die(
    picture: Picture, corners_px: Floats, board_mm: tuple[float, float], taught: TaughtTable | None = None
) -> DieReading:
    """What the special die on the table shows, wherever it lies outside the board.

    corners_px: the board's corners in this picture, 4 x 2, the one at A1 first, then clockwise; board_mm: its width and
    height; taught: the table as it was taught, None where that is not known. A die that is mostly hidden, or whose
    upper face is not all in the picture, is read as none.
    """
    camera = DieCamera.of(picture, corners_px, board_mm)
    if camera is None:
        return DieReading(dict.fromkeys(FACES, 0.0) | {None: 1.0}, None)
    picture = _sharpened(picture)
    white = Whiteness.of(picture, corners_px, board_mm)
    places = likely_places(white, MAX_CANDIDATES, _COARSE.reach * _COARSE.step_mm)
    fits: list[_Fit] = []
    for some in (places[:FIRST_CANDIDATES], places[FIRST_CANDIDATES:]):
        fits += _best_fits(picture, white, camera, some, taught)
        if any(fit.log_odds > SURE_LOG_ODDS for fit in fits):
            break
    reading = _reading(fits, camera)
    if reading.odds[None] > PERHAPS_NONE:
        evened = replace(camera, evened=True)
        fits = _best_fits(picture, white, evened, places[:EVENED_CANDIDATES], taught)
        reading = min(reading, _reading(fits, evened), key=lambda one: one.odds[None])
    if reading.odds[None] > PERHAPS_NONE:
        odds, centre = face_left(picture, white, camera, taught)
        if odds and odds[None] < reading.odds[None]:
            return DieReading(odds, centre)
    return reading


def _sharpened(picture: Picture) -> Picture:
    """The picture with pips as dark as they are, though the camera may be a little out of focus; a noisy one as it
    is."""
    if noise_of(picture) > NOISY:
        return picture
    sigma = SOFT * picture.shape[1]
    soft = cv2.GaussianBlur(picture, (2 * round(2 * sigma) + 1,) * 2, sigma)
    # Written over what it is made of: new memory takes as long as the sharpening.
    return np.asarray(cv2.addWeighted(picture, 2, soft, -1, 0, dst=soft), np.uint8)


# How well a die fits


@dataclass(frozen=True)
class _Fit:
    """A die where it fits best. centre_mm: of its upper face; turn: in radians, up to a quarter turn.

    faces: the correlation of each of FACES. cube: that of the whole cube. whole: whether the whole face is in the
    picture. side: how much it may be a side of a die whose upper face is not, from 0 to 1. drawn: the best correlation
    of a drawing with one of its sides. taught: how much it looks as it was taught.
    """

    centre_mm: Floats
    turn: float
    faces: Floats
    cube: float
    drawn: float
    whole: bool = True
    side: float = 0.0
    taught: float = 0.0

    @property
    def log_odds(self) -> float:
        """The logarithm of the odds that this is a die."""
        seen = _evidence(self.faces, np.arange(len(FACES))).max() + CUBE_WEIGHT * self.cube
        sides = _drawing(max(self.drawn, PLAIN_SIDE)) - _drawing(PLAIN_SIDE)
        undrawn = np.clip((DRAWN_SIDE - self.drawn) / (DRAWN_SIDE - SOME_DRAWN), 0, 1)
        return float(seen + sides - NO_DIE - A_SIDE * self.side * undrawn - WAS_THERE * self.taught)


def _evidence(correlations: Floats | Layer, face: NDArray[np.intp]) -> Floats:
    """What correlations, in their first dimension with drawings of these faces, say for a die."""
    arrows = np.reshape(face == FACES.index("arrows"), (-1,) + (1,) * (correlations.ndim - 1))
    return _drawing(correlations) - ARROWS_RARER * arrows


def _drawing(correlations: Floats | Layer | float) -> Floats:
    """What correlations with a drawing say for a die."""
    return np.asarray(-FACE_WEIGHT * np.log(1 - np.clip(correlations, 0, 0.99) ** 2))


def _best_fits(
    picture: Picture,
    white: Whiteness,
    camera: DieCamera,
    places: Sequence[tuple[float, float]],
    taught: TaughtTable | None = None,
) -> list[_Fit]:
    """The best fits about places where a die may be; none about what does not look like one at all."""
    middles = [camera.point(place, TOP_MM - _SPOT_BELOW_MM) for place in places]
    fits = _fits(picture, white, camera, middles)
    # What looks like an upper face may be a side, and the upper face none of the likely places.
    fits += _fits(picture, white, camera, [upper_from_side(camera, fit.centre_mm) for fit in fits if fit.log_odds > 0])
    if taught is not None:
        fits = [replace(fit, taught=taught.alike(picture, camera, fit.centre_mm)) for fit in fits]
    best = sorted(_without_sides(camera, fits), key=lambda fit: -fit.log_odds)[:MAX_FINALISTS]
    return [_refined(picture, white, camera, fit) for fit in best if fit.log_odds > LEAST_LOG_ODDS]


def _fits(picture: Picture, white: Whiteness, camera: DieCamera, middles_mm: Sequence[Floats]) -> list[_Fit]:
    """How cubes fit about those of some places where faces fit best."""
    looks = [_faces_about(picture, camera, middle) for middle in middles_mm]
    likely = sorted((look for look in looks if look[1].max() > LEAST_FACE), key=lambda look: -float(look[1].max()))
    return [_fit(picture, white, camera, middle, faces) for middle, faces in likely[:MAX_CUBES]]


def _faces_about(picture: Picture, camera: DieCamera, middle_mm: Floats) -> tuple[Floats, Layer]:
    """How well each face fits about a place, and the place: one to a side of it if they fit best at the border of what
    is searched about it, and better there, as the die may lie outside."""
    templates = face_templates(_COARSE, USUAL_PIPS)
    faces = templates.correlation(camera.grey_patch(picture, middle_mm, _COARSE), FACE_NOISE)
    away = _COARSE.step_mm * (np.array(_best(faces)[:0:-1]) - _COARSE.reach)
    if np.abs(away).max() < _COARSE.reach * _COARSE.step_mm:
        return middle_mm, faces
    others = templates.correlation(camera.grey_patch(picture, middle_mm + away, _COARSE), FACE_NOISE)
    return (middle_mm + away, others) if others.max() > faces.max() else (middle_mm, faces)


def _fit(picture: Picture, white: Whiteness, camera: DieCamera, middle_mm: Floats, faces: Layer) -> _Fit:
    """Where the cube and its face fit best. faces: the face's correlations around the cube's middle."""
    templates = face_templates(_COARSE, USUAL_PIPS)
    cubes = _BETWEEN @ _cube_correlation(white, camera, middle_mm) @ _BETWEEN.T
    best = _best(_evidence(faces, templates.face) + CUBE_WEIGHT * cubes[templates.turn])
    number, (down, across) = templates.turn[best[0]], best[1:]
    centre = middle_mm + _COARSE.step_mm * (np.array([across, down]) - _COARSE.reach)
    each = [faces[templates.face == face, down, across].max() for face in range(len(FACES))]
    turn = _COARSE.turns[number]
    drawn = drawn_on_side(picture, camera, centre, turn)
    return _Fit(centre, turn, np.array(each), float(cubes[number, down, across]), drawn)


def _cube_correlation(white: Whiteness, camera: DieCamera, middle_mm: Floats) -> Layer:
    """How well a cube, in each turn and at each shift, explains where it is how white: 0 to 1."""
    drop = camera.drop(middle_mm)
    side = _CUBE.side + 2 * _CUBE.reach
    patch = camera.from_above(white.filled, middle_mm + drop / 2, side, _CUBE.step_mm)
    across, down = _DROP_STEP_MM * np.round(drop / _DROP_STEP_MM).astype(int)
    templates = cube_templates(_CUBE, int(across), int(down))
    table, sides = (templates.correlation(patch, _CUBE_NOISE)[templates.face == part] for part in range(2))
    # Whichever is brighter, table, upper face or sides: what counts is that each has a brightness of its own.
    return np.asarray(np.hypot(table, sides), np.float32)


def _refined(picture: Picture, white: Whiteness, camera: DieCamera, fit: _Fit) -> _Fit:
    """The same fit with finer steps: where the cube is cannot change much, what its face shows can."""
    grid = replace(_FINE, turns=tuple(fit.turn + np.radians(turn) for turn in _FINE_TURNS))
    templates = face_templates(grid, ALL_PIPS)
    faces = templates.correlation(camera.grey_patch(picture, fit.centre_mm, grid), FACE_NOISE)
    index, down, across = _best(faces)
    centre = fit.centre_mm + grid.step_mm * (np.array([across, down]) - grid.reach)
    each = np.array([faces[templates.face == face].max() for face in range(len(FACES))])
    turn = grid.turns[templates.turn[index]]
    whole = camera.sees(picture, DRAWING_MM, centre, turn)
    side = may_be_side(picture, white, camera, centre, turn)
    drawn = drawn_on_side(picture, camera, centre, turn)
    return replace(fit, centre_mm=centre, turn=turn, faces=each, drawn=drawn, whole=whole, side=side)


_BETWEEN = np.array(
    [[max(0.0, 1 - abs(fine - 2 * coarse) / 2) for coarse in range(_CUBE.shifts)] for fine in range(_COARSE.shifts)],
    np.float32,
)
"""From the shifts at which the cube is tried to those of the face, which are half as far apart."""


def _best(values: Floats | Layer) -> tuple[int, int, int]:
    index, down, across = np.unravel_index(int(values.argmax()), values.shape)
    return int(index), int(down), int(across)


def _without_sides(camera: DieCamera, fits: Sequence[_Fit]) -> list[_Fit]:
    """The fits without those that are a side of a cube, and those beside one that fits much better, but for its upper
    face."""
    cubes = [fit for fit in fits if fit.faces.max() > OTHER_FACE]
    return [
        fit for fit in fits if not any(_is_side(camera, fit, cube) or _much_worse(camera, fit, cube) for cube in cubes)
    ]


def _is_side(camera: DieCamera, fit: _Fit, cube: _Fit) -> bool:
    """Whether a fit is a side of a cube: below its upper face, unless the cube there fits much worse."""
    if cube.cube <= fit.cube - BETTER_CUBE and cube.log_odds <= fit.log_odds + BETTER_DIE:
        return False
    return is_below(camera, fit.centre_mm, cube.centre_mm)


def _much_worse(camera: DieCamera, fit: _Fit, cube: _Fit) -> bool:
    """Whether a fit is beside a cube that fits much better, and not above a side that was taken for that."""
    if cube.cube <= fit.cube + BETTER_CUBE or np.hypot(*(cube.centre_mm - fit.centre_mm)) >= 1.5 * EDGE_MM:
        return False
    return not _is_side(camera, cube, fit)


def _apart(fits: Sequence[_Fit]) -> list[_Fit]:
    """The fits without those that are of the same cube as a better one; the best first."""
    kept: list[_Fit] = []
    for fit in sorted(fits, key=lambda fit: -fit.log_odds):
        if all(np.hypot(*(fit.centre_mm - better.centre_mm)) > SAME_MM for better in kept):
            kept.append(fit)
    return kept


def _reading(fits: Sequence[_Fit], camera: DieCamera) -> DieReading:
    """Weigh the fits, of which one at most is the die, against there being none."""
    fits = _apart(_without_sides(camera, fits))
    weights: dict[Die | None, float] = dict.fromkeys(FACES, 0.0) | {None: 1.0}
    for fit in fits:
        weight = float(np.exp(fit.log_odds))
        if not fit.whole:
            weights[None] += weight
            continue
        likely, other = likelihood(fit.faces), float(likelihood(OTHER_FACE))
        known = likely.sum() / (likely.sum() + other)
        weights[None] += float(weight * (1 - known))
        likely = (1 - FACE_SLIP) * likely / likely.sum() + FACE_SLIP / len(FACES)
        for face, share in zip(FACES, likely, strict=True):
            weights[face] += float(weight * known * share)
    total = sum(weights.values())
    odds = {face: weight / total for face, weight in weights.items()}
    best = max(fits, key=lambda fit: fit.log_odds, default=None)
    if best is None or max(odds, key=lambda face: odds[face]) is None:
        return DieReading(odds, None)
    x, y = camera.px(best.centre_mm[None])[0]
    return DieReading(odds, (float(x), float(y)))
