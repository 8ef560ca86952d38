from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from companion.boards import Board
from companion.errors import BadLayout, BadSetup
from vision.teaching.setup_folder import Setup, read_setup


@pytest.fixture
def folder(setup_folder: Path, tmp_path: Path) -> Path:
    for name in ("setup.json", "empty.jpg", "palette-1.jpg", "palette-1.json"):
        shutil.copy(setup_folder / name, tmp_path / name)
    return tmp_path


@pytest.fixture
def board_of(setup: Setup) -> Any:
    return lambda game, layout: setup.board


def change(file: Path, **values: Any) -> None:
    file.write_text(json.dumps({**json.loads(file.read_text()), **values}))


def test_a_setup_is_read_with_what_it_needs_only(folder: Path, board_of: Any) -> None:
    (folder / "still-001.jpg").write_bytes(b"no picture at all")
    setup = read_setup(folder, board_of)
    assert [palette.name for palette in setup.palettes] == ["palette-1.jpg"]
    assert setup.palettes[0].squares["A2"] == {"pyramid": {"colour": "blue", "floors": 2}}
    assert setup.corners_px.shape == (4, 2)


def test_a_mark_of_the_encoding_before_the_json_does_no_harm(folder: Path, board_of: Any) -> None:
    for file in folder.glob("*.json"):
        file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert [palette.name for palette in read_setup(folder, board_of).palettes] == ["palette-1.jpg"]


@pytest.mark.parametrize("name", ["setup.json", "empty.jpg", "palette-1.json", "palette-1.jpg"])
def test_a_missing_file_is_named(folder: Path, board_of: Any, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(BadSetup, match=r"palette-\*\.jpg" if name == "palette-1.jpg" else name):
        read_setup(folder, board_of)


@pytest.mark.parametrize("name", ["setup.json", "empty.jpg", "palette-1.json", "palette-1.jpg"])
@pytest.mark.parametrize("content", [b"", b"\xff\xd8\xff\xe0 cut off", b"{"])
def test_a_broken_file_is_named(folder: Path, board_of: Any, name: str, content: bytes) -> None:
    (folder / name).write_bytes(content)
    with pytest.raises(BadSetup, match=name):
        read_setup(folder, board_of)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"format": 2}, "format is 2"),
        ({"board_corners_px": [[0, 0], [1, 0], [1, 1]]}, "4 points"),
        ({"board_corners_px": [[100, 100], [100, 500], [500, 500], [500, 100]]}, "clockwise"),
        ({"board_corners_px": [[100, 100], [5000, 100], [500, 500], [100, 500]]}, "lie in the picture"),
        ({"board_corners_px": "here"}, "board_corners_px"),
        ({"image_size": [640, 480]}, "image_size"),
    ],
)
def test_a_wrong_value_is_explained(folder: Path, board_of: Any, values: dict[str, Any], message: str) -> None:
    change(folder / "setup.json", **values)
    with pytest.raises(BadSetup, match=message):
        read_setup(folder, board_of)


def test_a_square_that_the_board_has_not_is_named(folder: Path, board_of: Any) -> None:
    change(folder / "palette-1.json", squares={"Z9": {"ship": "red"}})
    with pytest.raises(BadSetup, match="Z9"):
        read_setup(folder, board_of)


def test_no_folder_is_no_setup(tmp_path: Path, board_of: Any) -> None:
    with pytest.raises(BadSetup, match="no folder"):
        read_setup(tmp_path / "nowhere", board_of)


def test_a_layout_beside_the_pictures_is_taken_by_its_path(folder: Path, setup: Setup) -> None:
    (folder / "mine.toml").write_text("")
    change(folder / "setup.json", board="mine.toml")
    asked = []

    def board_of(game: str, layout: str) -> Board:
        asked.append((game, layout))
        return setup.board

    read_setup(folder, board_of)
    assert asked == [("pacal", str(folder / "mine.toml"))]


def test_a_wrong_layout_is_a_wrong_setup(folder: Path) -> None:
    def board_of(game: str, layout: str) -> Board:
        raise BadLayout("layout 'x': no good")

    with pytest.raises(BadSetup, match="no good"):
        read_setup(folder, board_of)
