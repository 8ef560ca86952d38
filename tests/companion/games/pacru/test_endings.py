"""Who goes out and who wins (PACRU-OUT, PACRU-END), and the score."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.games.pacru import GAME
from companion.games.pacru.state import State

Make = Callable[..., State]
Play = Callable[..., State]

THREE = ["red", "yellow", "green"]
MOST = " ".join(f"{column}{row}" for column in "ABCDE" for row in range(1, 10) if f"{column}{row}" != "E5")


def test_who_puts_the_last_marker_wins_at_once(position: Make, move: Play) -> None:
    state = position({"F5": "red E"}, red=" ".join(MOST.split()[:41]))
    after = move(state, "F5", "G5", mark="G5")
    assert (after.phase, after.ending, after.winner, after.to_act, after.turn) == ("over", "markers", "red", "red", 21)
    assert after.supply["red"] == 0 and GAME.over(after) and GAME.legal(after) == []
    assert GAME.score(after)["leaders"] == ["red"]


def test_whose_turn_comes_and_who_cannot_move_is_out_and_keeps_the_markers(position: Make, move: Play) -> None:
    state = position({"E5": "red E", "A1": "yellow NW", "I9": "green NW"}, players=THREE, yellow="A9 B9 C9 D9 E9")
    after = move(state, "E5", "F5")
    assert (after.out, after.to_act, after.phase) == (("yellow",), "green", "turn")
    assert "A1" not in after.chevrons and after.markers["A9"] == "yellow"


def test_a_chevron_that_goes_makes_room_for_the_next_player(position: Make, move: Play) -> None:
    state = position({"E5": "red E", "A1": "yellow W", "A2": "green N"}, players=THREE, red="B1")
    after = move(state, "E5", "F5")
    assert (after.out, after.to_act) == (("yellow",), "green")


def test_when_all_others_are_blocked_the_player_wins(position: Make, move: Play) -> None:
    state = position({"E5": "red E", "A1": "yellow W", "I1": "green E"}, players=THREE)
    after = move(state, "E5", "F5")
    assert (after.out, after.phase, after.ending) == (("yellow", "green"), "over", "last")
    assert (after.winner, after.to_act) == ("red", "red")


def test_who_is_blocked_is_not_out_before_the_turn_comes(position: Make, move: Play) -> None:
    state = position({"E5": "red E", "A1": "green W", "I9": "yellow NW"}, players=THREE)
    after = move(state, "E5", "F5")
    assert (after.out, after.to_act) == ((), "yellow")


def test_one_move_that_is_left_is_enough(position: Make, move: Play) -> None:
    state = position({"E5": "red E", "A1": "yellow NE"})
    assert move(state, "E5", "F5").to_act == "yellow"


def test_who_loses_the_last_chevron_is_out_at_once(position: Make, move: Play) -> None:
    state = position({"D4": "red SE", "D5": "red E", "E5": "green N", "I9": "yellow NW"}, players=THREE, green="A1")
    after = move(state, "D4", "E5")
    assert (after.out, after.to_act, after.markers["A1"]) == (("green",), "yellow", "green")


def test_who_catches_the_last_chevron_of_all_wins(position: Make, move: Play) -> None:
    state = position({"D4": "red SE", "D5": "red E", "E5": "yellow N"})
    after = move(state, "D5", "E5")
    assert (after.phase, after.ending, after.winner, after.out) == ("over", "last", "red", ("yellow",))


def test_the_last_marker_comes_before_players_without_chevrons(position: Make, move: Play) -> None:
    fields = [name for name in MOST.split() if name not in ("D4", "D5", "E5")]
    state = position({"D4": "red SE", "D5": "red E", "E5": "yellow N"}, red=" ".join(fields[:41]))
    after = move(state, "D5", "E5")
    assert (after.ending, after.winner, after.out) == ("markers", "red", ())
    assert GAME.state_from_json(GAME.state_to_json(after)) == after


def test_players_who_are_out_have_no_more_turns(position: Make, move: Play) -> None:
    state = position({"E5": "red E", "I9": "green NW"}, players=THREE, out=["yellow"], yellow="A1")
    assert move(state, "E5", "F5").to_act == "green"


def test_after_the_end_nothing_can_be_done(position: Make, move: Play, refused: Callable[..., str]) -> None:
    over = move(position({"D4": "red SE", "D5": "red E", "E5": "yellow N"}), "D5", "E5")
    data = {"type": "move", "from": "E5", "to": "F5"}
    assert refused(over, data) == "PACRU-END-2: the game is over, red has won"
    assert list(GAME.turns(over, ())) == [] and GAME.explain(over, {}, ()) == [] and GAME.presses(over, "done") == []


def test_the_score_counts_markers_and_chevrons_and_names_who_leads(position: Make) -> None:
    state = position(
        {"E5": "red E", "I9": "yellow NW"}, players=THREE, out=["green"], red="A1 A2", yellow="B1 B2", green="C1 C2 C3"
    )
    assert GAME.score(state) == {
        "over": False,
        "players": {
            "red": {"markers": 2, "supply": 26, "chevrons": 1},
            "yellow": {"markers": 2, "supply": 26, "chevrons": 1},
            "green": {"markers": 3, "supply": 25, "chevrons": 0},
        },
        "leaders": ["red", "yellow"],
    }


@pytest.mark.parametrize("leader", ["red", "yellow"])
def test_the_leader_has_most_markers(position: Make, leader: str) -> None:
    state = position({"E5": "red E"}, **{leader: "A1"})
    assert GAME.score(state)["leaders"] == [leader]
