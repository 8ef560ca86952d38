"""Finding games by name, and the promises that every game keeps."""

from __future__ import annotations

from typing import Any

import pytest

from companion import games
from companion.errors import BadCommand
from companion.games.game import canonical


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


def test_a_first_state_comes_back_from_json_and_its_actions_do_too(game: Any) -> None:
    for count in game.players:
        state = game.new(game.colours[:count], "reference", {}, 7)
        data = game.state_to_json(state)
        assert canonical(game.state_to_json(game.state_from_json(data))) == canonical(data)
        assert game.to_act(state) in game.colours and not game.over(state)
        actions = game.legal(state)
        assert actions
        for action in actions:
            assert game.action_from_json(game.action_to_json(action)) == action
            assert game.describe(action, game.to_act(state))
        assert [canonical(game.action_to_json(action)) for action in actions] == sorted(
            canonical(game.action_to_json(action)) for action in actions
        )


def test_a_view_and_an_outlook_are_plain_json(game: Any) -> None:
    state = game.new(game.colours[: game.players[0]], "reference", {}, 7)
    for data in (game.view(state, "public"), game.outlook(state), game.drawing(state), game.score(state)):
        assert canonical(data)
    with pytest.raises(BadCommand):
        game.view(state, "nobody")
