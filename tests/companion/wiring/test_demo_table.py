"""The demo table is the acceptance test: a whole game, from script to pictures to journal, held against the script."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import games
from companion.demo.script import parse_script
from companion.demo.writing import as_script
from companion.journal.entries import Accepted, Pressed
from companion.journal.replay import replay
from companion.journal.store import Journal
from companion.table.outside import Command, NewGame
from companion.table.outside import Pressed as Press
from companion.table.publish import Publisher
from companion.table.session import Session
from companion.table.snapshot import Snapshot
from companion.wiring.demo import DemoTable
from companion.wiring.running import unfinished
from vision.simulated.view import View

PACAL = games.get("pacal")
LONGEST_GAME_SECONDS = 1500.0


class Clock:
    """A clock that only moves when somebody waits."""

    def __init__(self) -> None:
        self.t = 0.0

    def __call__(self) -> float:
        return self.t

    def wait(self, seconds: float) -> None:
        self.t += seconds


class Desk:
    """The session as the page has it, without a thread."""

    def __init__(self, session: Session, publisher: Publisher) -> None:
        self._session = session
        self._publisher = publisher

    def snapshot(self) -> Snapshot:
        return self._publisher.snapshot()

    def do(self, command: Command) -> Snapshot:
        return self._session.handle(command)

    def wait(self, version: int, timeout: float) -> Snapshot | None:
        return self._publisher.wait(version, timeout)

    def picture(self) -> bytes | None:
        return self._publisher.picture()


class Table:
    """A demo table on a clock of its own, with everything that belongs to it."""

    def __init__(self, folder: Path, seed: int, state: Any = None) -> None:
        self.clock = Clock()
        self.journal = Journal.open(folder / "journal.db", self.clock)
        self.publisher = Publisher()
        self.session = Session(self.journal, self.publisher, demo=True)
        self.demo = DemoTable(
            Desk(self.session, self.publisher),
            self._press,
            self.clock,
            self.clock.wait,
            state=state,
            seed=seed,
            view=View(size=(1280, 720)),
            fps=4.0,
        )

    def play(self, until: float = LONGEST_GAME_SECONDS) -> Iterator[Snapshot]:
        """Plays on; yields what is shown after each frame."""
        while not self.demo.hands.finished and self.clock.t < until:
            self.look()
            yield self.publisher.snapshot()

    def look(self) -> None:
        for happening in self.demo.look() or []:
            self.session.handle(happening)

    def _press(self, button: str, t: float) -> None:
        self.session.handle(Press(button, t))

    def close(self) -> None:
        self.demo.close()
        self.journal.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path, seed=2)
    yield table
    table.close()


def test_a_whole_game_is_followed_as_the_script_says(table: Table) -> None:
    asked: set[str] = set()
    waited: set[str] = set()
    for snapshot in table.play():
        status = snapshot["status"]
        if status["kind"] == "doubt":
            (asked if status["choices"] else waited).add(status["text"])
        assert shows_nothing_under_ships(snapshot)
    last = table.publisher.snapshot()

    assert table.demo.hands.by_hand == []
    assert all("button" in text for text in asked), "only the god button may leave a question"
    # Stones half behind a ship: a better look is waited for, and nobody has to do anything.
    assert len(waited) <= 2 and all("cannot be made out" in text for text in waited)
    assert last["status"]["kind"] == "over"
    assert last["score"] is not None
    assert last["score"]["over"] is True

    number = table.journal.newest()
    assert number is not None
    entries = table.journal.entries(number)
    accepted = [dict(action) for e in entries if isinstance(e.entry, Accepted) for action in e.entry.actions]
    pressed = [e.entry.press["press"] for e in entries if isinstance(e.entry, Pressed)]
    steps = table.demo.steps
    assert accepted == [step.action for step in steps]
    assert len(pressed) == sum(len(step.presses) for step in steps)
    assert parse_script(as_script(PACAL, entries).splitlines()).steps == steps
    assert {e.entry.why for e in entries if isinstance(e.entry, Accepted)} <= {"seen", "pressed", "by hand"}

    state = replay(PACAL, entries).state
    assert PACAL.over(state)
    assert last["score"] == PACAL.score(state)
    another_is_begun_on_a_bare_board(table)


def another_is_begun_on_a_bare_board(table: Table) -> None:
    before = table.journal.newest()
    while table.journal.newest() == before:
        assert table.publisher.snapshot()["status"]["kind"] == "over"
        table.look()
    began = table.clock.t
    while table.clock.t < began + 8:
        assert table.publisher.snapshot()["status"]["kind"] in ("watching", "hands"), "the last game's pieces are read"
        table.look()


def test_a_game_that_somebody_starts_is_played_from_its_beginning(table: Table) -> None:
    for snapshot in table.play():
        if len(snapshot["log"]) > 4 and snapshot["status"]["kind"] == "hands":
            break
    table.session.handle(NewGame("pacal", ("green", "yellow", "purple"), "reference", {}))
    for snapshot in table.play():
        if (snapshot["view"] or {}).get("phase") == "stones":
            break
    assert snapshot["players"] == ["green", "yellow", "purple"]
    assert set(snapshot["seen"]) == set(PACAL.seen_to_json(PACAL.visible(unfinished(table.journal)))["squares"])
    assert table.demo.hands.by_hand == [] and not table.demo.hands.stuck


def shows_nothing_under_ships(snapshot: Snapshot) -> bool:
    view = snapshot["view"] or {"ships": {}, "stones": {}}
    return not {square for square in view["ships"].values() if square} & set(view["stones"])


def test_players_who_come_back_in_the_middle_of_a_turn_go_on(tmp_path: Path) -> None:
    first = Table(tmp_path, seed=2)
    for snapshot in first.play():
        if snapshot["heard"]:
            break
    state, t = unfinished(first.journal), first.clock.t
    first.close()
    second = Table(tmp_path, seed=2, state=state)
    shown = [snapshot["log"][-1]["text"] for snapshot in second.play(until=t)]
    assert second.demo.hands.by_hand == []
    assert len(set(shown)) > 5
    second.close()
