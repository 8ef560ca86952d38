"""What the special die looks like from straight above: drawings of its faces and of the whole cube, to correlate with.

Sizes in mm, of a die with an edge of 16 mm; the pips and arrows are drawn as on the rendered reference die.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.observation import Die
from vision.geometry import Floats

Layer = NDArray[np.float32]
"""float32; a picture's is height x width."""
Grey = NDArray[np.uint8]
"""height x width, uint8."""

FACES: tuple[Die, ...] = (2, 3, 4, 5, "arrows")

EDGE_MM = 16.0
PIP_MM = 2.6
PIP_OFFSET_MM = 4.0
"""How far a pip lies from the middle of its face, along each of the face's edges."""
ARROW_MM = ((1.8, -0.55), (3.4, -0.55), (3.4, -1.7), (5.8, 0.0), (3.4, 1.7), (3.4, 0.55), (1.8, 0.55))
"""One of the four arrows that point away from the middle of their face."""
SQUARE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2

_FACE_MM = 12.5
"""The part of a face that is compared: rounded edges stay out."""
_RIM_MM = 3.0
"""How much of the table around a cube is compared with it."""
_DRAWING_BLUR_MM = 0.6


@dataclass(frozen=True)
class Templates:
    """Drawings to correlate with: vectors of length 1 that add up to nothing over their mask.

    images: N x side². masks: one a turn, M x side². turn: for each image the index of its mask. face: for each image
    what it shows: the index in FACES, or for a cube 0 for the cube against the table and 1 for the upper face against
    the sides.
    """

    side: int
    images: Layer
    masks: Layer
    turn: NDArray[np.intp]
    face: NDArray[np.intp]

    def correlation(self, picture: Grey, noise: float) -> Layer:
        """Correlation of each image at each shift that keeps it inside the picture: N x shifts down x across.

        noise: contrast (standard deviation, grey levels) below which the correlation fades.
        """
        windows = np.lib.stride_tricks.sliding_window_view(picture.astype(np.float32), (self.side, self.side))
        down, across = windows.shape[:2]
        pixels = windows.reshape(down * across, -1)
        count = self.masks.sum(axis=1)
        energy = (pixels * pixels) @ self.masks.T - (pixels @ self.masks.T) ** 2 / count
        size = np.sqrt(np.maximum(energy, 0) + noise**2 * count)
        found = pixels @ self.images.T / size[:, self.turn]
        return np.asarray(found.T.reshape(-1, down, across), np.float32)


def _templates(side: int, drawings: Iterable[tuple[int, int, Layer]], masks: list[NDArray[np.bool_]]) -> Templates:
    images, turns, faces = [], [], []
    for face, turn, drawing in drawings:
        mask = masks[turn]
        image = np.where(mask, drawing - drawing[mask].mean(), 0).ravel()
        # Where next to nothing can be seen of the sides, what little there is must not be blown up.
        images.append(image / max(float(np.linalg.norm(image)), 1.0))
        turns.append(turn)
        faces.append(face)
    flat = np.array([mask.ravel() for mask in masks], np.float32)
    return Templates(side, np.array(images, np.float32), flat, np.array(turns), np.array(faces))


def _draw(side: int, step_mm: float, shapes_mm: Iterable[Floats]) -> Layer:
    """Shapes (outlines of N x 2, mm from the middle) as 1 on 0, smooth at the edges."""
    fine = 8
    canvas = np.zeros((side * fine, side * fine), np.uint8)
    for shape in shapes_mm:
        cv2.fillPoly(canvas, [np.round((shape / step_mm + side / 2) * fine - 0.5).astype(np.int32)], 255)
    smooth = cv2.resize(canvas, (side, side), interpolation=cv2.INTER_AREA)
    return np.asarray(smooth, np.float32) / np.float32(255)


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
class Grid:
    """How finely poses are tried. step_mm: size of a pixel; side: of a template in pixels; reach: shifts each way."""

    step_mm: float
    side: int
    reach: int
    turns: tuple[float, ...]

    @property
    def shifts(self) -> int:
        return 2 * self.reach + 1


def turns(degrees: float) -> tuple[float, ...]:
    """Turns up to a quarter, so many degrees apart, in radians."""
    return tuple(np.radians(np.arange(0, 90, degrees)))


@cache
def face_templates(grid: Grid) -> Templates:
    """Every face in every turn: a quarter turn more is another drawing for 2 and 3 only."""
    masks = [_draw(grid.side, grid.step_mm, [_turned(_FACE_MM * SQUARE, turn)]) > 0.5 for turn in grid.turns]
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
def cube_templates(grid: Grid, across_mm: int, down_mm: int) -> Templates:
    """The cube in every turn with the table around it, the middle of its outline in the middle.

    across_mm, down_mm: how far its lower face appears from the upper one, in whole mm so that few are drawn.
    """
    drop_mm = np.array([across_mm, down_mm])

    def outline(edge_mm: float, turn: float) -> Floats:
        upper = _turned(edge_mm * SQUARE, turn)
        both = np.vstack([upper - drop_mm / 2, upper + drop_mm / 2])
        return np.asarray(cv2.convexHull(both.astype(np.float32))[:, 0], np.float64)

    masks, drawings = [], []
    for number, turn in enumerate(grid.turns):
        masks.append(_draw(grid.side, grid.step_mm, [outline(EDGE_MM + 2 * _RIM_MM, turn)]) > 0.5)
        cube = _draw(grid.side, grid.step_mm, [outline(EDGE_MM, turn)])
        upper = _draw(grid.side, grid.step_mm, [_turned(EDGE_MM * SQUARE, turn) - drop_mm / 2])
        drawings += [(0, number, cube), (1, number, upper - cube * upper.sum() / cube.sum())]
    return _templates(grid.side, drawings, masks)
