"""The real table: a taught table's folder, the Pi's camera above it, and the console beside it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path

from companion.config import Settings
from companion.table.outside import Happening
from companion.table.snapshot import Snapshot
from companion.wiring.looking import Looker
from hardware.buttons import Console
from hardware.camera import PiCamera
from hardware.lamps import Lamps
from hardware.profile import read_profile
from vision.reader import Reader
from vision.sources import Live
from vision.table import Table
from vision.watching.watcher import Watcher


class RealTable:
    """Camera, buttons and lamps of a table that was taught.

    folder: what ``companion teach`` wrote. on_press: told of each press of a button, on a thread of its own.
    Raises BadTable, BadConfig or HardwareError when one of them cannot be had.
    """

    def __init__(self, folder: Path, settings: Settings, on_press: Callable[[str, float], None]) -> None:
        table = Table.load(folder)
        profile = read_profile(settings.pins_path)
        eye = settings.camera
        with contextlib.ExitStack() as opened:
            camera = PiCamera(
                eye.size, focus_mm=eye.focus_mm, hold_light=eye.hold_light, timeout=eye.timeout_s, number=eye.number
            )
            opened.callback(camera.close)
            console = Console(profile, on_press, time.monotonic)
            opened.callback(console.close)
            self._lamps = Lamps(profile, console.pin_factory)
            opened.callback(self._lamps.close)
            self._opened = opened.pop_all()
        source = Live(camera.capture, time.monotonic, eye.fps)
        self._looker = Looker(source, Watcher(table, Reader(table)), table)
        self._in_doubt = False

    def look(self) -> list[Happening] | None:
        """Take the next frame and say what it means. Raises HardwareError when the camera fails."""
        return self._looker.look()

    def signal(self, snapshot: Snapshot) -> None:
        """Light the lamp of the player to act, and sound the buzzer when something is asked."""
        self._lamps.show([snapshot["to_act"]] if snapshot["to_act"] else [])
        doubt = snapshot["status"]["kind"] == "doubt"
        if doubt and not self._in_doubt:
            self._lamps.buzz()
        self._in_doubt = doubt

    def close(self) -> None:
        """Give camera and pins back."""
        self._opened.close()
