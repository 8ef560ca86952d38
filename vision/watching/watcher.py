"""When to read: follows a stream of frames and reads the board each time it has just settled."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board
from companion.observation import Reading, mean_reading
from vision.frames import Frame, Picture, check_picture, mean_picture
from vision.watching.hands import MIN_AREA_SQUARES, Changes, HandFinder
from vision.watching.stillness import (
    WORK_WIDTH_PX,
    Levels,
    Small,
    largest_px,
    moved,
    moved_along,
    share_percent,
    shrink,
)

SETTLE_SECONDS = 0.24
"""How long everything must be still after hands or pieces moved. Four pictures a second give two still ones."""

DOUBT_SECONDS = 1.5
"""The same after a change that neither hands nor pieces explain: another lamp."""

KNOCKED_SECONDS = 0.5
"""The same after such a change when the board is found elsewhere: the camera was knocked, and may swing a little."""

THING_SECONDS = 3.0
"""The same for something new at the picture's edge that is no skin and does not touch the board."""

REST_SECONDS = 10.0
"""The same for what looks like a hand. Supplies beside a ship at the board's edge may look like an arm for ever, or
light on the table: so the reader is asked then, who knows what lies over the board; and again after so long."""

RETRY_SECONDS = 1.0
"""When the reader could not use a still picture, it is shown another one after this time."""

AGAIN_SECONDS, MOST_READINGS = 1.5, 8
"""While what was read is doubted it is read again from fresh pictures, so often at most, with so long in between: what
hardly shows is there in one and not in the next, and the mean of their readings is what is known then."""

FROZEN_SECONDS = 5.0
"""A real camera's pictures differ by their noise; the same one for so long comes from a camera that hangs."""

MEAN_OF = 4
"""What is read is the mean of so many still pictures, or of those there are: noise comes and goes, pieces stay."""

DARK_LEVEL = 8.0
"""Mean grey level below which a picture is black."""

FLAT_LEVELS = 3.0
"""Standard deviation in grey levels below which there is nothing in a picture."""

BOARD_MOVED_PX = 0.25
"""In the small picture: as much as corners may be off from where they were before the camera has moved."""

_ADAPT = 0.1
"""The share of a slow change that is taken over from each frame."""

MEASURES = ("moved_percent", "hand_percent", "changed_squares", "spread_percent", "light_percent")
"""What each frame is measured by: how much of the picture moved since the last frame; how much is covered by hands; the
largest change since the table was last settled, in squares of the board; how many of the picture's tiles have a change;
by how much the light changed."""

Sight = Literal["hands", "moving", "still", "unusable"]


class Taught(Protocol):
    """What the watcher needs of a table (``vision.table.Table``)."""

    @property
    def board(self) -> Board: ...
    @property
    def corners_px(self) -> NDArray[np.float64]: ...
    @property
    def empty(self) -> Picture: ...


class BoardReader(Protocol):
    """What the watcher needs of a reader (``vision.reader.Reader``)."""

    def read(self, picture: Picture) -> Reading:
        """What is on the board."""
        ...

    def expect(self, picture: Picture) -> None:
        """Do what can be done before the next picture is to be read, by one without a hand that came shortly before."""
        ...

    def locate(self, picture: Picture) -> NDArray[np.float64] | None:
        """The board's corners in a picture (4 x 2, px); None when it is not found."""
        ...


@dataclass(frozen=True)
class Look:
    """What one frame meant.

    t, name: of the frame. sight: what can be seen. reading: exactly when the board has just settled, or was read again.
    reason: for people, when the picture is unusable. measures: see ``MEASURES``; none when nothing can be seen. again:
    whether the reading is of a board that was read before: the mean of all that were made of it.
    """

    t: float
    name: str | None
    sight: Sight
    reading: Reading | None = None
    reason: str | None = None
    measures: Mapping[str, float] = field(default_factory=dict)
    again: bool = False


