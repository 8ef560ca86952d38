"""How the journal's database came to be: named steps, each applied once, in order, in a transaction that notes it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from companion.errors import JournalError

APPLICATION_ID = 0x436F6D70
"""``Comp``: how a journal is told from other SQLite databases."""


class Migration(NamedTuple):
    """A step: its name, which is never changed again, and its statements."""

    name: str
    statements: tuple[str, ...]


MIGRATIONS = (
    Migration(
        "0001 entries",
        (
            """CREATE TABLE entries (
                seq INTEGER PRIMARY KEY,
                game INTEGER NOT NULL CHECK (game > 0),
                t REAL NOT NULL,
                kind TEXT NOT NULL,
                data TEXT NOT NULL CHECK (json_valid(data))
            ) STRICT""",
            "CREATE INDEX entries_game ON entries (game, seq)",
        ),
    ),
    Migration(
        "0002 nothing is rewritten",
        (
            """CREATE TRIGGER entries_no_update BEFORE UPDATE ON entries
                BEGIN SELECT RAISE(ABORT, 'the journal is only added to'); END""",
            """CREATE TRIGGER entries_no_delete BEFORE DELETE ON entries
                BEGIN SELECT RAISE(ABORT, 'the journal is only added to'); END""",
            # INSERT OR REPLACE deletes without asking the trigger above.
            """CREATE TRIGGER entries_no_replace BEFORE INSERT ON entries
                WHEN EXISTS (SELECT 1 FROM entries WHERE seq = NEW.seq)
                BEGIN SELECT RAISE(ABORT, 'the journal is only added to'); END""",
        ),
    ),
)


def migrate(database: sqlite3.Connection, where: str, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Bring a database up to date: apply the steps that it does not have yet.

    database: a connection in autocommit mode. where: how messages name it. Raises JournalError for a database of
    another program or of a newer version; nothing is changed then.
    """
    database.execute("BEGIN IMMEDIATE")
    try:
        for migration in migrations[len(_applied(database, where, migrations)) :]:
            for statement in migration.statements:
                database.execute(statement)
            database.execute("INSERT INTO migrations (name) VALUES (?)", (migration.name,))
        database.execute("COMMIT")
    finally:
        if database.in_transaction:
            database.execute("ROLLBACK")


def check_version(database: sqlite3.Connection, where: str, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Raises JournalError unless a database that may not be changed is a journal of just this version."""
    if _tables(database) == 0 or len(_applied(database, where, migrations)) < len(migrations):
        raise JournalError(
            f"{where}: is a journal of an older version; start the table with it once to bring it up to date"
        )


def _applied(database: sqlite3.Connection, where: str, migrations: Sequence[Migration]) -> list[str]:
    """The names of the steps that a database has; a new, empty one is made a journal that has none yet."""
    if _tables(database) == 0:
        database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        database.execute("CREATE TABLE migrations (name TEXT PRIMARY KEY) STRICT")
        return []
    if database.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise JournalError(f"{where}: is a database of another program, not a journal; choose another file or folder")
    applied = [name for (name,) in database.execute("SELECT name FROM migrations ORDER BY rowid")]
    if applied != [migration.name for migration in migrations[: len(applied)]]:
        raise JournalError(
            f"{where}: was written by a newer version of Companion (it has {applied[-1]!r}); "
            "install that version or a newer one, or choose another folder"
        )
    return applied


def _tables(database: sqlite3.Connection) -> int:
    return int(database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
