"""Telling systemd that the companion is ready, alive, stopping (sd_notify(3)). Without systemd nothing happens."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Mapping


class Systemd:
    """The service manager that started this process, if one did.

    environ: where its socket and watchdog are told, ``os.environ`` in life.
    """

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        address = environ.get("NOTIFY_SOCKET", "")
        # A leading @ means a socket that is no file; there the name starts with a zero byte.
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._watchdog_s = _watchdog_seconds(environ)

    @property
    def watchdog_s(self) -> float | None:
        """Seconds within which ``alive`` must be called again, None when nobody watches. Call it twice as often."""
        return self._watchdog_s

    def ready(self, status: str) -> None:
        """The table can be used. status: a line for ``systemctl status``."""
        self._tell("READY=1", f"STATUS={_line(status)}")

    def status(self, text: str) -> None:
        """What the table is at, as a line for ``systemctl status``."""
        self._tell(f"STATUS={_line(text)}")

    def alive(self) -> None:
        """The loop that keeps the game still turns."""
        self._tell("WATCHDOG=1")

    def stopping(self) -> None:
        self._tell("STOPPING=1")

    def _tell(self, *lines: str) -> None:
        if not self._address:
            return
        # A manager that has gone away is no reason to end a game.
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.sendto("\n".join(lines).encode(), self._address)


def _line(text: str) -> str:
    return " ".join(text.split())


def _watchdog_seconds(environ: Mapping[str, str]) -> float | None:
    microseconds = environ.get("WATCHDOG_USEC", "")
    meant_for = environ.get("WATCHDOG_PID", str(os.getpid()))
    if not microseconds.isdecimal() or int(microseconds) == 0 or meant_for != str(os.getpid()):
        return None
    return int(microseconds) / 1_000_000
