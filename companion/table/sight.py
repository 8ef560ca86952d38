"""What the camera has told of the board, and whether it is the last word."""

from __future__ import annotations

from companion.observation import Reading, Seen
from companion.table.outside import Settled, Watching


class Sight:
    """The last settled picture, and what the camera is at since.

    watching: what the camera is at. reading: of the last settled picture; None when the board could not be seen since.
    seen: what was read last, however long ago. again: whether that had been read before, and nothing changed since.
    blind: whether no picture is to come, as the camera is dead, or has not told anything yet.
    """

    def __init__(self) -> None:
        self.watching = Watching("still")
        self.reading: Reading | None = None
        self.seen: Seen = {}
        self.again = False
        self.blind = True
        # Whether something went on above the board since the last settled picture, or may have.
        self.busy = False
        # Whether it may have: something was pressed after that picture was taken.
        self.early = False
        # When that picture was taken, while no frame after it has been told.
        self._newest: float | None = None

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
        self.watching, self.blind = Watching("still"), False
        self.busy = self.early = False
        self.reading, self._newest = settled.reading, settled.t
        self.seen, self.again = settled.reading.seen(), settled.again

    def answer(self, pressed: float) -> None:
        """Something was pressed at this time that the last picture is to answer.

        Reading takes a while. A picture that was taken before the press shows the board as it is only if the frame
        after it, which is taken when it has been read, shows no change.
        """
        if self._newest is not None and self._newest < pressed:
            self.busy = self.early = True

    def watch(self, watching: Watching) -> None:
        """Take in what the camera is at."""
        self.watching, self.blind = watching, watching.sight == "dead"
        self._newest = None
        if watching.sight in ("hands", "moving"):
            self.busy, self.early = True, False
        elif watching.sight == "still":
            self.busy, self.early = self.busy and not self.early, False
        elif watching.sight in ("dead", "unusable"):
            # Whatever happens meanwhile, the last picture knows nothing of it.
            self.reading, self.busy, self.early = None, False, False
