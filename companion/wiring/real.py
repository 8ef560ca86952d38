"""The real table: a taught table's folder, the Pi's camera above it, and the console beside it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path

from companion.config import Camera, Settings
from companion.errors import HardwareError
from companion.table.outside import Happening
from companion.table.snapshot import Snapshot
from companion.wiring.camera import open_camera
from companion.wiring.looking import Looker
from hardware.buttons import Console
from hardware.camera import PiCamera
from hardware.lamps import Lamps
from hardware.profile import Profile, read_profile
from vision.frames import Picture
from vision.reader import Reader
from vision.sources import Live
from vision.table import Table
from vision.watching.watcher import Watcher


class RealTable:
    """Camera, buttons and lamps of a table that was taught.

    folder: what ``companion teach`` wrote. on_press: told of each press of a button, on a thread of its own. say: told
    of buttons and lamps that cannot be had: the page has buttons too. A camera that is not there is one that ``look``
    finds dead.
    Raises BadTable or BadConfig when table or pin profile are wrong.
    """

    def __init__(
        self, folder: Path, settings: Settings, on_press: Callable[[str, float], None], say: Callable[[str], None]
    ) -> None:
        table = Table.load(folder)
        profile = read_profile(settings.pins_path)
        with contextlib.ExitStack() as opened:
            camera = _LateCamera(settings.camera)
            opened.callback(camera.close)
            self._signals = _Signals(_open_pins(profile, on_press, say, opened), say)
            self._opened = opened.pop_all()
        source = Live(camera.capture, time.monotonic, settings.camera.fps)
        self._looker = Looker(source, Watcher(table, Reader(table)), table)

    def look(self) -> list[Happening] | None:
        """Take the next frame and say what it means. Raises HardwareError when there is no camera or it fails."""
        return self._looker.look()

    def signal(self, snapshot: Snapshot) -> None:
        """Show with the lamps what the table is at; see ``_Signals``. Look again where something is in doubt."""
        self._signals.show(snapshot)
        self._looker.signal(snapshot)

    def close(self) -> None:
        """Give camera and pins back."""
        self._opened.close()


class _Signals:
    """What lamps and buzzer tell the players; lamps: None where there are none. say: told once of those that fail."""

    def __init__(self, lamps: Lamps | None, say: Callable[[str], None]) -> None:
        self._lamps, self._say = lamps, say
        self._in_doubt = False

    def show(self, snapshot: Snapshot) -> None:
        """Light the lamp of the player to act, and sound the buzzer when something is asked."""
        doubt = snapshot["status"]["kind"] == "doubt"
        if self._lamps is not None:
            try:
                self._lamps.show([snapshot["to_act"]] if snapshot["to_act"] else [])
                if doubt and not self._in_doubt:
                    self._lamps.buzz()
            except HardwareError as error:
                # Those that still answer must not go on showing whose turn it was.
                self._lamps.close()
                self._lamps = None
                self._say(f"the lamps do not work any more: {error}. The table goes on without them")
        self._in_doubt = doubt


class _LateCamera:
    """The Pi's camera, opened for its first picture: with a loose cable the table starts too, and a plug that is put in
    later brings the camera."""

    def __init__(self, eye: Camera) -> None:
        self._eye = eye
        self._camera: PiCamera | None = None

    def capture(self) -> Picture:
        """The next picture. Raises HardwareError when there is no camera or it fails."""
        if self._camera is None:
            self._camera = open_camera(self._eye)
        return self._camera.capture()

    def close(self) -> None:
        if self._camera is not None:
            self._camera.close()


def _open_pins(
    profile: Profile,
    on_press: Callable[[str, float], None],
    say: Callable[[str], None],
    opened: contextlib.ExitStack,
) -> Lamps | None:
    """Watch the buttons; the lamps, None when they cannot be had. What was opened is closed with ``opened``."""
    try:
        console = Console(profile, on_press, time.monotonic)
    except HardwareError as error:
        say(f"the table's buttons do not work: {error}. Those on the page do")
        return None
    opened.callback(console.close)
    try:
        lamps = Lamps(profile, console.pin_factory)
    except HardwareError as error:
        say(f"the lamps do not work: {error}. The buttons do")
        return None
    opened.callback(lamps.close)
    return lamps
