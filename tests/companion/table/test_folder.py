"""A table's folder keeps the board that it was taught with, and the page does not tell where."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from companion import games
from companion.journal.store import Journal
from companion.table.folder import keep_layout, layout_of
from companion.table.outside import Correct, NewGame
from companion.table.publish import Publisher
from companion.table.session import Session


def own_layout(folder: Path) -> str:
    """A layout file of an owner's own, named unlike the built-in one."""
    text = (resources.files("companion") / "layouts" / "pacal-reference.toml").read_text(encoding="utf-8")
    path = folder / "ours.toml"
    path.write_text(text.replace('name = "reference"', 'name = "ours"').replace("H = 7", "H = 6"), encoding="utf-8")
    return str(path)


def test_a_built_in_layout_is_kept_by_its_name(tmp_path: Path) -> None:
    keep_layout(tmp_path, "reference")
    assert layout_of(tmp_path, "reference") == "reference"


def test_a_layout_file_is_kept_as_a_copy_until_the_table_is_taught_with_another(tmp_path: Path) -> None:
    table = tmp_path / "table"
    table.mkdir()
    keep_layout(table, own_layout(tmp_path))
    (tmp_path / "ours.toml").unlink()
    kept = layout_of(table, "ours")
    board = games.get("pacal").board(kept)
    assert board is not None
    assert board.name == "ours"
    keep_layout(table, "reference")
    assert layout_of(table, "reference") == "reference"


def test_games_are_played_on_the_tables_own_board_and_the_page_tells_no_path(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "journal.db", lambda: 0.0)
    session = Session(journal, Publisher(), board=own_layout(tmp_path))
    snapshot = session.handle(NewGame("pacal", ("red", "blue")))
    view, drawing = snapshot["view"], snapshot["board"]
    assert view is not None
    assert drawing is not None
    assert view["board"] == "ours"
    assert drawing["values"]["H"] == 6
    assert str(tmp_path) not in str(snapshot)
    corrected = session.handle(Correct({**view, "track": {"red": 0, "blue": 0}}))
    drawing = corrected["board"]
    assert drawing is not None
    assert drawing["values"]["H"] == 6
    journal.close()
