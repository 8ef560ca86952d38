"""Signals to stop: however many come at once, the table hears of them and waits for none."""

from __future__ import annotations

import subprocess
import sys

MANY = """
import os, signal, threading
from companion.wiring.running import _came, _stop_signals

def send():
    for _ in range(3000):
        os.kill(os.getpid(), signal.SIGTERM)

with _stop_signals() as stops:
    assert not _came(stops, 0.01)
    sender = threading.Thread(target=send)
    sender.start()
    heard = 0
    while sender.is_alive():
        heard += _came(stops, 0)
    print(heard > 0)
"""


def test_signals_that_interrupt_each_other_stop_nothing_but_the_table() -> None:
    ended = subprocess.run([sys.executable, "-c", MANY], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout) == (0, "True\n"), ended.stderr
