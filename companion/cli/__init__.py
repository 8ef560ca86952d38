"""The command line: one module a command, imported only when that command is called."""

from __future__ import annotations

import importlib
import os
import sys

import click

from companion.errors import CompanionError

COMMANDS = (
    "run",
    "referee",
    "palettes",
    "teach",
    "read",
    "watch",
    "selftest",
    "check",
    "markers",
    "bench",
    "export",
    "rules",
)


class _Commands(click.Group):
    """Imports a command's module only when it is called, so that the rules start without OpenCV or Flask."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"companion.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command


@click.group(cls=_Commands)
@click.version_option(package_name="companion-table")
def cli() -> None:
    """A companion for physical board games: it reads the board, knows the rules and keeps the score."""


def main() -> None:
    """Run the command line; every error that is ours ends as one line on standard error and exit status 1."""
    # Read when numpy is first imported. Our matrices are small: BLAS threads that wait for each other took three
    # quarters of the demo table's processor time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        cli.main(standalone_mode=False)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.exceptions.NoArgsIsHelpError as help_wanted:
        click.echo(help_wanted.format_message(), err=True)
        sys.exit(2)
    except click.ClickException as error:
        _fail(error.format_message())
    except (KeyboardInterrupt, click.Abort):
        sys.exit(130)
    except CompanionError as error:
        _fail(str(error))
    except BrokenPipeError:
        # Whoever read our output has gone; nothing is wrong.
        _drop_output()
        sys.exit(0)
    except OSError as error:
        # Files that we open have messages of their own: this is the standard output, most likely on a full disk.
        _drop_output()
        _fail(f"{error.filename or 'the output'}: {error.strerror or error}")


def _drop_output() -> None:
    """Have Python not try to write again at its end what could not be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str) -> None:
    click.echo(f"companion: {' '.join(message.split())}", err=True)
    sys.exit(1)
