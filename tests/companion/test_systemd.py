"""What systemd is told, over a real socket; and the unit that makes it listen."""

from __future__ import annotations

import configparser
import os
import socket
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.systemd import Systemd


@pytest.fixture(params=["path", "abstract"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, socket.socket]]:
    """A service manager's socket, and its name as systemd gives it."""
    name = str(tmp_path / "notify") if request.param == "path" else f"@companion-test-{uuid.uuid4()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.settimeout(10)
        listener.bind(name.replace("@", "\0", 1) if request.param == "abstract" else name)
        yield name, listener


def heard(listener: socket.socket) -> str:
    return listener.recv(4096).decode()


def test_systemd_is_told_of_every_step(manager: tuple[str, socket.socket]) -> None:
    name, listener = manager
    systemd = Systemd({"NOTIFY_SOCKET": name})
    systemd.ready("the demo table is at http://localhost:8000")
    assert heard(listener) == "READY=1\nSTATUS=the demo table is at http://localhost:8000"
    systemd.status("waiting for hands to leave")
    assert heard(listener) == "STATUS=waiting for hands to leave"
    systemd.alive()
    assert heard(listener) == "WATCHDOG=1"
    systemd.stopping()
    assert heard(listener) == "STOPPING=1"


def test_a_status_cannot_say_anything_else(manager: tuple[str, socket.socket]) -> None:
    name, listener = manager
    Systemd({"NOTIFY_SOCKET": name}).status("lost\nSTOPPING=1")
    assert heard(listener) == "STATUS=lost STOPPING=1"


def test_without_systemd_nothing_happens() -> None:
    systemd = Systemd({})
    systemd.ready("at home")
    systemd.alive()
    systemd.stopping()
    assert systemd.watchdog_s is None


def test_a_manager_that_has_gone_ends_no_game(tmp_path: Path) -> None:
    Systemd({"NOTIFY_SOCKET": str(tmp_path / "gone")}).alive()


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"WATCHDOG_USEC": "30000000"}, 30.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}, 30.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_the_watchdog_is_known_when_it_is_meant_for_us(environ: dict[str, str], expected: float | None) -> None:
    assert Systemd(environ).watchdog_s == expected


def test_the_unit_waits_for_what_the_companion_tells() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(Path(__file__).parents[2] / "systemd" / "companion.service", encoding="utf-8")
    service = unit["Service"]
    assert service["Type"] == "notify"
    assert int(service["WatchdogSec"]) > 0
    assert service["Restart"] == "on-failure"
    assert service["User"] == "companion"
    assert set(service["SupplementaryGroups"].split()) == {"gpio", "video"}
