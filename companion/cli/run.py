"""``companion run``: the table, real or simulated, and its page."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from companion.cli.numbers import Number
from companion.config import DEFAULT_FOLDER, Settings, read_settings
from companion.demo.script import Script, read_script
from companion.errors import HardwareError, StartError
from companion.wiring.running import run_demo, run_real
from hardware.camera import connected


@click.command(name="run")
@click.option("--demo", is_flag=True, help="The demo table: simulated camera, buttons and players.")
@click.option(
    "--table",
    "table_dir",
    type=click.Path(path_type=Path),
    help="The table's folder: what was taught, its settings and its games. "
    f"Without it: {DEFAULT_FOLDER}/, if that is a taught table and a camera is there, else the demo table.",
)
@click.option("--port", type=click.IntRange(0, 65535), help="Where the page is; 0 is any free port.  [default: 8000]")
@click.option("--speed", default=1.0, show_default=True, type=Number(0.2, 8), help="How fast the demo's players are.")
@click.option(
    "--script",
    "script_file",
    type=click.Path(path_type=Path),
    help="A game that the demo's players play, as `companion export --format script` writes it.",
)
def command(demo: bool, table_dir: Path | None, port: int | None, speed: float, script_file: Path | None) -> None:
    """Run the table and its page, until Ctrl-C.

    A game that is on goes on where it was, also after a power cut.
    """
    if demo or script_file is not None:
        _demo(table_dir, port, speed, None if script_file is None else read_script(script_file))
    elif table_dir is not None:
        _real(table_dir, port)
    elif not (DEFAULT_FOLDER / "table.json").exists():
        _say(f"no table has been taught yet ({DEFAULT_FOLDER}/ is not there): this is the demo table")
        _demo(None, port, speed, None)
    else:
        try:
            connected()
        except HardwareError as error:
            _say(f"{error}; this is the demo table")
            _demo(None, port, speed, None)
        else:
            _real(DEFAULT_FOLDER, port)


def _real(folder: Path, port: int | None) -> None:
    settings = read_settings(folder)
    run_real(folder, settings, settings.page.port if port is None else port, _say)


def _demo(folder: Path | None, port: int | None, speed: float, script: Script | None) -> None:
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="companion-demo-") as fresh:
            _demo(Path(fresh), port, speed, script)
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StartError(f"{folder}: the demo's folder cannot be made ({error.strerror})") from None
    settings: Settings = read_settings(folder)
    run_demo(folder, settings, settings.page.port if port is None else port, speed, script, _say)


def _say(text: str) -> None:
    click.echo(f"companion: {text}", err=True)
