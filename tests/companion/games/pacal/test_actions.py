"""Actions as JSON: there and back, and only in the form that ``legal`` lists."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import IllegalAction
from companion.games.game import canonical
from companion.games.pacal.actions import (
    Action,
    BringIn,
    Build,
    Fly,
    Pass,
    Place,
    Roll,
    action_from_json,
    in_text,
    text,
)

ACTIONS: list[Action] = [
    Place("F6"),
    Roll(3),
    Roll("arrows"),
    Fly("straight", "C4"),
    Fly("turning", "C10"),
    Fly("arrows", "A1"),
    Fly("god", "C4", 6),
    Fly("stranded", "M13"),
    BringIn((), ()),
    BringIn(("red", "blue"), ("supply", "C4")),
    Build("C4", 3, ("A4", "B4", "C4")),
    Pass(),
]


@pytest.mark.parametrize("action", ACTIONS)
def test_an_action_comes_back_from_its_json(action: Action) -> None:
    back = action_from_json(action.to_json())
    assert back == action and type(back) is type(action)


@pytest.mark.parametrize("action", ACTIONS)
def test_the_text_of_an_action_is_its_canonical_json(action: Action) -> None:
    assert text(action) == canonical(action.to_json())


@pytest.mark.parametrize("action", ACTIONS)
def test_an_action_with_something_more_in_it_is_none(action: Action) -> None:
    with pytest.raises(IllegalAction):
        action_from_json({**action.to_json(), "more": 1})


NAMES = st.lists(st.sampled_from(["A1", "A10", "A2", "B1", "Z99", "supply", "blue", "red"]), max_size=4).map(tuple)


@settings(derandomize=True)
@given(lists=st.lists(NAMES))
def test_lists_of_names_sort_as_their_canonical_json(lists: list[tuple[str, ...]]) -> None:
    assert sorted(lists, key=in_text) == sorted(lists, key=lambda names: canonical(list(names)))


@pytest.mark.parametrize(
    "data",
    [
        None,
        3,
        [],
        {},
        {"type": "jump"},
        {"type": ["pass"]},
        {"type": "pass", "square": "A1"},
        {"type": "place", "square": "arrows"},
        {"type": "place", "square": None},
        {"type": "roll", "face": True},
        {"type": "roll", "face": 3.0},
        {"type": "roll", "face": "3"},
        {"type": "roll"},
        {"type": "fly", "mode": "straight", "to": "c4"},
        {"type": "fly", "mode": "straight", "to": "C4", "god": None},
        {"type": "fly", "mode": "straight", "to": "C4", "god": 2},
        {"type": "fly", "mode": "god", "to": "C4"},
        {"type": "fly", "mode": "god", "to": "C4", "god": True},
        {"type": "fly", "mode": "god", "to": "C4", "god": 2.0},
        {"type": "fly", "mode": "god", "to": "c4", "god": 2},
        {"type": "fly", "mode": "leap", "to": "C4"},
        {"type": "fly", "mode": ["straight"], "to": "C4"},
        {"type": "stones", "into": ["red"]},
        {"type": "stones", "into": "red", "from": ["supply"]},
        {"type": "stones", "into": [["red"]], "from": ["supply"]},
        {"type": "stones", "into": ["red"], "from": [["supply"]]},
        {"type": "build", "at": "C4", "floors": True, "uses": ["C4"]},
        {"type": "build", "at": "C4", "floors": 1.0, "uses": ["C4"]},
        {"type": "build", "at": "C4", "floors": 1, "uses": "C4"},
        {"type": "build", "at": "C4", "floors": 1, "uses": [4]},
        {"type": "build", "at": "C4", "floors": 2, "uses": ["C4", 4]},
        {"type": "build", "at": "c4", "floors": 1, "uses": ["C4"]},
    ],
)
def test_what_has_another_form_is_an_illegal_action(data: Any) -> None:
    with pytest.raises(IllegalAction):
        action_from_json(data)
