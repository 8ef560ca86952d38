"""What the special die looks like from straight above: drawings of its faces and of the whole cube, to correlate with.

Sizes in mm, of a die with an edge of 16 mm. Dice differ in the size of their pips and in what arrows they bear: what a
first look compares with lies between them, what a close look compares with are several of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

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
Pips = tuple[float, float]
"""A pip's width, and how far it lies from the middle of its face along each of the face's edges."""
USUAL_PIPS: tuple[Pips, ...] = ((2.9, 3.8),)
ALL_PIPS: tuple[Pips, ...] = ((2.6, 4.0), (3.0, 3.6), (3.4, 4.2))
SQUARE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2

DRAWING_MM = 11.0
"""The part of a face that must be seen to tell it."""
_FACE_MM = 12.5
"""The part of a face that is compared: rounded edges stay out."""
# An arrow that points away from the middle of its face, as an outline.
SLIM = ((1.8, -0.55), (3.4, -0.55), (3.4, -1.7), (5.8, 0.0), (3.4, 1.7), (3.4, 0.55), (1.8, 0.55))
JOINED = ((0.0, -0.55), (3.4, -0.55), (3.4, -1.7), (5.8, 0.0), (3.4, 1.7), (3.4, 0.55), (0.0, 0.55))
STOUT = ((0.0, -0.9), (2.2, -0.9), (2.2, -2.6), (6.2, 0.0), (2.2, 2.6), (2.2, 0.9), (0.0, 0.9))
_ARROWS = ((SLIM, 4), (JOINED, 4), (STOUT, 2))
"""Arrows that dice bear, and how many of them there are on a face, evenly turned."""
RIM_MM = 3.0
"""How much of the table around a cube is compared with it."""
_DRAWING_BLUR_MM = 0.6
FACE_NOISE = 4.0
"""Contrast of a face, in grey levels, that counts as none."""
_FACE_SHARPNESS = 15.0
"""Half the number of pixels of a face that tell something of their own."""
LEAST_DRAWN = 0.3
"""So much of what there is of a drawing must be visible to compare it."""


def likelihood(correlation: Floats | float, share: float = 1.0) -> Floats:
    """How likely a face is of which so large a share is seen: the pixels that a drawing leaves unexplained say it."""
    return np.asarray((1 - np.clip(correlation, 0, 0.999) ** 2) ** (-_FACE_SHARPNESS * share), np.float64)


@dataclass(frozen=True)
class Templates:
    """Drawings to correlate with: vectors of length 1 that add up to nothing over their mask.

    used: which of side x side pixels are compared, P of them: all that any mask has. images: N x P. masks: one a turn,
    M x P. turn: for each image the index of its mask. face: for each image what it shows: the index in FACES, or for a
    cube 0 for the cube against the table and 1 for the upper face against the sides.
    """

    used: NDArray[np.bool_]
    images: Layer
    masks: Layer
    turn: NDArray[np.intp]
    face: NDArray[np.intp]

    def correlation(self, picture: Grey, noise: float) -> Layer:
        """Correlation of each image at each shift that keeps it inside the picture: N x shifts down x across.

        noise: contrast (standard deviation, grey levels) below which the correlation fades.
        """
        pixels, down, across = self._shifts(picture)
        count = self.masks.sum(axis=1, keepdims=True)
        found, total = self.images @ pixels, self.masks @ pixels
        pixels *= pixels
        energy = np.maximum(self.masks @ pixels - total**2 / count, 0) + noise**2 * count
        found /= np.sqrt(energy)[self.turn]
        return np.asarray(found.reshape(-1, down, across), np.float32)

    def correlation_of(
        self, visible: NDArray[np.bool_], least: float, picture: Grey, noise: float
    ) -> tuple[Layer, Layer]:
        """The same of what is visible only (of the picture's shape), and the share of each mask that is.

        0 where less of a mask is visible than the least share, or next to none of a drawing's marks.
        """
        pixels, down, across = self._shifts(picture)
        seen = self._shifts(visible)[0]
        count, each = np.maximum(self.masks @ seen, 1), self.turn
        share = (count / self.masks.sum(axis=1, keepdims=True))[each]
        found = np.zeros_like(share)
        # Mostly next to nothing is: so much is asked only of shifts at which enough is, whatever the turn.
        enough = np.flatnonzero((share >= least).any(axis=0))
        count, seen, pixels = count[:, enough], seen[:, enough], pixels[:, enough]
        values = seen * pixels
        total, marks = self.masks @ values, self.images @ seen
        energy = np.maximum(self.masks @ (values * pixels) - total**2 / count, 0) + noise**2 * count
        drawn = self.images**2 @ seen - marks**2 / count[each]
        some = self.images @ values - (total / count)[each] * marks
        some /= np.sqrt(energy[each] * np.maximum(drawn, LEAST_DRAWN))
        some[(drawn < LEAST_DRAWN) | (share[:, enough] < least)] = 0
        found[:, enough] = some
        first, second = (np.asarray(layer.reshape(-1, down, across), np.float32) for layer in (found, share))
        return first, second

    def _shifts(self, layer: Grey | NDArray[np.bool_]) -> tuple[Layer, int, int]:
        """What of a layer lies under each used pixel of the drawings, at each shift that keeps them inside it: P x
        shifts. And how many shifts there are down and across."""
        # With the shifts side by side numpy takes half of the time that it takes with the pixels of each together.
        sides = self.used.shape
        down, across = (length - side + 1 for length, side in zip(layer.shape, sides, strict=True))
        values = layer.astype(np.float32)
        # As sliding_window_view, which takes longer to make the view than it takes to copy the pixels.
        windows = np.ndarray((*sides, down, across), np.float32, values, strides=values.strides * 2)
        return windows[self.used].reshape(-1, down * across), down, across


def _templates(drawings: Iterable[tuple[int, int, Layer]], masks: list[NDArray[np.bool_]]) -> Templates:
    used = np.any(masks, axis=0)
    images, turns, faces = [], [], []
    for face, turn, drawing in drawings:
        mask = masks[turn]
        image = np.where(mask, drawing - drawing[mask].mean(), 0)
        # Where next to nothing can be seen of the sides, what little there is must not be blown up.
        images.append(image[used] / max(float(np.linalg.norm(image)), 1.0))
        turns.append(turn)
        faces.append(face)
    flat = np.array([mask[used] for mask in masks], np.float32)
    return Templates(used, np.array(images, np.float32), flat, np.array(turns), np.array(faces))


def _draw(side: int, step_mm: float, shapes_mm: Iterable[Floats]) -> Layer:
    """Shapes (outlines of N x 2, mm from the middle) as 1 on 0, smooth at the edges."""
    fine = 8
    canvas = np.zeros((side * fine, side * fine), np.uint8)
    for shape in shapes_mm:
        cv2.fillPoly(canvas, [np.round((shape / step_mm + side / 2) * fine - 0.5).astype(np.int32)], 255)
    smooth = cv2.resize(canvas, (side, side), interpolation=cv2.INTER_AREA)
    return np.asarray(smooth, np.float32) / np.float32(255)


def turned(points: Floats, turn: float) -> Floats:
    """Points (N x 2) turned about (0, 0) by an angle in radians, x towards y."""
    cos, sin = np.cos(turn), np.sin(turn)
    return np.asarray(points @ np.array([[cos, sin], [-sin, cos]]))


def cube_outline(edge_mm: float, turn: float, drop_mm: Floats) -> Floats:
    """The outline of a cube whose lower face appears so far from the upper one, N x 2 mm from its middle."""
    upper = turned(edge_mm * SQUARE, turn)
    both = np.vstack([upper - drop_mm / 2, upper + drop_mm / 2])
    return np.asarray(cv2.convexHull(both.astype(np.float32))[:, 0], np.float64)


def _faces(pips: tuple[Pips, ...]) -> Iterator[tuple[int, list[Floats]]]:
    """Every drawing, and where a quarter turn makes another of it that too: its index in FACES, and its shapes."""
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    for width, offset in pips:
        ends, middle, others = [(-1, -1), (1, 1)], [(0, 0)], [(1, -1), (-1, 1)]
        pip = width / 2 * np.column_stack([np.cos(angles), np.sin(angles)])
        two = [(0, ends), (0, others), (1, ends + middle), (1, others + middle)]
        for index, places in [*two, (2, ends + others), (3, ends + others + middle)]:
            yield index, [pip + offset * np.array(place) for place in places]
    for arrow, count in _ARROWS:
        for first in range(4 // count):
            quarters = range(first, 4, 4 // count)
            yield FACES.index("arrows"), [turned(np.array(arrow), quarter * np.pi / 2) for quarter in quarters]


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


@lru_cache(maxsize=128)
def face_templates(grid: Grid, pips: tuple[Pips, ...]) -> Templates:
    """Every face in every turn, with pips of each of these sizes."""
    masks = [_draw(grid.side, grid.step_mm, [turned(_FACE_MM * SQUARE, turn)]) > 0.5 for turn in grid.turns]
    drawings = []
    for index, shapes in _faces(pips):
        for number, turn in enumerate(grid.turns):
            drawing = _draw(grid.side, grid.step_mm, [turned(shape, turn) for shape in shapes])
            blurred = cv2.GaussianBlur(drawing, (0, 0), _DRAWING_BLUR_MM / grid.step_mm)
            drawings.append((index, number, -np.asarray(blurred, np.float32)))
    return _templates(drawings, masks)


@lru_cache(maxsize=256)
def cube_templates(grid: Grid, across_mm: int, down_mm: int) -> Templates:
    """The cube in every turn with the table around it, the middle of its outline in the middle.

    across_mm, down_mm: how far its lower face appears from the upper one, in whole mm so that few are drawn.
    """
    drop_mm = np.array([across_mm, down_mm])

    masks, drawings = [], []
    for number, turn in enumerate(grid.turns):
        masks.append(_draw(grid.side, grid.step_mm, [cube_outline(EDGE_MM + 2 * RIM_MM, turn, drop_mm)]) > 0.5)
        cube = _draw(grid.side, grid.step_mm, [cube_outline(EDGE_MM, turn, drop_mm)])
        upper = _draw(grid.side, grid.step_mm, [turned(EDGE_MM * SQUARE, turn) - drop_mm / 2])
        drawings += [(0, number, cube), (1, number, upper - cube * upper.sum() / cube.sum())]
    return _templates(drawings, masks)
