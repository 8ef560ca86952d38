"""What the page is told: what can be done, what has happened, and how near the end is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.pacru import GAME
from companion.games.pacru.state import State

Make = Callable[..., State]


def told(state: State, data: dict[str, Any]) -> list[str]:
    """The texts of the events that an action makes."""
    return [event["text"] for event in GAME.apply(state, GAME.action_from_json(data)).events]


def go(start: str, to: str, **extras: Any) -> dict[str, Any]:
    return {"type": "move", "from": start, "to": to, **extras}


def test_each_way_to_move_is_told_once_with_the_fields_that_it_could_mark(position: Make) -> None:
    state = position({"C5": "red E", "E5": "red W"}, red="E6", yellow="D4 D6")
    entry = next(entry for entry in GAME.outlook(state)["moves"] if (entry["from"], entry["to"]) == ("C5", "D5"))
    assert {key: entry[key] for key in ("action", "text", "heading", "captures", "marks", "connects")} == {
        "action": go("C5", "D5"),
        "text": "red moves from C5 to D5",
        "heading": "E",
        "captures": None,
        "marks": ["D5", "E4", "F4", "F5", "F6"],
        "connects": [],
    }
    assert "A1" in entry["meets"] and "D4" not in entry["meets"] and "D5" not in entry["meets"]


def test_a_connection_and_a_pincer_are_told(position: Make) -> None:
    chevrons = {"A5": "red E", "D5": "red S", "D6": "yellow N", "E5": "red SW", "I9": "yellow NW"}
    moves = GAME.outlook(position(chevrons, red="A5 C5 A4", yellow="A1"))["moves"]
    by_way = {(entry["from"], entry["to"]): entry for entry in moves}
    assert (by_way["A5", "C5"]["connects"], by_way["A5", "C5"]["captures"]) == (["B5"], None)
    assert (by_way["E5", "D6"]["connects"], by_way["E5", "D6"]["captures"]) == ([], "yellow")


def test_every_action_of_the_outlook_is_legal(position: Make) -> None:
    for options in ({}, {"rules": "official"}, {"bonuses": "mandatory"}):
        state = position({"C5": "red E", "E5": "red W"}, red="E6 A1 B1 C1 D1", yellow="D4 D6", options=options)
        legal = [GAME.action_to_json(action) for action in GAME.legal(state)]
        outlook = GAME.outlook(state)
        entries = outlook["moves"] + outlook["rotations"]
        assert entries and all(entry["action"] in legal and entry["text"] for entry in entries)
        assert {(data["from"], data["to"]) for data in legal if data["type"] == "move"} == {
            (entry["from"], entry["to"]) for entry in outlook["moves"]
        }
        assert [entry["action"] for entry in outlook["rotations"]] == [
            data for data in legal if data["type"] == "rotate"
        ]


def test_powers_and_borderlands_are_told(position: Make) -> None:
    outlook = GAME.outlook(position({"C5": "red E", "E5": "red W"}, red="A4 A5 D1", yellow="D2"))
    assert outlook["powers"] == {"C5": 2, "E5": 1}
    assert outlook["borderlands"]["A4"] == {"red": 2} and outlook["borderlands"]["D1"] == {"red": 1, "yellow": 1}
    assert outlook["todo"] == [{"step": "turn", "state": "now", "text": "move one chevron, or rotate one"}]


def test_how_near_the_end_is(position: Make) -> None:
    assert GAME.outlook(position({"C5": "red E"}, red="A1 A2"))["end"] == (
        "red needs 40 more markers on the board to win."
    )
    assert GAME.outlook(position({"C5": "red E"}))["end"] == "red and yellow need 42 more markers on the board to win."


def test_when_the_game_is_over_there_is_nothing_to_do(position: Make) -> None:
    state = position({"D4": "red SE", "D5": "red E", "E5": "yellow N"})
    outlook = GAME.outlook(GAME.apply(state, GAME.action_from_json(go("D4", "E5"))).state)
    assert (outlook["todo"], outlook["moves"], outlook["rotations"], outlook["powers"]) == ([], [], [], {})
    assert outlook["end"] == "The game is over: red is the last in the game."


def test_a_player_who_cannot_move_is_offered_no_rotation(position: Make) -> None:
    assert GAME.outlook(position({"A1": "red NW"}, red="D1 D2 D3"))["rotations"] == []


def test_the_drawing_has_nine_borderlands_of_nine_fields(position: Make) -> None:
    drawing = GAME.drawing(position({"C5": "red E"}))
    assert (drawing["columns"], drawing["rows"]) == (9, 9)
    assert list(drawing["borderlands"]) == ["A1", "A4", "A7", "D1", "D4", "D7", "G1", "G4", "G7"]
    assert drawing["borderlands"]["D4"] == ["D4", "D5", "D6", "E4", "E5", "E6", "F4", "F5", "F6"]


def test_a_move_is_told_with_what_it_marked(position: Make) -> None:
    state = position({"A5": "red E"}, red="A5 D5 A4 A6", yellow="C5")
    assert told(state, go("A5", "D5", connect=True)) == [
        "red moves from A5 to D5, marks all fields between.",
        "red puts 2 markers on the board, on B5 and C5.",
        "1 marker of yellow goes back to the supply.",
    ]
    assert told(state, go("A5", "B5")) == ["red moves from A5 to B5."]


def test_a_rotation_is_told(position: Make) -> None:
    state = position({"A5": "red E"}, red="A1 A2 A3")
    data = {"type": "rotate", "field": "A5", "heading": "NE", "remove": ["A3", "A1"]}
    assert told(state, data) == ["red turns the chevron on A5 to the north-east, and takes the markers off A3 and A1."]


def test_captures_and_players_who_go_out_are_told(position: Make) -> None:
    chevrons = {"D4": "red SE", "D5": "red E", "E5": "yellow N", "A1": "green NW"}
    state = position(chevrons, players=["red", "yellow", "green"])
    assert told(state, go("D4", "E5")) == [
        "red moves from D4 to E5.",
        "red catches the yellow chevron on E5 in a pincer.",
        "red puts 1 marker on the board, on E5.",
        "yellow has lost the last chevron and is out.",
        "green cannot move any chevron and is out.",
        "The game is over: red is the last in the game and wins.",
    ]
