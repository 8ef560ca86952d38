"""What the camera has told of the board, and whether it is the last word."""

from __future__ import annotations

from companion.observation import Reading, Seen
from companion.table.outside import Settled, Watching


class Sight:
    """The last settled picture, and what the camera is at since.

    watching: what the camera is at. reading: of the last settled picture; None when the board could not be seen since.
    seen: what was read last, however long ago. blind: whether no picture is to come, as the camera is dead, or has not
    told anything yet.
    """

    def __init__(self) -> None:
        self.watching = Watching("still")
        self.reading: Reading | None = None
        self.seen: Seen = {}
        self.blind = True
        # Whether something went on above the board since the last settled picture.
        self.busy = False

    @property
    def current(self) -> Reading | None:
        """The last reading when it shows the board as it is now."""
        return None if self.busy else self.reading

    @property
    def awaited(self) -> bool:
        """Whether a picture is to come that may show more than what was read last."""
        return self.current is None and not self.blind

    def settle(self, settled: Settled) -> None:
        """Take in a picture that can be read."""
        self.watching, self.blind, self.busy = Watching("still"), False, False
        self.reading = settled.reading
        self.seen = settled.reading.seen()

    def watch(self, watching: Watching) -> None:
        """Take in what the camera is at."""
        self.watching, self.blind = watching, watching.sight == "dead"
        if watching.sight in ("hands", "moving"):
            self.busy = True
        elif watching.sight in ("dead", "unusable"):
            # Whatever happens meanwhile, the last picture knows nothing of it.
            self.reading, self.busy = None, False
