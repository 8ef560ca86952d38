"""The database is brought up to date step by step, and one from the future is refused."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.errors import JournalError
from companion.journal.migrations import MIGRATIONS, Migration, migrate
from companion.journal.store import Journal

LATER = (*MIGRATIONS, Migration("9999 colours", ("CREATE TABLE colours (name TEXT)",)))


@pytest.fixture
def database(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    database = sqlite3.connect(tmp_path / "journal.db", isolation_level=None)
    yield database
    database.close()


def names(database: sqlite3.Connection) -> list[str]:
    return [name for (name,) in database.execute("SELECT name FROM migrations ORDER BY rowid")]


def test_a_new_database_gets_every_step_and_a_note_of_each(database: sqlite3.Connection) -> None:
    migrate(database, "journal")
    assert names(database) == [migration.name for migration in MIGRATIONS]


def test_an_older_database_gets_only_what_it_lacks(database: sqlite3.Connection) -> None:
    migrate(database, "journal", MIGRATIONS[:1])
    database.execute("INSERT INTO entries VALUES (1, 1, 0, 'undone', '{}')")
    migrate(database, "journal", LATER)
    assert names(database) == [migration.name for migration in LATER]
    assert database.execute("SELECT count(*) FROM entries").fetchone() == (1,)


def test_a_step_that_fails_changes_nothing(database: sqlite3.Connection) -> None:
    migrate(database, "journal")
    broken = (*MIGRATIONS, Migration("9999 broken", ("CREATE TABLE colours (name TEXT)", "CREATE NONSENSE")))
    with pytest.raises(sqlite3.OperationalError):
        migrate(database, "journal", broken)
    assert names(database) == [migration.name for migration in MIGRATIONS]
    assert database.execute("SELECT count(*) FROM sqlite_master WHERE name = 'colours'").fetchone() == (0,)


def test_a_newer_database_is_refused_and_left_as_it_is(database: sqlite3.Connection, tmp_path: Path) -> None:
    migrate(database, "journal", LATER)
    opened: Callable[[], Journal]
    for opened in (lambda: Journal.open(tmp_path / "journal.db", lambda: 0.0), lambda: read(tmp_path)):
        with pytest.raises(JournalError, match="newer version of Companion"):
            opened()
    assert names(database) == [migration.name for migration in LATER]


def read(folder: Path) -> Journal:
    return Journal.open_to_read(folder / "journal.db")


def test_an_older_database_is_not_changed_by_reading_it(database: sqlite3.Connection, tmp_path: Path) -> None:
    migrate(database, "journal", MIGRATIONS[:1])
    with pytest.raises(JournalError, match="older version"):
        read(tmp_path)
    assert names(database) == [MIGRATIONS[0].name]


def test_the_names_are_in_order_and_all_different() -> None:
    listed = [migration.name for migration in MIGRATIONS]
    assert listed == sorted(set(listed))
