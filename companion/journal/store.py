"""The journal on disk: an SQLite database that is only ever added to.

Each ``append`` is one transaction, and it is on the disk when ``append`` returns: nothing is shown before. The
database is in WAL mode with ``synchronous = FULL``: a commit is then one write and one sync of the log, which spares
memory cards, holds through a power cut, and lets an export read while the table goes on. A transaction that was cut off
half-way is not in the log's valid part, so nobody ever sees it.
"""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Literal, TypeAlias

from companion.errors import BrokenGame, JournalError
from companion.games.game import canonical
from companion.journal.earlier import with_layout
from companion.journal.entries import Entry, Recorded, Started, entry_from_json, entry_to_json
from companion.journal.migrations import check_version, migrate

Purpose: TypeAlias = Literal["reading", "writing"]

BUSY_SECONDS = 2.0
"""How long another program's write to the database is waited for."""


class Journal:
    """A journal that is open. Use it from one thread at a time, and ``close`` it."""

    def __init__(self, path: Path, database: sqlite3.Connection, clock: Callable[[], float], lock: int | None) -> None:
        """Use ``open`` or ``open_to_read``."""
        self.path = path
        self._database = database
        self._clock = clock
        self._lock = lock

    @classmethod
    def open(cls, path: Path, clock: Callable[[], float]) -> Journal:
        """The journal in a file, which is made if there is none; nobody else may write to it meanwhile.

        clock: wall clock, seconds since 1970. Raises JournalError when the file cannot be written, is no journal, is
        of a newer version, or another companion has it open.
        """
        lock = _lock(path)
        try:
            with _plainly(path):
                # The loop's thread uses it, whoever opened it.
                database = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
                try:
                    migrate(database, str(path))
                    database.execute("PRAGMA journal_mode = WAL")
                    database.execute("PRAGMA synchronous = FULL")
                except BaseException:
                    database.close()
                    raise
        except BaseException:
            os.close(lock)
            raise
        return cls(path, database, clock, lock)

    @classmethod
    def open_to_read(cls, path: Path) -> Journal:
        """A journal that is there already, to read it, also while a table writes to it. Raises JournalError."""
        try:
            there = path.is_file()
        except OSError as error:
            raise _cannot_open(path, "reading", error.strerror) from None
        if not there:
            raise JournalError(f"{path}: there is no journal; name the table's folder or the journal's file")
        with _plainly(path, "reading"):
            database = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode=ro", timeout=BUSY_SECONDS, isolation_level=None, uri=True
            )
            try:
                check_version(database, str(path))
            except BaseException:
                database.close()
                raise
        return cls(path, database, lambda: 0.0, None)

    def close(self) -> None:
        """Write everything into the one file and let others have it."""
        with self._plainly():
            self._database.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def start(self, entry: Started) -> Recorded:
        """Begin a game; its number is in what is returned. Raises JournalError, and nothing is written then."""
        with self._transaction():
            number = (self.newest() or 0) + 1
            return self._insert(number, entry)

    def append(self, game: int, *entries: Entry) -> list[Recorded]:
        """Add entries to a game, all or none. Raises JournalError, and nothing is written then."""
        with self._transaction():
            return [self._insert(game, entry) for entry in entries]

    def newest(self) -> int | None:
        """The number of the game that was started last."""
        with self._plainly():
            number: int | None = self._database.execute("SELECT max(game) FROM entries").fetchone()[0]
        return number

    def games(self) -> list[Recorded]:
        """How each game was started, oldest first."""
        return self._read("WHERE kind = ? ORDER BY seq", Started.kind)

    def entries(self, game: int) -> list[Recorded]:
        """All entries of a game, in order; none when there is no such game.

        Raises BrokenGame when they are there and yet cannot be understood.
        """
        entries = self._read("WHERE game = ? ORDER BY seq", game)
        return [with_layout(recorded, self.path.parent) for recorded in entries]

    def _read(self, where: str, value: str | int) -> list[Recorded]:
        with self._plainly():
            rows = self._database.execute(f"SELECT seq, game, t, kind, data FROM entries {where}", (value,)).fetchall()
        try:
            return [
                Recorded(seq, game, t, entry_from_json(kind, json.loads(data))) for seq, game, t, kind, data in rows
            ]
        except JournalError as error:
            raise BrokenGame(f"{error}; it may be from a newer version of Companion") from None
        except ValueError:
            raise BrokenGame("an entry of the journal is damaged: it is no JSON") from None

    def _insert(self, game: int, entry: Entry) -> Recorded:
        t = self._clock()
        seq = self._database.execute(
            "INSERT INTO entries (game, t, kind, data) VALUES (?, ?, ?, ?)",
            (game, t, entry.kind, canonical(entry_to_json(entry))),
        ).lastrowid
        assert seq is not None
        return Recorded(seq, game, t, entry)

    def _plainly(self) -> AbstractContextManager[None]:
        return _plainly(self.path, "writing" if self._lock is not None else "reading")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._plainly():
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._database.execute("COMMIT")
            finally:
                # A full disk can have ended the transaction already.
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")


def in_use(path: Path) -> bool:
    """Whether a companion is running with a journal."""
    try:
        handle = os.open(_lock_name(path), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


def _lock(path: Path) -> int:
    """Take the journal for this process; the system lets go of it when the process ends, however it ends.

    The lock is on a file of its own: closing any handle on the database itself would drop SQLite's own locks.
    """
    try:
        handle = os.open(_lock_name(path), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise _cannot_open(path, "writing", error.strerror) from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise JournalError(
            f"{path}: another companion is running with this journal; stop it first, or choose another table folder"
        ) from None
    return handle


def _lock_name(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


@contextmanager
def _plainly(path: Path, purpose: Purpose = "writing") -> Iterator[None]:
    """Turns SQLite's errors into JournalErrors that say what to do."""
    try:
        yield
    except sqlite3.Error as error:
        raise _plain(path, purpose, error) from error


def _plain(path: Path, purpose: Purpose, error: sqlite3.Error) -> JournalError:
    # The low byte is the kind of the error, the rest says more (SQLite's extended result codes).
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return JournalError(f"{path}: the disk is full; nothing was written. Make room on it and try again")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return JournalError(f"{path}: another program has locked the journal; close that program and try again")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return _cannot_open(path, purpose, str(error))
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return JournalError(f"{path}: is no journal, or a damaged one ({error}); move it away or choose another folder")
    return JournalError(f"{path}: the journal does not work ({error}); check whether its disk is full or broken")


def _cannot_open(path: Path, purpose: Purpose, reason: str | None) -> JournalError:
    # To read a journal its folder must be writable too: SQLite keeps there what others are writing meanwhile.
    may = "that you may write to it" if purpose == "writing" else "that you may read and write in it"
    return JournalError(
        f"{path}: the journal cannot be opened for {purpose} ({reason}); check that its folder is there and {may}"
    )
