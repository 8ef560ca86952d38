"""What the special die shows: a white cube on the table beside the board.

The board's corners give the camera's pose, so wherever the die may lie its shape in the picture is known but for its
turn about the vertical: a square upper face, EDGE_MM above the table, and below it, towards the point under the camera,
as much of the side faces as can be seen. Places that are white, small and spotted are straightened to a view from
above. There each face, turned and shifted, is compared with the picture, by the correlation of the drawing on it and by
how the whole cube stands out from the table. The second keeps the pips of a side face from counting as the upper ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.observation import Die
from vision.frames import Picture
from vision.geometry import HALF_FIELD, Floats, Lens, Pose, find_pose

FACES: tuple[Die, ...] = (2, 3, 4, 5, "arrows")

EDGE_MM = 16.0
BOARD_THICKNESS_MM = 3.0
PIP_MM = 2.6
PIP_OFFSET_MM = 4.0
"""How far a pip lies from the middle of its face, along each of the face's edges."""
ARROW_MM = ((1.8, -0.55), (3.4, -0.55), (3.4, -1.7), (5.8, 0.0), (3.4, 1.7), (3.4, 0.55), (1.8, 0.55))
"""One of the four arrows that point away from the middle of their face."""

MAX_CANDIDATES = 8
"""Places that are looked at closely in a picture; with more, cards and cloth cost time."""
MAX_FINALISTS = 2

CUBE_WEIGHT = 0.5
"""What the cube's correlation counts for, against that of the face."""
DIE_SCORE = 0.93
DIE_SPREAD = 0.045
"""The score at which a die is as likely as none, and the change that makes it e times likelier."""
FACE_SHARPNESS = 15.0
"""Half the number of pixels of a face that tell something of their own."""
FACE_SLIP = 0.01
"""How often a face is taken for another for reasons that the pixels do not show."""

_TOP_MM = EDGE_MM - BOARD_THICKNESS_MM
_FACE_MM = 12.5
"""The part of a face that is compared: rounded edges stay out."""
_DRAWING_BLUR_MM = 0.6
_FACE_NOISE = 4.0
_CUBE_NOISE = 5.0
"""Contrast, in grey levels, that counts as none."""
_SQUARE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2

