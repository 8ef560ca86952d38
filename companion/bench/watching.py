"""How well filmed turns are followed, and bumps: hands noticed, how soon the board is read after that, how exactly."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from pathlib import Path

from companion.bench import goals
from companion.bench.goals import Goal, share
from companion.bench.scenes import FilmFrame, Still, read_recordings, read_stills
from companion.boards import Board
from companion.observation import Reading, Seen
from vision.frames import Frame, Picture, read_picture
from vision.measuring.changes import noise
from vision.measuring.evaluate import score
from vision.reader import Reader
from vision.table import Table
from vision.teaching.setup_folder import read_setup
from vision.teaching.teach import teach
from vision.watching.watcher import BoardReader, Look, Watcher

WAIT_GOAL, BUMP_GOAL = 0.6, 1.0
"""Seconds from the last frame with a hand, or from the last one before a bump, to the observation."""

LONGEST_WAIT = 5.0
"""So many seconds after the last frame with a hand nobody waits any more."""

SENSOR_NOISE = 1.5
"""Grey levels. A recording ends soon after the hand has left: its last picture is shown on, with noise of its own, as a
camera would give it."""

STEP, CALM = 0.25, 1.0
"""Seconds from one still to the next when they are shown as a camera would, and before it is bumped."""


@dataclass(frozen=True)
class Watched:
    """Counts over recordings, or bumps; they add up.

    hand: frames with a hand; noticed: those in which one was seen. clear: frames without; alarms: those in which one
    was seen nevertheless. waits: seconds from each recording's last hand, or the bump, to the picture that is read, in
    the time of its pictures; reading_seconds: the processor time that reading it then took on top, with what the
    pictures before it took longer than there was time until the next. unread: recordings without any observation after
    that. observations: all of them, the first one included; exact: those with every square right; wrong: the squares of
    the others, for people.
    """

    hand: int = 0
    noticed: int = 0
    clear: int = 0
    alarms: int = 0
    waits: tuple[float, ...] = ()
    reading_seconds: tuple[float, ...] = ()
    unread: int = 0
    observations: int = 0
    exact: int = 0
    wrong: tuple[str, ...] = ()

    def __add__(self, other: Watched) -> Watched:
        return Watched(**{one.name: getattr(self, one.name) + getattr(other, one.name) for one in fields(Watched)})


def measure(setup: Path, board_of: Callable[[str, str], Board]) -> tuple[dict[str, Watched], dict[str, Watched]]:
    """Teach from a set-up and watch its recordings, and how its camera is bumped from a still to the one after, each by
    its name. Raises BadSetup, BadPicture as teaching does."""
    table = teach(read_setup(setup, board_of))
    recordings = {name: watch(name, table, Reader(table), frames) for name, frames in read_recordings(setup).items()}
    bumps = {
        after.name: bump(table, Reader(table), before, after)
        for before, after in pairwise(read_stills(setup))
        if before.bumped != after.bumped
    }
    return recordings, bumps


def watch(name: str, table: Table, reader: BoardReader, frames: Sequence[FilmFrame]) -> Watched:
    """How well one recording is followed. name: of the recording, for people."""
    watcher = _TimedWatcher(table, reader)
    result = Watched()
    left = max((frame.t for frame in frames if frame.hand), default=None)
    for index, (frame, picture) in enumerate(_shown(frames)):
        look = watcher.process(Frame(picture, frame.t, frame.file.name))
        if index < len(frames):
            result += _sight(frame, look)
        if look.reading is None:
            continue
        result += _observation(f"{name}/{frame.file.name}", frame.seen, look.reading, table)
        if left is not None and frame.t > left:
            return result + Watched(waits=(frame.t - left,), reading_seconds=(watcher.busy,))
    return result + Watched(unread=int(left is not None))


def bump(table: Table, reader: BoardReader, before: Still, after: Still) -> Watched:
    """How soon, and how exactly, the board is read when the camera is bumped between two stills; that pieces and light
    change as well makes it no easier."""
    watcher = _TimedWatcher(table, reader)
    pictures = [read_picture(still.file) for still in (before, after)]
    for index in range(round((CALM + LONGEST_WAIT) / STEP)):
        t = index * STEP
        look = watcher.process(Frame(noise(pictures[t > CALM], index, SENSOR_NOISE), t))
        if t > CALM and look.reading is not None:
            result = _observation(after.name, after.seen, look.reading, table)
            return result + Watched(waits=(t - CALM,), reading_seconds=(watcher.busy,))
    return Watched(unread=1)


class _TimedWatcher:
    """A watcher that tells the processor time from when a frame was taken until it is known what that means."""

    def __init__(self, table: Table, reader: BoardReader) -> None:
        self._watcher = Watcher(table, reader)
        self._before, self.busy = -math.inf, 0.0

    def process(self, frame: Frame) -> Look:
        # What takes longer than there is time makes the next frame wait.
        late, self._before = max(self.busy - (frame.t - self._before), 0.0), frame.t
        begin = time.process_time()
        look = self._watcher.process(frame)
        self.busy = late + time.process_time() - begin
        return look


def _shown(frames: Sequence[FilmFrame]) -> Iterator[tuple[FilmFrame, Picture]]:
    """The frames with their pictures, and then the last one on and on."""
    for frame in frames:
        yield frame, read_picture(frame.file)
    last, step = frames[-1], frames[-1].t - frames[-2].t
    picture = read_picture(last.file)
    for index in range(round(LONGEST_WAIT / step)):
        yield replace(last, t=last.t + (index + 1) * step), noise(picture, index, SENSOR_NOISE)


def _sight(frame: FilmFrame, look: Look) -> Watched:
    seen = int(look.sight == "hands")
    return Watched(hand=1, noticed=seen) if frame.hand else Watched(clear=1, alarms=seen)


def _observation(name: str, seen: Seen, reading: Reading, table: Table) -> Watched:
    misses = score(reading, seen, table.board.squares).misses
    told = tuple(f"{name}, {miss.text()}" for miss in misses)
    return Watched(observations=1, exact=int(not misses), wrong=told)


def report(watched: Mapping[str, Watched], bumps: Mapping[str, Watched]) -> Iterator[str]:
    """A table of the recordings and bumps, by their names, and the goals."""
    yield f"{'':38}{'hands noticed':>15}{'said where none':>17}{'observed after':>16}{'and read in':>13}{'exact':>8}"
    for name, one in watched.items():
        yield f"{name:38}{f'{one.noticed}/{one.hand}':>15}{f'{one.alarms}/{one.clear}':>17}{_told(one)}"
    for name, one in bumps.items():
        yield f"{f'{name}, bumped':70}{_told(one)}"
    for one in (*watched.values(), *bumps.values()):
        yield from one.wrong
    yield ""
    yield from goals.lines(watch_goals(sum(watched.values(), Watched())))
    if bumps:
        yield from goals.lines(bump_goals(sum(bumps.values(), Watched())))


def _told(one: Watched) -> str:
    waits, reading = _seconds(one.waits), _seconds(one.reading_seconds)
    return f"{waits:>16}{reading:>13}{f'{one.exact}/{one.observations}':>8}"


def watch_goals(one: Watched) -> list[Goal]:
    """What watching should give, over all recordings."""
    return [
        Goal("frames with a hand, noticed", share(one.noticed, one.hand), "all", one.noticed == one.hand),
        Goal("frames without one, said to have one", share(one.alarms, one.clear), "none", one.alarms == 0),
        _wait_goal("seconds from the last hand to the still picture, at most", one, one.waits, WAIT_GOAL),
        _wait_goal("the same with the time that the reading then took here", one, _on_top(one), WAIT_GOAL),
        Goal("observations exact", share(one.exact, one.observations), "all", one.exact == one.observations),
    ]


def bump_goals(one: Watched) -> list[Goal]:
    """The same over all bumps."""
    return [
        _wait_goal("seconds from a bump to the observation, reading included", one, _on_top(one), BUMP_GOAL),
        Goal("observations after it exact", share(one.exact, one.observations), "all", one.exact == one.observations),
    ]


def _on_top(one: Watched) -> list[float]:
    return [wait + seconds for wait, seconds in zip(one.waits, one.reading_seconds, strict=True)]


def _wait_goal(what: str, one: Watched, waits: Sequence[float], most: float) -> Goal:
    never = f", {one.unread} never" * (one.unread > 0)
    met = not one.unread and max(waits, default=0.0) <= most + 1e-9
    return Goal(what, f"{_seconds(waits)}{never}", f"at most {most} s", met)


def _seconds(some: Iterable[float]) -> str:
    longest = max(some, default=None)
    return "" if longest is None else f"{longest:.2f} s"
