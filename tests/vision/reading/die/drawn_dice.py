"""Pictures of tables with dice on them, drawn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np

from companion.observation import Die
from vision.frames import Picture
from vision.geometry import HALF_FIELD, Floats, Lens, Pose
from vision.reading.die.camera import DieCamera
from vision.reading.die.reading import DieReading, read_die

BOARD_MM = (480.0, 480.0)
BOARD = np.array([[0, 0], [480, 0], [480, 480], [0, 480]], float)
LENS = Lens((1536, 864), 768 / np.tan(HALF_FIELD), 0.0)
WOOD, CLOTH, PAPER, INK = (70, 110, 160), (190, 185, 180), (225, 228, 230), (25, 25, 25)


@cache
def grain() -> Floats:
    """The noise of all pictures, of a standard deviation of 1."""
    return np.random.default_rng(1).normal(0, 1, (864, 1536, 3))


def camera(tilt_degrees: float, far_mm: float = 850.0) -> Pose:
    """A camera so far from the board's middle, at which it looks, tilted backwards."""
    tilt = np.radians(tilt_degrees)
    rotation = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    return Pose(rotation, np.array([0, 0, far_mm]) - rotation @ np.array([240.0, 240.0, 0.0]))


def drawing(face: Die) -> list[Floats]:
    """What is printed on a face, or on one that is none, as outlines in mm from its middle."""
    if face == "two-headed arrow":
        heads = [np.array([[2.2, -2.6], [2.2, 2.6], [6.2, 0]]) * way for way in (1, -1)]
        return [*heads, np.array([[-2.2, -0.9], [2.2, -0.9], [2.2, 0.9], [-2.2, 0.9]])]
    if face == "ring":
        return [np.array([[-4, -4], [4, -4], [4, 4], [-4, 4], [-4, -4], [-3, -3], [-3, 3], [3, 3], [3, -3], [-3, -3]])]
    if face == "arrows":
        arrow = np.array([[1.8, -0.5], [3.5, -0.5], [3.5, -1.6], [5.8, 0], [3.5, 1.6], [3.5, 0.5], [1.8, 0.5]])
        return [arrow @ np.linalg.matrix_power(np.array([[0, 1], [-1, 0]]), k) for k in range(4)]
    ends, middle, others = [(-4, -4), (4, 4)], [(0, 0)], [(4, -4), (-4, 4)]
    pips: dict[Die, list[tuple[int, int]]] = {
        1: middle,
        2: ends,
        3: ends + middle,
        4: ends + others,
        5: ends + middle + others,
    }
    angles = np.linspace(0, 2 * np.pi, 20)
    return [np.column_stack([np.cos(angles), np.sin(angles)]) * 1.3 + place for place in pips[face]]


