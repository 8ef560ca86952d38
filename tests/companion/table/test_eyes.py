"""The thread that looks passes on what it saw, outlives a camera that fails, and tells when it hangs."""

from __future__ import annotations

import queue
import threading

import pytest

from companion.errors import HardwareError
from companion.table import eyes as eyes_module
from companion.table.eyes import Eyes
from companion.table.outside import Happening, Watching


def test_a_camera_that_fails_is_told_and_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eyes_module, "RETRY_SECONDS", 0.0)
    told: queue.SimpleQueue[Happening] = queue.SimpleQueue()
    looks = iter([[Watching("hands")], HardwareError("its cable is loose"), [Watching("still")], None])

    def look() -> list[Happening] | None:
        seen = next(looks)
        if isinstance(seen, HardwareError):
            raise seen
        return None if seen is None else list(seen)

    eyes = Eyes(look, told.put)
    eyes.start()
    assert [told.get(timeout=10) for _ in range(3)] == [
        Watching("hands"),
        Watching("dead", "its cable is loose"),
        Watching("still"),
    ]
    eyes.stop()
    assert not eyes.alive


def test_eyes_tell_for_how_long_they_have_been_looking() -> None:
    now, at_it, go_on = [100.0], threading.Event(), threading.Event()

    def look() -> None:
        at_it.set()
        go_on.wait(10)

    eyes = Eyes(look, lambda happening: None, lambda: now[0])
    assert eyes.busy_s == 0
    eyes.start()
    assert at_it.wait(10)
    now[0] = 130.0
    assert eyes.busy_s == 30
    go_on.set()
    eyes.stop()
    assert eyes.busy_s == 0
