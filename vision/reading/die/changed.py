"""Where beside the board something has changed since the die was looked for: nowhere else can it have come or gone."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Part, Picture, least_and_most
from vision.geometry import Floats
from vision.reading.die.templates import Grey

CELL_PX = 8
CHANGED = 8
"""Grey levels by which a cell must differ: a pip that comes or goes changes its cell by more, noise by less."""
NEAR_CELLS = 1
"""A die that has come may reach so far beyond the cells that differ by as much."""
AROUND_MM = 60.0
"""So much of what is round them is looked at: a cube, as far as it is searched for from there; its upper face, if what
is there is a side; and enough of the table to tell how white a thing is on it."""
MOST = 0.25
"""Where that is a larger share of the picture, all of it may as well be looked at."""


@dataclass(frozen=True, eq=False)
class Region:
    """A part of a picture, and where in it the die is looked for: in its cells that are not 0."""

    part: Part
    there: Grey

    @property
    def start_px(self) -> tuple[int, int]:
        rows, columns = self.part
        return columns.start, rows.start

    def within(self, shape: tuple[int, ...]) -> NDArray[np.bool_]:
        """Where the die is looked for in a layer of the part, of this height and width."""
        return np.asarray(cv2.resize(self.there, shape[1::-1], interpolation=cv2.INTER_NEAREST) > 0)


def cells_of(picture: Picture, corners_px: Floats) -> Picture:
    """A picture as small as it is compared with another, without what is on the board: there are no dice."""
    height, width = picture.shape[:2]
    # Every other row tells as much, for half of the time; and the mean of two by two first takes a quarter less.
    half = cv2.resize(picture[::2], (width // 2, height // 4), interpolation=cv2.INTER_AREA)
    cells = cv2.resize(half, (width // CELL_PX, height // CELL_PX), interpolation=cv2.INTER_AREA)
    cv2.fillConvexPoly(cells, np.round(corners_px / CELL_PX).astype(np.int32), (0, 0, 0))
    return np.asarray(cells, np.uint8)


def changed_cells(before: Picture, now: Picture) -> NDArray[np.bool_] | None:
    """Which cells differ; None where none does."""
    differ = cv2.absdiff(before, now)
    # Mostly none does, and that is quickly told.
    if differ.max() < CHANGED:
        return None
    return np.asarray(least_and_most(np.asarray(differ, np.uint8))[1] >= CHANGED)


def changed_regions(
    changed: NDArray[np.bool_], brighter: Picture, size_px: tuple[int, int], px_per_mm: float
) -> list[Region] | None:
    """The regions about cells that differ, or are to be looked at with those; the one first in which something has
    become brightest. None where they are so much of the picture that all of it may as well be looked at.

    changed: which cells; brighter: by how much each is brighter than it was. size_px: the picture's width and height;
    px_per_mm: of its pixels, on average.
    """
    there = cv2.dilate(changed.astype(np.uint8), _square(NEAR_CELLS))
    around = _square(int(np.ceil(AROUND_MM * px_per_mm / CELL_PX)))
    # The first of the boxes is that of all the rest.
    boxes = cv2.connectedComponentsWithStats(cv2.dilate(there, around))[2][1:, :4].tolist()
    cells = [(slice(top, top + high), slice(left, left + wide)) for left, top, wide, high in boxes]
    cells.sort(key=lambda part: -int(brighter[part].max()))
    regions = [Region(_part(some, there.shape, size_px[::-1]), np.asarray(there[some], np.uint8)) for some in cells]
    area = sum((rows.stop - rows.start) * (columns.stop - columns.start) for rows, columns in (r.part for r in regions))
    return regions if area <= MOST * size_px[0] * size_px[1] else None


def _part(cells: Part, many: tuple[int, ...], sides: tuple[int, int]) -> Part:
    """The part of a picture with such sides (height and width) that so many cells in it show."""
    rows, columns = (
        slice(some.start * side // count, some.stop * side // count)
        for some, side, count in zip(cells, sides, many, strict=True)
    )
    return rows, columns


def _square(reach: int) -> Grey:
    return np.ones((2 * reach + 1,) * 2, np.uint8)
