"""Which turns lead to what is seen, and the turns that leave some places as they look."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

import pytest

from companion.errors import BadCommand
from companion.games.pacru import GAME
from companion.games.pacru.actions import Move, Rotate
from companion.games.pacru.pieces import Chevron, DonePress, Heading, OnField
from companion.games.pacru.state import State

Make = Callable[..., State]

OWN = "A9 B9 C9 D9 E9 F9 G9"


def see(state: State, changes: Mapping[str, OnField | None]) -> dict[str, Any]:
    """What is visible of a state, with some fields changed; None is an empty one."""
    seen = {**GAME.visible(state), **changes}
    return {name: content for name, content in seen.items() if content is not None}


def chevron(heading: Heading, marker: str | None = None, colour: str = "red") -> OnField:
    return OnField(marker, Chevron(colour, heading))


def explained(state: State, changes: Mapping[str, OnField | None]) -> list[Any]:
    explanations = GAME.explain(state, see(state, changes), [])
    assert explanations == GAME.explain(state, see(state, changes), [DonePress()])
    assert all(len(actions) == 1 for actions in explanations)
    return [actions[0] for actions in explanations]


RED = OnField("red")


def test_what_is_visible_are_markers_and_chevrons(position: Make) -> None:
    state = position({"E5": "red N"}, red="E5 A1", yellow="C3")
    seen = {
        "E5": {"marker": "red", "chevron": {"colour": "red", "heading": "N"}},
        "A1": {"marker": "red"},
        "C3": {"marker": "yellow"},
        "I9": {"chevron": {"colour": "yellow", "heading": "NW"}},
    }
    assert GAME.seen_to_json(GAME.visible(state)) == {"squares": seen}
    assert GAME.seen_from_json({"squares": seen}) == GAME.visible(state)


def test_a_move_is_explained_by_the_chevron_that_went(position: Make) -> None:
    state = position({"C5": "red E"}, red=OWN)
    assert explained(state, {"C5": None, "D5": chevron("E")}) == [Move("C5", "D5")]
    assert explained(state, {"C5": None, "D5": chevron("N")}) == []
    assert explained(state, {"C5": None, "E5": chevron("E")}) == []


def test_a_new_marker_is_one_for_the_border(position: Make) -> None:
    state = position({"C5": "red E"}, red=OWN)
    assert explained(state, {"C5": None, "D5": chevron("E"), "F4": RED}) == [Move("C5", "D5", "F4")]
    assert explained(state, {"C5": None, "D5": chevron("E", "red")}) == [Move("C5", "D5", "D5")]
    assert explained(state, {"C5": None, "D5": chevron("E"), "A1": RED}) == []
    assert explained(state, {"C5": None, "D5": chevron("E"), "F4": RED, "F5": RED}) == []


def test_a_marker_that_fits_border_and_meeting_has_two_explanations(position: Make) -> None:
    state = position({"C5": "red E", "E5": "red W"}, red=OWN)
    went: dict[str, OnField | None] = {"C5": None, "D5": chevron("E")}
    assert explained(state, {**went, "D4": RED}) == [Move("C5", "D5", "D4"), Move("C5", "D5", None, False, "D4")]
    assert explained(state, {**went, "D4": RED, "D6": RED}) == [
        Move("C5", "D5", "D4", False, "D6"),
        Move("C5", "D5", "D6", False, "D4"),
    ]
    assert explained(state, {**went, "D4": RED, "A1": RED}) == [Move("C5", "D5", "D4", False, "A1")]


def test_a_connection_is_explained_with_all_its_markers(position: Make) -> None:
    state = position({"A5": "red E", "E5": "red W"}, red="A5 D5 A4 A6", yellow="C5")
    went: dict[str, OnField | None] = {"A5": RED, "D5": chevron("E", "red")}
    assert explained(state, {**went, "B5": RED, "C5": RED}) == [Move("A5", "D5", None, True)]
    assert explained(state, {**went, "B5": RED, "C5": RED, "G1": RED}) == [Move("A5", "D5", None, True, "G1")]
    assert explained(state, {**went, "B5": RED}) == [Move("A5", "D5", None, False, "B5")]
    assert explained(state, {**went, "C5": RED}) == []


def test_a_pincer_is_explained_by_what_left_the_board(position: Make) -> None:
    state = position({"D4": "red SE", "D5": "red E", "E5": "yellow N", "I9": "yellow NW"}, yellow="E5")
    assert explained(state, {"D4": None, "E5": chevron("SE", "red")}) == [Move("D4", "E5")]
    assert explained(state, {"D4": None, "E5": chevron("SE", "yellow")}) == []


def test_a_rotation_is_explained_by_the_markers_that_are_gone(position: Make) -> None:
    state = position({"C5": "red E"}, red=OWN)
    gone: dict[str, OnField | None] = {"G9": None, "A9": None}
    assert explained(state, {"C5": chevron("NE"), **gone}) == [Rotate("C5", "NE", ("A9", "G9"))]
    four = {**gone, "C9": None, "B9": None}
    assert explained(state, {"C5": chevron("N"), **four}) == [Rotate("C5", "N", ("A9", "B9", "C9", "G9"))]
    for other in ({"C5": chevron("N"), **gone}, {"C5": chevron("NE"), **four}, {"C5": chevron("SW"), **four}, gone):
        assert explained(state, other) == []


def test_chevrons_of_players_who_go_out_are_gone_too(position: Make) -> None:
    state = position({"C5": "red E", "A1": "yellow NW"})
    went: dict[str, OnField | None] = {"C5": None, "D5": chevron("E")}
    assert explained(state, {**went, "A1": None}) == [Move("C5", "D5")]
    assert explained(state, went) == []


def test_nothing_that_happened_needs_no_explanation(position: Make) -> None:
    state = position({"C5": "red E"}, red=OWN)
    assert explained(state, {}) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"H1": OnField("yellow")},
        {"H1": RED},
        {"H1": chevron("N")},
        {"C5": None},
        {"I9": None},
        {"C5": None, "D5": chevron("E"), "I9": chevron("N", None, "yellow")},
        {"C5": None, "D5": chevron("E", None, "green")},
        {f"{column}{row}": RED for column in "ABCDEFGH" for row in range(1, 9)},
    ],
)
def test_what_no_turn_leads_to_is_not_explained(position: Make, changes: dict[str, OnField | None]) -> None:
    assert explained(position({"C5": "red E"}, red=OWN), changes) == []


def test_turns_are_moves_and_then_rotations_without_end_to_wait_for(position: Make) -> None:
    many = " ".join(f"{column}{row}" for column in "ABCDEFGHI" for row in (1, 2, 8, 9) if f"{column}{row}" != "I9")
    state = position({"C5": "red E", "D6": "red N"}, red=many)
    turns = [turn.actions[0] for turn in islice(GAME.turns(state, ()), 100)]
    kinds = [type(action) for action in turns]
    assert kinds == sorted(kinds, key=lambda kind: kind is Rotate) and {Move, Rotate} == set(kinds)
    assert [action for action in GAME.legal(state) if isinstance(action, Move)] == sorted(
        (action for action in turns if isinstance(action, Move)), key=lambda action: GAME.legal(state).index(action)
    )


def test_with_most_places_fixed_only_the_turns_that_leave_them_are_tried(position: Make) -> None:
    state = position({"C5": "red E", "D7": "red N"}, red=OWN)
    free = {"C5", "D5", "D4", "A9", "C9", "E9"}
    fixed = {f"{column}{row}" for column in "ABCDEFGHI" for row in range(1, 10)} - free
    turns = [turn.actions[0] for turn in GAME.turns(state, (), fixed)]
    assert turns == [
        Move("C5", "D4", "D4"),
        Move("C5", "D4", "D5"),
        Move("C5", "D4"),
        Move("C5", "D5", "D4"),
        Move("C5", "D5", "D5"),
        Move("C5", "D5"),
        *(
            Rotate("C5", heading, remove)
            for heading in ("NE", "SE")
            for remove in (("A9", "C9"), ("A9", "E9"), ("C9", "E9"))
        ),
    ]


def test_a_player_who_would_go_out_must_be_free_to_vanish(position: Make) -> None:
    state = position({"C5": "red E", "A1": "yellow NW"})
    assert [turn.actions for turn in GAME.turns(state, (), {"A1"})] == []
    assert [turn.actions for turn in GAME.turns(state, (), {"I1"})]


@pytest.mark.parametrize(
    ("squares", "message"),
    [
        (None, "squares must be an object"),
        ({"J1": {"marker": "red"}}, "'J1' is no field of the board"),
        ({"A1": {}}, "A1: a marker, a chevron or both were expected"),
        ({"A1": {"marker": "white"}}, "A1: 'white' is no colour"),
        ({"A1": {"marker": None}}, "A1: a marker, a chevron or both"),
        ({"A1": {"stones": ["red"]}}, "A1: a marker, a chevron or both"),
        ({"A1": {"marker": "red", "chevron": {"colour": "red"}}}, "A1: a chevron with its colour and heading"),
        ({"A1": {"chevron": {"colour": "red", "heading": "up"}}}, "A1: 'up' is no heading"),
        ({"A1": {"chevron": {"colour": "pink", "heading": "N"}}}, "A1: 'pink' is no colour"),
        ({"A1": []}, "A1: a marker"),
    ],
)
def test_a_picture_of_something_else_is_refused(squares: Any, message: str) -> None:
    with pytest.raises(BadCommand, match=message):
        GAME.seen_from_json({"squares": squares})


@pytest.mark.parametrize("data", [None, {}, {"press": "stone", "ship": "red"}, {"press": "done", "more": 1}, "done"])
def test_other_presses_than_done_are_refused(data: Any) -> None:
    with pytest.raises(BadCommand, match="a press of 'done' was expected"):
        GAME.press_from_json(data)


def test_done_is_the_only_button_and_no_turn_needs_it(position: Make) -> None:
    state = position({"C5": "red E"}, red=OWN)
    assert GAME.buttons == ("done",) and GAME.presses(state, "done") == [DonePress()]
    assert GAME.presses(state, "god") == [] and GAME.presses(state, "red") == []
    assert all(GAME.told(action) == () for action in GAME.legal(state))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "nothing"),
        (RED, "a red marker"),
        (chevron("NE"), "a red chevron heading north-east"),
        (chevron("S", "blue", "blue"), "a blue chevron heading south on a blue marker"),
    ],
)
def test_what_is_on_a_field_has_a_name(content: OnField | None, words: str) -> None:
    assert GAME.name_content(content) == words
