"""Which number of floors explains best what is seen of a pyramid.

Networks know how pyramids look; this knows how one is made. For each number of floors it lays a pyramid on the square
as the camera would see it, moves and turns it until it fits best, and asks how much of the picture is left unexplained
if each sort of its faces, the walls or the terraces of a side or the top, is evenly bright on all floors, or the top
brighter to one side, as soft shadows make it. Over whole faces noise averages out, so it counts where networks lose
count. It errs where shadows fall across faces in other ways; they do not.

Source: evenly bright regions that leave least unexplained are those of T. Chan and L. Vese, Active contours without
edges, 2001; here their outlines are known but for where the pyramid stands.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.pacal.pieces import MAX_FLOORS
from vision.geometry import Floats
from vision.grid import READ_PX_PER_MM, lean
from vision.reading.shapes import PyramidSize, floor_squares

Plane: TypeAlias = NDArray[np.float32]
Pixels: TypeAlias = NDArray[np.int64]
"""Columns or rows of pixels."""
Faces: TypeAlias = NDArray[np.uint8]
"""Which sort of face of a pyramid each pixel shows; 0 where none, or its outline."""

SIDES = 4
TOP = 1 + 2 * SIDES
"""The uppermost floor's top. Before it come the walls of each side, and then the terraces of each side."""
OUTLINE_MM = 0.75
"""So far from a pyramid's outline pixels show something else as well."""
REACH_PX, STEP_PX, TURN = 6, 3, np.radians(12)
"""At first sight: how far to each side (px of the canvas) a pyramid is looked for, in what steps, and how far it may be
turned either way."""
FINER = 2
"""How much finer the canvas is made for a close look: terraces are but three of its pixels wide. Of the finer pixels
every other one counts, as on a chessboard: what is seen is no finer, only where edges are."""
NUDGES = ((3, np.radians(6)), (2, np.radians(3)), (1, np.radians(1)))
"""Then it is moved by so many of these pixels to each side and turned so far either way, one after the other: together
nearly as far as at first sight, which may have turned it wrongly."""
USUAL_MM, USUAL_TURN = 1.0, np.radians(7)
"""How far from the middle of its square a pyramid stands, and how far it is turned: standard deviations."""
UNEVEN, NOISE, GREY = 0.04, 1.45, 2.0
"""How uneven faces are, standard deviations: a share of their brightness; of the noise that is left in the straightened
picture, in units of what ``vision.noise`` finds there; and in grey levels."""
TELLS, OTHER = 3.0, -1.0
"""How much the colour of a pixel tells at most of whether it shows the pyramid. Where that is less than OTHER something
else is seen, whose brightness tells nothing."""
FACE, SHADED = 2.0, 12.0
"""What a sort of faces costs for each logarithm of its pixels, as more of them explain more of anything; and what it
costs beside that if the top is brighter to one side."""

IN_LINE = 1e-3
"""Of pixels whose places are so much alike, as a share of what they vary, no slope is asked."""

_FRACTION = 4
"""Corners are drawn to so many bits of a pixel."""
_WALLS = np.array([[0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]])
_TERRACES = np.array([[4, 5, 8], [5, 6, 8], [6, 7, 8], [7, 4, 8]])
_TOP = np.array([4, 5, 6, 7])
"""Which corners of a floor each outline has."""


class Stand(NamedTuple):
    """Where a pyramid stands, mm from the middle of its square, and how it is turned, radians."""

    x: float
    y: float
    turn: float

    @property
    def cost(self) -> float:
        """How unusual that is."""
        return float(((self.x / USUAL_MM) ** 2 + (self.y / USUAL_MM) ** 2 + (self.turn / USUAL_TURN) ** 2) / 2)


