"""``companion check``: is everything there, and what to do about what is not."""

from __future__ import annotations

import contextlib
import http.client
import importlib
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import click

from companion.config import DEFAULT_FOLDER, FILE_NAME, Settings, read_settings
from companion.errors import CompanionError, StartError

LIBRARIES = {
    "click": "click",
    "cv2": "opencv-python",
    "flask": "flask",
    "gpiozero": "gpiozero",
    "msgspec": "msgspec",
    "numpy": "numpy",
    "waitress": "waitress",
}
"""What is imported, and what provides it."""

PYTHON = (3, 11)
ROOM_MB = 200
"""Free space below which a long evening might end with a full disk."""

ANSWER_SECONDS = 3.0


@dataclass(frozen=True)
class Finding:
    """What was found of one thing.

    text: what is there, or what is wrong and what to do. needed: without it the table cannot start, or not see or hear.
    """

    name: str
    ok: bool
    text: str
    needed: bool = True

    def line(self) -> str:
        mark = "ok" if self.ok else "missing" if self.needed else "note"
        return f"{mark:8} {self.name}: {' '.join(self.text.split())}"


@click.command("check")
@click.option(
    "--table", type=click.Path(path_type=Path), help="The folder of a taught table; camera and pins are needed."
)
@click.option("--port", type=click.IntRange(0, 65535), help="The page's port, if not that of the settings.")
def command(table: Path | None, port: int | None) -> None:
    """Say whether everything is there: a line each, and what to do about what is missing.

    Without --table it is the table in table/, if there is one, else the demo table; camera and buttons are then only
    needed on a Raspberry Pi.
    """
    missing = 0
    for finding in findings(table, port):
        click.echo(finding.line())
        missing += finding.needed and not finding.ok
    if missing:
        what = "thing is" if missing == 1 else "things are"
        raise StartError(f"{missing} needed {what} missing; the lines above say what to do")


def findings(table: Path | None, port: int | None) -> Iterator[Finding]:
    """Everything that is looked at, one after the other."""
    named = table is not None
    if table is None and (DEFAULT_FOLDER / "table.json").exists():
        table = DEFAULT_FOLDER
    yield _python()
    libraries = [_library(module, package) for module, package in LIBRARIES.items()]
    yield from libraries
    if not all(library.ok for library in libraries):
        return  # what comes now is made of these
    folder = Path(tempfile.gettempdir()) if table is None else table  # the demo keeps its game only while it runs
    settings = Settings(journal=str(folder / Settings().journal))
    if table is not None:
        try:
            settings = read_settings(table)
        except CompanionError as error:
            yield Finding("settings", False, str(error))
        else:
            text = str(table / FILE_NAME) if (table / FILE_NAME).exists() else "the defaults"
            yield Finding("settings", True, text)
        yield _found("table", lambda: _table(table))
    real = named or _pi() is not None
    yield _found("camera", lambda: _cameras(settings.camera.number), needed=real)
    yield _found("pins", lambda: _pins(settings), needed=real)
    yield _room(folder)
    yield _found("journal", lambda: _journal(settings.journal_path))
    yield _found("page", lambda: _port(settings, settings.page.port if port is None else port))


def _found(name: str, look: Callable[[], str], *, needed: bool = True) -> Finding:
    """What ``look`` says of a thing, or the error that says what is wrong with it."""
    try:
        return Finding(name, True, look(), needed)
    except CompanionError as error:
        return Finding(name, False, str(error), needed)


def _python() -> Finding:
    wanted = ".".join(map(str, PYTHON))
    if sys.version_info < PYTHON:
        return Finding("Python", False, f"{platform.python_version()} is too old, {wanted} or newer is needed")
    return Finding("Python", True, f"{platform.python_version()} on {_pi() or platform.system()}")


def _library(module: str, package: str) -> Finding:
    try:
        importlib.import_module(module)
        return Finding(package, True, metadata.version(package))
    except metadata.PackageNotFoundError:
        return Finding(package, True, "from the system")
    except ImportError as error:
        return Finding(package, False, f"cannot be imported ({error}); run `make clean run` in the project's folder")


def _pi() -> str | None:
    from hardware.pins import pi_model

    return pi_model()


def _table(folder: Path) -> str:
    from vision.table import Table

    taught = Table.load(folder)
    return f"taught for {taught.game}, layout {taught.board.name}"


def _cameras(number: int) -> str:
    from hardware.camera import connected

    found = connected()
    if number >= len(found):
        raise StartError(
            f"number {number} is asked for in {FILE_NAME}, but there is only {', '.join(found)}; the first is number 0"
        )
    return ", ".join(found)


def _pins(settings: Settings) -> str:
    from hardware.pins import open_pins
    from hardware.profile import read_profile

    profile = read_profile(settings.pins_path)
    with _in_a_folder_of_its_own():
        open_pins().close()
    return ", ".join(f"{name} {pin}" for name, pin in profile.button_pins().items())


def _room(folder: Path) -> Finding:
    try:
        free = shutil.disk_usage(folder).free // 1_000_000
    except OSError as error:
        return Finding("disk", False, f"{folder}: {error.strerror}")
    if free < ROOM_MB:
        return Finding("disk", False, f"only {free} MB are free, {ROOM_MB} MB are needed; please delete something")
    return Finding("disk", True, f"{free} MB free")


def _journal(path: Path) -> str:
    from companion.journal.store import Journal

    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise StartError(f"nothing can be written into {path.parent.absolute()} ({error.strerror})") from None
    if not path.exists():
        return f"can be written in {path.parent.absolute()}"
    journal = Journal.open_to_read(path)
    try:
        return f"{path.absolute()}, {len(journal.games())} games"
    finally:
        journal.close()


@contextlib.contextmanager
def _in_a_folder_of_its_own() -> Iterator[None]:
    """The GPIO library makes a pipe in the folder in which it is imported: it must be able to, and must not replace the
    one of a table that is running."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            with contextlib.suppress(PermissionError):  # who may not be there has named no path that begins there
                os.chdir(before)


def _port(settings: Settings, port: int) -> str:
    from companion.journal.store import in_use
    from web.server import listen

    host = settings.page.host
    try:
        listen(host, port).close()
    except StartError:
        if not (in_use(settings.journal_path) and _is_a_companion(host or "localhost", port)):
            raise
        return f"port {port} is this table's, which is running"
    return f"port {port} is free"


def _is_a_companion(host: str, port: int) -> bool:
    """Whether it is a companion's page that answers there."""
    from web.stream import RUN_HEADER

    connection = http.client.HTTPConnection(host, port, timeout=ANSWER_SECONDS)
    try:
        connection.request("GET", "/snapshot.json")
        return connection.getresponse().getheader(RUN_HEADER) is not None
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
