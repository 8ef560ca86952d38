"""Where frames come from: files, a folder of them, or anything that can be asked for a picture.

Every source has the same face: ``read`` gives the next frame, or None when there will be no more, and ``close`` gives
back what it holds. After ``close`` there are no more frames.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from companion.errors import BadPicture
from vision.frames import Frame, Picture, check_picture, read_picture

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp"})
"""Files with these endings, in capitals or not, are pictures."""


class Source(Protocol):
    """A stream of frames; their times never go back."""

    def read(self) -> Frame | None:
        """The next frame; None when there will be no more.

        Raises BadPicture for one that is missing or broken; the next call goes on after it.
        """

    def close(self) -> None:
        """Give back what the source holds. May be called more than once."""


class Files:
    """Picture files, one frame each, in the order given.

    fps: how many were taken a second; the first is taken at 0.
    """

    def __init__(self, paths: Sequence[Path], fps: float = 4.0) -> None:
        if not fps > 0:
            raise ValueError(f"fps must be a positive number of pictures a second, not {fps}")
        self._paths = list(paths)
        self._fps = fps
        self._next = 0

    def __len__(self) -> int:
        return len(self._paths)

    def read(self) -> Frame | None:
        if self._next >= len(self._paths):
            return None
        path, t = self._paths[self._next], self._next / self._fps
        self._next += 1
        return Frame(read_picture(path), t, path.name)

    def close(self) -> None:
        self._next = len(self._paths)


def folder(path: Path, fps: float = 4.0) -> Files:
    """All pictures of a folder, sorted by name. Raises BadPicture when there is no such folder or no picture in it."""
    try:
        found = sorted(entry for entry in path.iterdir() if entry.suffix.lower() in SUFFIXES)
    except OSError as error:
        raise BadPicture(f"{path}: the folder of frames cannot be read ({error.strerror})") from None
    if not found:
        raise BadPicture(
            f"{path}: no pictures in this folder; files that end in {', '.join(sorted(SUFFIXES))} are read"
        )
    return Files(found, fps)


class Live:
    """Pictures taken one after the other by whatever takes pictures: a camera, its simulated twin.

    capture: takes a picture; it may block until there is one, and raises for a camera that fails. clock: tells the time
    in seconds. fps: no more than so many a second are asked for. wait: sleeps for so many seconds. on_close: called
    once.
    """

    def __init__(
        self,
        capture: Callable[[], Picture],
        clock: Callable[[], float] = time.monotonic,
        fps: float = 4.0,
        wait: Callable[[float], None] = time.sleep,
        on_close: Callable[[], None] = lambda: None,
    ) -> None:
        if not fps > 0:
            raise ValueError(f"fps must be a positive number of pictures a second, not {fps}")
        self._capture = capture
        self._clock = clock
        self._wait = wait
        self._on_close = on_close
        self._period = 1.0 / fps
        self._due = -math.inf
        self._open = True

    def read(self) -> Frame | None:
        if not self._open:
            return None
        now = self._clock()
        if now < self._due:
            self._wait(self._due - now)
            now = self._clock()
        # A slow reader gets fewer frames, never old ones.
        self._due = (self._due if now - self._due < self._period else now) + self._period
        return Frame(check_picture(self._capture(), "camera"), now)

    def close(self) -> None:
        if self._open:
            self._open = False
            self._on_close()
