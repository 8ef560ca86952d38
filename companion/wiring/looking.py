"""From the camera's frames to what the session is told."""

from __future__ import annotations

from companion.errors import CompanionError
from companion.observation import Reading
from companion.table.outside import Happening, Settled, Watching
from companion.table.snapshot import Snapshot
from vision.frames import Picture, encode_jpeg
from vision.overlay import cover_ships
from vision.sources import Source
from vision.table import Table
from vision.watching.watcher import Watcher


class Looker:
    """Takes one frame after the other and says what is new: what the camera is at, and each settled reading.

    Reading takes a while, in which no frame is looked at. So what the camera is at in the frame after it is told in any
    case: only then is it known whether the board has stayed as it was read.
    """

    def __init__(self, source: Source, watcher: Watcher, table: Table) -> None:
        self._source = source
        self._watcher = watcher
        self._table = table
        self._last: Watching | None = None
        self._doubted = False

    def signal(self, snapshot: Snapshot) -> None:
        """What the page shows now: while something is in doubt there, the board is read again. May be called from any
        thread."""
        self._doubted = snapshot["status"]["kind"] == "doubt"

    def look(self) -> list[Happening] | None:
        """What the next frame means; None when there are no more.

        Raises CompanionError when the camera fails; what it is at is then new again, and the board is read once more.
        """
        try:
            frame = self._source.read()
            if frame is None:
                return None
            look = self._watcher.process(frame, self._doubted)
        except CompanionError:
            # Whoever was told that the camera is dead has dropped what it saw before.
            self._last = None
            self._watcher.read_anew()
            raise
        news: list[Happening] = []
        watching = Watching(look.sight, look.reason)
        if watching != self._last:
            self._last = watching
            news.append(watching)
        if look.reading is not None:
            news.append(Settled(look.reading, look.t, self._picture(frame.picture, look.reading), look.again))
            self._last = None
        return news

    def close(self) -> None:
        self._source.close()

    def _picture(self, picture: Picture, reading: Reading) -> bytes:
        """The frame as JPEG for the page; players must not see into the ships."""
        covered = cover_ships(picture, self._table, reading)
        return encode_jpeg(covered)
