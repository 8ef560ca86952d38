"""The newest snapshot, for many who wait."""

from __future__ import annotations

import threading

import pytest

from companion.table.publish import Publisher
from companion.table.showing import show, simply
from companion.table.snapshot import Snapshot


def snapshot(text: str) -> Snapshot:
    return show(None, {}, simply("setup", text), False, False)


def test_the_version_grows_with_every_change_and_only_then() -> None:
    publisher = Publisher(first_version=100)
    assert publisher.publish(snapshot("one"))["version"] == 100
    assert publisher.publish(snapshot("one"))["version"] == 100
    assert publisher.publish(snapshot("two"))["version"] == 101
    assert publisher.snapshot()["status"]["text"] == "two"


def test_nothing_can_be_seen_before_the_first_snapshot() -> None:
    with pytest.raises(LookupError):
        Publisher().snapshot()
    assert Publisher().wait(0, 0) is None


def test_who_has_an_older_version_gets_the_newest_at_once() -> None:
    publisher = Publisher()
    publisher.publish(snapshot("one"))
    newest = publisher.wait(0, 0)
    assert newest is not None
    assert newest["status"]["text"] == "one"


def test_who_has_the_newest_gets_nothing_when_the_time_is_over() -> None:
    publisher = Publisher()
    version = publisher.publish(snapshot("one"))["version"]
    assert publisher.wait(version, 0.01) is None


def test_all_who_wait_are_told() -> None:
    publisher = Publisher()
    version = publisher.publish(snapshot("one"))["version"]
    told: list[Snapshot | None] = []
    waiting = [threading.Thread(target=lambda: told.append(publisher.wait(version, 10))) for _ in range(5)]
    for thread in waiting:
        thread.start()
    publisher.publish(snapshot("two"))
    for thread in waiting:
        thread.join(10)
    assert [newest and newest["status"]["text"] for newest in told] == ["two"] * 5


def test_the_picture_is_the_newest() -> None:
    publisher = Publisher()
    assert publisher.picture() is None
    publisher.show(b"one")
    publisher.show(b"two")
    assert publisher.picture() == b"two"
