"""``companion run`` as a program: it opens a page, survives a pulled plug, and says in one line why it cannot start."""

from __future__ import annotations

import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

COMPANION = Path(sys.executable).with_name("companion")
PATIENCE_SECONDS = 120.0


DEMO = (str(COMPANION), "run", "--demo", "--speed", "4")
BARE = """
import sys
sys.modules["picamera2"] = sys.modules["gpiozero.pins.lgpio"] = None
from companion.cli import main
main()
"""
"""The command line on a computer with neither camera nor pins."""


class Running:
    """A table in a process of its own, the demo table if no other command is given."""

    def __init__(self, folder: Path, *command: str) -> None:
        command = (*(command or DEMO), "--table", str(folder), "--port", "0")
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self.said: list[str] = []
        self.address = self._address()

    def _address(self) -> str:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.said.append(line)
            if found := re.search(r"the table is at (\S+)", line):
                return found[1]
        raise AssertionError(f"it ended before the page was open: {''.join(self.said)}")

    def snapshot(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.address}/snapshot.json", timeout=10) as answer:
            shown: dict[str, Any] = json.load(answer)
            return shown

    def do(self, **command: Any) -> dict[str, Any]:
        """What the operator's page sends; the answer."""
        assert self.process.stderr is not None
        link = next(found[0] for line in self.process.stderr if (found := re.search(r"http\S+key=\S+", line)))
        operator = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        operator.open(link, timeout=10).close()
        request = urllib.request.Request(
            f"{self.address}/do", json.dumps(command).encode(), {"Content-Type": "application/json"}
        )
        with operator.open(request, timeout=10) as answer:
            shown: dict[str, Any] = json.load(answer)
            return shown

    def until(self, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first snapshot that fits."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not fits(snapshot := self.snapshot()):
            assert time.monotonic() < end, f"never shown; the last was {snapshot['status']} {snapshot['log'][-3:]}"
            time.sleep(0.1)
        return snapshot

    def stop(self, how: signal.Signals) -> int:
        self.process.send_signal(how)
        with self.process as process:
            assert process.stderr is not None
            self.said.append(process.stderr.read())
            return process.wait(30)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[], Running]]:
    started: list[Running] = []

    def begin() -> Running:
        started.append(Running(tmp_path / "table"))
        return started[-1]

    yield begin
    for running in started:
        if running.process.poll() is None:
            running.stop(signal.SIGKILL)


def test_what_was_shown_is_there_again_after_a_kill(start: Callable[[], Running]) -> None:
    first = start()
    shown = first.until(lambda snapshot: len(snapshot["log"]) >= 6)
    first.stop(signal.SIGKILL)

    second = start()
    again = second.until(lambda snapshot: bool(snapshot["log"]))
    texts = [line["text"] for line in shown["log"]]
    assert [line["text"] for line in again["log"]][: len(texts)] == texts
    assert again["version"] > shown["version"]
    second.until(lambda snapshot: len(snapshot["log"]) > len(texts) + 2)
    assert second.stop(signal.SIGTERM) == 0
    assert "Traceback" not in "".join(second.said)


def test_a_table_without_camera_and_pins_starts_and_the_game_is_kept_by_hand(table: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(table, tmp_path / "table")
    running = Running(folder, sys.executable, "-c", BARE, "run")
    try:
        running.do(do="new", game="pacal", players=["red", "blue"])
        shown = running.until(lambda snapshot: snapshot["status"]["kind"] == "dead")
        assert shown["status"]["text"].startswith("Red's turn. The camera library is missing")
    finally:
        ended = running.stop(signal.SIGTERM)
    assert ended == 0
    said = "".join(running.said)
    assert "the table's buttons do not work" in said
    assert "Traceback" not in said


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([COMPANION, "run", *arguments], capture_output=True, text=True, timeout=60, check=False)


def test_a_port_in_use_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("", 0)) as taken:
        port = taken.getsockname()[1]
        ended = run("--demo", "--table", str(tmp_path), "--port", str(port))
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1].startswith(f"companion: port {port} is in use")
    assert "Traceback" not in ended.stderr


def test_a_script_that_cannot_be_played_is_one_line_that_names_the_rule(tmp_path: Path) -> None:
    script = tmp_path / "game.jsonl"
    opening = {"script": 1, "game": "pacal", "players": ["red", "blue"]}
    step = {"t": 1.0, "action": {"type": "place", "square": "A1"}}
    script.write_text(f"{json.dumps(opening)}\n{json.dumps(step)}\n", encoding="utf-8")
    ended = run("--script", str(script), "--port", "0")
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1].startswith("companion: SETUP-4: ")


def test_a_folder_that_is_no_table_is_one_line(tmp_path: Path) -> None:
    ended = run("--table", str(tmp_path))
    assert ended.returncode == 1
    assert len(ended.stderr.splitlines()) == 1
    assert "table.json" in ended.stderr


def test_a_journal_that_is_none_is_one_line_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_bytes(b"this is no database at all")
    ended = run("--demo", "--table", str(tmp_path), "--port", "0")
    assert ended.returncode == 1
    assert len(ended.stderr.splitlines()) == 1
    assert "journal.db" in ended.stderr
    assert (tmp_path / "journal.db").read_bytes() == b"this is no database at all"
