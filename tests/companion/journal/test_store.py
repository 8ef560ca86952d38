"""The journal keeps what it was given, whatever happens, and says plainly when it cannot."""

from __future__ import annotations

import contextlib
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.errors import BrokenGame, JournalError
from companion.journal.entries import Accepted, Entry, Pressed, Started, Undone
from companion.journal.store import Journal

START = Started("pacal", ("red", "blue"), "reference", {"master": True}, 7)
ROLL = Accepted(({"type": "roll", "face": 3},), "seen")
PRESS = Pressed({"press": "done"})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def times() -> Iterator[int]:
    """What the clock says, one after the other."""
    return iter(range(1000, 9000))


@pytest.fixture
def journal(path: Path, times: Iterator[int]) -> Iterator[Journal]:
    journal = Journal.open(path, lambda: float(next(times)))
    yield journal
    journal.close()


def kept(path: Path, game: int = 1) -> list[Entry]:
    reader = Journal.open_to_read(path)
    try:
        return [recorded.entry for recorded in reader.entries(game)]
    finally:
        reader.close()


def test_what_was_appended_comes_back_in_order_with_its_time(journal: Journal) -> None:
    start = journal.start(START)
    journal.append(start.game, ROLL)
    journal.append(start.game, PRESS, Undone())
    entries = journal.entries(start.game)
    assert [recorded.entry for recorded in entries] == [START, ROLL, PRESS, Undone()]
    assert [recorded.t for recorded in entries] == [1000, 1001, 1002, 1003]
    assert [recorded.seq for recorded in entries] == sorted({recorded.seq for recorded in entries})


def test_games_are_numbered_and_kept_apart(journal: Journal) -> None:
    first, second = journal.start(START), journal.start(START)
    journal.append(first.game, ROLL)
    assert (first.game, second.game, journal.newest()) == (1, 2, 2)
    assert [recorded.entry for recorded in journal.entries(2)] == [START]
    assert [recorded.game for recorded in journal.games()] == [1, 2]


def test_a_new_journal_has_no_game(journal: Journal) -> None:
    assert journal.newest() is None
    assert journal.games() == []


def test_another_process_sees_an_entry_as_soon_as_append_returns(journal: Journal, path: Path) -> None:
    journal.start(START)
    journal.append(1, ROLL)
    assert kept(path) == [START, ROLL]


def test_each_commit_is_synced(journal: Journal) -> None:
    assert journal._database.execute("PRAGMA synchronous").fetchone() == (2,)
    assert journal._database.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET data = '{}' WHERE seq = 1",
        "DELETE FROM entries",
        "INSERT OR REPLACE INTO entries VALUES (1, 1, 0, 'undone', '{}')",
    ],
)
def test_nothing_can_be_rewritten(journal: Journal, path: Path, statement: str) -> None:
    journal.start(START)
    other = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="only added to"):
        other.execute(statement)
    other.close()
    assert kept(path) == [START]


def test_a_second_companion_is_refused_until_the_first_has_gone(journal: Journal, path: Path) -> None:
    with pytest.raises(JournalError, match="another companion is running"):
        Journal.open(path, lambda: 0.0)
    journal.close()
    Journal.open(path, lambda: 0.0).close()


def test_a_database_that_another_program_writes_to_is_said_to_be_locked(journal: Journal, path: Path) -> None:
    journal.start(START)
    journal._database.execute("PRAGMA busy_timeout = 20")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(JournalError, match="another program has locked the journal"):
        journal.append(1, ROLL)
    other.execute("ROLLBACK")
    other.close()
    journal.append(1, ROLL)
    assert kept(path) == [START, ROLL]


def test_on_a_full_disk_nothing_is_half_written_and_it_goes_on_once_there_is_room(journal: Journal, path: Path) -> None:
    journal.start(START)
    pages = journal._database.execute("PRAGMA page_count").fetchone()[0]
    journal._database.execute(f"PRAGMA max_page_count = {pages}")
    big = Accepted(({"type": "x" * 20_000},), "seen")
    with pytest.raises(JournalError, match="the disk is full"):
        journal.append(1, ROLL, big)
    assert kept(path) == [START]
    journal._database.execute("PRAGMA max_page_count = 1000000")
    journal.append(1, ROLL, big)
    assert kept(path) == [START, ROLL, big]


def test_an_append_that_fails_half_way_leaves_nothing(journal: Journal, path: Path) -> None:
    journal.start(START)
    with pytest.raises(TypeError):
        journal.append(1, ROLL, Pressed({"press": object()}))
    assert kept(path) == [START]


