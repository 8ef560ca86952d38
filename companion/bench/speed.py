"""How fast pictures are read and watched here, as ratios to what any reader must do in the same run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from companion.bench import goals
from companion.bench.goals import Goal
from companion.bench.memory import added_mb
from companion.bench.scenes import read_recordings, read_stills
from companion.boards import Board
from vision.frames import Frame, read_picture
from vision.measuring.changes import TURN_DEG
from vision.measuring.speed import StillTimes, Stopwatch, frame_seconds
from vision.teaching.setup_folder import read_setup
from vision.teaching.teach import teach

READ_GOAL = 4.0
FRAME_GOAL = 0.5
ANEW_GOAL = 2.0
MEMORY_GOAL_MB = 150.0

MEMORY_PICTURES = 5


@dataclass(frozen=True)
class Speed:
    """What was measured over stills and frames; it adds up.

    stills: the times of each that could be read. unread: stills that could not. frames: seconds that noticing hands and
    motion took for each frame of the recordings. memory_mb: what a reader adds, for each table.
    """

    stills: tuple[StillTimes, ...] = ()
    unread: int = 0
    frames: tuple[float, ...] = ()
    memory_mb: tuple[float, ...] = ()

    def __add__(self, other: Speed) -> Speed:
        return Speed(**{one.name: getattr(self, one.name) + getattr(other, one.name) for one in fields(Speed)})


def measure(setup: Path, board_of: Callable[[str, str], Board]) -> Speed:
    """Teach from a set-up, and time its stills and the frames of its recordings. Raises BadSetup, BadPicture as
    teaching and reading do, StartError where memory cannot be measured."""
    table = teach(read_setup(setup, board_of))
    watch = Stopwatch(table)
    stills = read_stills(setup)
    times = [watch.still(read_picture(still.file)) for still in stills]
    frames = [
        seconds
        for film in read_recordings(setup).values()
        for seconds in frame_seconds(table, (Frame(read_picture(frame.file), frame.t) for frame in film))
    ]
    with TemporaryDirectory() as folder:
        table.save(Path(folder))
        memory = added_mb(Path(folder), [still.file for still in stills[:MEMORY_PICTURES]])
    return Speed(tuple(one for one in times if one), times.count(None), tuple(frames), (memory,))


def report(speed: Speed) -> Iterator[str]:
    """A line for each part: milliseconds, and the ratio to what it is compared with, with its goal."""
    some = speed.stills
    if not some:
        yield "no still could be read, so that there is nothing to time"
        return
    yield f"medians of {len(some)} stills and {len(speed.frames)} frames, processor time; {speed.unread} not readable"
    for what, seconds in (
        ("straightening the board (maps ready) and Lab: 1", [one.unit for one in some]),
        ("SIFT on the frame, its features: 1 for finding the board", [one.detect for one in some]),
        ("SIFT on the frame, features and descriptors", [one.describe for one in some]),
        ("a read where something was taken away, with no die", [one.read for one in some if not one.die_found]),
    ):
        if seconds:
            yield f"{what:<58}{_ms(seconds):>20}"
    yield from goals.lines(speed_goals(speed))


def speed_goals(speed: Speed) -> list[Goal]:
    """What has a goal. There must be a still."""
    some = speed.stills
    unit, detect = (median(times) for times in ([one.unit for one in some], [one.detect for one in some]))
    found = sum(one.found for one in some)
    most = max(speed.memory_mb)
    thrown = [one.read for one in some if one.die_found]
    parts = [_part("a read with the board already found", [one.again for one in some], unit, READ_GOAL)]
    if thrown:
        parts.append(_part("… after a throw", thrown, unit, READ_GOAL))
    if speed.frames:
        parts.append(_part("noticing hands and motion, a frame", speed.frames, unit, FRAME_GOAL))
    return [
        *parts,
        _part(
            f"finding the board bumped by {TURN_DEG:g} degrees and some 30 mm",
            [one.anew for one in some],
            detect,
            ANEW_GOAL,
        ),
        Goal("… where it was found", f"{found}/{len(some)}", "all", found == len(some)),
        Goal("memory that a reader adds", f"{most:.0f} MB", f"below {MEMORY_GOAL_MB:g} MB", most < MEMORY_GOAL_MB),
    ]


def _part(what: str, seconds: Sequence[float], unit: float, most: float) -> Goal:
    ratio = median(seconds) / unit
    return Goal(what, f"{_ms(seconds)} = {ratio:.2f}", f"at most {most:g}", ratio <= most)


def _ms(seconds: Sequence[float]) -> str:
    return f"{median(seconds) * 1e3:.1f} ms"
