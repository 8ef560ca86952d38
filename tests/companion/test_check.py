"""``companion check``: what it says of a computer, and when it ends with an error."""

from __future__ import annotations

import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli.check import LIBRARIES, ROOM_MB, command
from companion.errors import StartError
from companion.journal.store import Journal
from companion.table.loop import Loop
from companion.table.publish import Publisher
from companion.table.session import Session
from web import WebSettings, create_app, serve


@pytest.fixture(autouse=True)
def no_pi(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A computer that is no Pi, with neither camera nor pins, and an empty folder to work in."""
    monkeypatch.setattr("hardware.pins.MODEL_FILE", tmp_path / "nothing")
    monkeypatch.setitem(sys.modules, "picamera2", None)
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", None)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.create_server(("", 0)) as listener:  # it takes calls and never answers
        yield listener.getsockname()[1]


def check(*arguments: str) -> Result:
    return CliRunner().invoke(command, ["--port", "0", *arguments])


def line_of(result: Result, name: str) -> str:
    (line,) = (line for line in result.output.splitlines() if line[9:].startswith(f"{name}:"))
    return line


def test_a_computer_on_which_the_demo_can_run_is_all_right() -> None:
    result = check()
    assert result.exit_code == 0, result.output
    assert "missing  " not in result.output
    assert "Traceback" not in result.output


def test_every_library_is_named_with_its_version() -> None:
    result = check()
    for package in LIBRARIES.values():
        assert line_of(result, package).split()[-1][0].isdigit()


def test_without_a_table_a_missing_camera_is_only_a_note() -> None:
    result = check()
    assert line_of(result, "camera").startswith("note ")
    assert "install python3-picamera2" in line_of(result, "camera")
    assert line_of(result, "pins").startswith("note ")


def test_on_a_pi_camera_and_pins_are_needed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    model = tmp_path / "model"
    model.write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    monkeypatch.setattr("hardware.pins.MODEL_FILE", model)
    result = check()
    assert line_of(result, "Python").endswith("on Raspberry Pi 5 Model B Rev 1.0")
    assert line_of(result, "camera").startswith("missing ")
    assert isinstance(result.exception, StartError)
    assert str(result.exception) == "2 needed things are missing; the lines above say what to do"


def test_another_board_with_a_device_tree_is_no_pi(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(b"Orange Board\0")
    monkeypatch.setattr("hardware.pins.MODEL_FILE", tmp_path / "model")
    assert check().exit_code == 0


def test_a_table_that_is_not_there_is_missing_with_everything_it_needs() -> None:
    result = check("--table", "nowhere")
    assert result.exit_code == 1
    for name in ("table", "camera", "pins", "disk", "journal"):
        assert line_of(result, name).startswith("missing "), name
    assert "companion teach" in line_of(result, "table")


def test_settings_that_are_wrong_are_shown_with_file_and_key() -> None:
    Path("companion.toml").write_text("[page]\nprot = 1\n", encoding="utf-8")
    result = check("--table", ".")
    assert (
        line_of(result, "settings")
        == "missing  settings: companion.toml: page.prot: there is no such key; did you mean port?"
    )


def test_the_camera_that_the_settings_mean_must_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.camera.connected", lambda: ["imx708"])
    assert line_of(check("--table", "."), "camera") == "ok       camera: imx708"
    Path("companion.toml").write_text("[camera]\nnumber = 1\n", encoding="utf-8")
    assert line_of(check("--table", "."), "camera").startswith("missing  camera: number 1 is asked for")


def test_a_pin_profile_that_is_wrong_is_shown() -> None:
    Path("companion.toml").write_text('pins = "pins.toml"\n', encoding="utf-8")
    Path("pins.toml").write_text("[buttons]\nred = 5\n", encoding="utf-8")
    assert "pins.toml: buttons.yellow: is missing" in line_of(check("--table", "."), "pins")


def test_a_port_in_use_is_missing(taken_port: int) -> None:
    result = check("--port", str(taken_port))
    assert result.exit_code == 1
    assert f"port {taken_port} is in use" in line_of(result, "page")


@pytest.fixture
def running() -> Iterator[int]:
    """The table in the folder ``ours`` is running; its port."""
    Path("ours").mkdir()
    journal, publisher = Journal.open(Path("ours/journal.db"), lambda: 0.0), Publisher()
    page = serve(create_app(Loop(Session(journal, publisher), publisher), WebSettings("a key of ours")), port=0)
    yield page.port
    page.stop()
    journal.close()


def test_a_table_that_is_running_has_its_port(running: int) -> None:
    result = check("--table", "ours", "--port", str(running))
    assert line_of(result, "page") == f"ok       page: port {running} is this table's, which is running"


def test_a_table_whose_port_another_one_has_cannot_start(running: int) -> None:
    Path("theirs").mkdir()
    result = check("--table", "theirs", "--port", str(running))
    assert line_of(result, "page").startswith(f"missing  page: port {running} is in use")


def test_a_port_that_something_else_has_is_missing_even_while_the_table_runs(
    running: int, taken_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.cli.check.ANSWER_SECONDS", 0.2)
    result = check("--table", "ours", "--port", str(taken_port))
    assert line_of(result, "page").startswith(f"missing  page: port {taken_port} is in use")


def test_pins_are_looked_at_where_the_gpio_library_may_leave_its_pipe(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Factory:
        def __init__(self) -> None:
            Path(".lgd-nfy0").touch()

        def close(self) -> None:
            pass

    monkeypatch.setattr("hardware.pins.open_pins", Factory)
    assert line_of(check("--table", "."), "pins").startswith("ok ")
    assert Path.cwd() == tmp_path
    assert not list(tmp_path.glob(".lgd*"))


def test_a_disk_that_is_nearly_full_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda folder: type("Usage", (), {"free": (ROOM_MB - 1) * 1_000_000}))
    assert line_of(check(), "disk").startswith(f"missing  disk: only {ROOM_MB - 1} MB are free")


def test_a_journal_that_is_none_is_missing() -> None:
    Path("journal.db").write_text("no database", encoding="utf-8")
    assert line_of(check("--table", "."), "journal").startswith("missing ")


def test_a_table_named_by_a_relative_path_has_its_journal_in_its_own_folder() -> None:
    Path("ours").mkdir()
    result = check("--table", "ours")
    assert line_of(result, "journal") == f"ok       journal: can be written in {Path.cwd() / 'ours'}"
    Journal.open(Path("ours/journal.db"), lambda: 0.0).close()
    result = check("--table", "ours")
    assert line_of(result, "journal") == f"ok       journal: {Path.cwd() / 'ours' / 'journal.db'}, 0 games"


def test_a_folder_that_only_its_owner_may_look_into_is_said(as_nobody: None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "ours").mkdir()
        Path(folder, "ours").chmod(0)
        result = check("--table", f"{folder}/ours")
        Path(folder, "ours").chmod(0o755)
    assert isinstance(result.exception, StartError), result.exception
    assert "Permission denied" in line_of(result, "settings")


def test_the_table_in_the_default_folder_is_meant_when_none_is_named() -> None:
    Path("table").mkdir()
    Path("table/table.json").write_text("{}", encoding="utf-8")
    result = check()
    assert line_of(result, "table").startswith("missing  table: table/table.json: is broken")
    assert line_of(result, "camera").startswith("note ")


def test_a_library_that_cannot_be_imported_is_missing_and_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cv2", None)
    result = check()
    assert result.exit_code == 1
    assert "cannot be imported" in line_of(result, "opencv-python")
    assert "Traceback" not in result.output
