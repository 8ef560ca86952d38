"""The die is looked for again only when something has changed beside the board, and mostly only there: it rests for
most of a turn. And where something has, it is looked for before the table has settled."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.geometry import Floats
from vision.reading.die.changed import CELL_PX, cells_of, changed_cells, changed_regions
from vision.reading.die.fits import Fit
from vision.reading.die.reading import DieReading, find_again, find_die, no_die
from vision.reading.die.sight import DieSight
from vision.reading.die.taught import TaughtTable
from vision.reading.die.templates import EDGE_MM
from vision.reading.die.view import DieView

MOVED_PX = 0.5
SURE = 0.95
"""What is less sure before the table has settled is looked at again: what is read then has less noise. And where what
there was, or what there is, is less sure than that, it does not do to look at what has changed."""
TOUCHED_MM = 1.5 * EDGE_MM
"""What has changed so near to the middle of a die's upper face may have changed what is seen of the die."""

_GONE = np.zeros((0, 0, 3), np.uint8)
"""In place of pictures, which take memory."""


@dataclass(frozen=True, eq=False)
class _Look:
    """What was found when the die was looked for.

    cells: the picture (``cells_of``) as it was then, but where it was looked at since. view: as it was seen.
    """

    cells: Picture
    corners_px: Floats
    view: DieView
    found: DieReading

    @property
    def is_clear(self) -> bool:
        """Whether it was sure what there was, and is known where."""
        return _is_sure(self.found) and (self.found.die is None or len(self.found.fits) > 0)

    @property
    def px_per_mm(self) -> float:
        return self.view.white.px_per_mm / self.view.white.scale


class DieMemory:
    """Reads the die, and remembers what it read for as long as nothing changes."""

    def __init__(self, taught: TaughtTable | None = None) -> None:
        """taught: the table as it was taught, None where that is not known."""
        self._taught, self._sight = taught, DieSight()
        self._last: _Look | None = None

    def read(self, picture: Picture, corners_px: Floats, board_mm: tuple[float, float]) -> DieReading:
        """As ``read_die``."""
        cells, last = cells_of(picture, corners_px), self._last
        if last is not None and _can_be_compared(last, cells, corners_px):
            changed = changed_cells(last.cells, cells)
            if changed is None:
                return last.found
            if (look := _look_there(changed, last, picture, cells)) is not None:
                self._last = look
                return look.found
        view = DieView.of(picture, corners_px, board_mm, self._taught, self._sight)
        if view is None:
            return no_die()
        found = find_die(view, corners_px)
        self._last = _Look(cells, corners_px, replace(view, picture=_GONE, sharp=_GONE), found)
        return found

    def expect(self, picture: Picture, corners_px: Floats, board_mm: tuple[float, float]) -> None:
        """The same in a picture in which the table may not have settled: what is sure of it is remembered."""
        before = self._last
        found = self.read(picture, corners_px, board_mm)
        if not _is_sure(found):
            self._last = before


def _is_sure(found: DieReading) -> bool:
    return found.odds[found.die] >= SURE


def _can_be_compared(last: _Look, cells: Picture, corners_px: Floats) -> bool:
    """Whether the camera is where it was."""
    return last.cells.shape == cells.shape and float(np.abs(last.corners_px - corners_px).max()) < MOVED_PX


def _look_there(changed: NDArray[np.bool_], last: _Look, picture: Picture, cells: Picture) -> _Look | None:
    """What is found if only what has changed is looked at; None if all of the picture has to be.

    changed: which cells.
    """
    if not last.is_clear:
        return None
    untouched, there = _told_apart(last, changed)
    brighter = np.asarray(cv2.subtract(cells, last.cells), np.uint8)
    regions = changed_regions(there, brighter, picture.shape[1::-1], last.px_per_mm)
    if regions is None:
        return None
    views = (last.view.of_region(picture, last.corners_px, region) for region in regions)
    found = find_again(views, last.view.camera, untouched)
    if found is None or not _is_sure(found):
        return None
    return replace(last, cells=np.where(changed[..., None], cells, last.cells), found=found)


def _told_apart(last: _Look, changed: NDArray[np.bool_]) -> tuple[list[Fit], NDArray[np.bool_]]:
    """The fits that are as they were, as nothing near them has changed; and the cells in which the others may still be:
    those that have changed, and all that such a die covers, of which only a part may have."""
    far = cv2.distanceTransform((~changed).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    cells_per_mm = last.px_per_mm / CELL_PX
    fits, there = last.found.fits, changed.astype(np.uint8)
    places = last.view.camera.px(np.array([fit.centre_mm for fit in fits])) / CELL_PX if fits else ()
    untouched = []
    for fit, place in zip(fits, places, strict=True):
        row, column = (min(max(int(at), 0), side - 1) for at, side in zip(place[::-1], far.shape, strict=True))
        if far[row, column] >= TOUCHED_MM * cells_per_mm:
            untouched.append(fit)
        else:
            cv2.circle(there, (column, row), math.ceil(EDGE_MM * cells_per_mm), 1, -1)
    return untouched, there > 0