class Table:
    """A picture of a table with a board on it, drawn four times too large."""

    def __init__(
        self, colour: tuple[int, int, int] = WOOD, tilt: float = 10.0, lens: Lens = LENS, far_mm: float = 850.0
    ) -> None:
        self.lens, self.pose = lens, camera(tilt, far_mm)
        # In half of the time that numpy takes for it.
        self.canvas = np.empty((864 * 4, 1536 * 4, 3), np.uint8)
        cv2.rectangle(self.canvas, (0, 0), (1536 * 4, 864 * 4), colour, cv2.FILLED)

    def check(self, size_mm: float, colour: tuple[int, int, int]) -> Table:
        """A checked cloth: white squares, squares of the colour, and squares between the two."""
        for column, x in enumerate(np.arange(-500, 1000, size_mm)):
            for row, y in enumerate(np.arange(-300, 800, size_mm)):
                share = (column % 2 + row % 2) / 2
                mixed = tuple(float(PAPER[i] * (1 - share) + colour[i] * share) for i in range(3))
                corners = size_mm * BOARD / 480 + np.array([x, y])
                self.fill(np.column_stack([corners, np.full(4, -3.0)]), mixed)
        return self

    def motley(self, seed: int) -> Table:
        """A cloth with blurred patches, some 40 px large, of two colours."""
        rng = np.random.default_rng(seed)
        first, second = rng.integers(10, 200, (2, 3))
        # They are blurred, so as good drawn in the picture's own size: the canvas takes seconds.
        patches = cv2.resize(rng.random((21, 38)), (1536, 864), interpolation=cv2.INTER_CUBIC)
        share = np.clip(4 * (patches - 0.5) + 0.5, 0, 1)[..., None]
        cloth = np.asarray(share * first + (1 - share) * second, np.uint8)
        self.canvas[:] = cv2.resize(cloth, (1536 * 4, 864 * 4), interpolation=cv2.INTER_NEAREST)
        return self

    def board(self) -> Table:
        self.fill(np.column_stack([BOARD, np.zeros(4)]), (170, 205, 220))
        inner = np.array([30, 30, 0]) + np.column_stack([BOARD * 420 / 480, np.zeros(4)])
        self.fill(inner, (90, 140, 90))
        return self

    def fill(self, points_mm: Floats, colour: Sequence[float]) -> None:
        px = (self.pose.project(self.lens, points_mm) + 0.5) * 4 - 0.5
        cv2.fillPoly(self.canvas, [np.round(px).astype(np.int32)], colour)

    def die(
        self,
        face: Die,
        at_mm: tuple[float, float],
        turn_degrees: float,
        light: float = 1.0,
        glare: float = 0.0,
        shadow: float = 1.0,
    ) -> Table:
        """A die of 16 mm; light: how bright it is; glare: how pale a lamp makes the drawing on its upper face; shadow:
        how much darker its sides are, as they are in the light of one lamp, or less."""
        turn = np.radians(turn_degrees)
        spin = np.array([[np.cos(turn), np.sin(turn), 0], [-np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
        middle = np.array([*at_mm, 5.0])
        sides: list[tuple[int, float, Die]] = [(1, 0.6, 5), (2, 0.75, 4), (3, 0.7, 3), (4, 0.85, "two-headed arrow")]
        square = np.array([[-8, -8], [8, -8], [8, 8], [-8, 8]], float)
        for quarter, shade, pips in sides:
            angle = quarter * np.pi / 2
            out = np.array([np.cos(angle), np.sin(angle), 0])
            along = np.array([-out[1], out[0], 0])
            frame = np.array([along, [0, 0, 1]])
            eye = self.pose.eye
            if (out @ spin) @ (eye - middle) <= 8:
                continue
            lit = light * (1 - shadow * (1 - shade))
            for shape, colour in [(square, PAPER), *((outline, INK) for outline in drawing(pips))]:
                self.fill((shape @ frame + 8 * out) @ spin + middle, tuple(lit * c for c in colour))
        ink = [dark + glare * (pale - dark) for dark, pale in zip(INK, PAPER, strict=True)]
        for shape, paint in [(square, PAPER), *((outline, ink) for outline in drawing(face))]:
            upper = np.column_stack([shape, np.full(len(shape), 8.0)])
            self.fill(upper @ spin + middle, [light * channel for channel in paint])
        return self

    def picture(self, noise: float = 3.0) -> Picture:
        small = cv2.resize(self.canvas, (1536, 864), interpolation=cv2.INTER_AREA)
        return np.asarray(np.clip(cv2.GaussianBlur(small, (0, 0), 0.8) + noise * grain(), 0, 255), np.uint8)

    def corners_px(self) -> Floats:
        return self.pose.project(self.lens, BOARD)


def read(table: Table) -> DieReading:
    return read_die(table.picture(), table.corners_px(), BOARD_MM)


def seen_by(table: Table) -> DieCamera:
    """The camera over a table, as its board's corners tell it."""
    found = DieCamera.of(table.picture(), table.corners_px(), BOARD_MM)
    assert found is not None
    return found


def far_edge(tilt: float) -> float:
    """How far down (mm) a die lies whose upper face's middle is at the picture's edge that is far from the camera."""
    along = np.arange(-700.0, 200.0)
    rows = camera(tilt).project(LENS, np.array([[240, y, 13.0] for y in along]))[:, 1]
    return float(np.interp(0, rows, along))


def left_edge(tilt: float) -> float:
    """How far across (mm) a die lies whose upper face's middle is at the picture's left edge."""
    along = np.arange(-400.0, 0.0)
    return float(np.interp(0, camera(tilt).project(LENS, np.array([[x, 240, 13.0] for x in along]))[:, 0], along))
