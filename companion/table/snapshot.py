"""What the page shows, as plain JSON: made by the session, sent by the web server, never holding anything hidden."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


class Choice(TypedDict):
    """One possible explanation, offered as a button."""

    id: str
    text: str


class Status(TypedDict):
    """What the companion is at, in one line for people.

    kind: ``setup`` no game yet; ``watching`` all is well and it waits for the players; ``hands`` it waits for hands to
    leave; ``doubt`` it asks (choices, squares); ``unfit`` the camera's picture cannot be read; ``dead`` no camera;
    ``over`` the game has ended.
    squares: the places in question.
    """

    kind: Literal["setup", "watching", "hands", "doubt", "unfit", "dead", "over"]
    text: str
    choices: list[Choice]
    squares: list[str]


class LogLine(TypedDict):
    """Something that happened: a sentence, whose it was, and points if it scored."""

    seq: int
    player: str | None
    text: str
    points: NotRequired[int]


class Snapshot(TypedDict):
    """The whole public state of the table.

    version: grows with every change. view: the game's public view; score: as if the game ended now. outlook: what can
    be done now (see the game's ``outlook``), each entry with the ``action`` that an operator may send back. board: what
    the page needs to draw the board, constant for a game. heard: how many stones were heard since the last accepted
    action (not into which ship). seen: what the camera last read, as an observation's ``squares``,
    but where something else is known to stand by now; nothing in a game that has none.
    """

    version: int
    game: str | None
    title: str
    demo: bool
    players: list[str]
    to_act: str | None
    view: dict[str, Any] | None
    score: dict[str, Any] | None
    outlook: dict[str, Any]
    board: dict[str, Any] | None
    seen: dict[str, Any]
    heard: int
    status: Status
    log: list[LogLine]
    can_undo: bool
    has_picture: bool