@dataclass(frozen=True)
class Patch:
    """What is seen round the middle of a square.

    planes: what is added up over faces, 3 x N, N the pixels of a square row after row. The first has 1 where a pixel
    tells something, else 0; the second by how many standard deviations it is brighter than another, 0 where it tells
    nothing; the third what it costs if nothing explains how bright it is, less what its colour tells. side: of the
    square, px. times: how much finer it is than the canvas, 1 or FINER. eye: the camera from the middle, x, y and
    height, mm.
    """

    planes: Plane
    side: int
    times: int
    eye: Floats

    @staticmethod
    def of(brightness: Plane, own: Plane, noise: float, times: int, eye: Floats) -> Patch:
        """brightness: in grey levels, of the channels in which the piece is bright. own: how much the colour of each
        pixel tells of whether it shows the pyramid, in natural logarithms of odds. noise: in grey levels."""
        used = (own > OTHER).astype(np.float32)
        # This way the standard deviation is about 1 where it is dark, and noise counts most, as where it is bright.
        light = np.log(np.maximum(brightness, 0) * UNEVEN + NOISE * noise + GREY) / UNEVEN
        light = ((light - light.mean()) * used).astype(np.float32)
        unlike = light**2 / 2 - np.clip(own, -TELLS, TELLS)
        return Patch(np.stack([used, light, unlike]).reshape(3, -1), len(own), times, eye)

    @property
    def px_mm(self) -> float:
        """The size of a pixel."""
        return 1 / READ_PX_PER_MM / self.times

    def faces(self, size: PyramidSize, floors: int, stand: Stand) -> Faces:
        """Which face of such a pyramid each pixel shows."""
        faces = np.zeros((self.side, self.side), np.uint8)
        corners = self._corners(size, floors, stand)
        # Each floor hides what is behind it of those below.
        for walls, terraces in zip(corners.take(_WALLS, 1), corners.take(_TERRACES, 1), strict=True):
            for kind, outline in enumerate((*walls, *terraces), start=1):
                cv2.fillConvexPoly(faces, outline, kind, shift=_FRACTION)
        cv2.fillConvexPoly(faces, corners[-1].take(_TOP, 0), TOP, shift=_FRACTION)
        width = 2 * round(OUTLINE_MM / self.px_mm) + 1
        inside = np.asarray(cv2.erode(np.minimum(faces, 1), np.ones((width, width), np.uint8)), np.uint8)
        return np.asarray(faces * inside, np.uint8)

    def _corners(self, size: PyramidSize, floors: int, stand: Stand) -> NDArray[np.int32]:
        """The lower corners of each floor, its upper ones, and the middle of these; floors x 9 x 2, the lowest floor
        first, in fractions of pixels."""
        cos, sin = np.cos(stand.turn), np.sin(stand.turn)
        # What OpenCV fills has its outline too, which is half a pixel more on each side.
        size = replace(size, base=size.base - self.px_mm)
        outlines = floor_squares((0.0, 0.0), floors, size) @ np.array([[cos, sin], [-sin, cos]]) + stand[:2]
        heights = size.floor * np.arange(floors + 1)[:, None, None]
        low, high = lean(self.eye, outlines, heights[:-1]), lean(self.eye, outlines, heights[1:])
        corners = np.concatenate([low, high, high.mean(axis=1, keepdims=True)], axis=1)
        px = corners / self.px_mm + (self.side - 1) / 2
        return np.asarray((px * 2**_FRACTION).round(), np.int32)

    def explained(self, faces: Faces, moves: Sequence[tuple[int, int]]) -> Floats:
        """How much a pyramid with these faces explains if it is moved by so many px, to the right and down; what then
        reaches out of the patch, by any of the moves, is left out."""
        reach = int(np.abs(moves).max())
        kept = np.zeros_like(faces)
        inside = slice(reach, self.side - reach)
        kept[inside, inside] = faces[inside, inside]
        each = 1
        if self.times == FINER:
            kept[::2, ::2] = kept[1::2, 1::2] = 0
            each = 2
        there = np.flatnonzero(kept > 0)
        if not len(there):
            return np.zeros(len(moves))
        kinds = kept.ravel()[there]
        many = np.bincount(kinds)
        # Face after face, so that each is one run of pixels; those that cannot be seen have none.
        begins = np.append(0, many[many > 0].cumsum()[:-1])
        there = there[kinds.argsort(kind="stable")]
        seen = self.planes.take(there + np.array([[y * self.side + x] for x, y in moves]), axis=1)
        count, light, unlike = each * np.add.reduceat(seen, begins, axis=2)
        count = np.maximum(count, 1)
        explained = (light**2 / count).sum(axis=-1) / 2 - unlike.sum(axis=-1)
        # However fine the pixels are, a part of the board tells as much.
        worth = explained / self.times**2 - FACE * np.log(count).sum(axis=-1)
        top = int(many[TOP:].sum())
        if top:
            y, x = np.divmod(there[-top:], self.side)
            shaded = each * _shade(x, y, *seen[:2, :, -top:]) / self.times**2
            worth += np.maximum(shaded - SHADED * np.log(count[:, -1]), 0)
        return np.asarray(worth, np.float64)


