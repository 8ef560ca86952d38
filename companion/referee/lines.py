"""The referee protocol: one JSON object a line in, one reply a line out (spec: protocol)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from companion import games
from companion.errors import BadCommand, BadJson, BadLayout, BadState, CompanionError, NoGame, RefereeError
from companion.games.game import Game, canonical
from companion.referee.nearest import nearest

MAX_MESSAGE = 600
"""Messages quote what came; of what is longer than any person reads, the rest is left out."""

Message = Mapping[str, Any]
Reply = dict[str, Any]


class Referee:
    """Answers lines, and holds the game that they are about. A command that fails leaves it as it was."""

    def __init__(self) -> None:
        self._on: tuple[Game[Any, Any], Any] | None = None
        self._commands: dict[str, Callable[[Message], Reply]] = {
            "new": self._new,
            "set": self._set,
            "state": self._state,
            "legal": self._legal,
            "apply": self._apply,
            "visible": self._visible,
            "explain": self._explain,
            "score": self._score,
            "view": self._view,
        }

    def answer(self, line: bytes) -> str:
        """The reply to a line, as canonical JSON without a line end. Raises nothing, whatever the line holds."""
        try:
            reply = self._reply(_parse(line))
        except RefereeError as error:
            reply = _error(error.code, error)
        except CompanionError as error:
            reply = _error(BadCommand.code, error)
        except RecursionError:
            reply = _error(BadJson.code, BadJson("the line is nested too deeply to be read"))
        return canonical(reply)

    def _reply(self, message: Message) -> Reply:
        name = message.get("cmd")
        if not isinstance(name, str) or name not in self._commands:
            raise BadCommand(f"cmd is {name!r}; there are: {', '.join(self._commands)}")
        return {"ok": True, **self._commands[name](message)}

    def _new(self, message: Message) -> Reply:
        game = games.get(_text(message, "game"))
        options = message.get("options", {})
        seed = message.get("seed")
        if seed is not None and type(seed) is not int:
            raise BadCommand(f"seed must be a whole number, not {seed!r}")
        more = {key: message[key] for key in message.keys() - {"cmd", "game", "players", "board", "options", "seed"}}
        board = _text(message, "board", "reference")
        state = game.new(_list(message, "players"), board, options, seed, more)
        self._on = (game, state)
        return {"state": game.state_to_json(state)}

    def _set(self, message: Message) -> Reply:
        if "state" not in message:
            raise BadCommand("set needs a state")
        data = message["state"]
        if not isinstance(data, dict) or not isinstance(data.get("game"), str):
            raise BadState("a state is an object that names its game")
        try:
            game = games.get(data["game"])
        except BadCommand as error:
            raise BadState(str(error)) from None
        try:
            self._on = (game, game.state_from_json(data))
        except BadLayout as error:
            raise BadState(str(error)) from None
        return {}

    def _state(self, message: Message) -> Reply:
        game, state = self._game()
        return {"state": game.state_to_json(state)}

    def _legal(self, message: Message) -> Reply:
        game, state = self._game()
        return {"actions": [game.action_to_json(action) for action in game.legal(state)]}

    def _apply(self, message: Message) -> Reply:
        game, state = self._game()
        if not isinstance(message.get("action"), dict):
            raise BadCommand(f"apply needs an action, which is an object, not {message.get('action')!r}")
        following, events = game.apply(state, game.action_from_json(message["action"]))
        self._on = (game, following)
        return {"state": game.state_to_json(following), "events": list(events)}

    def _visible(self, message: Message) -> Reply:
        game, state = self._game()
        return game.seen_to_json(game.visible(state))

    def _explain(self, message: Message) -> Reply:
        game, state = self._game()
        seen = game.seen_from_json(message)
        presses = [game.press_from_json(press) for press in _list(message, "presses", [])]
        explanations = game.explain(state, seen, presses)
        return {
            "explanations": [[game.action_to_json(action) for action in actions] for actions in explanations],
            "nearest": [] if explanations else nearest(game, state, seen, presses),
        }

    def _score(self, message: Message) -> Reply:
        game, state = self._game()
        return {"score": game.score(state)}

    def _view(self, message: Message) -> Reply:
        game, state = self._game()
        return {"state": game.view(state, _text(message, "viewer"))}

    def _game(self) -> tuple[Game[Any, Any], Any]:
        if self._on is None:
            raise NoGame("there is no game yet: begin one with new, or load one with set")
        return self._on


def _parse(line: bytes) -> Message:
    try:
        message = json.loads(line.decode("utf-8"), parse_constant=_no_number)
    except ValueError as error:
        raise BadJson(f"the line is no JSON: {error}") from None
    if not isinstance(message, dict):
        raise BadJson(f"the line must be a JSON object, not {message!r}")
    return message


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")


def _text(message: Message, key: str, default: str | None = None) -> str:
    value = message.get(key, default)
    if not isinstance(value, str):
        raise BadCommand(f"{message['cmd']} needs {key}, which is a text, not {value!r}")
    return value


def _list(message: Message, key: str, default: list[Any] | None = None) -> list[Any]:
    value = message.get(key, default)
    if not isinstance(value, list):
        raise BadCommand(f"{message['cmd']} needs {key}, which is a list, not {value!r}")
    return value


def _error(code: str, error: CompanionError) -> Reply:
    message = str(error)
    if len(message) > MAX_MESSAGE:
        message = message[:MAX_MESSAGE] + "…"
    return {"ok": False, "error": {"code": code, "message": message}}
