"""What ends a table: signals to stop, however many come at once, and a fault in one of its parts."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from companion.config import read_settings
from companion.errors import StartError
from companion.journal.store import Journal
from companion.table.eyes import Eyes
from companion.table.loop import Loop
from companion.table.outside import Happening
from companion.table.snapshot import Snapshot
from companion.wiring import running

MANY = """
import os, signal
from companion.wiring.running import _came, _stop_signals

signal.alarm(60)  # ends a table that waits for itself
with _stop_signals() as stops:
    print(_came(stops, 0.01), flush=True)
    os._exit(0 if all(_came(stops, 10) for _ in range(10000)) else 1)
"""


def test_signals_that_interrupt_each_other_stop_nothing_but_the_table() -> None:
    # From another process: a thread of the table's own would wait while a handler is at work, and not interrupt it.
    with subprocess.Popen([sys.executable, "-c", MANY], stdout=subprocess.PIPE, text=True) as table:
        assert table.stdout is not None
        assert table.stdout.readline() == "False\n"
        while table.poll() is None:
            table.send_signal(signal.SIGTERM)
    assert table.returncode == 0


class Nothing:
    """The outside of a table at which nothing happens."""

    def __init__(self) -> None:
        self.closed = threading.Event()

    def look(self) -> list[Happening] | None:
        return [] if not self.closed.wait(0.01) else None

    def signal(self, snapshot: Snapshot) -> None:
        """No lamps."""

    def close(self) -> None:
        self.closed.set()


def run(folder: Path, parts: Nothing) -> None:
    settings = read_settings(folder)
    running._run(folder, settings, 0, lambda text: None, lambda loop, journal: parts, game="pacal", board="reference")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_stop_is_not_waited_for_while_the_table_is_being_opened(tmp_path: Path, number: int) -> None:
    def parts(loop: Loop, journal: Journal) -> Nothing:
        signal.raise_signal(number)
        raise AssertionError("it went on opening the table")

    said: list[str] = []
    running._run(tmp_path, read_settings(tmp_path), 0, said.append, parts, game="pacal", board="reference")
    assert said == []
    Journal.open(tmp_path / "journal.db", lambda: 0.0).close()


@pytest.mark.parametrize(("hangs", "other"), [("table", Eyes), ("camera", Loop)])
def test_a_table_that_hangs_ends_as_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hangs: str, other: type[Eyes | Loop]
) -> None:
    monkeypatch.setattr(running, "STUCK_SECONDS", -1.0)
    monkeypatch.setattr(other, "busy_s", -1.0)
    parts = Nothing()
    with pytest.raises(StartError, match=f"the {hangs} hangs"):
        run(tmp_path, parts)
    assert parts.closed.is_set()
    Journal.open(tmp_path / "journal.db", lambda: 0.0).close()