def test_a_file_that_is_no_database_is_left_alone(path: Path) -> None:
    path.write_bytes(b"Dear diary, " * 100)
    with pytest.raises(JournalError, match="is no journal"):
        Journal.open(path, lambda: 0.0)
    assert path.read_bytes() == b"Dear diary, " * 100


def test_a_database_of_another_program_is_left_alone(path: Path) -> None:
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE recipes (name)")
    other.close()
    with pytest.raises(JournalError, match="another program"):
        Journal.open(path, lambda: 0.0)


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="check that its folder is there"):
        Journal.open(tmp_path / "nowhere" / "journal.db", lambda: 0.0)


def test_a_missing_journal_cannot_be_read_and_is_not_made(path: Path) -> None:
    with pytest.raises(JournalError, match="there is no journal"):
        Journal.open_to_read(path)
    assert not path.exists()


def test_a_read_only_folder_is_said(as_nobody: None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o555)
        with pytest.raises(JournalError, match="that you may write to it"):
            Journal.open(Path(folder) / "journal.db", lambda: 0.0)
        Path(folder).chmod(0o755)
        assert list(Path(folder).iterdir()) == []


def test_a_read_only_journal_is_said(as_nobody: None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        Journal.open(path, lambda: 0.0).close()
        path.chmod(0o444)
        journal = Journal.open(path, lambda: 0.0)
        with pytest.raises(JournalError, match="that you may write to it"):
            journal.start(START)
        journal.close()


def test_a_journal_that_may_not_be_read_is_said_to_be_opened_for_reading(as_nobody: None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        Journal.open(path, lambda: 0.0).close()
        path.chmod(0)
        with pytest.raises(JournalError, match=r"cannot be opened for reading .*that you may read"):
            Journal.open_to_read(path)


def test_a_journal_in_a_folder_of_somebody_else_is_said(as_nobody: None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        Journal.open(path, lambda: 0.0).close()
        Path(folder).chmod(0)
        with pytest.raises(JournalError, match="cannot be opened for reading"):
            Journal.open_to_read(path)
        Path(folder).chmod(0o755)


def test_an_entry_that_a_rotten_card_has_changed_breaks_its_game_only(path: Path) -> None:
    journal = Journal.open(path, lambda: 0.0)
    first, second = journal.start(START), journal.start(START)
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        for (trigger,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f"DROP TRIGGER {trigger}")
        database.execute("PRAGMA ignore_check_constraints = 1")
        database.execute("UPDATE entries SET data = replace(data, '{', '[') WHERE game = ?", (second.game,))
    with pytest.raises(BrokenGame, match="damaged"):
        journal.entries(second.game)
    assert journal.entries(first.game) == [first]
    journal.close()


WRITER = """
import sys
from pathlib import Path
from companion.journal.entries import Accepted, Started, Undone
from companion.journal.store import Journal
journal = Journal.open(Path(sys.argv[1]), lambda: 0.0)
game = journal.newest() or journal.start(Started("pacal", ("red",), "reference")).game
n = len(journal.entries(game)) - 1
while True:
    # Two in one transaction: never one without the other.
    journal.append(game, Accepted(({"n": n},), "seen"), Accepted(({"n": n + 1},), "seen"))
    print(n + 1, flush=True)
    n += 2
"""


def test_after_a_kill_at_any_moment_all_that_append_confirmed_is_there_and_nothing_is_half(path: Path) -> None:
    """The writer is killed again and again while it appends; each next one goes on where the last was."""
    said = -1
    for round_ in range(5):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        killer = None
        for line in writer.stdout:
            said = int(line)
            if killer is None:
                killer = threading.Timer(0.003 + 0.013 * round_, writer.kill)
                killer.start()
        writer.wait()
        writer.stdout.close()
        entries = kept(path)[1:]
        numbers = [entry.actions[0]["n"] for entry in entries if isinstance(entry, Accepted)]
        assert len(numbers) == len(entries)
        assert numbers == list(range(len(numbers)))
        assert len(numbers) % 2 == 0
        assert len(numbers) - 1 >= said
    assert said > 10


def test_a_transaction_that_was_cut_off_in_the_log_is_not_seen(tmp_path: Path, path: Path, journal: Journal) -> None:
    journal.start(START)
    journal.append(1, ROLL)
    journal.append(1, PRESS, Undone())
    log = Path(f"{path}-wal").read_bytes()
    copy = tmp_path / "copy.db"
    copy.write_bytes(path.read_bytes())
    # The last transaction ends with the log; without its last bytes it was never committed.
    Path(f"{copy}-wal").write_bytes(log[: len(log) - 100])
    assert kept(copy) == [START, ROLL]
