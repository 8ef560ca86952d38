"""A table without camera, buttons and page: a session over a real journal, told what happens by the tests."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from companion.games.pacal import GAME
from companion.games.pacal.state import State
from companion.journal.entries import Accepted, Entry, Json, Recorded
from companion.journal.replay import Course, replay
from companion.journal.store import Journal
from companion.observation import Content, Die, Place, Reading, Seen
from companion.table.outside import Act, Choose, NewGame, Pressed, Settled, Undo
from companion.table.publish import Publisher
from companion.table.session import Session
from companion.table.snapshot import Snapshot

BOARD = GAME.board("reference")
assert BOARD is not None
SQUARES = sorted(BOARD.squares)

Kind = TypeVar("Kind", bound=Entry)


def reading(seen: Seen, die: Die | None = None, chance: random.Random | None = None) -> Reading:
    """A reading of a board that is sure of every square; with ``chance`` (a random generator) a less sure one, with one
    square of those that hold nothing that cannot be read at all."""
    squares: dict[Place, dict[Content | None, float]] = {}
    for name in SQUARES:
        content = seen.get(name)
        squares[name] = {content: 1.0}
        if chance is not None:
            doubt = chance.uniform(0.001, 0.02)
            other = chance.choice([None, *seen.values()])
            squares[name] = {content: 1 - doubt, other: doubt} if other != content else {content: 1 - doubt}
    if chance is not None:
        blind = chance.choice([name for name in SQUARES if name not in seen])
        squares[blind] = {None: 0.3, **dict.fromkeys(list(seen.values())[:3], 0.1)}
    return Reading("pacal", "reference", squares, die)


class TableUnderTest:
    """A session with its journal, and short words for what happens around it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.now = 1_000_000.0
        self.start()

    def start(self) -> None:
        """Switch it on, again too."""
        self.journal = Journal.open(self.path, self._clock)
        self.publisher = Publisher()
        self.session = Session(self.journal, self.publisher)

    def restart(self) -> None:
        self.journal.close()
        self.start()

    def _clock(self) -> float:
        self.now += 1
        return self.now

    @property
    def course(self) -> Course:
        return self.session._record.now[1]

    @property
    def state(self) -> State:
        state: State = self.course.state
        return state

    @property
    def snapshot(self) -> Snapshot:
        return self.publisher.snapshot()

    @property
    def view(self) -> dict[str, Any]:
        """The public view of the game that is on."""
        view = self.snapshot["view"]
        assert view is not None
        return view

    @property
    def status(self) -> Mapping[str, Any]:
        # No ``Status``: mypy would take a kind that was compared once to stay so for the rest of the test.
        return self.snapshot["status"]

    @property
    def recorded(self) -> list[Recorded]:
        """What the journal has of the newest game."""
        newest = self.journal.newest()
        assert newest is not None
        return self.journal.entries(newest)

    @property
    def entries(self) -> list[Entry]:
        return [recorded.entry for recorded in self.recorded]

    @property
    def accepted(self) -> list[Accepted]:
        """Those of the entries that accept actions."""
        return [entry for entry in self.entries if isinstance(entry, Accepted)]

    def last(self, kind: type[Kind]) -> Kind:
        """The last entry, which must be of that kind."""
        entry = self.entries[-1]
        assert isinstance(entry, kind)
        return entry

    def new_game(self, *players: str, **options: Any) -> Snapshot:
        return self.session.handle(NewGame("pacal", players or ("red", "blue"), options=options))

    def settle(self, seen: Seen | None = None, die: Die | None = None, chance: random.Random | None = None) -> Snapshot:
        """A settled picture of a board; of the one that should be there, when none is given."""
        seen = GAME.visible(self.state) if seen is None else seen
        return self.session.handle(Settled(reading(seen, die, chance), 0.0, b"jpeg"))

    def press(self, *buttons: str) -> Snapshot:
        for button in buttons:
            self.session.handle(Pressed(button, 0.0))
        return self.snapshot

    def act(self, **action: Any) -> Snapshot:
        return self.session.handle(Act(action, self.snapshot["version"]))

    def choose(self, number: int = 1) -> Snapshot:
        return self.session.handle(Choose(self.status["choices"][number - 1]["id"], self.snapshot["version"]))

    def undo(self) -> Snapshot:
        return self.session.handle(Undo())

    def after(self, *actions: Json) -> State:
        """The state after actions that happen on the board but were not told yet."""
        state = self.state
        for data in actions:
            state = GAME.apply(state, GAME.action_from_json(data)).state
        return state

    def play(self, *actions: Json) -> None:
        """Do actions by hand."""
        for data in actions:
            self.act(**data)

    def show(self, *actions: Json, die: Die | None = None) -> Snapshot:
        """Do actions on the board, and let the camera see it."""
        return self.settle(GAME.visible(self.after(*actions)), die)

    def replayed(self) -> Course:
        """What the journal adds up to."""
        return replay(GAME, self.recorded)
