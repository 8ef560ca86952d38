"""The public snapshot of a table: built only from what the game itself calls public, and from what the camera sees."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from companion.boards import name_of
from companion.games.game import Game
from companion.journal.replay import Course, Line
from companion.observation import Seen
from companion.referee.weigh import is_done
from companion.table import words
from companion.table.doubt import Doubt
from companion.table.outside import Watching
from companion.table.snapshot import LogLine, Snapshot, Status

Kind: TypeAlias = Literal["setup", "watching", "hands", "doubt", "unfit", "dead", "over"]

LOG_LINES = 60
"""The last so many things that happened are shown."""


def show(
    playing: tuple[Game[Any, Any], Course] | None, seen: Seen, status: Status, demo: bool, has_picture: bool
) -> Snapshot:
    """What the page shows; the version is given when it is published.

    playing: the game that is on and its course, None before the first one. seen: what the camera read last.
    """
    if playing is None:
        return {
            "version": 0,
            "game": None,
            "title": "Companion",
            "demo": demo,
            "players": [],
            "to_act": None,
            "view": None,
            "score": None,
            "outlook": {},
            "board": None,
            "seen": {},
            "heard": 0,
            "status": status,
            "log": [],
            "can_undo": False,
            "has_picture": has_picture,
        }
    game, course = playing
    return {
        "version": 0,
        "game": game.name,
        "title": game.title,
        "demo": demo,
        "players": list(course.started.players),
        "to_act": game.to_act(course.state),
        "view": _by_name(game.view(course.state, "public")),
        "score": game.score(course.state),
        "outlook": game.outlook(course.state),
        "board": game.drawing(course.state),
        "seen": game.seen_to_json(_not_covered(seen, game.visible(course.state))).get("squares", {}),
        "heard": sum(press.to_json()["press"] == "stone" for press in course.pending),
        "status": status,
        "log": [_line(line) for line in course.log[-LOG_LINES:]],
        "can_undo": course.can_undo,
        "has_picture": has_picture,
    }


def _not_covered(seen: Seen, known: Seen) -> Seen:
    """What the camera read last, but where something else is known to stand by now: it may be a ship, and hide that."""
    return {place: content for place, content in seen.items() if known.get(place, content) == content}


def _by_name(view: dict[str, Any]) -> dict[str, Any]:
    """The view with the board's name: what its layout says, the page has as ``board`` of the snapshot."""
    return {key: name_of(value) if key in ("board", "deck") else value for key, value in view.items()}


def tell(
    game: Game[Any, Any], course: Course, sight: Watching, doubt: Doubt | None, notice: str | None, waiting: str
) -> Status:
    """What the companion is at while a game is on, the most urgent first.

    sight: what the camera is at. notice: what a press or a fault led to. waiting: whose turn it is and what is awaited.
    """
    if game.over(course.state):
        return simply("over", words.over(game.score(course.state)["leaders"]))
    status = _at(sight, doubt, notice, waiting, is_done(course.pending))
    status["text"] = _together(status["text"], words.deferred(game, course.deferred))
    return status


def _at(sight: Watching, doubt: Doubt | None, notice: str | None, waiting: str, done: bool) -> Status:
    """The same of a game that goes on, but for what was heard that counts later. done: whether a 'done' waits."""
    if doubt is not None:
        text = _together(notice, doubt.text)
        return {"kind": "doubt", "text": text, "choices": list(doubt.choices), "squares": list(doubt.squares)}
    match sight.sight:
        case "dead":
            return simply("dead", _together(notice or waiting, _no_picture(sight), done and words.DONE_AGAIN))
        case "unusable":
            reason = words.sentence(sight.reason or "the picture cannot be read")
            return simply("unfit", _together(notice, reason, done and words.DONE_WAITS))
        case "hands":
            return simply("hands", notice or words.HANDS)
        case "moving":
            return simply("hands", notice or words.MOVING)
        case "still":
            return simply("watching", notice or waiting)


def between_games(lost: str | None, sight: Watching) -> Status:
    """What the companion is at while no game is on. lost: why the newest game cannot be gone on with, if it cannot."""
    text = words.SETUP if lost is None else words.lost(lost)
    return simply("setup", f"{text} {_no_picture(sight)}" if sight.sight == "dead" else text)


def _no_picture(sight: Watching) -> str:
    return words.sentence(sight.reason) if sight.reason else words.DEAD


def _together(*sentences: str | Literal[False] | None) -> str:
    """Those of some sentences that are to be said."""
    return " ".join(sentence for sentence in sentences if sentence)


def simply(kind: Kind, text: str) -> Status:
    """A status that asks nothing."""
    return {"kind": kind, "text": text, "choices": [], "squares": []}


def _line(line: Line) -> LogLine:
    shown: LogLine = {"seq": line.seq, "player": line.player, "text": line.text}
    if line.points:
        shown["points"] = line.points
    return shown
