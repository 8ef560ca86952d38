"""``companion watch``, from a set-up folder to the lines it prints, on a simulated table."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner, Result

from companion.cli import cli
from companion.errors import BadPicture
from companion.games.pacal.pieces import Ship
from vision.simulated.camera import SimulatedCamera
from vision.simulated.choreography import Visit
from vision.simulated.printed import printed_board
from vision.simulated.scene import Renderer, SceneState, Standing
from vision.simulated.setup import write_setup
from vision.simulated.view import View

VIEW = View()


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A taught table and the recording of a flight before it."""
    folder = tmp_path_factory.mktemp("watched")
    renderer = Renderer(printed_board("pacal", "reference"))
    write_setup(folder / "setup", renderer, VIEW)
    taught = run("teach", folder / "setup", "--out", folder / "table")
    assert taught.exit_code == 0, taught.output
    t = 0.0
    camera = SimulatedCamera(renderer, lambda: t, VIEW, SceneState({"C4": Standing(Ship("red"), None, ("green",))}))
    camera.reach([Visit("C4", Standing(stones=("green",)), Ship("red")), Visit("G7", Standing(Ship("red")))], 0.4)
    (folder / "frames").mkdir()
    for number in range(17):
        t = number / 4
        cv2.imwrite(str(folder / "frames" / f"{number:03d}.jpg"), camera.capture())
    return folder


def test_a_line_for_each_time_the_board_has_settled(folder: Path) -> None:
    result = run("watch", folder / "frames", "--table", folder / "table")
    assert result.exit_code == 0, result.output
    first, last = (json.loads(line) for line in result.stdout.splitlines())
    assert (first["t"], first["file"]) == (0.0, "000.jpg")
    assert first["squares"] == {"C4": {"ship": "red"}}
    assert last["squares"] == {"C4": {"stones": ["green"]}, "G7": {"ship": "red"}}
    assert last["t"] == int(last["file"][:3]) / 4
    assert last["usable"] is True


def test_the_rate_sets_the_times(folder: Path) -> None:
    result = run("watch", folder / "frames", "--table", folder / "table", "--fps", "2")
    last = json.loads(result.stdout.splitlines()[-1])
    assert last["t"] == int(last["file"][:3]) / 2


def test_measures_have_a_line_for_each_frame(folder: Path, tmp_path: Path) -> None:
    measures = tmp_path / "measures.csv"
    run("watch", folder / "frames", "--table", folder / "table", "--measures", measures)
    head, *lines = measures.read_text().splitlines()
    assert head.startswith("file,t,sight,read,moved_percent,hand_percent")
    assert [line.split(",")[0] for line in lines][:17] == [f"{number:03d}.jpg" for number in range(17)]
    assert any(",hands," in line for line in lines)


def test_an_empty_folder_is_one_sentence(folder: Path, tmp_path: Path) -> None:
    result = run("watch", tmp_path, "--table", folder / "table")
    assert isinstance(result.exception, BadPicture)


def test_a_broken_frame_is_left_out_and_told_at_the_end(folder: Path, tmp_path: Path) -> None:
    for number in (0, 16):
        (tmp_path / f"{number:03d}.jpg").write_bytes((folder / "frames" / f"{number:03d}.jpg").read_bytes())
    (tmp_path / "008.jpg").write_bytes(b"\xff\xd8\xff")
    result = run("watch", tmp_path, "--table", folder / "table")
    assert [json.loads(line)["file"] for line in result.stdout.splitlines()] == ["000.jpg", "016.jpg"]
    assert isinstance(result.exception, BadPicture)
    assert "008.jpg" in str(result.exception)
