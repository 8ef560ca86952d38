"""The sides of a die: whether what looks like its upper face is one, and what speaks for them where they should be.

A side lies below the upper face, towards the point under the camera, and below it comes the table. Below an upper face
come sides, which bear drawings of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.quantiles import quantile
from vision.reading.die.camera import DieCamera
from vision.reading.die.templates import (
    ALL_PIPS,
    DRAWING_MM,
    EDGE_MM,
    FACE_NOISE,
    RIM_MM,
    SQUARE,
    Grid,
    cube_outline,
    face_templates,
    turned,
)
from vision.reading.die.view import DieView

NEAR_MM = 5.0
"""How far from where a face should be it may be found."""
LEAST_DROP_MM = 1.0
"""From so nearly above no side of a die is seen."""
LEAST_SIDE_MM = 5.5
"""A side that appears less tall than this looks like no upper face, which is EDGE_MM each way."""
LIKE_TABLE, UNLIKE_TABLE = 0.12, 0.22
"""By how much what comes below a face differs from the table, where the face or that, whichever differs more, counts 1:
as little as the former means that it is the table, and more than the latter that it is not."""
LEAST_SHOWN = 0.6
"""The share of a side that the picture must show for its drawing to count."""
MOST_OF_TABLE = 0.8
"""What is off the table's median by no more than such a share of the table is may be the table."""
UNRIMMED = 0.3
"""How much a face may be a side at least where the table round it is not seen."""
LEAST_ABOVE_MM, MOST_BESIDE_MM, LEAST_ABOVE_MM2 = 6.0, 5.0, 8
"""What is above a face is further above its middle than the first, and less beside it than the second; so much of it
must be seen to tell what it is."""
PLAINLY_LEVELS, LIKE_TABLE_ABOVE = 50.0, 0.3
"""It is plainly the table if the face is brighter than that by more than so many grey levels, and it differs from that
by less than such a share of them."""
LEAST_LEVELS = 10.0
"""Less than so many grey levels of it say nothing."""
_PIPS = np.ones((5, 5), np.uint8)
"""What fills pips in a picture of a pixel a millimetre."""
_SIDE = 61
"""How much is looked at, in mm."""
_ROWS, _COLUMNS = np.mgrid[:_SIDE, :_SIDE] - _SIDE // 2
"""Where the pixels of such a patch are from its middle, a pixel a millimetre."""
_GRID = Grid(step_mm=1.0, side=13, reach=2, turns=(0.0,))
"""Where the upper face is known, so is how its sides are turned."""


def upper_from_side(camera: DieCamera, centre_mm: Floats) -> Floats:
    """Where the upper face is if what is at a place is a side (middles, mm on the plane of the upper face)."""
    drop = camera.drop(centre_mm)
    return np.asarray(centre_mm - drop * (0.5 + EDGE_MM / 2 / max(float(np.linalg.norm(drop)), 1.0)))


def is_below(camera: DieCamera, centre_mm: Floats, upper_mm: Floats) -> bool:
    """Whether what is at a place is a side of a die whose upper face is at another."""
    if np.hypot(*camera.drop(centre_mm)) < LEAST_DROP_MM:
        return False
    return float(np.hypot(*(upper_from_side(camera, centre_mm) - upper_mm))) < NEAR_MM


def may_be_side(view: DieView, centre_mm: Floats, turn: float) -> float:
    """How much what looks like an upper face may be a side of a die whose upper face is outside the picture; 0 to 1.

    turn: of the die, radians.
    """
    camera = view.camera
    if np.hypot(*camera.drop(centre_mm)) < LEAST_SIDE_MM:
        return 0.0
    if camera.sees(DRAWING_MM, upper_from_side(camera, centre_mm), turn):
        return 0.0
    if _table_above(view, centre_mm, turn):
        return 0.0
    unlike = _unlike_table(view, centre_mm, turn)
    by_table = float(np.clip((UNLIKE_TABLE - unlike) / (UNLIKE_TABLE - LIKE_TABLE), 0, 1))
    rimmed = camera.sees(EDGE_MM + 2 * RIM_MM, centre_mm, turn)
    return by_table if rimmed else max(by_table, UNRIMMED)


