"""What the buttons tell: what each can mean after what was pressed before it, and the presses that do not count yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.game import Game, Press
from companion.journal.entries import Asked, Deferred, Dropped, Pressed, Undone
from companion.referee.weigh import Explanation, is_done
from companion.table import words
from companion.table.doubt import Doubt, about_presses
from companion.table.record import Record


class Ears:
    """Hears the buttons; a press that counts is in the journal, and so are the buttons that are deferred, and the one
    that is asked about.

    notice: what people are told of presses besides.
    """

    def __init__(self, record: Record) -> None:
        self._record = record
        self.notice: str | None = None

    @property
    def question(self) -> Doubt | None:
        """What a button leaves open."""
        asked = () if self._record.playing is None else self._record.now[1].asked
        return about_presses(asked) if asked else None

    @property
    def done_waits(self) -> bool:
        """Whether 'done' was pressed and no turn has been ended by it yet."""
        return self._record.playing is not None and is_done(self._record.now[1].pending)

    @property
    def deferred(self) -> tuple[str, ...]:
        """The buttons pressed since a 'done' that waits for its picture; they count after it."""
        return () if self._record.playing is None else self._record.now[1].deferred

    def hear(self, button: str, more_to_see: bool, deferred: bool = False) -> bool:
        """Take a press for what it can mean (see ``meanings``); whether it counts by now.

        deferred: whether it is the first of the deferred ones.
        """
        game, course = self._record.now
        fitting = meanings(game, course.state, course.pending, button, more_to_see)
        if len(fitting) == 1:
            self.count(fitting[0], deferred)
            return True
        if fitting:
            self._record.append(Asked(tuple(press.to_json() for press in fitting)))
        else:
            self.say(words.unfitting(game, button, game.to_act(course.state)))
        if deferred:
            # Last, so that pulling the plug asks twice rather than never.
            self._record.append(Dropped(1))
        return False

    def count(self, press: Press, deferred: bool = False) -> None:
        self._record.append(Pressed(press.to_json(), deferred))

    def answer(self, press: Press) -> None:
        """Take a press for what was meant by the button that is asked about."""
        self._record.append(Pressed(press.to_json(), asked=True))
        self.notice = None

    def defer(self, button: str) -> None:
        """Keep a press until 'done' is answered."""
        self._record.append(Deferred(button))

    def hear_deferred(self, more_to_see: bool) -> None:
        """Take what was pressed after 'done' if that has been answered, up to the next one.

        A 'done' upon a 'done' may be the same again, pressed by somebody impatient, or the next player's: whose the
        presses after it are is not clear, and they are not counted.
        """
        if self.done_waits:
            return
        clear = self.deferred[:1] != ("done",)
        while clear and self.deferred and not self.done_waits:
            button = self.deferred[0]
            clear = self.hear(button, more_to_see, deferred=True) or button != "done"
        if not clear and self.deferred:
            if set(self.deferred) - {"done"}:
                self.say(words.UNCLEAR)
            self._record.append(Dropped(len(self.deferred)))

    def take_back(self) -> bool:
        """Take the last press back if it does not count yet; whether it did not."""
        if self.deferred:
            self._record.append(Undone())
            self.say(words.DEFERRED_UNDONE)
            return True
        if self.question is None:
            return False
        self._record.append(Undone())
        return True

    def say(self, text: str) -> None:
        """Tell what became of a press, besides what was told before and hardly read yet."""
        told = self.notice or ""
        if text not in told:
            self.notice = f"{told} {text}".strip()


def meanings(game: Game[Any, Any], state: Any, pending: Sequence[Press], button: str, more_to_see: bool) -> list[Press]:
    """The presses that a button can mean now, together with those that are pending and one that may follow.

    more_to_see: whether something may have happened on the board that is not told yet. Without it 'done' must end the
    turn as it stands.
    """
    if game.over(state) or is_done(pending):
        return []
    return [press for press in game.presses(state, button) if _fits(game, state, (*pending, press), more_to_see)]


def agree(game: Game[Any, Any], state: Any, presses: Sequence[Press]) -> bool:
    """Whether some turn that goes on from here answers to just these presses."""
    return next(game.turns(state, presses), None) is not None


def end_unseen(game: Game[Any, Any], state: Any, pending: Sequence[Press]) -> Explanation | None:
    """How 'done' ends the turn when there is no picture to ask: nothing on the board has changed."""
    if not is_done(pending):
        return None
    shown = game.visible(state)
    ends = [turn for turn in game.turns(state, pending) if game.visible(turn.state) == shown]
    return Explanation(ends[0].actions, ends[0].state, tuple(pending)) if len(ends) == 1 else None


def _fits(game: Game[Any, Any], state: Any, presses: tuple[Press, ...], more_to_see: bool) -> bool:
    if is_done(presses) and not more_to_see:
        return bool(game.explain(state, game.visible(state), presses))
    return agree(game, state, presses) or any(
        agree(game, state, (*presses, missing)) for colour in game.colours for missing in game.presses(state, colour)
    )
