"""The game that is on, and the journal it is kept in."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from companion import games
from companion.boards import to_keep
from companion.errors import BrokenGame, NotAllowed
from companion.games.game import Game
from companion.journal.entries import (
    Accepted,
    Asked,
    Deferred,
    Dropped,
    Entry,
    Kept,
    Pressed,
    Recorded,
    Started,
    Undone,
    Why,
)
from companion.journal.replay import Course, Wrong, advance, begin, game_of, replay
from companion.journal.store import Journal
from companion.observation import Die, Seen
from companion.referee.weigh import DONE, Explanation
from companion.table.outside import NewGame


class Record:
    """At most one game: the newest of the journal. What it says is in the journal."""

    def __init__(self, journal: Journal, plays: str) -> None:
        """Goes on with the newest game, pending presses included, if it can be gone on with. Raises JournalError.

        plays: the game of this table.
        """
        self._journal = journal
        self._plays = games.get(plays)
        self._playing: tuple[Game[Any, Any], Course] | None = None
        self.lost: str | None = None
        """Why the newest game could not be gone on with when the journal was opened, None when it could."""
        self.undone: Seen | None = None
        """What the board showed before the undos, and presses since, that the journal ended with when it was opened."""
        self.last_roll: Die | None = None
        """The face that was rolled last in this game, also when that was taken back: the die may show it still."""
        number = journal.newest()
        if number is not None:
            try:
                self._go_on(journal.entries(number))
            except BrokenGame as error:
                self.lost = str(error)

    def _go_on(self, entries: Sequence[Recorded]) -> None:
        game = game_of(entries)
        if game.name != self._plays.name:
            raise BrokenGame(f"it is one of {game.title}, and this table plays {self._plays.title}")
        course = replay(game, entries)
        self.undone = _undone(game, entries)
        for recorded in entries:
            self._note_roll(recorded.entry)
        self._playing = game, course

    @property
    def playing(self) -> tuple[Game[Any, Any], Course] | None:
        """The game that is on and its course; None before the first one."""
        return self._playing

    @property
    def now(self) -> tuple[Game[Any, Any], Course]:
        """The game that is on and its course. Raises NotAllowed when there is none."""
        if self._playing is None:
            raise NotAllowed("no game is on: start one first")
        return self._playing

    def start(self, new: NewGame, board: str) -> None:
        """Begin a game. Raises CompanionError for players, options or a board that there are not, and for another game
        than this table's: neither its camera nor its page would know what to make of that.

        board: a built-in layout's name or a layout file.
        """
        game = games.get(new.game)
        if game.name != self._plays.name:
            raise NotAllowed(f"this table plays {self._plays.title}, not {game.title}")
        started = Started(game.name, tuple(new.players), to_keep(board), dict(new.options), secrets.randbits(32))
        # Tried before it is written: a game that cannot be started must not be in the journal.
        begin(game, Recorded(0, 0, 0.0, started))
        self._playing = game, begin(game, self._journal.start(started))
        self.last_roll = None

    def append(self, entry: Entry) -> None:
        """Write an entry, then let it count.

        It is tried first: what cannot be replayed never gets into the journal. Raises JournalError, and what the game's
        rules or an undo with nothing to take back raise; then nothing has changed.
        """
        game, course = self.now
        advance(game, course, Recorded(0, course.number, 0.0, entry))
        [recorded] = self._journal.append(course.number, entry)
        self._playing = game, advance(game, course, recorded)
        self._note_roll(entry)

    def accept(self, why: Why, *turns: Explanation) -> None:
        """Take actions for happened, all together; a turn that a press alone ended was pressed, not seen."""
        game, course = self.now
        actions = tuple(game.action_to_json(action) for turn in turns for action in turn.actions)
        used = tuple(press.to_json() for turn in turns for press in turn.used)
        if why == "seen" and DONE in used and game.visible(turns[-1].state) == game.visible(course.state):
            why = "pressed"
        self.append(Accepted(actions, why, used))

    def keep(self, wrong: Wrong) -> None:
        """Write what people said against the picture."""
        game, _ = self.now
        self.append(Kept(wrong.squares, game.seen_to_json(wrong.shown)))

    def _note_roll(self, entry: Entry) -> None:
        for action in entry.actions if isinstance(entry, Accepted) else ():
            if action["type"] == "roll":
                self.last_roll = action["face"]


def _undone(game: Game[Any, Any], entries: Sequence[Recorded]) -> Seen | None:
    """What the board showed before the undos that a game ends with, presses aside; None when nothing on it changed."""
    stood = list(entries)
    while isinstance(stood[-1].entry, Undone | Pressed | Asked | Deferred | Dropped):
        stood.pop()
    before, now = game.visible(replay(game, stood).state), game.visible(replay(game, entries).state)
    return before if before != now else None