def drawn_on_side(view: DieView, centre_mm: Floats, turn: float) -> float:
    """How well some drawing fits where a side of a die is seen, if its upper face is at a place: a correlation, of what
    the picture shows of that side."""
    templates = face_templates(_GRID, ALL_PIPS)
    best = 0.0
    for side, shown in view.camera.sides(view.sharp, centre_mm, turn, _GRID):
        if shown.all():
            fits = templates.correlation(side, FACE_NOISE)
        else:
            fits, _ = templates.correlation_of(shown, LEAST_SHOWN, side, FACE_NOISE)
        best = max(best, float(fits.max()))
    return best


def _unlike_table(view: DieView, centre_mm: Floats, turn: float) -> float:
    """By how much what comes below a face differs from the table beside it, in how white it is or in colour; 0 to 1."""
    drop = view.camera.drop(centre_mm)
    face, less = (_face(EDGE_MM + more, turn, drop) for more in (1, -4))
    sides = _filled(cube_outline(EDGE_MM - 2, turn, drop)) & ~face
    middle = centre_mm + drop / 2
    whiteness, seen = (view.camera.from_above(layer, middle, _SIDE, 1.0) for layer in (view.white.filled, view.sharp))
    colour = np.asarray(cv2.morphologyEx(seen, cv2.MORPH_CLOSE, _PIPS))
    parts = less, sides, _table(turn, drop)
    return max(_unlike([patch[part] for part in parts]) for patch in (whiteness[..., None], colour))


def _table_above(view: DieView, centre_mm: Floats, turn: float) -> bool:
    """Whether the table is plainly seen above a face, however little of it the picture shows there.

    Above a side comes the upper face.
    """
    drop = view.camera.drop(centre_mm)
    middle = centre_mm + drop / 2
    # The optics mix what is nearer to the face with it.
    above = _face(EDGE_MM + 6, turn, drop) & ~_face(EDGE_MM + 2, turn, drop)
    along, across = _axes(drop)
    above &= view.camera.shown(middle, _SIDE, 1.0)
    # Beside a side and above it comes the table too.
    above &= (along < -np.hypot(*drop) / 2 - LEAST_ABOVE_MM) & (np.abs(across) < MOST_BESIDE_MM)
    if np.count_nonzero(above) < LEAST_ABOVE_MM2:
        return False
    seen = view.camera.from_above(view.sharp, middle, _SIDE, 1.0)
    beyond, upper, table = (
        np.median(seen[part], axis=0) for part in (above, _face(EDGE_MM - 4, turn, drop), _table(turn, drop))
    )
    # A side may be darker than a table that is as bright as the upper face.
    brighter = float((upper - table).mean())
    return brighter > PLAINLY_LEVELS and float(np.abs(beyond - table).mean()) < LIKE_TABLE_ABOVE * brighter


def _unlike(seen: Sequence[NDArray[Any]]) -> float:
    """By how much what is below a face differs from the table, beside the face or itself, and further than most of the
    table does, which may be a motley cloth. seen: the pixels (N x channels) on the face, below it and on the table."""
    upper, below, table = (np.median(pixels, axis=0) for pixels in seen)
    off = float(np.linalg.norm(below - table))
    motley = quantile(np.linalg.norm(seen[-1] - table, axis=1), MOST_OF_TABLE)
    return max(off - motley, 0.0) / max(float(np.linalg.norm(upper - table)), off, LEAST_LEVELS)


def _face(edge_mm: float, turn: float, drop_mm: Floats) -> NDArray[np.bool_]:
    """The pixels of a patch that an upper face of such an edge covers, in its cube's place in the middle."""
    return _filled(turned(edge_mm * SQUARE, turn) - drop_mm / 2)


def _table(turn: float, drop_mm: Floats) -> NDArray[np.bool_]:
    """The pixels of a patch that show the table beside a cube and below it: the rest may be outside the picture."""
    beside, around = (_filled(cube_outline(EDGE_MM + more, turn, drop_mm)) for more in (3, 11))
    return around & ~beside & (_axes(drop_mm)[0] > 0)


def _axes(drop_mm: Floats) -> tuple[Floats, Floats]:
    """How far below the middle of a patch its pixels are, and how far beside it, in mm."""
    down = drop_mm / np.hypot(*drop_mm)
    return _COLUMNS * down[0] + _ROWS * down[1], _COLUMNS * down[1] - _ROWS * down[0]


def _filled(outline_mm: Floats) -> NDArray[np.bool_]:
    """The pixels of a patch that are inside an outline."""
    mask = np.zeros((_SIDE, _SIDE), np.uint8)
    cv2.fillConvexPoly(mask, (outline_mm + _SIDE // 2).round().astype(np.int32), 1)
    return np.asarray(mask > 0)
