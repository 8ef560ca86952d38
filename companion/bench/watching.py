"""How well filmed turns are followed: hands noticed, how soon the board is read after they left, and how exactly."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from companion.bench import goals
from companion.bench.goals import Goal, share
from companion.bench.scenes import FilmFrame, read_recordings
from companion.boards import Board
from companion.observation import Reading
from vision.changes import noise
from vision.evaluate import score
from vision.frames import Frame, Picture, read_picture
from vision.reader import Reader
from vision.setup_folder import read_setup
from vision.table import Table
from vision.teaching import teach
from vision.watcher import BoardReader, Look, Watcher

WAIT_GOAL = 0.6
"""Seconds from the last frame with a hand to the observation."""

LONGEST_WAIT = 5.0
"""So many seconds after the last frame with a hand nobody waits any more."""

SENSOR_NOISE = 1.5
"""Grey levels. A recording ends soon after the hand has left: its last picture is shown on, with noise of its own, as a
camera would give it."""


@dataclass(frozen=True)
class Watched:
    """Counts over recordings; they add up.

    hand: frames with a hand; noticed: those in which one was seen. clear: frames without; alarms: those in which one
    was seen nevertheless. waits: seconds from each recording's last hand to the picture that is read, in the time of
    its pictures; reading_seconds: the processor time that reading it then took on top, with what the pictures before it
    took longer than there was time until the next. unread: recordings without any observation after the hand.
    observations: all of them, the first one included; exact: those with every square right; wrong: the squares of the
    others, for people.
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


def measure(setup: Path, board_of: Callable[[str, str], Board]) -> Iterator[tuple[str, Watched]]:
    """Teach from a set-up and watch its recordings, each by its name. Raises BadSetup, BadPicture as teaching does."""
    recordings = read_recordings(setup)
    if recordings:
        table = teach(read_setup(setup, board_of))
        for name, frames in recordings.items():
            yield name, watch(name, table, Reader(table), frames)


def watch(name: str, table: Table, reader: BoardReader, frames: Sequence[FilmFrame]) -> Watched:
    """How well one recording is followed. name: of the recording, for people."""
    watcher = Watcher(table, reader)
    result = Watched()
    left = max((frame.t for frame in frames if frame.hand), default=None)
    before, busy = frames[0].t, 0.0
    for index, (frame, picture) in enumerate(_shown(frames)):
        late, before = max(busy - (frame.t - before), 0.0), frame.t
        begin = time.process_time()
        look = watcher.process(Frame(picture, frame.t, frame.file.name))
        busy = late + time.process_time() - begin
        if index < len(frames):
            result += _sight(frame, look)
        if look.reading is None:
            continue
        result += _observation(name, frame, look.reading, table)
        if left is not None and frame.t > left:
            return result + Watched(waits=(frame.t - left,), reading_seconds=(busy,))
    return result + Watched(unread=int(left is not None))


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


def _observation(name: str, frame: FilmFrame, reading: Reading, table: Table) -> Watched:
    misses = score(reading, frame.seen, table.board.squares).misses
    told = tuple(f"{name}/{frame.file.name}, {miss.text()}" for miss in misses)
    return Watched(observations=1, exact=int(not misses), wrong=told)


def report(watched: Mapping[str, Watched]) -> Iterator[str]:
    """A table of the recordings, by their names, and the goals."""
    yield (f"{'':22}{'hands noticed':>15}{'said where none':>17}{'observed after':>16}{'and read in':>13}{'exact':>8}")
    for name, one in watched.items():
        waits, reading = _seconds(one.waits), _seconds(one.reading_seconds)
        yield (
            f"{name:22}{f'{one.noticed}/{one.hand}':>15}{f'{one.alarms}/{one.clear}':>17}{waits:>16}{reading:>13}"
            f"{f'{one.exact}/{one.observations}':>8}"
        )
    for one in watched.values():
        yield from one.wrong
    yield ""
    yield from goals.lines(watch_goals(sum(watched.values(), Watched())))


def watch_goals(one: Watched) -> list[Goal]:
    """What watching should give, over all recordings."""
    on_top = [wait + seconds for wait, seconds in zip(one.waits, one.reading_seconds, strict=True)]
    return [
        Goal("frames with a hand, noticed", share(one.noticed, one.hand), "all", one.noticed == one.hand),
        Goal("frames without one, said to have one", share(one.alarms, one.clear), "none", one.alarms == 0),
        _wait_goal("seconds from the last hand to the still picture, at most", one, one.waits),
        _wait_goal("the same with the time that the reading then took here", one, on_top),
        Goal("observations exact", share(one.exact, one.observations), "all", one.exact == one.observations),
    ]


def _wait_goal(what: str, one: Watched, waits: Sequence[float]) -> Goal:
    never = f", {one.unread} never" * (one.unread > 0)
    met = not one.unread and max(waits, default=0.0) <= WAIT_GOAL + 1e-9
    return Goal(what, f"{_seconds(waits)}{never}", f"at most {WAIT_GOAL} s", met)


def _seconds(some: Iterable[float]) -> str:
    longest = max(some, default=None)
    return "" if longest is None else f"{longest:.2f} s"
