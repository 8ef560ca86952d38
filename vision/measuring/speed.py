"""How long reading and watching take, beside what any reader must do: straighten the board and look at its colours.

Times are the processor's, not the clock's: what else the machine does meanwhile does not count.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median

import cv2
import numpy as np

from companion.observation import Reading
from vision.finding.registration import BoardFinder, NotFound, Registration
from vision.frames import Frame, Picture, grey
from vision.geometry import Floats
from vision.grid import Canvas
from vision.measuring.changes import TURN_DEG, turn
from vision.reader import Reader
from vision.reading.die.reading import read_die
from vision.table import Table
from vision.watching.watcher import Watcher

ROUNDS = 9
"""The short calls are timed so often, and the median counts."""

THROWN = 0.03
"""How far round a die a picture is changed, as a share of its width."""
PALE: Sequence[float] = (220, 225, 230)
"""The colour of what lies beside the board where there is no die (BGR)."""

ASIDE = 0.03
"""The share of a picture's width by which a bump moves it: some 30 mm on the board."""


@dataclass(frozen=True)
class StillTimes:
    """What one still cost, in seconds of the processor.

    unit: straightening the board with the maps ready, and converting it to Lab. read: a read with the board already
    found, and the die thrown since the last one; where there is none, something taken away beside the board. again: the
    same with nothing changed beside it. die_found: whether there is a die. detect: finding the frame's SIFT features;
    describe: the same with their descriptors. anew: finding the board in the frame turned by ``TURN_DEG`` and moved
    ``ASIDE``, from where it was before; found: whether it was.
    """

    unit: float
    read: float
    again: float
    die_found: bool
    detect: float
    describe: float
    anew: float
    found: bool


def one_thread() -> None:
    """Let OpenCV use one thread, so that figures of machines with more or fewer cores can be compared."""
    cv2.setNumThreads(1)


class Stopwatch:
    """Times the parts of reading pictures of one table."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._reader = Reader(table)
        self._finder = BoardFinder(table)
        self._sift = cv2.SIFT.create()

    def still(self, picture: Picture) -> StillTimes | None:
        """The times of one still, of the size that was taught; None when it cannot be read."""
        table = self._table
        reading, place = self._reader.read_with_registration(picture)
        if not reading.usable or place is None:
            return None
        shades = grey(picture)
        bumped = turn(picture, TURN_DEG, ASIDE)
        anew = self._finder.find(bumped, place.pose)
        corners = place.corners_px(table)
        die = read_die(picture, corners, table.board.size_mm)
        before = _before_the_throw(picture, corners, die.centre_px)
        read = partial(self._reader.read, picture)
        return StillTimes(
            unit=_median_seconds(_straighten(table.canvas, place, picture)),
            read=_median_seconds(read, rounds=3, prepare=partial(self._reader.read, before)),
            again=_median_seconds(read, rounds=3),
            die_found=reading.die is not None,
            detect=_median_seconds(partial(self._sift.detect, shades, None), rounds=3),
            describe=_median_seconds(partial(self._sift.detectAndCompute, shades, None), rounds=3),
            anew=_median_seconds(partial(self._finder.find, bumped, place.pose), rounds=3),
            found=not isinstance(anew, NotFound),
        )


def frame_seconds(table: Table, frames: Iterable[Frame]) -> list[float]:
    """How long the watcher takes to notice hands and motion in each frame, the readings not counted: none is made."""
    watcher = Watcher(table, _NoReader(table))
    taken = []
    for frame in frames:
        begin = time.process_time()
        watcher.process(frame)
        taken.append(time.process_time() - begin)
    return taken


@dataclass(frozen=True)
class _NoReader:
    """Takes no time for any picture of a table."""

    table: Table

    def read(self, picture: Picture) -> Reading:
        return Reading(self.table.game, self.table.board.name)

    def expect(self, picture: Picture) -> None:
        pass

    def locate(self, picture: Picture) -> None:
        pass


def _straighten(canvas: Canvas, place: Registration, picture: Picture) -> Callable[[], object]:
    map_x, map_y = canvas.picture_map(place.lens, place.pose)

    def straighten() -> object:
        return cv2.cvtColor(cv2.remap(picture, map_x, map_y, cv2.INTER_LINEAR), cv2.COLOR_BGR2Lab)

    return straighten


def _before_the_throw(picture: Picture, corners_px: Floats, die_px: tuple[float, float] | None) -> Picture:
    """A picture with what is round the die in its place; where there is no die, with something pale in the middle of
    what is beside the board.

    corners_px: the board's.
    """
    reach = round(THROWN * picture.shape[1])
    if die_px is None:
        at, colour = _middle_beside(picture, corners_px), PALE
    else:
        at = round(die_px[0]), round(die_px[1])
        colour = _colour_round(picture, at, reach)
    return np.asarray(cv2.circle(picture.copy(), at, reach, colour, -1), np.uint8)


def _middle_beside(picture: Picture, corners_px: Floats) -> tuple[int, int]:
    """The place that is furthest from the board and from the picture's edges."""
    beside = np.ones(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(beside, np.round(corners_px).astype(np.int32), 0)
    beside[[0, -1]], beside[:, [0, -1]] = 0, 0
    x, y = cv2.minMaxLoc(cv2.distanceTransform(beside, cv2.DIST_L2, cv2.DIST_MASK_PRECISE))[3]
    return x, y


def _colour_round(picture: Picture, at: tuple[int, int], reach: int) -> Sequence[float]:
    """The usual colour of what is round a circle."""
    ring = np.zeros(picture.shape[:2], np.uint8)
    cv2.circle(ring, at, round(1.1 * reach), 1, -1)
    cv2.circle(ring, at, reach, 0, -1)
    return tuple(np.median(picture[ring > 0], axis=0).tolist())


def _median_seconds(
    call: Callable[[], object], rounds: int = ROUNDS, prepare: Callable[[], object] | None = None
) -> float:
    """prepare: what is called before each time, and not timed."""
    taken = []
    for _ in range(rounds):
        if prepare is not None:
            prepare()
        begin = time.process_time()
        call()
        taken.append(time.process_time() - begin)
    return median(taken)
