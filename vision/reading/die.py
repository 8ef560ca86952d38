"""What the special die shows: a white cube on the table beside the board.

The board's corners give the camera's pose, so wherever the die may lie its shape in the picture is known but for its
turn about the vertical: a square upper face, EDGE_MM above the table, and below it, towards the point under the camera,
as much of the side faces as can be seen. Places that are white, small and spotted are straightened to a view from
above. There each face, turned and shifted, is compared with the picture, by the correlation of the drawing on it and by
how the whole cube stands out from the table. The second keeps the pips of a side face from counting as the upper ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.observation import Die
from vision.frames import Picture
from vision.geometry import HALF_FIELD, Floats, Lens, Pose, find_pose
from vision.reading.die_templates import (
    EDGE_MM,
    FACES,
    SQUARE,
    Grey,
    Grid,
    Layer,
    cube_templates,
    face_templates,
    turns,
)

BOARD_THICKNESS_MM = 3.0

MAX_CANDIDATES = 16
"""Places that are looked at closely in a picture; with more, cards and cloth cost time."""
MAX_FINALISTS = 2
LEAST_FACE = 0.45
"""Where no face fits better than this, the whole cube is not looked at."""

CUBE_WEIGHT = 0.5
"""What the cube's correlation counts for, against that of the face."""
DIE_SCORE = 1.0
DIE_SPREAD = 0.05
"""The score at which a die is as likely as none, and the change that makes it e times likelier."""
FACE_SHARPNESS = 15.0
"""Half the number of pixels of a face that tell something of their own."""
FACE_SLIP = 0.01
"""How often a face is taken for another for reasons that the pixels do not show."""

_TOP_MM = EDGE_MM - BOARD_THICKNESS_MM
_FACE_NOISE = 4.0
_CUBE_NOISE = 5.0
"""Contrast, in grey levels, that counts as none."""

_COARSE = Grid(step_mm=1.0, side=19, reach=7, turns=turns(7.5))
_CUBE = Grid(step_mm=2.0, side=23, reach=4, turns=turns(7.5))
_FINE = Grid(step_mm=0.5, side=37, reach=3, turns=turns(2.5))


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


def read_die(picture: Picture, corners_px: Floats, board_mm: tuple[float, float]) -> DieReading:
    """What the special die on the table shows, wherever it lies outside the board.

    corners_px: the board's corners in this picture, 4 x 2, the one at A1 first, then clockwise; board_mm: its width and
    height. A die that is mostly hidden or only partly in the picture is likely to be read as none.
    """
    camera = _camera(picture, corners_px, board_mm)
    if camera is None:
        return _reading((), None)
    white = _Whiteness.of(picture, corners_px, board_mm)
    fits = [_fit(picture, white, camera, place) for place in _candidates(white)]
    finalists = sorted(fits, key=lambda fit: fit.score)[-MAX_FINALISTS:]
    return _reading([_refined(picture, camera, fit) for fit in finalists], camera)


# Where the camera is


