"""One thread has the session; others put things into its queue and wait for answers."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from companion.errors import JournalError, NotAllowed
from companion.games.pacal.pieces import Ship
from companion.table import loop as loop_module
from companion.table.loop import Loop
from companion.table.outside import Command, Happening, NewGame, Pressed, Settled, Undo
from companion.table.snapshot import Snapshot
from tests.companion.table.under_test import TableUnderTest, reading


@pytest.fixture
def loop(table: TableUnderTest) -> Iterator[Loop]:
    loop = Loop(table.session, table.publisher)
    loop.start()
    yield loop
    if loop.alive:
        loop.stop()


def test_a_command_is_answered_once_it_is_in_the_journal(loop: Loop, table: TableUnderTest) -> None:
    snapshot = loop.do(NewGame("pacal", ("red", "blue")))
    assert snapshot["players"] == ["red", "blue"]
    assert snapshot == loop.snapshot()
    loop.stop()
    assert table.journal.newest() == 1


def test_a_command_that_is_refused_raises_where_it_was_given(loop: Loop) -> None:
    with pytest.raises(NotAllowed, match="start one first"):
        loop.do(Undo())
    assert loop.alive


def test_happenings_are_handled_in_order(loop: Loop) -> None:
    loop.do(NewGame("pacal", ("red", "blue")))
    for seen in ({}, {"F6": Ship("red")}, {"F6": Ship("red"), "G7": Ship("blue")}):
        loop.put(Settled(reading(seen), 0.0, b"picture"))
    loop.stop()
    view = loop.snapshot()["view"]
    assert view is not None
    assert view["phase"] == "roll"
    assert loop.picture() == b"picture"


def test_a_page_that_waits_is_told_of_a_change(loop: Loop) -> None:
    version = loop.snapshot()["version"]
    told: list[Snapshot | None] = []
    waiting = threading.Thread(target=lambda: told.append(loop.wait(version, 10)))
    waiting.start()
    loop.do(NewGame("pacal", ("red", "blue")))
    waiting.join(10)
    assert told[0] is not None
    assert told[0]["players"] == ["red", "blue"]


def test_an_error_of_a_happening_is_shown_and_does_not_end_the_loop(
    loop: Loop, table: TableUnderTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop.do(NewGame("pacal", ("red", "blue")))

    def full(event: Happening | Command) -> Snapshot:
        raise JournalError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(table.session, "handle", full)
        version = loop.snapshot()["version"]
        loop.put(Pressed("red", 0.0))
        newest = loop.wait(version, 10)
        assert newest is not None
        assert newest["status"]["text"] == "The disk is full."
    assert loop.do(NewGame("pacal", ("green", "blue")))["players"] == ["green", "blue"]


def test_a_loop_that_has_ended_answers_no_command(loop: Loop) -> None:
    loop.stop()
    with pytest.raises(NotAllowed, match="does not answer"):
        loop.do(Undo())


def test_who_waits_too_long_is_told(loop: Loop, table: TableUnderTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop_module, "ANSWER_SECONDS", 0.01)
    go_on = threading.Event()
    monkeypatch.setattr(table.session, "handle", lambda event: go_on.wait(10))
    with pytest.raises(NotAllowed, match="does not answer"):
        loop.do(Undo())
    with pytest.raises(TimeoutError, match="did not stop"):
        loop.stop(0.01)
    go_on.set()


def test_a_loop_tells_for_how_long_it_has_been_at_one_thing(
    table: TableUnderTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, at_it, go_on = [100.0], threading.Event(), threading.Event()

    def hang(event: Happening | Command) -> None:
        at_it.set()
        go_on.wait(10)

    monkeypatch.setattr(table.session, "handle", hang)
    loop = Loop(table.session, table.publisher, lambda: now[0])
    loop.start()
    assert loop.busy_s == 0
    loop.put(Pressed("red", 0.0))
    assert at_it.wait(10)
    now[0] = 130.0
    assert loop.busy_s == 30
    go_on.set()
    loop.stop()
    assert loop.busy_s == 0
