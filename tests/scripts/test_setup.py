"""What ``scripts/setup`` does on a Raspberry Pi, whose Python, pip and apt are stand-ins here."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

SETUP = Path(__file__).parents[2] / "scripts" / "setup"

PYTHON = """#!/bin/sh
case "$*" in
*maxsize*) exit "$IS_64_BIT" ;;
"-c import simplejpeg") exit "$SIMPLEJPEG_FAILS" ;;
"-m venv"*) mkdir -p .venv/bin && cp "$0" .venv/bin/python && echo "$*" >>asked ;;
"-m pip install"*) echo "$*" >>asked ;;
esac
"""
"""Has every module that is looked for, and writes down what it is asked to make and to install."""


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    """A project's folder on a Pi."""
    (tmp_path / "model").write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    for name, text in (("python3", PYTHON), ("apt-get", "#!/bin/sh\n"), ("sudo", '#!/bin/sh\nexec "$@"\n')):
        (tmp_path / name).write_text(text, encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    script = SETUP.read_text(encoding="utf-8")
    for place, here in (("/proc/device-tree/model", "model"), ("/usr/bin/python3", "python3")):
        assert place in script
        script = script.replace(place, str(tmp_path / here))
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "setup").write_text(script, encoding="utf-8")
    return tmp_path


def set_up(pi: Path, *, simplejpeg_fits: bool = True, bits: int = 64) -> subprocess.CompletedProcess[str]:
    environ = {
        "PATH": f"{pi}{os.pathsep}{os.environ['PATH']}",
        "SIMPLEJPEG_FAILS": str(int(not simplejpeg_fits)),
        "IS_64_BIT": str(int(bits == 64)),
    }
    return subprocess.run(["sh", pi / "scripts" / "setup", "run"], env=environ, capture_output=True, text=True)


def asked(pi: Path) -> list[str]:
    return (pi / "asked").read_text(encoding="utf-8").splitlines()


def test_camera_and_pins_are_the_systems_and_nothing_of_them_is_asked_of_pip(pi: Path) -> None:
    done = set_up(pi)
    assert done.returncode == 0, done.stderr
    venv, project = asked(pi)
    assert "--system-site-packages" in venv
    assert project.endswith("--editable .")


def test_a_simplejpeg_that_was_built_for_another_numpy_gets_one_of_its_own_before_it(pi: Path) -> None:
    done = set_up(pi, simplejpeg_fits=False)
    assert done.returncode == 0, done.stderr
    # The system's has the number that is wanted: without this option pip would answer that it is there.
    assert asked(pi)[-1].endswith("--ignore-installed --no-deps simplejpeg>=1.8")


def test_a_32_bit_system_is_told_so_before_hours_of_building(pi: Path) -> None:
    done = set_up(pi, bits=32)
    assert done.returncode == 1
    assert "install the 64-bit one" in done.stderr
    assert not (pi / "asked").exists()