@dataclass(frozen=True)
class _Camera:
    lens: Lens
    pose: Pose

    def point(self, px: tuple[float, float], height_mm: float) -> Floats:
        """Where (x, y on the board, mm) a pixel looks at the plane so high above the board."""
        ray = self.pose.rotation.T @ np.append(self.lens.ideal([px])[0], 1.0)
        eye = self.pose.eye
        return np.asarray(eye[:2] + ray[:2] * (eye[2] - height_mm) / ray[2])

    def px(self, points_mm: Floats) -> Floats:
        """Px (N x 2) of points (N x 2, mm) on the plane of the die's upper face."""
        return self.pose.project(self.lens, np.column_stack([points_mm, np.full(len(points_mm), _TOP_MM)]))

    def drop(self, point_mm: Floats) -> Floats:
        """How far (mm, on the plane of the upper face) a die's lower face appears from the upper one."""
        eye = self.pose.eye
        return np.asarray((eye[:2] - point_mm) * EDGE_MM / (eye[2] + BOARD_THICKNESS_MM))

    def from_above(self, picture: NDArray[np.uint8], centre_mm: Floats, side: int, step_mm: float) -> NDArray[np.uint8]:
        """What lies around a point of the upper face's plane: side x side pixels of step_mm, along the board's axes.

        picture: the whole picture, or a layer of it at another size.
        """
        scale = max(picture.shape[:2]) / max(self.lens.size)
        corners = (self.px(centre_mm + side * step_mm * SQUARE) + 0.5) * scale - 0.5
        square = (side * (SQUARE + 0.5) - 0.5).astype(np.float32)
        to_px = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(
            cv2.warpPerspective(picture, to_px, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )


def _camera(picture: Picture, corners_px: Floats, board_mm: tuple[float, float]) -> _Camera | None:
    height, width = picture.shape[:2]
    # A lens bends by some pixels at most, which shifts the die but hardly changes its shape.
    lens = Lens((width, height), width / 2 / np.tan(HALF_FIELD), 0.0)
    found = find_pose(lens, (SQUARE + 0.5) * board_mm, np.asarray(corners_px, np.float64))
    return None if found is None else _Camera(lens, found[0])


# Where a die may be


_SEARCH_WIDTH_PX = 768
_PIPS_LEVEL = 0.03
"""How much darker pips make a face on average: 1 would be all dark."""
_PIPS_WEIGHT = 0.1


@dataclass(frozen=True)
class _Whiteness:
    """How white each place is: bright, and with little colour in this light. Grey layers, _SEARCH_WIDTH_PX wide.

    plain: with the board blanked out. filled: the same without dark spots. scale: px of the layers for one px of the
    picture; px_per_mm: their size on the board, on average.
    """

    plain: Grey
    filled: Grey
    board: NDArray[np.bool_]
    scale: float
    px_per_mm: float

    @classmethod
    def of(cls, picture: Picture, corners_px: Floats, board_mm: tuple[float, float]) -> _Whiteness:
        scale = _SEARCH_WIDTH_PX / max(picture.shape[:2])
        small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        corners = np.round(np.asarray(corners_px) * scale).astype(np.int32)
        mask = np.zeros(small.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, corners, 1)
        board = mask > 0
        # The margin of the board is nearly white, and it has the light of the table.
        paper = np.percentile(small[::4, ::4][board[::4, ::4]], 97, axis=0) if board[::4, ::4].any() else 160.0
        balance = np.clip(np.outer(np.arange(256), 160 / np.maximum(paper, 1) * np.ones(3)), 0, 255).astype(np.uint8)
        blue, green, red = cv2.split(cv2.LUT(small, balance[None]))
        lowest, highest = cv2.min(cv2.min(blue, green), red), cv2.max(cv2.max(blue, green), red)
        plain = np.asarray(cv2.addWeighted(lowest, 1.5, highest, -0.5, 0), np.uint8)
        plain[board] = np.median(plain[~board]) if not board.all() else 0
        px_per_mm = float(np.sqrt(cv2.contourArea(corners) / (board_mm[0] * board_mm[1])))
        filled = cv2.morphologyEx(plain, cv2.MORPH_CLOSE, _brush(5, px_per_mm))
        return cls(plain, np.asarray(filled, np.uint8), board, scale, px_per_mm)


def _brush(side_mm: float, px_per_mm: float) -> Grey:
    return np.ones((int(side_mm * px_per_mm) | 1,) * 2, np.uint8)


def _candidates(white: _Whiteness) -> list[tuple[float, float]]:
    """Px of the picture where something white, of about the size of a die and with dark spots lies; the best first."""
    solid = cv2.morphologyEx(white.filled, cv2.MORPH_OPEN, _brush(EDGE_MM / 2, white.px_per_mm))
    broad = cv2.morphologyEx(solid, cv2.MORPH_OPEN, _brush(2 * EDGE_MM, white.px_per_mm))
    coarse = cv2.resize(white.filled, None, fx=1 / 6, fy=1 / 6, interpolation=cv2.INTER_AREA)
    table = cv2.resize(cv2.medianBlur(coarse, 15), white.filled.shape[::-1], interpolation=cv2.INTER_LINEAR)
    around = _brush(11, white.px_per_mm).shape
    level = cv2.blur(white.filled, around).astype(np.float32) + 30
    rise = cv2.blur(cv2.subtract(solid, cv2.max(table, broad)), around) / level
    dark = cv2.blur(cv2.subtract(white.filled, white.plain), around) / level
    pips = cv2.blur(cv2.subtract(_without_pips(white), white.plain), around) / level
    # Two pips are enough, more dark is not more of a die; and on a white table they are all that shows.
    score = rise * dark / (dark + _PIPS_LEVEL) + _PIPS_WEIGHT * pips / (pips + _PIPS_LEVEL)
    score[white.board] = 0
    places = []
    for _ in range(MAX_CANDIDATES):
        _, best, _, (x, y) = cv2.minMaxLoc(score)
        if best <= 0:
            break
        places.append(((x + 0.5) / white.scale - 0.5, (y + 0.5) / white.scale - 0.5))
        # What is suppressed about a candidate is searched from it, so no die is lost between two.
        cv2.circle(score, (x, y), int(_COARSE.reach * _COARSE.step_mm * white.px_per_mm), 0, -1)
    return places


def _without_pips(white: _Whiteness) -> Grey:
    """What is left when dark spots are filled that have white on all sides; lines and edges stay."""
    side = int(5 * white.px_per_mm) | 1
    slope = np.eye(side, dtype=np.uint8)
    lines = (np.ones((1, side), np.uint8), np.ones((side, 1), np.uint8), slope, np.ascontiguousarray(slope[::-1]))
    closed = [cv2.morphologyEx(white.plain, cv2.MORPH_CLOSE, line) for line in lines]
    return np.asarray(np.minimum.reduce(closed), np.uint8)


# How well a die fits


@dataclass(frozen=True)
class _Fit:
    """A die where it fits best. centre_mm: of its upper face; turn: in radians, up to a quarter turn.

    faces: the correlation of each of FACES. cube: that of the whole cube.
    """

    centre_mm: Floats
    turn: float
    faces: Floats
    cube: float

    @property
    def score(self) -> float:
        return float(self.faces.max()) + CUBE_WEIGHT * self.cube


def _fit(picture: Picture, white: _Whiteness, camera: _Camera, place: tuple[float, float]) -> _Fit:
    """The best fit about a candidate, which is where the middle of the cube may be."""
    middle = camera.point(place, _TOP_MM - EDGE_MM / 2)
    templates = face_templates(_COARSE)
    faces = templates.correlation(_grey_patch(picture, camera, middle, _COARSE), _FACE_NOISE)
    if faces.max() < LEAST_FACE:
        return _Fit(middle, 0.0, np.full(len(FACES), faces.max()), 0.0)
    cubes = _BETWEEN @ _cube_correlation(white, camera, middle) @ _BETWEEN.T
    best = _best(np.asarray(faces + CUBE_WEIGHT * cubes[templates.turn], np.float32))
    number, (down, across) = templates.turn[best[0]], best[1:]
    centre = middle + _COARSE.step_mm * (np.array([across, down]) - _COARSE.reach)
    each = [faces[templates.face == face, down, across].max() for face in range(len(FACES))]
    return _Fit(centre, _COARSE.turns[number], np.array(each), float(cubes[number, down, across]))


def _cube_correlation(white: _Whiteness, camera: _Camera, middle_mm: Floats) -> Layer:
    """How well a cube, in each turn and at each shift, explains where it is how white: 0 to 1."""
    drop = camera.drop(middle_mm)
    side = _CUBE.side + 2 * _CUBE.reach - 1
    patch = camera.from_above(white.filled, middle_mm + drop / 2, side, _CUBE.step_mm)
    across, down = np.round(drop).astype(int)
    templates = cube_templates(_CUBE, int(across), int(down))
    table, sides = (templates.correlation(patch, _CUBE_NOISE)[templates.face == part] for part in range(2))
    # Whichever is brighter, table, upper face or sides: what counts is that each has a brightness of its own.
    return np.asarray(np.hypot(table, sides), np.float32)


def _refined(picture: Picture, camera: _Camera, fit: _Fit) -> _Fit:
    """The same fit with finer steps: where the cube is cannot change much, what its face shows can."""
    templates = face_templates(_FINE)
    faces = templates.correlation(_grey_patch(picture, camera, fit.centre_mm, _FINE), _FACE_NOISE)
    apart = np.abs((np.array(_FINE.turns)[templates.turn] - fit.turn + np.pi / 4) % (np.pi / 2) - np.pi / 4)
    faces[apart > np.radians(8)] = -1
    index, down, across = _best(faces)
    centre = fit.centre_mm + _FINE.step_mm * (np.array([across, down]) - _FINE.reach)
    each = [faces[templates.face == face].max() for face in range(len(FACES))]
    return _Fit(centre, _FINE.turns[templates.turn[index]], np.array(each), fit.cube)


def _grey_patch(picture: Picture, camera: _Camera, centre_mm: Floats, grid: Grid) -> Grey:
    patch = camera.from_above(picture, centre_mm, grid.side + 2 * grid.reach, grid.step_mm)
    return np.asarray(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), np.uint8)


