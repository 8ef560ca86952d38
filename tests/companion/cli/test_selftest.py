from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import cli
from companion.cli.selftest import run as run_steps
from companion.errors import BadPicture, BadTable, HardwareError
from companion.selftest.marks import result
from companion.selftest.plan import STEPS, Step, plan
from companion.wiring.selftest import simulated

STILL = Path(__file__).parents[2] / "vision" / "pictures" / "setup" / "still-002.jpg"


def selftest(*arguments: str | Path, said: str = "") -> Result:
    return CliRunner().invoke(cli, ["selftest", *map(str, arguments)], input=said)


@pytest.fixture
def two_pictures(tmp_path: Path) -> Path:
    folder = tmp_path / "pictures"
    folder.mkdir()
    for name in ("1.jpg", "2.jpg"):
        shutil.copy(STILL, folder / name)
    return folder


def test_the_plan_shows_all_steps_and_takes_no_picture(table: Path) -> None:
    said = selftest("--table", table, "--plan")
    assert said.exit_code == 0
    assert all(f"Step {number} of 12" in said.stdout for number in range(1, 13))


def test_pictures_of_a_folder_are_read_without_asking(table: Path, two_pictures: Path) -> None:
    said = selftest("--table", table, "--images", two_pictures)
    assert said.exit_code == 0
    assert "Only 2 of 12 steps" in said.stdout
    # These pictures show another placement: nearly every square is wrong, and that is said.
    assert "expected" in said.stdout
    assert "Change the light" in said.stdout


def test_json_stands_alone_on_standard_output(table: Path, two_pictures: Path) -> None:
    said = selftest("--table", table, "--images", two_pictures, "--json")
    data = json.loads(said.stdout)
    assert (data["format"], data["steps"], data["verdict"]) == (1, 2, "change")
    assert len(data["placements"]) == 2
    assert sum(len(one["squares"]) for one in data["placements"]) == data["pieces"] + data["extra"]
    assert "Step 1 of 12" in said.stderr


def test_more_pictures_than_steps_are_refused(table: Path, two_pictures: Path) -> None:
    for number in range(3, STEPS + 2):
        shutil.copy(STILL, two_pictures / f"{number}.jpg")
    said = selftest("--table", table, "--images", two_pictures)
    assert isinstance(said.exception, BadPicture)
    assert "13 pictures" in str(said.exception)


def test_without_a_table_it_says_so(tmp_path: Path) -> None:
    assert isinstance(selftest("--table", tmp_path).exception, BadTable)


def test_without_a_camera_it_says_so(table: Path) -> None:
    assert isinstance(selftest("--table", table).exception, HardwareError)


def test_options_that_exclude_each_other_are_refused(table: Path) -> None:
    assert selftest("--demo", "--plan").exit_code == 2


def test_a_simulated_table_is_led_through_steps_and_one_is_repeated() -> None:
    said: list[str] = []
    table, take = simulated(lambda text: None)
    steps = plan(table.board)[:3]
    forgotten = iter([Step((), {}, {})])
    answers = {"Press Enter": iter(["", "", "", "q"]), "Enter: go on": iter(["r"])}

    def ask(question: str) -> str:
        said.append(question)
        return next(next(left for start, left in answers.items() if start in question), "")

    marks = run_steps(table, steps, lambda step: take(next(forgotten, step)), said.append, ask)
    # The first picture showed an empty board: all pieces were missing, and the step was repeated.
    assert any("nothing seen" in text for text in said)
    assert [len(found.pieces) for found in marks] == [4, 8]
    end = result(marks)
    assert end.right - end.extra >= 11
    assert [text for text in said if "Step" in text][2].count("[") == 4
