"""The newest snapshot, and waiting for the next one: written by the session's one thread, read by many."""

from __future__ import annotations

import threading

from companion.games.game import canonical
from companion.table.snapshot import Snapshot


class Publisher:
    """Holds the newest snapshot and the newest picture. Every method may be called from any thread."""

    def __init__(self, first_version: int = 1) -> None:
        """first_version: the version that the first snapshot gets. Start where no earlier run was (by the wall clock):
        a page from before a restart is then never taken for one of now."""
        self._changed = threading.Condition()
        self._next_version = first_version
        self._snapshot: Snapshot | None = None
        self._picture: bytes | None = None

    @property
    def next_version(self) -> int:
        """The version that the next snapshot gets if anything is different in it."""
        return self._next_version

    def publish(self, snapshot: Snapshot) -> Snapshot:
        """Make this the newest snapshot and give it its version; one that says the same as the newest changes nothing.

        Returns the newest snapshot.
        """
        with self._changed:
            newest = self._snapshot
            if newest is not None and canonical({**snapshot, "version": newest["version"]}) == canonical(newest):
                return newest
            snapshot["version"] = self._next_version
            self._next_version += 1
            self._snapshot = snapshot
            self._changed.notify_all()
            return snapshot

    def show(self, picture: bytes | None) -> None:
        """Make this the newest settled picture, as JPEG."""
        with self._changed:
            self._picture = picture

    def snapshot(self) -> Snapshot:
        """The newest snapshot. Raises LookupError before the first one."""
        with self._changed:
            if self._snapshot is None:
                raise LookupError("nothing has been published yet")
            return self._snapshot

    def picture(self) -> bytes | None:
        with self._changed:
            return self._picture

    def wait(self, version: int, timeout: float) -> Snapshot | None:
        """The newest snapshot once its version is not ``version``; None when ``timeout`` seconds passed before."""
        with self._changed:
            self._changed.wait_for(lambda: self._snapshot is not None and self._snapshot["version"] != version, timeout)
            newest = self._snapshot
            return newest if newest is not None and newest["version"] != version else None
