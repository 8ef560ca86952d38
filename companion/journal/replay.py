"""What the entries of a game add up to: the state, the presses that wait for an answer, and what happened.

Pure: the same entries give the same course. An undo takes back the last thing that still stands: the last deferred
button; else the button that is asked about; else the last pending press; else the last actions that were accepted
together, with the presses they answered to; else the last correction. A further undo goes on from there, back to the
start of the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, NamedTuple

from companion import games
from companion.errors import BadCommand, BrokenGame, CompanionError, NotAllowed
from companion.games.game import Event, Game, Press
from companion.journal.entries import (
    Accepted,
    Asked,
    Corrected,
    Deferred,
    Dropped,
    Json,
    Kept,
    Pressed,
    Recorded,
    Started,
    Undone,
    Why,
)
from companion.observation import Place, Seen


@dataclass(frozen=True)
class Line:
    """Something that happened, in public words.

    seq, t: those of its entry. player: whose it was, None for what the operator did. points: scored with it. action:
    its JSON form (it may tell hidden things), None when it was none. why: what it rests on.
    """

    seq: int
    t: float
    player: str | None
    text: str
    points: int = 0
    action: Json | None = None
    why: Why | None = None
    events: tuple[Event, ...] = ()


class Wrong(NamedTuple):
    """Squares on which people said that the picture is wrong: what it showed, and what was known of the board then."""

    squares: tuple[Place, ...]
    shown: Seen
    known: Seen


@dataclass(frozen=True)
class Course:
    """A game so far.

    started: its first entry. pending: presses that no accepted action answers to yet. deferred: buttons that count once
    'done' is answered. asked: the presses of which it is asked which one was meant, none when nothing is asked. log:
    what stands, and that something was taken back. last: the entry (its ``seq``) that made the state what it is, None
    at the start. before: the course that an undo of it goes back to. wrong: what people said against pictures since the
    state was set by hand, of squares that have been known to hold the same since; that is not taken back.
    """

    number: int
    started: Started
    state: Any
    pending: tuple[Press, ...] = ()
    deferred: tuple[str, ...] = ()
    asked: tuple[Press, ...] = ()
    log: tuple[Line, ...] = ()
    last: int | None = None
    before: Course | None = field(default=None, compare=False, repr=False)
    wrong: tuple[Wrong, ...] = ()

    @property
    def can_undo(self) -> bool:
        return bool(self.pending or self.deferred or self.asked) or self.before is not None


def game_of(entries: Sequence[Recorded]) -> Game[Any, Any]:
    """The game that entries are of. Raises BrokenGame when there is none of that name, or they begin with no start."""
    try:
        return games.get(_started(entries[0]).game)
    except BadCommand as error:
        raise BrokenGame(f"game {entries[0].game} of the journal: {error}") from None


def begin(game: Game[Any, Any], recorded: Recorded) -> Course:
    """The course of a game that has just begun. Raises BrokenGame when the entry is no start, or a CompanionError
    of the game's when it cannot be started."""
    started = _started(recorded)
    state = game.new(started.players, started.board, started.options, started.seed)
    line = Line(recorded.seq, recorded.t, None, f"{game.title}: {', '.join(started.players)}.")
    return Course(recorded.game, started, state, log=(line,))


def advance(game: Game[Any, Any], course: Course, recorded: Recorded) -> Course:
    """The course after one more entry.

    Raises NotAllowed for an undo with nothing to take back, and the game's error for what its rules do not allow.
    """
    match recorded.entry:
        case Accepted() as accepted:
            return _accept(game, course, recorded, accepted)
        case Pressed(press=press, deferred=deferred, asked=asked):
            return replace(
                course,
                pending=(*course.pending, game.press_from_json(press)),
                deferred=course.deferred[1:] if deferred else course.deferred,
                asked=() if asked else course.asked,
            )
        case Asked(presses=presses):
            return replace(course, asked=tuple(map(game.press_from_json, presses)))
        case Deferred(button=button):
            return replace(course, deferred=(*course.deferred, button))
        case Dropped(count=count):
            return replace(course, deferred=course.deferred[count:])
        case Corrected(state=state):
            line = Line(recorded.seq, recorded.t, None, "The position was corrected by hand.")
            after = game.state_from_json(_on_the_board(state, course.started))
            log = (*course.log, line)
            corrected = replace(course, state=after, pending=(), deferred=(), asked=(), log=log, wrong=())
            # What was asked is not, any more, when this is taken back: it was about the position then.
            return replace(corrected, last=recorded.seq, before=replace(course, asked=()))
        case Kept(squares=squares, shown=shown):
            wrong = Wrong(squares, game.seen_from_json(shown), game.visible(course.state))
            return replace(course, wrong=(*course.wrong, wrong))
        case Undone():
            return _as_known(game, _undo(course, recorded))
    raise BrokenGame(f"game {recorded.game} of the journal is started twice, in entry {recorded.seq} again")


