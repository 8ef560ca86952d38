"""Finding games by name."""

from __future__ import annotations

from typing import Any

import pytest

from companion import games
from companion.errors import BadCommand


def test_a_game_that_there_is_not_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadCommand, match=r"'chess'; there are: .*pacal"):
        games.get("chess")


@pytest.mark.parametrize("name", ["game", "__init__", "", "pacal.state", "../pacal"])
def test_a_module_that_is_no_game_is_none(name: str) -> None:
    with pytest.raises(BadCommand):
        games.get(name)


@pytest.fixture(params=games.names())
def game(request: pytest.FixtureRequest) -> Any:
    return games.get(request.param)


def test_a_game_has_its_own_name_a_title_and_colours(game: Any) -> None:
    assert games.get(game.name) is game
    assert game.title and len(game.colours) >= max(game.players)
