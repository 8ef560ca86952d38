"""The running game: takes what comes from camera, buttons and page, and decides what is taken for happened.

``handle`` is called by the loop's one thread in life, and by tests directly. Everything that counts is in the journal
before anything shows it. What is decided how:

- A settled picture is explained by the rules (``referee.weigh``). What it shows is accepted at once: a ship placed, a
  flight, a build; after each the same picture is looked at again, until nothing in it is left to explain. Where it
  shows more than one turn, they are accepted one by one (``referee.catch_up``).
- Stones cannot be seen. Each press is in the journal, and stays pending until a build is seen or 'done' is pressed, for
  the player may press again. Undo takes back pending presses first.
- 'Done' ends the turn at once when the board is still and fits; when hands were over it since the last settled picture,
  or it is too dark, the next one says whether a build came before it. With a dead camera it ends the turn unseen. What
  is pressed while 'done' waits for its picture is the next player's: deferred, and taken as pressed once 'done' is
  answered. A picture that was taken before the press, but read after it, answers it only when the frame after it shows
  no change.
- The die is taken from the picture only when it shows another face than any that was seen since the last roll. The
  same face may be the old roll, so it is tapped on the page; so is the face of the first picture after a start.
- Which god stone a press meant is asked. Until that is answered, or taken back, no flight is taken: the die may reach
  the same square.
- What nobody told (a forgotten 'done', a roll that a flight suggests) is asked, also when there is one answer only.
- Where people say that the picture is wrong (by hand, by a choice, by a correction), it is not believed until it shows
  something else there (``table.trust``).
- After an undo the board still shows what was taken back. Nothing is accepted from it until the picture has changed,
  'done' was pressed or the operator has chosen something. Stones and god stones that are pressed meanwhile are pending.
- Without a camera's picture the game goes on by hand: by the page's actions and the buttons.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from companion.errors import CompanionError, NotAllowed
from companion.journal.entries import Corrected, Undone, Why
from companion.journal.store import Journal
from companion.observation import Place, Reading, Seen
from companion.referee.weigh import Explanation, Fit, must_roll
from companion.table import words
from companion.table.by_hand import by_hand
from companion.table.doubt import Doubt
from companion.table.hearing import Ears, end_unseen
from companion.table.old_faces import OldFaces
from companion.table.outside import Act, Choose, Command, Correct, Happening, NewGame, Pressed, Settled, Undo, Watching
from companion.table.publish import Publisher
from companion.table.record import Record
from companion.table.showing import between_games, show, tell
from companion.table.sight import Sight
from companion.table.snapshot import Snapshot
from companion.table.trust import Trust, misread
from companion.table.understanding import understand
from companion.table.versions import Versions


class Session:
    """A table with at most one game on: the newest of its journal."""

    def __init__(
        self,
        journal: Journal,
        publisher: Publisher,
        demo: bool = False,
        board: str = "reference",
        game: str = "pacal",
    ) -> None:
        """Goes on with the newest game of the journal, pending presses included. Raises JournalError.

        demo: whether the page is to say that this is the demo table. board: that of new games, a built-in layout's
        name or a layout file. game: the one that this table plays.
        """
        self._record = Record(journal, game)
        self._publisher = publisher
        self._demo = demo
        self._board = board
        self._sight = Sight()
        self._old_faces = OldFaces(self._record.last_roll)
        # What the board showed when something was taken back.
        self._undone: Seen | None = self._record.undone
        self._trust = Trust()
        self._ears = Ears(self._record)
        # When a button was pressed last, on the camera's clock.
        self._pressed_t = -math.inf
        # What the picture leaves open.
        self._doubt: Doubt | None = None
        self._versions = Versions(publisher, self._record.playing)
        # Where the plug was pulled between an answer to 'done' and what was deferred until then.
        self._ears.hear_deferred(more_to_see=True)
        self._publish()

    def handle(self, event: Happening | Command) -> Snapshot:
        """Take one event in; returns the newest snapshot.

        Raises CompanionError for a command that cannot be carried out, and JournalError when the journal cannot be
        written; what was in the journal before that stays.
        """
        try:
            match event:
                case Settled():
                    self._settled(event)
                case Watching():
                    self._watching(event)
                case Pressed():
                    self._pressed(event)
                case NewGame():
                    self._new_game(event)
                case Act():
                    self._act(event)
                case Choose():
                    self._choose(event)
                case Undo():
                    self._versions.refuse_stale(event.version)
                    self._undo()
                case Correct():
                    self._correct(event.state)
                case _:
                    assert_never(event)
        finally:
            newest = self._publish()
        return newest

    def report(self, error: CompanionError) -> Snapshot:
        """Show an error that nobody waits for."""
        self._ears.notice = words.sentence(str(error))
        return self._publish()

    # -- the camera

    def _settled(self, settled: Settled) -> None:
        if not settled.reading.usable:
            self._watching(Watching("unusable", settled.reading.reason))
            return
        if not (self._sight.awaited or settled.again):
            self._ears.notice = None
        self._sight.settle(settled)
        if self._ears.done_waits:
            self._sight.answer(self._pressed_t)
        self._old_faces.look(settled.reading.die)
        self._publisher.show(settled.picture)
        self._look()

    def _watching(self, watching: Watching) -> None:
        if watching.sight in ("hands", "moving") and not self._sight.awaited:
            # What was said while the board lay still has been read. What is said now is for when it does again.
            self._ears.notice = None
        early = self._sight.early
        self._sight.watch(watching)
        if self._sight.reading is None:
            self._doubt = None
        elif early and self._sight.current is not None:
            self._look()

    def _look(self) -> None:
        """Take from the picture what it explains, step by step."""
        self._doubt = None
        if self._record.playing is None:
            return
        if self._sight.blind:
            self._end_turn_unseen()
        if self._sight.current is not None:
            self._take_from(self._sight.current)

    def _take_from(self, reading: Reading) -> None:
        if self._undone is not None and not self._ears.done_waits:
            if Fit(reading).fits(self._undone):
                return
            self._undone = None
        while isinstance(found := self._understood(reading), Explanation):
            self._accept("seen", found)
        self._doubt = found
        game, course = self._record.now
        if not must_roll(game, course.state):
            self._old_faces.add(reading.die)

    def _understood(self, reading: Reading) -> Explanation | Doubt | None:
        game, course = self._record.now
        believed = self._trust.believed(reading, course.wrong)
        sight = self._sight
        return understand(game, course, believed, sight.seen, self._old_faces, self._ears, sight.again)

    def _end_turn_unseen(self) -> None:
        """End the turn by 'done' when there will be no picture to ask."""
        while self._ears.question is None:
            game, course = self._record.now
            ended = end_unseen(game, course.state, course.pending)
            if ended is None:
                return
            self._accept("pressed", ended)

    # -- the buttons

    def _pressed(self, pressed: Pressed) -> None:
        button, self._pressed_t = pressed.button, pressed.t
        if not self._sight.awaited:
            self._ears.notice = None
        if self._record.playing is None:
            return
        if button == "done":
            self._sight.answer(pressed.t)
        if button == "undo":
            try:
                self._undo()
            except NotAllowed as error:
                self._ears.say(words.sentence(str(error)))
        elif self._ears.done_waits and self._sight.awaited:
            self._ears.defer(button)
        elif self._ears.done_waits and button == "done":
            # With a dead camera nothing else would end the turn. One that has just been started will tell what it sees.
            if self._sight.watching.sight == "dead":
                self._look()
        elif self._ears.hear(button, self._more_to_see):
            self._look()

    @property
    def _more_to_see(self) -> bool:
        """Whether something may have happened on the board that is not taken for happened yet. A picture that was read
        when the press came is not waited for: most often 'done' was pressed twice."""
        sight = self._sight
        return (sight.awaited and not sight.early) or (self._undone is not None and not sight.blind)

    # -- the operator

    def _new_game(self, new: NewGame) -> None:
        self._record.start(new, new.board or self._board)
        self._start_over()
        self._look()

    def _act(self, act: Act) -> None:
        game, course = self._record.now
        self._versions.refuse_stale(act.version)
        explanation = by_hand(game, course.state, course.pending, game.action_from_json(act.action))
        self._forget()
        self._accept("by hand", explanation)
        if game.visible(explanation.state) != game.visible(course.state):
            self._keep()
        self._look()

    def _choose(self, choose: Choose) -> None:
        self._versions.refuse_stale(choose.version, question=True)
        doubt = self._ears.question or self._doubt
        if doubt is not None and choose.choice in doubt.turns:
            self._forget()
            turns, more = doubt.turns[choose.choice], bool(self._ears.deferred)
            if turns:
                self._accept("chosen", *turns)
            if not (turns and more):
                # Else what was deferred tells of more that the picture shows (``until_done``).
                self._keep(() if turns else doubt.squares)
            self._look()
        elif doubt is not None and choose.choice in doubt.presses:
            self._ears.answer(doubt.presses[choose.choice])
            self._look()
        else:
            raise NotAllowed(words.STALE)

    def _undo(self) -> None:
        if self._ears.take_back():
            self._versions.change()
            if not self._ears.done_waits:
                self._look()
            return
        game, before = self._record.now
        undone, shown = self._undone, game.visible(before.state)
        self._record.append(Undone())
        self._forget()
        if self._sight.reading is not None and not before.pending:
            self._old_faces.add(self._sight.reading.die)
        if self._known() != shown:
            if self._sight.reading is not None:
                undone = self._sight.seen
            elif undone is None:
                # Nobody sees the board; it holds what was known, also when more is taken back.
                undone = shown
        self._undone = undone
        self._look()

    def _correct(self, data: Mapping[str, Any]) -> None:
        game, course = self._record.now
        state = game.state_to_json(game.state_from_json({**data, "board": course.started.board}))
        players = course.started.players
        if tuple(state["players"]) != tuple(players):
            raise NotAllowed(f"the players of this game are {', '.join(players)}; for others, start a new game")
        self._record.append(Corrected(state))
        self._start_over()
        self._keep()
        self._look()

    # -- the game

    def _accept(self, why: Why, *turns: Explanation) -> None:
        game, _ = self._record.now
        self._record.accept(why, *turns)
        self._undone = None
        rolls = [data for turn in turns for data in map(game.action_to_json, turn.actions) if data["type"] == "roll"]
        if rolls:
            self._old_faces.rolled(rolls[-1]["face"])
            if why != "seen" and self._sight.reading is not None:
                # What lies there was not taken for that roll, and is not the next one either.
                self._old_faces.add(self._sight.reading.die)
        self._ears.hear_deferred(more_to_see=not self._sight.blind)

    def _keep(self, asked: Sequence[Place] = ()) -> None:
        """From now on the board is as people said, whatever this picture shows. asked: see ``misread``."""
        if self._sight.current is not None:
            wrong = misread(self._sight.current, self._known(), asked)
            if wrong.squares:
                self._record.keep(wrong)
        else:
            # The last picture is older than what they said, and may show what lies under a ship by now.
            self._publisher.show(None)

    def _known(self) -> Seen:
        """What the board shows by all that is known."""
        game, course = self._record.now
        return game.visible(course.state)

    def _start_over(self) -> None:
        """Drop what was thought about the table before the state was set; a die that lies there is not a roll."""
        self._trust.forget()
        self._forget()
        self._old_faces = OldFaces(None)
        if self._sight.reading is not None:
            self._old_faces.look(self._sight.reading.die)

    def _forget(self) -> None:
        """Drop what was asked and said about the position before."""
        self._doubt = self._undone = self._ears.notice = None

    # -- the page

    def _publish(self) -> Snapshot:
        playing, doubt = self._record.playing, self._ears.question or self._doubt
        self._versions.note(playing, doubt)
        if playing is None:
            status = between_games(self._record.lost, self._sight.watching)
        else:
            status = tell(*playing, self._sight.watching, doubt, self._ears.notice, self._waiting())
        has_picture = self._publisher.picture() is not None
        newest = self._publisher.publish(show(playing, self._sight.seen, status, self._demo, has_picture))
        self._versions.published(newest["version"])
        return newest

    def _waiting(self) -> str:
        """What is waited for while nothing is in doubt."""
        game, course = self._record.now
        if self._undone is not None and not self._ears.done_waits:
            return words.UNDONE + words.heard(course.pending)
        rolls = must_roll(game, course.state)
        die = self._sight.reading.die if rolls and self._sight.reading is not None else None
        text = words.turn(game.to_act(course.state), rolls, die, die == self._record.last_roll, course.pending)
        return text + words.kept(self._trust.squares)
