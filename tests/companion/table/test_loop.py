"""One thread has the session; others put things into its queue and wait for answers."""

import threading

import pytest

from companion.errors import JournalError, NotAllowed
from companion.games.pacal.pieces import Ship
from companion.table import loop as loop_module
from companion.table.loop import Loop
from companion.table.outside import NewGame, Pressed, Settled, Undo


@pytest.fixture
def loop(table):
    loop = Loop(table.session, table.publisher)
    loop.start()
    yield loop
    if loop.alive:
        loop.stop()


def test_a_command_is_answered_once_it_is_in_the_journal(loop, table):
    snapshot = loop.do(NewGame("pacal", ("red", "blue")))
    assert snapshot["players"] == ["red", "blue"]
    assert snapshot == loop.snapshot()
    loop.stop()
    assert table.journal.newest() == 1


def test_a_command_that_is_refused_raises_where_it_was_given(loop):
    with pytest.raises(NotAllowed, match="start one first"):
        loop.do(Undo())
    assert loop.alive


def test_happenings_are_handled_in_order(loop, perfect):
    loop.do(NewGame("pacal", ("red", "blue")))
    for seen in ({}, {"F6": Ship("red")}, {"F6": Ship("red"), "G7": Ship("blue")}):
        loop.put(Settled(perfect(seen), 0.0, b"picture"))
    loop.stop()
    assert loop.snapshot()["view"]["phase"] == "roll"
    assert loop.picture() == b"picture"


def test_a_page_that_waits_is_told_of_a_change(loop):
    version, told = loop.snapshot()["version"], []
    waiting = threading.Thread(target=lambda: told.append(loop.wait(version, 10)))
    waiting.start()
    loop.do(NewGame("pacal", ("red", "blue")))
    waiting.join(10)
    assert told[0]["players"] == ["red", "blue"]


def test_an_error_of_a_happening_is_shown_and_does_not_end_the_loop(loop, table, monkeypatch):
    loop.do(NewGame("pacal", ("red", "blue")))

    def full(event):
        raise JournalError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(table.session, "handle", full)
        version = loop.snapshot()["version"]
        loop.put(Pressed("red", 0.0))
        assert loop.wait(version, 10)["status"]["text"] == "The disk is full."
    assert loop.do(NewGame("pacal", ("green", "blue")))["players"] == ["green", "blue"]


def test_a_loop_that_has_ended_answers_no_command(loop):
    loop.stop()
    with pytest.raises(NotAllowed, match="does not answer"):
        loop.do(Undo())


def test_who_waits_too_long_is_told(loop, table, monkeypatch):
    monkeypatch.setattr(loop_module, "ANSWER_SECONDS", 0.01)
    go_on = threading.Event()
    monkeypatch.setattr(table.session, "handle", lambda event: go_on.wait(10))
    with pytest.raises(NotAllowed, match="does not answer"):
        loop.do(Undo())
    with pytest.raises(TimeoutError, match="did not stop"):
        loop.stop(0.01)
    go_on.set()
