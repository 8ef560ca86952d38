"""Scenes are found with their truth, and a broken truth is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.bench.scenes import find_setups, read_recordings, read_stills
from companion.errors import BadSetup
from companion.games.pacal.pieces import Ship, Stones

CORNERS = [[0, 0], [10, 0], [10, 10], [0, 10]]
MOVED = [[1, 0], [11, 0], [11, 10], [1, 10]]


@pytest.fixture
def scenes(tmp_path: Path) -> Path:
    for number in ("01", "02", "12"):
        (tmp_path / f"setup-{number}").mkdir()
    return tmp_path


@pytest.fixture
def setup(scenes: Path) -> Path:
    write(scenes / "setup-01" / "setup.json", {"board_corners_px": CORNERS})
    return scenes / "setup-01"


def write(file: Path, data: Any) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(data), encoding="utf-8")


def still(setup: Path, name: str, **truth: Any) -> None:
    (setup / f"{name}.jpg").touch()
    write(setup / f"{name}.json", truth)


def test_setups_are_found_by_number_or_name(scenes: Path) -> None:
    assert [path.name for path in find_setups(scenes)] == ["setup-01", "setup-02", "setup-12"]
    assert [path.name for path in find_setups(scenes, ["02", "setup-12"])] == ["setup-02", "setup-12"]


def test_a_setup_that_is_not_there_is_named(scenes: Path) -> None:
    with pytest.raises(BadSetup, match=r"'2'.*setup-01, setup-02"):
        find_setups(scenes, ["2"])


def test_a_folder_without_setups_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadSetup, match="no setup-"):
        find_setups(tmp_path)


def test_a_still_has_its_truth(setup: Path) -> None:
    still(setup, "still-001", squares={"C4": {"ship": "red"}}, die=3)
    (one,) = read_stills(setup)
    assert (one.name, one.seen, one.die, one.die_hidden) == ("setup-01/still-001.jpg", {"C4": Ship("red")}, 3, False)
    assert one.corners_px == ((0, 0), (10, 0), (10, 10), (0, 10))


def test_a_bumped_still_has_corners_of_its_own_and_a_die_may_be_hidden(setup: Path) -> None:
    conditions = {"bumped": True, "light": "overcast day"}
    still(setup, "still-001", squares={}, die=3, hidden={"die": 0.3}, board_corners_px=MOVED, conditions=conditions)
    (one,) = read_stills(setup)
    assert one.corners_px[0] == (1, 0)
    assert one.bumped
    assert one.die_hidden


def test_every_still_has_a_seed_of_its_own_that_stays(setup: Path) -> None:
    for name in ("still-001", "still-002"):
        still(setup, name, squares={}, die=None)
    first, second = (one.seed for one in read_stills(setup))
    assert first != second
    assert [one.seed for one in read_stills(setup)] == [first, second]


@pytest.mark.parametrize(
    "truth", [{}, {"squares": {"C4": {"ship": "pink"}}}, {"squares": 7}, {"squares": {}, "conditions": 7}, []]
)
def test_a_broken_truth_is_named(setup: Path, truth: Any) -> None:
    (setup / "still-001.jpg").touch()
    write(setup / "still-001.json", truth)
    with pytest.raises(BadSetup, match=r"still-001\.json"):
        read_stills(setup)


def test_a_recording_has_the_truth_of_each_frame(setup: Path) -> None:
    frames = [
        {"file": "000.jpg", "t": 0.0, "hand": False, "squares": {}},
        {"file": "001.jpg", "t": 0.25, "hand": True, "squares": {"G2": {"stones": ["green"]}}},
    ]
    write(setup / "turn-01" / "turn.json", {"frames": frames})
    ((name, (first, second)),) = read_recordings(setup).items()
    assert name == "setup-01/turn-01"
    assert first.file == setup / "turn-01" / "000.jpg"
    assert (second.t, second.hand, second.seen) == (0.25, True, {"G2": Stones(("green",))})


def test_a_recording_of_one_frame_is_none(setup: Path) -> None:
    write(setup / "turn-01" / "turn.json", {"frames": [{"file": "0.jpg", "t": 0, "hand": False, "squares": {}}]})
    with pytest.raises(BadSetup, match=r"turn\.json.*two frames"):
        read_recordings(setup)
