"""A table's folder keeps the board that it was taught with, the page does not tell where, and games outlast both."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from companion import games
from companion.boards import LAYOUT_FILE
from companion.errors import BadTable
from companion.journal.entries import Accepted, Corrected, Started
from companion.journal.export import as_json
from companion.journal.store import Journal
from companion.table.folder import keep_layout, layout_of
from companion.table.outside import Act, Correct, NewGame, Watching
from companion.table.publish import Publisher
from companion.table.session import Session
from companion.table.snapshot import Snapshot
from companion.wiring.running import unfinished


def own_layout(folder: Path) -> str:
    """A layout file of an owner's own, named unlike the built-in one."""
    text = (resources.files("companion") / "layouts" / "pacal-reference.toml").read_text(encoding="utf-8")
    path = folder / "ours.toml"
    path.write_text(text.replace('name = "reference"', 'name = "ours"').replace("H = 7", "H = 6"), encoding="utf-8")
    return str(path)


def test_a_built_in_layout_is_kept_by_its_name(tmp_path: Path) -> None:
    with keep_layout(tmp_path, "reference"):
        pass
    assert layout_of(tmp_path, "reference") == "reference"


def test_a_layout_file_is_kept_as_a_copy_until_the_table_is_taught_with_another(tmp_path: Path) -> None:
    table = tmp_path / "table"
    table.mkdir()
    with keep_layout(table, own_layout(tmp_path)):
        pass
    (tmp_path / "ours.toml").unlink()
    kept = layout_of(table, "ours")
    board = games.get("pacal").board(kept)
    assert board is not None
    assert board.name == "ours"
    with keep_layout(table, "reference"):
        pass
    assert layout_of(table, "reference") == "reference"


@pytest.mark.parametrize("taught_before", [False, True])
def test_a_table_that_cannot_be_saved_changes_no_layout(tmp_path: Path, taught_before: bool) -> None:
    table, layout = tmp_path / "table", own_layout(tmp_path)
    if taught_before:
        table.mkdir()
        with keep_layout(table, layout):
            pass
    before = [(path, path.read_bytes()) for path in table.glob("*")]
    Path(layout).write_text("another", encoding="utf-8")
    with pytest.raises(BadTable, match="disk full"), keep_layout(table, layout):
        raise BadTable("disk full")
    assert [(path, path.read_bytes()) for path in table.glob("*")] == before
    assert table.exists() is taught_before


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


@pytest.fixture
def taught(tmp_path: Path) -> Path:
    """The folder of a table with a layout of its own."""
    folder = tmp_path / "table"
    folder.mkdir()
    with keep_layout(folder, own_layout(tmp_path)):
        pass
    return folder


class Playing:
    """A session over the journal of a table's folder, until the end of ``with``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __enter__(self) -> Playing:
        self.journal = Journal.open(self.folder / "journal.db", lambda: 0.0)
        self.publisher = Publisher()
        self.session = Session(self.journal, self.publisher, board=layout_of(self.folder, "ours"))
        return self

    def __exit__(self, *_: object) -> None:
        self.journal.close()

    @property
    def shown(self) -> Snapshot:
        return self.publisher.snapshot()

    def begin(self) -> None:
        """Red places a ship, and the position is corrected by hand."""
        self.session.handle(NewGame("pacal", ("red", "blue")))
        self.session.handle(Act({"type": "place", "square": "F6"}, self.shown["version"]))
        view = self.shown["view"]
        assert view is not None
        self.session.handle(Correct(view))

    def values(self) -> dict[str, int]:
        """What the districts are worth in the game that is on."""
        drawing = self.shown["board"]
        assert drawing is not None
        return dict(drawing["values"])


def test_a_game_goes_on_in_a_folder_that_was_moved(taught: Path, tmp_path: Path) -> None:
    with Playing(taught) as table:
        table.begin()
        before = table.shown
    with Playing(taught.rename(tmp_path / "elsewhere")) as table:
        assert table.shown["view"] == before["view"]
        assert table.shown["log"] == before["log"]
        exported = as_json(games.get("pacal"), table.journal.entries(1))
        assert str(tmp_path) not in exported


def test_a_table_that_is_taught_another_layout_changes_no_game_that_was_played_before(taught: Path) -> None:
    with Playing(taught) as table:
        table.begin()
    layout = taught / LAYOUT_FILE
    layout.write_text(layout.read_text(encoding="utf-8").replace("B = 4", "B = 7"), encoding="utf-8")
    with Playing(taught) as table:
        assert table.values()["B"] == 4
        table.begin()
        assert table.values()["B"] == 7


def as_once(folder: Path, layout: Path) -> None:
    """A journal as earlier versions wrote it, with the path of the layout and a correction."""
    journal = Journal.open(folder / "journal.db", lambda: 0.0)
    started = Started("pacal", ("red", "blue"), str(layout), {}, 1)
    game = games.get("pacal")
    state = game.state_to_json(game.new(started.players, started.board, {}, None))
    journal.append(journal.start(started).game, Corrected(state))
    journal.close()


def test_a_journal_that_has_only_the_layouts_path_is_gone_on_with(taught: Path, tmp_path: Path) -> None:
    as_once(taught, taught / LAYOUT_FILE)
    with Playing(taught) as table:
        assert table.values()["H"] == 6
    with Playing(taught.rename(tmp_path / "elsewhere")) as table:
        assert table.values()["H"] == 6
        assert str(tmp_path) not in f"{table.shown} {as_json(games.get('pacal'), table.journal.entries(1))}"


def test_a_game_whose_layout_is_lost_does_not_stop_the_table(taught: Path, tmp_path: Path) -> None:
    as_once(taught, taught / LAYOUT_FILE)
    (taught / LAYOUT_FILE).unlink()
    with Playing(taught) as table:
        status = table.shown["status"]
        assert status["kind"] == "setup"
        assert "game 1 is played on a layout of its own, and layout.toml is not there any more" in status["text"]
        assert str(tmp_path) not in str(table.shown)
        table.session._board = "reference"
        table.begin()
        assert table.values()["H"] == 7
    with Playing(taught) as table:
        assert table.values()["H"] == 7


def test_a_newest_game_that_these_rules_do_not_allow_does_not_stop_the_table(taught: Path) -> None:
    with Playing(taught) as table:
        table.begin()
        table.journal.append(1, Accepted(({"type": "pass"},), "seen"))
    with Playing(taught) as table:
        status = table.shown["status"]
        assert status["kind"] == "setup"
        assert status["text"].startswith("The last game cannot be gone on with: game 1 of the journal")
        assert unfinished(table.journal) is None
        table.session.handle(Watching("dead", "the cable is loose"))
        assert table.shown["status"]["text"].endswith("Start a new game. The cable is loose.")
        table.begin()
        assert table.shown["log"]