def replay(game: Game[Any, Any], entries: Iterable[Recorded]) -> Course:
    """What all entries of one game add up to. Raises BrokenGame when these rules do not allow them."""
    first, *rest = entries
    try:
        return reduce(lambda course, recorded: advance(game, course, recorded), rest, begin(game, first))
    except BrokenGame:
        raise
    except CompanionError as error:
        raise BrokenGame(
            f"game {first.game} of the journal cannot be gone on with by the rules of this version: {error}"
        ) from error


def _started(recorded: Recorded) -> Started:
    started = recorded.entry
    if not isinstance(started, Started):
        raise BrokenGame(f"game {recorded.game} of the journal begins with an entry of kind {started.kind!r}")
    return started


def _on_the_board(state: Json, started: Started) -> Json:
    """A state on the board that the game was started with: earlier versions kept the path of its file."""
    return {**state, "board": started.board} if "board" in state else state


def _accept(game: Game[Any, Any], course: Course, recorded: Recorded, accepted: Accepted) -> Course:
    state, lines, pending = course.state, list(course.log), list(course.pending)
    for data in accepted.actions:
        action, player = game.action_from_json(data), game.to_act(state)
        state, events = game.apply(state, action)
        text = _sentence(game.describe(action, player))
        lines.append(Line(recorded.seq, recorded.t, player, text, 0, data, accepted.why, events))
        for event in events:
            if _sentence(event.get("text", text)) != text:
                points = event["points"] if event["event"] == "score" else 0
                lines.append(Line(recorded.seq, recorded.t, event.get("player"), _sentence(event["text"]), points))
    for used in accepted.used:
        press = game.press_from_json(used)
        if press not in pending:
            raise BrokenGame(f"entry {recorded.seq} of the journal answers to a press that was not pending: {used}")
        pending.remove(press)
    # An undo drops the presses that these actions answered to, too.
    before = replace(course, pending=(), deferred=(), asked=())
    # What is chosen on the page instead of an answer is one.
    asked = () if accepted.why == "by hand" else course.asked
    after = replace(course, state=state, pending=tuple(pending), asked=asked, log=tuple(lines))
    return _as_known(game, replace(after, last=recorded.seq, before=before))


def _undo(course: Course, recorded: Recorded) -> Course:
    if course.deferred:
        return replace(course, deferred=course.deferred[:-1])
    if course.asked:
        return replace(course, asked=())
    if course.pending:
        return replace(course, pending=course.pending[:-1])
    if course.before is None:
        raise NotAllowed("there is nothing to take back: the game has just begun")
    undone = " ".join(line.text for line in course.log if line.seq == course.last)
    stands = tuple(line for line in course.log if line.seq != course.last)
    line = Line(recorded.seq, recorded.t, None, f"Taken back: {undone}")
    return replace(course.before, log=(*stands, line), wrong=course.wrong)


def _as_known(game: Game[Any, Any], course: Course) -> Course:
    """The course without what was said against pictures of squares that hold something else by now."""
    if not course.wrong:
        return course
    known = game.visible(course.state)
    same = (
        wrong._replace(squares=tuple(name for name in wrong.squares if wrong.known.get(name) == known.get(name)))
        for wrong in course.wrong
    )
    return replace(course, wrong=tuple(wrong for wrong in same if wrong.squares))


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].removesuffix(".") + "."
