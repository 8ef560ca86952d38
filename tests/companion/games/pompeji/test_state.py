"""States that contradict themselves are refused with what is wrong; decks and whatever is no state at all, too."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import BadCommand, BadLayout, BadState
from companion.games.pompeji import GAME
from companion.games.pompeji.deck import load_deck
from companion.games.pompeji.pieces import Card
from companion.referee.lines import Referee

Data = Callable[..., dict[str, Any]]

HAND = {"red": "bath.grey forum.orange villa.green", "blue": "bath.red temple.orange villa.red"}
HIDDEN = {"hands": "hidden"}


def refused(data: Any) -> str:
    with pytest.raises(BadState) as caught:
        GAME.state_from_json(data)
    return str(caught.value)


def changed(data: dict[str, Any], *path: Any, to: Any) -> dict[str, Any]:
    """A copy with one thing in it changed."""
    copied = copy.deepcopy(data)
    here = copied
    for key in path[:-1]:
        here = here[key]
    here[path[-1]] = to
    return copied


def test_a_state_is_as_it_was_after_json(position_data: Data) -> None:
    data = position_data("temple.red statue\nforum.green -", HAND)
    assert GAME.state_to_json(GAME.state_from_json(json.loads(json.dumps(data)))) == data


@pytest.mark.parametrize(
    ("path", "to", "message"),
    [
        (["game"], "pacal", "a state of 'pompeji' was expected"),
        (["deck"], "nowhere", "deck 'nowhere': neither a built-in deck"),
        (["deck"], None, "deck must be"),
        (["options"], {"wind": 1}, "no option 'wind'"),
        (["options"], {"permits": 3}, "option permits must be"),
        (["options"], {"hands": "shown"}, 'option hands must be "open" or "hidden"'),
        (["players"], ["red"], "players"),
        (["phase"], "lay", "phase is 'lay'"),
        (["turn"], 0, "turn is 0"),
        (["turn"], True, "turn is True"),
        (["turn_of"], "green", "turn_of is 'green'"),
        (["to_act"], "blue", "to_act is not blue"),
        (["interruption"], "over", "interruption is 'over'"),
        (["interruption"], "running", "red breaks in, but has all building permits still"),
        (["interruption"], "used", "nobody has used a building permit"),
        (["statues", "red"], 0, "statue in the city"),
        (["statues", "red"], 2, "statues of red is 2"),
        (["permits", "blue"], 2, "permits of blue is 2"),
        (["permits", "blue"], -1, "permits of blue is -1"),
        (["points", "blue"], -1, "points of blue is -1"),
        (["points", "blue"], 1.5, "points of blue is 1.5"),
        (["points"], {"red": 0}, "points has no 'blue'"),
        (["volcanoes"], 1, "2 volcanoes in the pile and 1 drawn"),
        (["volcanoes"], 3, "volcanoes is 3"),
        (["ending"], "volcano", "ending is 'volcano'"),
        (["ending"], "target", "ending is 'target'"),
        (["phase"], "over", "the second ends it"),
        (["phase"], "draw", "before the first volcano drawing is no choice"),
        (["phase"], "drawn", "only with hidden hands"),
        (["hands", "red"], 3, "the hand of red must be the list"),
        (["hands", "red"], "bath", "hands of red is 'bath'"),
        (["hands", "red", 0], {"building": "bath"}, "has no 'colour'"),
        (["hands", "red", 0, "value"], 3, "bath grey has the value 2 in this deck, not 3"),
        (["hands", "red", 0, "value"], True, "value is True"),
        (["hands", "red", 0, "colour"], "pink", "colour is 'pink'"),
        (["hands", "red", 0], {"building": "bath", "colour": "blue", "value": 7}, "bath blue is there twice"),
        (["pile"], 43, "pile must be the list of its cards"),
        (["pile", 0], {"volcano": 1}, "the pile: a card has"),
        (["pile", 0], {"volcano": True}, "is missing"),
        (["pile", 0], None, "the pile: a card must be an object"),
        (["discards"], {}, "discards must be a list"),
        (["discards"], [{"building": "bath", "colour": "grey", "value": 2}], "bath grey is there twice"),
        (["city"], [], "the city has no building in row 0, column 0"),
        (["city"], {}, "the city must be a list"),
        (["city", 0, "row"], 10**30, "its row is 1000000000000000000000000000000"),
        (["city", 0, "row"], False, "its row is False"),
        (["city", 0, "side"], 1, "has 'side'"),
        (["city", 1, "statue"], False, "statue must be true"),
        (["city", 1, "statue"], 1, "statue must be true"),
        (["city", 1, "column"], 0, "two cards lie in row 0, column 0"),
        (["city", 1, "column"], -1, "not sorted"),
        (["city", 1, "column"], 2, "a statue in row 0, column 2 is not joined"),
    ],
    ids=str,
)
def test_a_state_that_contradicts_itself_is_refused(position_data: Data, path: Any, to: Any, message: str) -> None:
    assert message in refused(changed(position_data("temple.red statue", HAND), *path, to=to))


def test_hands_of_the_wrong_size_or_order_are_refused(position_data: Data) -> None:
    data = position_data("temple.red", HAND)
    assert "not sorted" in refused(changed(data, "hands", "red", to=data["hands"]["red"][::-1]))
    assert "before the first volcano it is 3" in refused(position_data("temple.red", {"red": 2, "blue": 3}))
    assert "never more than 3" in refused(position_data("temple.red", {"red": 4, "blue": 3}))
    assert "must draw" in refused(position_data("temple.red", {"red": 0, "blue": 3}, volcanoes=1))
    assert "the phase is draw, but red has 3 cards" in refused(position_data("temple.red", volcanoes=1, phase="draw"))


def test_cities_that_cannot_have_grown_are_refused(position_data: Data) -> None:
    wide = position_data(
        "bath.yellow temple.red* bath.blue forum.green villa.yellow bakery.purple fountain.blue villa.red"
    )
    assert "1 rows and 8 columns" in refused(wide)
    assert "temple green lies on a side" in refused(position_data("temple.red temple.green", HAND))
    assert "bath red lies on a side" in refused(position_data("temple.red\nbath.red"))
    assert "is not joined" in refused(position_data("temple.red -\n- bath.blue"))
    assert "where the start card lies" in refused(position_data("statue temple.red"))


@pytest.mark.parametrize(
    ("hands", "pile", "fields", "message"),
    [
        ({"red": 3, "blue": 3}, 9, {}, "that cannot be"),
        ({"red": 3, "blue": 3}, 18, {"volcanoes": 1}, "that cannot be"),
        ({"red": 3, "blue": 3}, 0, {"volcanoes": 1}, "that cannot be"),
        ({"red": 2, "blue": 3}, 20, {}, "before the first volcano it is 3"),
        ({"red": 3, "blue": 3}, 15, {"phase": "drawn"}, "before the first volcano it is 2"),
        ({"red": 2, "blue": 3}, 19, {"phase": "drawn"}, "only one thing can be drawn"),
        ({"red": 1, "blue": 3}, 8, {"phase": "drawn", "volcanoes": 1}, "need not draw"),
        ({"red": 2, "blue": 3}, 8, {"phase": "drawn", "volcanoes": 1}, "need not draw"),
        ({"red": 0, "blue": 3}, 8, {"volcanoes": 1}, "who has none must draw"),
        ({"red": 4, "blue": 3}, 8, {"volcanoes": 1}, "never more than 3"),
        ({"red": "bath.grey", "blue": 3}, 8, {"volcanoes": 1}, "must be its number of cards"),
        ({"red": 3, "blue": 3}, 8, {"volcanoes": 2}, "the second ends it"),
        ({"red": 3, "blue": 3}, 9, {"volcanoes": 2, "phase": "reveal", "ending": "volcano"}, "that cannot be"),
        ({"red": 3, "blue": 3}, 8, {"volcanoes": 2, "phase": "over", "ending": "volcano"}, "the list of its cards"),
        ({"red": "bath.grey", "blue": 3}, 8, {"volcanoes": 2, "phase": "reveal", "ending": "volcano"}, "cannot have"),
        ({"red": 0, "blue": 3}, 8, {"volcanoes": 2, "phase": "reveal", "ending": "volcano"}, "somebody else"),
        (
            {"red": 3, "blue": 3},
            8,
            {"volcanoes": 2, "phase": "reveal", "ending": "volcano", "to_act": "blue"},
            "red shows the hand before blue",
        ),
    ],
    ids=str,
)
def test_numbers_that_cannot_be_are_refused(
    position_data: Data, hands: Any, pile: int, fields: Any, message: str
) -> None:
    assert message in refused(position_data("temple.red", hands, pile=pile, options=HIDDEN, **fields))


def test_numbers_that_do_not_add_up_are_refused(position_data: Data) -> None:
    data = position_data("temple.red", pile=20, options=HIDDEN)
    assert "have 50 building cards; there are 49" in refused({**data, "pile": 21})


def test_a_card_twice_is_refused_with_hidden_hands_too(position_data: Data) -> None:
    data = position_data("temple.red", discards="bath.grey", options=HIDDEN)
    assert "temple red is there twice: in the city and beside the pile" in refused(
        changed(data, "discards", 0, to={"building": "temple", "colour": "red", "value": 6})
    )


DECK = Path(__file__).parents[4] / "companion" / "decks" / "pompeji-reference.toml"


@pytest.fixture
def deck_file(tmp_path: Path) -> Callable[..., str]:
    """Writes the reference deck with some of its text replaced, and returns its path."""

    def write(*changes: tuple[str, str]) -> str:
        text = DECK.read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "mine.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_a_deck_of_another_make_is_played_with_and_kept_as_named(deck_file: Any) -> None:
    path = deck_file(('"temple"', '"chrám"'), ("temple =", '"chrám" ='), ('"red"', '"zlatá žlutá"'), ("[6, 7", "[1, 7"))
    options = {"hands": "hidden"}
    start = {"building": "chrám", "colour": "zlatá žlutá", "value": 1}
    state = GAME.new(["red", "blue"], "reference", options, 1, {"deck": path, "start": start})
    assert state.deck == path and GAME.state_from_json(GAME.state_to_json(state)) == state
    texts = [json.dumps(action.to_json(), sort_keys=True) for action in GAME.legal(state)]
    assert texts == sorted(texts) and any("chr\\u00e1m" in text for text in texts)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("format = 1", "format = 2", "format is 2"),
        ('game = "pompeji"', 'game = "pacal"', "is a deck of game 'pacal'"),
        ('"villa"]', "]", "buildings must be 7 names, not 6"),
        ('"villa"]', '"temple"]', "buildings names temple twice"),
        ('"villa"]', "7]", "buildings: 7 is no name"),
        ('"grey"]', '"grey", "pink"]', "colours must be 7 names, not 8"),
        ('"grey"]', '""]', "colours: '' is no name"),
        ("villa = ", "castle = ", "values names 'castle'"),
        ("villa = [7, 1, 2, 3, 4, 5, 6]", "", "the cards of villa are missing"),
        ("villa = [7, 1, 2, 3, 4, 5, 6]", "villa = [7, 1, 2, 3, 4, 5]", "villa grey is missing"),
        ("villa = [7, 1, 2, 3, 4, 5, 6]", "villa = [7, 1, 2, 3, 4, 5, 6, 7]", "villa has 8 values"),
        ("villa = [7, 1, 2, 3, 4, 5, 6]", "villa = [7, 1, 2, 3, 4, 5, 8]", "villa grey has the value 8"),
        ("villa = [7, 1, 2, 3, 4, 5, 6]", "villa = [true, 1, 2, 3, 4, 5, 6]", "villa red has the value True"),
        ("villa = [7, 1, 2, 3, 4, 5, 6]", "villa = 7", "villa must be 7 values"),
        ("[values]", "[worth]", "values must give"),
        ("[values]", "values = ", "not a TOML file"),
    ],
)
def test_a_deck_that_is_wrong_is_refused_with_what_and_where(deck_file: Any, old: str, new: str, message: str) -> None:
    with pytest.raises(BadLayout, match=message) as caught:
        load_deck(deck_file((old, new)))
    assert "deck mine.toml" in str(caught.value)


@pytest.mark.parametrize("name", ["nowhere", "", "../decks", "/dev/zero", "a\0b", "x" * 9000])
def test_a_deck_that_cannot_be_read_is_refused(name: str) -> None:
    with pytest.raises(BadLayout, match="neither a built-in deck of pompeji nor a file"):
        load_deck(name)


def test_a_board_is_refused_for_there_is_none() -> None:
    with pytest.raises(BadCommand, match="no printed board"):
        GAME.new(["red", "blue"], "mine.toml", {}, 1)
    assert GAME.board("reference") is None


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "red", "temple", "turn", "draw", "volcano", "reference"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["row", "building", "red"]), inner),
    max_leaves=5,
)


@settings(max_examples=150, derandomize=True)
@given(data=st.data(), hidden=st.booleans())
def test_a_state_with_anything_in_it_changed_is_taken_or_refused_but_never_breaks(data: Any, hidden: bool) -> None:
    more = {"start": Card("temple", "red", 6).to_json()} if hidden else {}
    options = {"hands": "hidden"} if hidden else {}
    state = GAME.state_to_json(GAME.new(["red", "blue"], "reference", options, 1, more))
    here: Any = state
    while isinstance(here, dict | list) and here:
        key = data.draw(st.sampled_from(sorted(here) if isinstance(here, dict) else range(len(here))))
        if not isinstance(here[key], dict | list) or not here[key] or data.draw(st.booleans()):
            here[key] = data.draw(JUNK)
            break
        here = here[key]
    referee = Referee()
    reply = json.loads(referee.answer(json.dumps({"cmd": "set", "state": state}).encode()))
    assert reply["ok"] or (reply["error"]["code"] == "bad_state" and reply["error"]["message"])
    if reply["ok"]:
        for line in (b'{"cmd":"legal"}', b'{"cmd":"score"}', b'{"cmd":"visible"}', b'{"cmd":"view","viewer":"red"}'):
            assert json.loads(referee.answer(line))["ok"]


@settings(max_examples=150, derandomize=True)
@given(action=JUNK, cards=JUNK, presses=JUNK, more=st.dictionaries(st.sampled_from(["deck", "start", "x"]), JUNK))
def test_commands_with_anything_in_them_are_answered(action: Any, cards: Any, presses: Any, more: Any) -> None:
    referee = Referee()
    begin = {"cmd": "new", "game": "pompeji", "players": ["red", "blue"]}
    assert json.loads(referee.answer(json.dumps({**begin, "seed": 1}).encode()))["ok"]
    lines = [
        {**begin, **more, "options": action},
        {**begin, **more, "options": {"hands": "hidden"}},
        {"cmd": "apply", "action": {"type": "place", "card": action, "row": 0, "column": 1}},
        {
            "cmd": "apply",
            "action": {"type": "statue", "row": 0, "column": action, "building": "bath", "colour": "blue"},
        },
        {"cmd": "apply", "action": {"type": "reveal", "cards": cards}},
        {"cmd": "explain", "cards": cards, "presses": []},
        {"cmd": "explain", "cards": [{"row": 0, "column": 0, "statue": action}], "presses": []},
        {"cmd": "explain", "cards": [{"row": action, "column": 0, "statue": True}], "presses": []},
        {"cmd": "explain", "cards": [], "presses": presses},
        {"cmd": "explain", "cards": [], "presses": [{"press": "discard", "card": action}]},
        {"cmd": "explain", "cards": [], "presses": [{"press": action}]},
    ]
    for line in lines:
        reply = json.loads(referee.answer(json.dumps(line).encode()))
        assert reply["ok"] or reply["error"]["code"] in ("bad_command", "illegal_action")