class Watcher:
    """Takes frames in the order in which they were taken and reads those in which the board has settled.

    table: what was taught. reader: is given the mean of the last still frames to read.
    """

    def __init__(self, table: Taught, reader: BoardReader) -> None:
        empty = shrink(check_picture(table.empty, "the table's empty picture"))
        corners = _small_px(np.asarray(table.corners_px, np.float64), table.empty)
        size, square = table.board.size_mm, table.board.square_mm
        board_px = float(cv2.contourArea(corners.astype(np.float32)))
        self._square_px = board_px * square[0] * square[1] / (size[0] * size[1])
        self._corners = corners
        self._finder = HandFinder(empty, corners, self._square_px)
        self._shape = empty.shape
        self._reader = reader
        self._settled: Levels | None = None
        self._before: Small | None = None
        self._still = deque[Picture](maxlen=MEAN_OF)
        self._unread = True
        self._readings: list[Reading] = []
        self._still_since = 0.0
        self._sought = self._knocked = False
        self._same_since = 0.0
        self._asked = -RETRY_SECONDS
        self._refused: str | None = None
        self._last: tuple[Frame, Look, Changes | None] | None = None

    def process(self, frame: Frame, doubted: bool = False) -> Look:
        """What a frame means. doubted: whether nobody can make sense of what was read last: as long as nothing changes
        it is read again, see ``AGAIN_SECONDS``. Raises BadPicture for an array of the wrong type or shape."""
        small = shrink(check_picture(frame.picture, frame.name or "frame"))
        if small.shape != self._shape:
            return Look(frame.t, frame.name, "unusable", reason="the picture is another camera's than the table's")
        moved_percent = self._motion(small, frame.t)
        if self._still and self._still[0].shape != frame.picture.shape:
            self._still.clear()
        self._still.append(frame.picture)
        trouble = self._trouble(small, frame.t)
        if trouble is not None:
            self._unread = True
            look, changes = Look(frame.t, frame.name, "unusable", reason=trouble), None
        else:
            changes = self._changes(frame, small)
            look = self._judge(frame, small, changes, _measures(moved_percent, changes), doubted)
        self._before = small
        self._last = (frame, look, changes)
        return look

    def finish(self) -> Look | None:
        """The end of a recording: nothing can move any more, so that its last frame has settled if no hand is in it.

        Returns None when that frame has a hand in it, is unusable, or has been read already.
        """
        if self._last is None or self._before is None:
            return None
        frame, look, changes = self._last
        if changes is None or not self._unread or look.sight in ("hands", "unusable") or self._odd(changes):
            return None
        return self._ask(frame, self._before, changes, look.measures)

    def read_anew(self) -> None:
        """Read the board once more as soon as it is seen to be settled, though nothing has changed: no pictures came
        for a while, and what was read before counts no more."""
        self._unread = True
        self._still.clear()

    def _judge(
        self, frame: Frame, small: Small, changes: Changes, measures: Mapping[str, float], doubted: bool
    ) -> Look:
        still_for = frame.t - self._still_since
        since_asked = frame.t - self._asked if changes.has("hand") else math.inf
        if min(still_for, since_asked) < self._hands_wait(changes):
            self._unread = True
            return Look(frame.t, frame.name, "hands", measures=measures)
        if changes.parts:
            self._unread = True
        if not self._unread:
            self._adapt(small, changes)
            more = doubted and len(self._readings) < MOST_READINGS
            if more and frame.t - self._asked >= AGAIN_SECONDS:
                return self._ask(frame, small, changes, measures)
            return Look(frame.t, frame.name, "still", measures=measures)
        if still_for < self._settle_wait(changes):
            self._reader.expect(frame.picture)
            return Look(frame.t, frame.name, "moving", measures=measures)
        if self._refused is not None and frame.t - self._asked < RETRY_SECONDS:
            return Look(frame.t, frame.name, "unusable", reason=self._refused, measures=measures)
        return self._ask(frame, small, changes, measures)

    def _ask(self, frame: Frame, small: Small, changes: Changes, measures: Mapping[str, float]) -> Look:
        """Read a settled frame, and remember how the table looks now; read it again if it is what was read last."""
        reading = self._reader.read(mean_picture(self._still))
        self._asked = frame.t
        if not reading.usable and not self._unread:
            # What was read before stands.
            return Look(frame.t, frame.name, "still", measures=measures)
        if not reading.usable:
            self._refused = reading.reason or "the picture cannot be read"
            if changes.has("hand"):
                return Look(frame.t, frame.name, "hands", measures=measures)
            return Look(frame.t, frame.name, "unusable", reason=self._refused, measures=measures)
        again = not self._unread
        self._readings = [*self._readings, reading] if again else [reading]
        self._refused = None
        self._unread = self._knocked = False
        if reading.board_corners_px is not None:
            corners = _small_px(np.array(reading.board_corners_px, np.float64), frame.picture)
            if self._moved(corners):
                self._follow(corners)
        self._settled = small.astype(np.float32)
        return Look(frame.t, frame.name, "still", mean_reading(self._readings), measures=measures, again=again)

    def _changes(self, frame: Frame, small: Small) -> Changes:
        """What is new in a frame. Where the camera may have been knocked, and was, what is new but for that: at the
        picture's edges it looks like hands."""
        changes = self._finder.changes(small, self._settled, self._knocked)
        if self._sought or frame.t <= self._still_since or not (changes.has("hand") or self._odd(changes)):
            return changes
        self._sought = True
        corners = self._reader.locate(frame.picture)
        if corners is None or not self._moved(corners := _small_px(corners, frame.picture)):
            return changes
        self._knocked = True
        if self._settled is not None:
            self._settled = moved_along(self._settled, small, self._corners, corners)
        self._follow(corners)
        return self._finder.changes(small, self._settled, self._knocked)

    def _follow(self, corners: NDArray[np.float64]) -> None:
        """The board has its corners there now (small px)."""
        self._corners = corners
        self._finder.board_moved(corners)

    def _moved(self, corners: NDArray[np.float64]) -> bool:
        """Whether the board, with its corners there (small px), is not where it was read last."""
        return float(np.abs(corners - self._corners).max()) > BOARD_MOVED_PX

    def _hands_wait(self, changes: Changes) -> float:
        """How long what may be hands must be still to be taken for none, or for the reader to be asked."""
        if changes.everywhere:
            return 0.0
        if changes.has("hand"):
            # At first all supplies are new, and nothing is lost when the reader is asked too soon.
            return THING_SECONDS if self._settled is None else REST_SECONDS
        if self._knocked:
            # What stands up at the picture's edge is seen from elsewhere then, and looks new.
            return 0.0
        return REST_SECONDS if changes.has("fingers") else THING_SECONDS if changes.has("thing") else 0.0

    def _settle_wait(self, changes: Changes) -> float:
        """How long everything must be still for the board to be read."""
        if self._knocked:
            return KNOCKED_SECONDS
        if self._odd(changes):
            return DOUBT_SECONDS
        first = self._settled is None and self._before is None
        return 0.0 if first else SETTLE_SECONDS

    def _odd(self, changes: Changes) -> bool:
        """Whether neither hands nor pieces explain what has changed."""
        return changes.everywhere or changes.has("big", "thing", "fingers")

    def _adapt(self, small: Small, changes: Changes) -> None:
        """Follow the slow change of daylight, where nothing else has changed."""
        assert self._settled is not None
        far = cv2.erode((~changes.mask).astype(np.uint8), np.ones((7, 7), np.uint8))
        cv2.accumulateWeighted(small, self._settled, _ADAPT, far)

    def _motion(self, small: Small, t: float) -> float:
        """How much of the picture moved since the last frame, in %; notes since when nothing does."""
        if self._before is None:
            self._still_since = self._same_since = t
            return 0.0
        if not np.array_equal(small, self._before):
            self._same_since = t
        motion, least = moved(small, self._before), MIN_AREA_SQUARES * self._square_px
        if np.count_nonzero(motion) > least and largest_px(motion) > least:
            self._still_since = t
            self._sought, self._refused = False, None
            self._still.clear()
            self._unread = True
        return share_percent(motion)

    def _trouble(self, small: Small, t: float) -> str | None:
        """Why a frame can show nothing at all."""
        level, deviation = (float(of[0, 0]) for of in cv2.meanStdDev(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)))
        if level < DARK_LEVEL:
            return "the picture is black: is the lens covered, or the light off?"
        if deviation < FLAT_LEVELS:
            return "there is nothing in the picture: is something in front of the lens?"
        if t - self._same_since >= FROZEN_SECONDS:
            return "the camera gives the same picture again and again; unplug it and plug it in again"
        return None


def _small_px(points_px: NDArray[np.float64], picture: Picture) -> NDArray[np.float64]:
    """Points of a picture (N x 2) in its small copy."""
    return np.asarray((points_px + 0.5) * (WORK_WIDTH_PX / picture.shape[1]) - 0.5)


def _measures(moved_percent: float, changes: Changes) -> dict[str, float]:
    numbers = (
        moved_percent,
        changes.hand_percent,
        max((part.squares for part in changes.parts), default=0.0),
        100 * changes.spread,
        100 * changes.light,
    )
    return dict(zip(MEASURES, numbers, strict=True))
