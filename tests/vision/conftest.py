from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli.teach import board_of
from companion.games.pacal.pieces import squares_from_json
from companion.observation import Seen
from vision.frames import Picture, read_picture
from vision.geometry import Floats
from vision.reader import Reader
from vision.reading.die.memory import DieMemory
from vision.reading.die.reading import DieReading
from vision.table import Table
from vision.teaching.setup_folder import Setup, read_setup
from vision.teaching.teach import teach

PICTURES = Path(__file__).parent / "pictures" / "setup"


@pytest.fixture(scope="session")
def setup_folder() -> Path:
    """A real set-up: empty board, two palettes, two stills with their truth; 1152 x 648 px."""
    return PICTURES


@pytest.fixture(scope="session")
def setup() -> Setup:
    return read_setup(PICTURES, board_of)


@pytest.fixture(scope="session")
def table(setup: Setup) -> Table:
    return teach(setup)


@pytest.fixture
def reader(table: Table) -> Reader:
    return Reader(table)


@pytest.fixture(scope="session")
def still() -> Picture:
    return read_picture(PICTURES / "still-004.jpg")


@pytest.fixture(scope="session")
def truth() -> Seen:
    return truth_of(PICTURES / "still-004.json")


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[Picture]:
    """The pictures in which the die was looked for, in all of each or where something had changed."""
    seen: list[Picture] = []
    read = DieMemory.read

    def search(memory: DieMemory, picture: Picture, corners_px: Floats, board_mm: tuple[float, float]) -> DieReading:
        before = memory._last
        found = read(memory, picture, corners_px, board_mm)
        if memory._last is not before:
            seen.append(picture)
        return found

    monkeypatch.setattr(DieMemory, "read", search)
    return seen


def truth_of(file: Path) -> Seen:
    return squares_from_json(json.loads(file.read_text(encoding="utf-8"))["squares"])
