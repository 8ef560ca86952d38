"""The command line as a whole: help, and output that cannot be written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

COMPANION = Path(sys.executable).with_name("companion")


def ran(*arguments: str, to: str | None = None) -> subprocess.CompletedProcess[str]:
    with Path(to or "/dev/null").open("w") as out:
        return subprocess.run(
            [COMPANION, *arguments], stdout=out, stderr=subprocess.PIPE, text=True, timeout=60, check=False
        )


def test_without_a_command_there_is_help_in_lines() -> None:
    done = ran()
    assert done.returncode == 2
    assert done.stderr.startswith("Usage: companion ")
    assert any(line.split()[0] == "teach" for line in done.stderr.splitlines() if line.strip())


@pytest.mark.parametrize("arguments", [("--version",), ("rules", "pacal")])
def test_a_full_disk_for_what_is_said_is_told(arguments: tuple[str, ...]) -> None:
    done = ran(*arguments, to="/dev/full")
    assert done.returncode == 1
    assert done.stderr == "companion: the output: No space left on device\n"


@pytest.mark.parametrize("arguments", [("watch", ".", "--table", ".", "--fps"), ("markers", "--size-mm")])
def test_nan_is_no_number(arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = ran(*arguments, "nan", *(["--out", str(tmp_path / "m.pdf")] if "markers" in arguments else []))
    assert done.returncode == 1
    assert "'nan' is no number in the range" in done.stderr
    assert not any(tmp_path.iterdir())