def _shade(x: Pixels, y: Pixels, used: Plane, light: Plane) -> Floats:
    """What is explained beside the mean if brightness changes evenly across N pixels, at each of M places: what the
    regression on where they are gains.

    x, y: N. used, light: of a patch's planes, M x N.
    """
    aside, down = (np.asarray(at - at.mean(), np.float32) for at in (x, y))
    terms = np.stack([np.ones_like(aside), aside, down, aside * aside, aside * down, down * down], axis=1)
    number, of_x, of_y, xx, xy, yy = (used @ terms).T
    of_light, x_light, y_light = (light @ terms[:, :3]).T
    mean_x, mean_y = of_x / np.maximum(number, 1), of_y / np.maximum(number, 1)
    xx, xy, yy = xx - of_x * mean_x, xy - of_x * mean_y, yy - of_y * mean_y
    x_light, y_light = x_light - of_light * mean_x, y_light - of_light * mean_y
    # Pixels all in one line have no slope across it.
    wide = xx * yy - xy**2 > IN_LINE * xx * yy
    gain = (x_light**2 * yy - 2 * x_light * y_light * xy + y_light**2 * xx) / np.where(wide, xx * yy - xy**2, 1)
    return np.asarray(np.where(wide, gain, 0) / 2, np.float64)


def explained_by_floors(coarse: Patch, fine: Patch, size: PyramidSize, closely: Collection[int]) -> Floats:
    """How much pyramids of 1 to 5 floors explain of a patch, of each where it fits best; of those that are not to be
    looked at ``closely`` about where."""
    middle = Stand(0, 0, 0)
    sights = [
        _best_near(coarse, size, floors, middle, range(-REACH_PX, REACH_PX + 1, STEP_PX), TURN)
        for floors in range(1, MAX_FLOORS + 1)
    ]
    return np.array(
        [
            _close_look(fine, size, floors, stand) if floors in closely else worth
            for floors, (worth, stand) in enumerate(sights, start=1)
        ]
    )


def _close_look(patch: Patch, size: PyramidSize, floors: int, stand: Stand) -> float:
    """How well such a pyramid fits at best about there."""
    best = -np.inf
    for px, turn in NUDGES:
        best, stand = _best_near(patch, size, floors, stand, (-px, 0, px), turn)
    return best


def _best_near(
    patch: Patch, size: PyramidSize, floors: int, about: Stand, steps: Sequence[int], turn: float
) -> tuple[float, Stand]:
    """Where such a pyramid fits best, and how well, if it is moved by some of these steps (px) in both directions and
    turned so far either way, or not."""
    moves = [(x, y) for x in steps for y in steps]
    found = []
    for turned in (about.turn - turn, about.turn, about.turn + turn):
        worth = patch.explained(patch.faces(size, floors, about._replace(turn=turned)), moves)
        stands = [Stand(about.x + x * patch.px_mm, about.y + y * patch.px_mm, turned) for x, y in moves]
        worth -= [stand.cost for stand in stands]
        best = int(worth.argmax())
        found.append((float(worth[best]), stands[best]))
    return max(found)
