"""What the operator's page may ask, from JSON to the session's commands."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

import msgspec
from flask import Blueprint, Response, jsonify, request
from msgspec import Meta, Struct

from companion.errors import BadCommand
from companion.table.outside import Act, Choose, Command, Correct, Desk, NewGame, Pressed, Undo
from web.operator import OperatorRight

_Word = Annotated[str, Meta(pattern="^[a-z][a-z0-9_]{0,30}$")]
_Version = Annotated[int, Meta(ge=0)]


class _Asked(Struct, tag_field="do", forbid_unknown_fields=True):
    pass


class _Act(_Asked, tag="act"):
    action: dict[str, Any]
    version: _Version


class _Choose(_Asked, tag="choose"):
    choice: Annotated[str, Meta(max_length=200)]
    version: _Version


class _Undo(_Asked, tag="undo"):
    version: _Version | None = None


class _Press(_Asked, tag="press"):
    button: _Word


class _New(_Asked, tag="new"):
    game: _Word
    players: Annotated[list[_Word], Meta(min_length=1, max_length=10)]
    options: dict[_Word, Any] = {}


class _Correct(_Asked, tag="correct"):
    state: dict[str, Any]


_AnyAsked: TypeAlias = _Act | _Choose | _Undo | _Press | _New | _Correct
_decoder = msgspec.json.Decoder(_AnyAsked)


def read_command(body: bytes) -> Command:
    """The command in the body of a request: ``{"do": "act", "action": {…}, "version": 7}`` and the like.

    Raises BadCommand with a sentence that says what is wrong where.
    """
    try:
        asked: _AnyAsked = _decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadCommand(f"this is not a command: {error}") from None
    except RecursionError:
        raise BadCommand("this is not a command: it is nested too deeply") from None
    match asked:
        case _Act():
            return Act(asked.action, asked.version)
        case _Choose():
            return Choose(asked.choice, asked.version)
        case _Undo():
            return Undo(asked.version)
        case _Press():
            return Undo() if asked.button == "undo" else Pressed(asked.button, time.monotonic())
        case _New():
            return NewGame(asked.game, asked.players, options=asked.options)
        case _Correct():
            return Correct(asked.state)


def check_board(state: Mapping[str, Any], shown: Mapping[str, Any] | None) -> None:
    """Raises BadCommand when a corrected state names another board than the one in play.

    A board can be the path of a layout file, and no path from a request may be opened.
    """
    board = shown.get("board") if shown else None
    if board is None or state.get("board") != board:
        raise BadCommand("a correction must be of the game in play, on the board in play")


def command_pages(desk: Desk, right: OperatorRight) -> Blueprint:
    """``POST /do``."""
    pages = Blueprint("commands", __name__)

    @pages.post("/do")
    def do() -> Response:
        right.require(request)
        if request.mimetype != "application/json":
            raise BadCommand("a command must be sent as application/json")
        command = read_command(request.get_data())
        if isinstance(command, Correct):
            check_board(command.state, desk.snapshot()["view"])
        return jsonify(desk.do(command))

    return pages
