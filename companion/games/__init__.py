"""The games, by name: each is a package here that offers ``GAME``, and is imported only when it is asked for."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

from companion.errors import BadCommand
from companion.games.game import Game


def names() -> tuple[str, ...]:
    """The games that there are."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg))


def get(name: str) -> Game[Any, Any]:
    """A game by its name. Raises BadCommand, naming those there are, for one that there is not."""
    known = names()
    if name not in known:
        raise BadCommand(f"there is no game {name!r}; there are: {', '.join(known)}")
    game: Game[Any, Any] = importlib.import_module(f"{__name__}.{name}").GAME
    return game