_BETWEEN = np.array(
    [[max(0.0, 1 - abs(fine - 2 * coarse) / 2) for coarse in range(2 * _CUBE.reach)] for fine in range(_COARSE.shifts)],
    np.float32,
)
"""From the shifts at which the cube is tried to those of the face, which are half as far apart."""


def _best(values: Layer) -> tuple[int, int, int]:
    index, down, across = np.unravel_index(int(values.argmax()), values.shape)
    return int(index), int(down), int(across)


def _reading(fits: Sequence[_Fit], camera: _Camera | None) -> DieReading:
    """Weigh the fits, of which one at most is the die, against there being none."""
    weights: dict[Die | None, float] = dict.fromkeys(FACES, 0.0) | {None: 1.0}
    for fit in fits:
        weight = np.exp((fit.score - DIE_SCORE) / DIE_SPREAD)
        # The pixels that a drawing leaves unexplained say how well it fits.
        likely = (1 - np.clip(fit.faces, 0, 0.999) ** 2) ** -FACE_SHARPNESS
        likely = (1 - FACE_SLIP) * likely / likely.sum() + FACE_SLIP / len(FACES)
        for face, share in zip(FACES, likely, strict=True):
            weights[face] += float(weight * share)
    total = sum(weights.values())
    odds = {face: weight / total for face, weight in weights.items()}
    best = max(fits, key=lambda fit: fit.score, default=None)
    if best is None or camera is None or max(odds, key=lambda face: odds[face]) is None:
        return DieReading(odds, None)
    x, y = camera.px(best.centre_mm[None])[0]
    return DieReading(odds, (float(x), float(y)))
