"""Options check what they are set to, and say what was expected."""

from __future__ import annotations

from typing import Any

import pytest

from companion import games
from companion.games.options import ListOf, Number, OneOf, Option, Switch, read_options

START_CARD = {"building": "temple", "colour": "red", "value": 6}

OPTIONS = (
    Option("tilted", "R-1", Switch(), False),
    Option("target", "R-2", Number("points", 1), None),
    Option("limit", "R-3", Number("markers", 0, 81), None),
    Option("bonuses", "R-4", OneOf(("may", "must")), "may"),
    Option("faces", "R-5", ListOf("numbers", lambda value: type(value) is int, (2, 3)), [2, 3]),
)


def test_options_are_read_in_the_order_given() -> None:
    given = {"limit": 81, "tilted": True, "target": 1, "faces": [7], "bonuses": "must"}
    read = read_options("Chess", OPTIONS, given)
    assert read == {**given, "faces": (7,)} and list(read) == list(given)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], r"options must be an object, not \[\]"),
        ({"speed": 1}, r"Chess has no option 'speed'; there are: tilted, target, limit, bonuses, faces"),
        ({"tilted": 1}, r"option tilted must be true or false, not 1"),
        ({"target": 0}, r"option target must be a whole number of points from 1, not 0"),
        ({"target": True}, r"option target must be a whole number of points from 1, not True"),
        ({"limit": 82}, r"option limit must be a whole number of markers from 0 to 81, not 82"),
        ({"bonuses": "can"}, r'option bonuses must be "may" or "must", not \'can\''),
        ({"bonuses": ["may"]}, r"option bonuses must be"),
        ({"faces": []}, r"option faces must be a list of numbers, not \[\]"),
        ({"faces": [1, "a"]}, r"option faces must be a list of numbers, not \[1, 'a'\]"),
    ],
)
def test_what_an_option_cannot_be_is_refused_with_what_was_expected(data: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_options("Chess", OPTIONS, data)


@pytest.mark.parametrize("name", games.names())
def test_every_example_and_every_default_of_a_game_is_accepted(name: str) -> None:
    game = games.get(name)
    for option in game.options:
        values = [*option.kind.examples(), *([] if option.default is None else [option.default])]
        for value in values:
            more = {"start": START_CARD} if value == "hidden" else {}
            state = game.new(game.colours[: game.players[0]], "reference", {option.name: value}, 1, more)
            assert game.state_to_json(state)["options"] == {option.name: value}
