"""A table at work: journal, session, eyes and page, started in order and stopped in the opposite one."""

from __future__ import annotations

import contextlib
import queue
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, Protocol

from companion.config import Settings
from companion.demo.script import Script
from companion.errors import StartError
from companion.journal.store import Journal
from companion.systemd import Systemd
from companion.table.eyes import Eyes
from companion.table.folder import layout_of
from companion.table.loop import Loop
from companion.table.outside import Happening, Pressed
from companion.table.publish import Publisher
from companion.table.record import Record
from companion.table.session import Session
from companion.table.snapshot import Snapshot
from companion.wiring.addresses import for_tablets
from companion.wiring.demo import BOARD, GAME, DemoTable
from companion.wiring.keys import operator_key
from companion.wiring.real import RealTable
from vision.table import Table
from web import WebSettings, create_app, serve

BEAT_SECONDS = 0.25
"""How often it is looked whether all parts are still at work; lamps follow the game as quickly."""

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)

STUCK_SECONDS = 60.0
"""A part that has been at one thing for so long hangs. What takes longest, the demo's players thinking a whole game out
between two pictures, took 20 seconds on a busy machine; what the table itself does, a fraction of one."""


class Parts(Protocol):
    """The outside of a table: camera, buttons, lamps, or their twins."""

    def look(self) -> list[Happening] | None: ...

    def signal(self, snapshot: Snapshot) -> None: ...

    def close(self) -> None: ...


def run_real(folder: Path, settings: Settings, port: int, say: Callable[[str], None]) -> None:
    """Run the table taught in a folder until SIGINT or SIGTERM. Raises CompanionError when it cannot start or go on."""

    def parts(loop: Loop, journal: Journal) -> Parts:
        return RealTable(folder, settings, lambda button, t: loop.put(Pressed(button, t)), say)

    taught = Table.load(folder)
    board = layout_of(folder, taught.board.name)
    _run(folder, settings, port, say, parts, game=taught.game, board=board)


def run_demo(
    folder: Path, settings: Settings, port: int, speed: float, script: Script | None, say: Callable[[str], None]
) -> None:
    """Run the demo table until SIGINT or SIGTERM; its game is kept in the folder.

    speed: 2 plays twice as fast. script: what is played; None lets the players play as they like.
    """
    began = time.monotonic()

    def parts(loop: Loop, journal: Journal) -> Parts:
        return DemoTable(
            loop,
            lambda button, t: loop.put(Pressed(button, t)),
            clock=lambda: (time.monotonic() - began) * speed,
            wait=lambda seconds: time.sleep(seconds / speed),
            state=unfinished(journal),
            script=script,
            say=say,
        )

    _run(folder, settings, port, say, parts, game=GAME, board=BOARD, demo=True)


def unfinished(journal: Journal) -> Any:
    """The state of the journal's newest game; None when there is none, it is over, or the demo cannot go on with it."""
    playing = Record(journal, GAME).playing
    if playing is None:
        return None
    game, course = playing
    return None if game.over(course.state) else course.state


def _run(
    folder: Path,
    settings: Settings,
    port: int,
    say: Callable[[str], None],
    parts_of: Callable[[Loop, Journal], Parts],
    *,
    game: str,
    board: str,
    demo: bool = False,
) -> None:
    with contextlib.suppress(_Stopped), _stopping_in_time(), contextlib.ExitStack() as cleanup:
        stops = cleanup.enter_context(_stop_signals())
        systemd = Systemd()
        key = operator_key(folder)
        journal = Journal.open(settings.journal_path, time.time)
        cleanup.callback(journal.close)
        # Versions start at the wall clock's milliseconds: a page from before a restart never takes old for new.
        publisher = Publisher(int(time.time() * 1000))
        loop = Loop(Session(journal, publisher, demo, board, game), publisher)
        web = WebSettings(key, demo=demo, hosts=frozenset(settings.page.names), max_streams=settings.page.streams)
        page = serve(create_app(loop, web), settings.page.host, port)
        cleanup.callback(page.stop)
        loop.start()
        cleanup.callback(loop.stop)
        with _stopping_at_once(stops):
            parts = parts_of(loop, journal)
        cleanup.callback(parts.close)
        eyes = Eyes(parts.look, loop.put)
        eyes.start()
        cleanup.callback(eyes.stop)
        say(f"the table is at http://localhost:{page.port}")
        if tablets := for_tablets(settings.page.host, page.port):
            say(f"on a tablet at {' or '.join(tablets)}")
        say(f"to tap, correct and undo, open http://localhost:{page.port}/operator?key={key}")
        systemd.ready("the table is open")
        cleanup.callback(systemd.stopping)
        told = ""
        while not _came(stops, BEAT_SECONDS):
            if not (loop.alive and eyes.alive):
                raise StartError("a part of the table has stopped working; what was shown is kept, start it again")
            for part, busy_s in (("table", loop.busy_s), ("camera", eyes.busy_s)):
                if busy_s > STUCK_SECONDS:
                    # What is said last is that it cannot be stopped either.
                    say(f"the {part} hangs: it has been at one thing for {busy_s:.0f} seconds")
                    raise StartError(f"the {part} hangs; what was shown is kept, start it again")
            systemd.alive()
            snapshot = publisher.snapshot()
            parts.signal(snapshot)
            if snapshot["status"]["text"] != told:
                told = snapshot["status"]["text"]
                systemd.status(told)


@contextlib.contextmanager
def _stopping_in_time() -> Iterator[None]:
    """Says it as one sentence when a part does not stop in time."""
    try:
        yield
    except TimeoutError as error:
        raise StartError(f"{error}; nothing that was shown is lost") from None


@contextlib.contextmanager
def _stop_signals() -> Iterator[queue.SimpleQueue[int]]:
    """The signals that come of SIGINT and SIGTERM.

    In no event: setting one takes its lock, and the thread that a signal interrupts may hold that, as where two come at
    once. Then it would wait for itself. Such a queue can be put into at any time.
    """
    stops: queue.SimpleQueue[int] = queue.SimpleQueue()
    with _handled(lambda came, _: stops.put(came)):
        yield stops


class _Stopped(BaseException):
    """A signal to stop came before the table was open."""


@contextlib.contextmanager
def _stopping_at_once(stops: queue.SimpleQueue[int]) -> Iterator[None]:
    """Raises _Stopped where a signal to stop finds the program: learning the demo's table takes a while."""

    def stop(came: int, _: object) -> None:
        # One that comes while the first is obeyed interrupts nothing. Where an exception cannot get out, as of a
        # destructor, the signal is still there when the table is open.
        first = stops.empty()
        stops.put(came)
        if first:
            raise _Stopped

    with _handled(stop):
        yield


@contextlib.contextmanager
def _handled(handler: Callable[[int, FrameType | None], object]) -> Iterator[None]:
    """Has a handler take the signals to stop."""
    kept = {number: signal.signal(number, handler) for number in STOP_SIGNALS}
    try:
        yield
    finally:
        for number, before in kept.items():
            signal.signal(number, before)


def _came(stops: queue.SimpleQueue[int], seconds: float) -> bool:
    """Whether a signal to stop came, for which it is waited so long."""
    try:
        stops.get(timeout=seconds)
    except queue.Empty:
        return False
    return True
