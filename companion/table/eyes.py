"""The thread that looks: it takes what the camera side has to say, as it comes, to the session."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable

from companion.errors import CompanionError, StartError
from companion.table.busy import Busy
from companion.table.outside import Happening, Watching

RETRY_SECONDS = 3.0
"""How long to wait before looking again after the camera failed."""

STOP_SECONDS = 5.0


class Eyes:
    """Calls ``look`` again and again on a thread of its own and passes on what it saw.

    look: takes the next frame and returns what it means; it blocks until there is one, and returns None when there will
    be no more. A camera that fails is told as ``Watching("dead")`` and looked at again every few seconds: a plug put
    back in brings it back. clock: tells the time in seconds.
    """

    def __init__(
        self,
        look: Callable[[], Iterable[Happening] | None],
        tell: Callable[[Happening], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._look = look
        self._tell = tell
        self._busy = Busy(clock)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="eyes", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End the thread. Raises StartError when it does not end within STOP_SECONDS."""
        self._stop.set()
        self._thread.join(STOP_SECONDS)
        if self._thread.is_alive():
            raise StartError(f"the camera thread did not stop within {STOP_SECONDS:g} seconds")

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    @property
    def busy_s(self) -> float:
        """For how many seconds it has been looking without an end; 0 while it does not look."""
        return self._busy.seconds

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                with self._busy:
                    seen = self._look()
            except CompanionError as error:
                self._tell(Watching("dead", str(error)))
                self._stop.wait(RETRY_SECONDS)
                continue
            if seen is None:
                return
            for happening in seen:
                self._tell(happening)
