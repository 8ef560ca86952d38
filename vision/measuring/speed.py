"""How long reading and watching take, beside what any reader must do: straighten the board and look at its colours.

Times are the processor's, not the clock's: what else the machine does meanwhile does not count.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from statistics import median

import cv2

from companion.observation import Reading
from vision.finding.registration import BoardFinder, NotFound, Registration
from vision.frames import Frame, Picture, grey
from vision.grid import Canvas
from vision.measuring.changes import TURN_DEG, turn
from vision.reader import Reader
from vision.reading.die.reading import read_die
from vision.reading.die.sight import DieSight
from vision.reading.die.taught import TaughtTable
from vision.table import Table
from vision.watching.watcher import Watcher

ROUNDS = 9
"""The short calls are timed so often, and the median counts."""

ASIDE = 0.03
"""The share of a picture's width by which a bump moves it: some 30 mm on the board."""


@dataclass(frozen=True)
class StillTimes:
    """What one still cost, in seconds of the processor.

    unit: straightening the board with the maps ready, and converting it to Lab. read: a read with the board already
    found, and nothing changed beside it. die: looking for the die as when something has; die_found: whether there was
    one. detect: finding the frame's SIFT features; describe: the same with their descriptors. anew: finding the board
    in the frame turned by ``TURN_DEG`` and moved ``ASIDE``, from where it was before; found: whether it was.
    """

    unit: float
    read: float
    die: float
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
        self._without_die = TaughtTable.of(table.empty, table.corners_px, table.board.size_mm)
        self._die_sight = DieSight()

    def still(self, picture: Picture) -> StillTimes | None:
        """The times of one still, of the size that was taught; None when it cannot be read."""
        table = self._table
        reading, place = self._reader.read_with_registration(picture)
        if not reading.usable or place is None:
            return None
        shades = grey(picture)
        bumped = turn(picture, TURN_DEG, ASIDE)
        anew = self._finder.find(bumped, place.pose)
        look = partial(
            read_die, picture, place.corners_px(table), table.board.size_mm, self._without_die, self._die_sight
        )
        return StillTimes(
            unit=_median_seconds(_straighten(table.canvas, place, picture)),
            read=_median_seconds(partial(self._reader.read, picture), rounds=3),
            die=_median_seconds(look, rounds=3),
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


def _median_seconds(call: Callable[[], object], rounds: int = ROUNDS) -> float:
    taken = []
    for _ in range(rounds):
        begin = time.process_time()
        call()
        taken.append(time.process_time() - begin)
    return median(taken)
