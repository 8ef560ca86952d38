"""One queue and one thread between the session and everything that happens around it.

Camera, buttons and web requests put what they have into the queue; the thread hands it to the session, one after the
other. So the session needs no locks, and a command is answered once it is in the journal.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from companion.errors import CompanionError, NotAllowed
from companion.table.busy import Busy
from companion.table.outside import Command, Happening
from companion.table.publish import Publisher
from companion.table.session import Session
from companion.table.snapshot import Snapshot

ANSWER_SECONDS = 5.0
"""A command that is not answered by then is given up by whoever waits; it may still be carried out."""

STOP_SECONDS = 5.0


@dataclass
class _Asked:
    """A command with a place for its answer."""

    command: Command
    answered: threading.Event = field(default_factory=threading.Event)
    answer: Snapshot | CompanionError | None = None


class Loop:
    """The session at work; what the web page sees of it is a ``Desk``.

    clock: tells the time in seconds.
    """

    def __init__(self, session: Session, publisher: Publisher, clock: Callable[[], float] = time.monotonic) -> None:
        self._session = session
        self._publisher = publisher
        self._busy = Busy(clock)
        self._queue: queue.SimpleQueue[Happening | _Asked | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self, timeout: float = STOP_SECONDS) -> None:
        """Finish what is in the queue and end. Raises TimeoutError when that takes longer than ``timeout`` seconds."""
        self._queue.put(None)
        self._thread.join(timeout)
        if self._thread.is_alive():
            raise TimeoutError(f"the table did not stop within {timeout:g} seconds")

    @property
    def alive(self) -> bool:
        """Whether it still works; it ends by ``stop``, or by a fault in the program."""
        return self._thread.is_alive()

    @property
    def busy_s(self) -> float:
        """For how many seconds it has been at one and the same thing; 0 while it waits."""
        return self._busy.seconds

    def put(self, happening: Happening) -> None:
        """Tell what camera or buttons noticed; returns at once."""
        self._queue.put(happening)

    def do(self, command: Command) -> Snapshot:
        """Carry a command out; returns once it is in the journal.

        Raises CompanionError with a sentence for people, NotAllowed also when no answer comes in time.
        """
        asked = _Asked(command)
        self._queue.put(asked)
        if not self.alive or not asked.answered.wait(ANSWER_SECONDS):
            raise NotAllowed("the table does not answer; look whether it happened, and try again")
        if isinstance(asked.answer, CompanionError):
            raise asked.answer
        assert asked.answer is not None
        return asked.answer

    def snapshot(self) -> Snapshot:
        return self._publisher.snapshot()

    def wait(self, version: int, timeout: float) -> Snapshot | None:
        return self._publisher.wait(version, timeout)

    def picture(self) -> bytes | None:
        return self._publisher.picture()

    def _run(self) -> None:
        while (item := self._queue.get()) is not None:
            with self._busy:
                self._handle(item)

    def _handle(self, item: Happening | _Asked) -> None:
        if isinstance(item, _Asked):
            try:
                item.answer = self._session.handle(item.command)
            except CompanionError as error:
                item.answer = error
            item.answered.set()
        else:
            try:
                self._session.handle(item)
            except CompanionError as error:
                # Nobody waits for an answer: the page says it.
                self._session.report(error)