Layer: TypeAlias = NDArray[np.float32]
"""float32; a picture's is height x width."""
Grey: TypeAlias = NDArray[np.uint8]
"""height x width, uint8."""


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
        corners = (self.px(centre_mm + side * step_mm * _SQUARE) + 0.5) * scale - 0.5
        square = (side * (_SQUARE + 0.5) - 0.5).astype(np.float32)
        to_px = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(
            cv2.warpPerspective(picture, to_px, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )


def _camera(picture: Picture, corners_px: Floats, board_mm: tuple[float, float]) -> _Camera | None:
    height, width = picture.shape[:2]
    # A lens bends by some pixels at most, which shifts the die but hardly changes its shape.
    lens = Lens((width, height), width / 2 / np.tan(HALF_FIELD), 0.0)
    found = find_pose(lens, (_SQUARE + 0.5) * board_mm, np.asarray(corners_px, np.float64))
    return None if found is None else _Camera(lens, found[0])


# Where a die may be


_SEARCH_WIDTH_PX = 768


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
    spots = cv2.blur(cv2.subtract(white.filled, white.plain), around) / level
    # Two pips are enough: more dark is not more of a die.
    score = rise * spots / (spots + 0.03)
    score[white.board] = 0
    places = []
    for _ in range(MAX_CANDIDATES):
        _, best, _, (x, y) = cv2.minMaxLoc(score)
        if best <= 0:
            break
        places.append(((x + 0.5) / white.scale - 0.5, (y + 0.5) / white.scale - 0.5))
        cv2.circle(score, (x, y), int(14 * white.px_per_mm), 0, -1)
    return places


# What a die looks like from above


@dataclass(frozen=True)
class _Templates:
    """Drawings to correlate with: unit vectors that add up to nothing over their mask.

    images: N x side². masks: one a turn, M x side². turn: for each image the index of its mask. face: for each image
    the index in FACES.
    """

    side: int
    images: Layer
    masks: Layer
    turn: NDArray[np.intp]
    face: NDArray[np.intp]

    def correlation(self, picture: Grey, noise: float) -> Layer:
        """Correlation of each image at each shift that keeps it inside the picture: N x shifts down x across."""
        windows = np.lib.stride_tricks.sliding_window_view(picture.astype(np.float32), (self.side, self.side))
        down, across = windows.shape[:2]
        pixels = windows.reshape(down * across, -1)
        count = self.masks.sum(axis=1)
        energy = (pixels * pixels) @ self.masks.T - (pixels @ self.masks.T) ** 2 / count
        size = np.sqrt(np.maximum(energy, 0) + noise**2 * count)
        found = pixels @ self.images.T / size[:, self.turn]
        return np.asarray(found.T.reshape(-1, down, across), np.float32)


def _templates(side: int, drawings: Iterable[tuple[int, int, Layer]], masks: list[NDArray[np.bool_]]) -> _Templates:
    images, turns, faces = [], [], []
    for face, turn, drawing in drawings:
        mask = masks[turn]
        image = np.where(mask, drawing - drawing[mask].mean(), 0).ravel()
        images.append(image / np.linalg.norm(image))
        turns.append(turn)
        faces.append(face)
    flat = np.array([mask.ravel() for mask in masks], np.float32)
    return _Templates(side, np.array(images, np.float32), flat, np.array(turns), np.array(faces))


def _draw(side: int, step_mm: float, shapes_mm: Iterable[Floats]) -> Layer:
    """Shapes (outlines of N x 2, mm from the middle) as 1 on 0, smooth at the edges."""
    fine = 8
    canvas = np.zeros((side * fine, side * fine), np.uint8)
    for shape in shapes_mm:
        cv2.fillPoly(canvas, [np.round((shape / step_mm + side / 2) * fine - 0.5).astype(np.int32)], 255)
    return cv2.resize(canvas, (side, side), interpolation=cv2.INTER_AREA).astype(np.float32) / 255


def _turned(points: Floats, turn: float) -> Floats:
    cos, sin = np.cos(turn), np.sin(turn)
    return np.asarray(points @ np.array([[cos, sin], [-sin, cos]]))


def _face_shapes(face: Die) -> list[Floats]:
    if face == "arrows":
        return [_turned(np.array(ARROW_MM), quarter * np.pi / 2) for quarter in range(4)]
    ends, middle, others = [(-1, -1), (1, 1)], [(0, 0)], [(1, -1), (-1, 1)]
    places = {2: ends, 3: ends + middle, 4: ends + others, 5: ends + middle + others}[int(face)]
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    pip = PIP_MM / 2 * np.column_stack([np.cos(angles), np.sin(angles)])
    return [pip + PIP_OFFSET_MM * np.array(place) for place in places]


@dataclass(frozen=True)
class _Grid:
    """How finely poses are tried. step_mm: size of a pixel; side: of a template in pixels; reach: shifts each way."""

    step_mm: float
    side: int
    reach: int
    turns: tuple[float, ...]

    @property
    def shifts(self) -> int:
        return 2 * self.reach + 1


def _turns(degrees: float) -> tuple[float, ...]:
    return tuple(np.radians(np.arange(0, 90, degrees)))


_COARSE = _Grid(1.0, 19, 7, _turns(7.5))
_CUBE = _Grid(2.0, 23, 4, _turns(7.5))
_FINE = _Grid(0.5, 37, 3, _turns(2.5))


@cache
def _face_templates(grid: _Grid) -> _Templates:
    """Every face in every turn: a quarter turn more is another drawing for 2 and 3 only."""
    masks = [_draw(grid.side, grid.step_mm, [_turned(_FACE_MM * _SQUARE, turn)]) > 0.5 for turn in grid.turns]
    drawings = []
    for index, face in enumerate(FACES):
        shapes = _face_shapes(face)
        for number, turn in enumerate(grid.turns):
            for quarter in range(2 if face in (2, 3) else 1):
                turned = [_turned(shape, turn + quarter * np.pi / 2) for shape in shapes]
                drawing = _draw(grid.side, grid.step_mm, turned)
                blurred = cv2.GaussianBlur(drawing, (0, 0), _DRAWING_BLUR_MM / grid.step_mm)
                drawings.append((index, number, -np.asarray(blurred, np.float32)))
    return _templates(grid.side, drawings, masks)


@lru_cache(maxsize=256)
def _cube_templates(grid: _Grid, across_mm: int, down_mm: int) -> _Templates:
    """The outline of the cube in every turn against the table around it, the outline's middle in the middle.

    across_mm, down_mm: the ``drop``, in whole mm so that few different ones are drawn.
    """
    drop_mm = np.array([across_mm, down_mm])

    def outline(edge_mm: float, turn: float) -> Floats:
        upper = _turned(edge_mm * _SQUARE, turn)
        both = np.vstack([upper - drop_mm / 2, upper + drop_mm / 2])
        return np.asarray(cv2.convexHull(both.astype(np.float32))[:, 0], np.float64)

    masks = [_draw(grid.side, grid.step_mm, [outline(EDGE_MM + 6, turn)]) > 0.5 for turn in grid.turns]
    drawings = [
        (0, number, _draw(grid.side, grid.step_mm, [outline(EDGE_MM, turn)])) for number, turn in enumerate(grid.turns)
    ]
    return _templates(grid.side, drawings, masks)


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
    templates = _face_templates(_COARSE)
    faces = templates.correlation(_grey_patch(picture, camera, middle, _COARSE), _FACE_NOISE)
    drop = camera.drop(middle)
    side = _CUBE.side + 2 * _CUBE.reach - 1
    patch = camera.from_above(white.filled, middle + drop / 2, side, _CUBE.step_mm)
    cubes = _cube_templates(_CUBE, *np.round(drop).astype(int).tolist()).correlation(patch, _CUBE_NOISE)
    cubes = _BETWEEN @ cubes @ _BETWEEN.T
    best = _best(faces + CUBE_WEIGHT * cubes[templates.turn])
    number, (down, across) = templates.turn[best[0]], best[1:]
    centre = middle + _COARSE.step_mm * (np.array([across, down]) - _COARSE.reach)
    each = [faces[templates.face == face, down, across].max() for face in range(len(FACES))]
    return _Fit(centre, _COARSE.turns[number], np.array(each), float(cubes[number, down, across]))


def _refined(picture: Picture, camera: _Camera, fit: _Fit) -> _Fit:
    """The same fit with finer steps: where the cube is cannot change much, what its face shows can."""
    templates = _face_templates(_FINE)
    faces = templates.correlation(_grey_patch(picture, camera, fit.centre_mm, _FINE), _FACE_NOISE)
    apart = np.abs((np.array(_FINE.turns)[templates.turn] - fit.turn + np.pi / 4) % (np.pi / 2) - np.pi / 4)
    faces[apart > np.radians(8)] = -1
    index, down, across = _best(faces)
    centre = fit.centre_mm + _FINE.step_mm * (np.array([across, down]) - _FINE.reach)
    each = [faces[templates.face == face].max() for face in range(len(FACES))]
    return _Fit(centre, _FINE.turns[templates.turn[index]], np.array(each), fit.cube)


def _grey_patch(picture: Picture, camera: _Camera, centre_mm: Floats, grid: _Grid) -> Grey:
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
