"""Signals to stop: however many come at once, the table hears of them and waits for none."""

from __future__ import annotations

import signal
import subprocess
import sys

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
