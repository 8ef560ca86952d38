from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from companion.errors import BadTable
from vision.reader import Reader
from vision.table import Table


@pytest.fixture
def folder(table: Table, tmp_path: Path) -> Path:
    table.save(tmp_path / "table")
    return tmp_path / "table"


def test_a_table_comes_back_as_it_was_saved(table: Table, folder: Path) -> None:
    loaded = Table.load(folder)
    assert loaded.board == table.board
    assert loaded.game == "pacal"
    assert loaded.lens == table.lens
    assert np.array_equal(loaded.corners_px, table.corners_px)
    assert np.array_equal(loaded.empty, table.empty)
    assert loaded.learned.keys() == table.learned.keys()
    assert all(np.array_equal(loaded.learned[name], table.learned[name]) for name in table.learned)


def test_saving_again_replaces_the_table_and_leaves_other_files_alone(table: Table, folder: Path) -> None:
    (folder / "journal.sqlite").write_text("a game")
    table.save(folder)
    assert (folder / "journal.sqlite").read_text() == "a game"
    assert len(list(folder.iterdir())) == 4
    Table.load(folder)


def test_saving_takes_away_what_a_pulled_plug_left_and_nothing_that_only_looks_like_it(
    table: Table, folder: Path
) -> None:
    left, others = ("table-0123456789ab.json", "empty-0123456789ab.png"), ("empty-kitchen.png", "learned-notes.npz")
    for name in (*left, *others):
        (folder / name).write_text("")
    table.save(folder)
    assert not any((folder / name).exists() for name in left)
    assert all((folder / name).exists() for name in others)
    Table.load(folder)


def test_a_failed_save_leaves_nothing(table: Table, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadTable, match="cannot be written"):
        table.save(tmp_path / "file" / "table")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_save_to_where_nothing_can_be_written_or_deleted_keeps_the_table(
    table: Table, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(self: Path, *_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "open", read_only)
    monkeypatch.setattr(Path, "unlink", read_only)
    with pytest.raises(BadTable, match="Read-only file system"):
        table.save(folder)
    monkeypatch.undo()
    Table.load(folder)


def test_a_name_that_no_folder_can_have_is_told(table: Table, tmp_path: Path) -> None:
    with pytest.raises(BadTable, match="cannot be written"):
        table.save(tmp_path / ("a" * 300))


def test_a_save_that_fails_half_way_keeps_the_old_table(
    table: Table, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sorted(path.name for path in folder.iterdir())

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(BadTable, match="No space left"):
        table.save(folder)
    assert sorted(path.name for path in folder.iterdir()) == before
    Table.load(folder)


def test_a_missing_table_is_a_bad_table(tmp_path: Path) -> None:
    with pytest.raises(BadTable, match="companion teach"):
        Table.load(tmp_path)


@pytest.mark.parametrize("pattern", ["table.json", "empty-*.png", "learned-*.npz"])
@pytest.mark.parametrize("content", [None, b"", b"PK\x03\x04 broken", b"{}"])
def test_a_broken_table_is_a_bad_table(folder: Path, pattern: str, content: bytes | None) -> None:
    (file,) = folder.glob(pattern)
    file.unlink() if content is None else file.write_bytes(content)
    with pytest.raises(BadTable):
        Table.load(folder)


def test_a_byte_that_is_broken_gives_a_bad_table_and_no_other_error(folder: Path) -> None:
    (file,) = folder.glob("learned-*.npz")
    whole = file.read_bytes()
    refused = 0
    for place in np.random.default_rng(1).integers(0, len(whole), 150):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            Table.load(folder)
        except BadTable:
            refused += 1
    assert refused > 75


@pytest.mark.parametrize(
    "change",
    [{"columns": 0}, {"columns": 9}, {"rows": 3}, {"squares": []}, {"squares": ["A1", "AA1"]}, {"grid_mm": [0] * 4}],
)
def test_a_header_whose_squares_do_not_lie_on_the_grid_is_broken(folder: Path, change: dict[str, object]) -> None:
    header = json.loads((folder / "table.json").read_text())
    (folder / "table.json").write_text(json.dumps({**header, "board": {**header["board"], **change}}))
    with pytest.raises(BadTable, match="do not lie on its grid"):
        Table.load(folder)


def test_a_table_of_a_newer_format_says_what_to_do(folder: Path) -> None:
    header = json.loads((folder / "table.json").read_text())
    (folder / "table.json").write_text(json.dumps({**header, "format": 99, "board": "of another form"}))
    with pytest.raises(BadTable, match=r"format 99.*update Companion"):
        Table.load(folder)


@pytest.mark.parametrize("older", [1, 2])
def test_a_table_of_an_older_format_says_what_to_do(folder: Path, older: int) -> None:
    header = json.loads((folder / "table.json").read_text())
    (folder / "table.json").write_text(json.dumps({**header, "format": older}))
    with pytest.raises(BadTable, match=rf"format {older}, .*older Companion.*teach the table again"):
        Table.load(folder)


def test_a_table_that_learned_too_little_cannot_be_read_with(table: Table) -> None:
    ignorant = Table(table.board, table.lens, table.corners_px, table.empty, {"means": table.learned["means"]})
    with pytest.raises(BadTable, match="teach it again"):
        Reader(ignorant)
