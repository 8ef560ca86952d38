"""What a settled picture leads to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.errors import NotAllowed
from companion.games.pacal import GAME
from companion.games.pacal.pieces import Pyramid, Ship, Stones
from companion.journal.entries import Accepted
from companion.observation import Odds, Place, Reading, Seen
from companion.table import words
from companion.table.outside import Choose, Correct, Settled, Watching
from tests.companion.games.pacal.short import PASS, build, fly, place, roll, stones
from tests.companion.table.under_test import TableUnderTest, reading


def test_a_ship_seen_on_the_board_is_placed(table: TableUnderTest) -> None:
    table.new_game("red", "blue")
    table.settle({"F6": Ship("red")})
    assert table.view["ships"] == {"red": "F6", "blue": None}
    assert table.snapshot["to_act"] == "blue"


def test_ships_that_one_picture_shows_are_placed_one_after_the_other(table: TableUnderTest) -> None:
    table.new_game("red", "blue", "green")
    table.settle({"H8": Ship("green"), "F6": Ship("red"), "G7": Ship("blue")})
    assert table.view["ships"] == {"red": "F6", "blue": "G7", "green": "H8"}
    assert table.view["phase"] == "roll"
    assert [len(entry.actions) for entry in table.accepted] == [1, 1, 1]


def test_a_ship_placed_before_its_turn_is_asked_for(table: TableUnderTest) -> None:
    table.new_game("red", "blue")
    table.settle({"G7": Ship("blue")})
    assert table.status["kind"] == "doubt"
    assert "G7 holds the blue ship, not nothing" in table.status["text"]
    assert table.status["squares"] == ["G7"]
    table.settle({"G7": Ship("blue"), "F6": Ship("red")})
    assert table.view["phase"] == "roll"


def test_ships_that_lie_ready_when_the_game_is_started_are_placed(table: TableUnderTest) -> None:
    table.settle({"F6": Ship("red"), "G7": Ship("blue")})
    view = table.new_game("red", "blue")["view"]
    assert view is not None
    assert view["phase"] == "roll"


def test_a_new_face_of_the_die_is_the_roll(three: TableUnderTest) -> None:
    three.settle(die=4)
    assert three.view["roll"] == 4
    assert three.last(Accepted).why == "seen"


def test_a_roll_and_the_flight_after_it_are_taken_from_one_picture(three: TableUnderTest) -> None:
    three.show(roll(3), fly("F3"), die=3)
    assert (three.view["roll"], three.view["ships"]["red"]) == (3, "F3")
    assert three.status["text"] == "Red's turn."


def test_a_face_that_is_not_read_for_sure_is_no_roll(three: TableUnderTest) -> None:
    seen = reading(GAME.visible(three.state), die=4)
    three.session.handle(Settled(replace(seen, die_confidence=0.98), 0.0))
    assert three.view["roll"] is None
    three.session.handle(Settled(replace(seen, die_confidence=0.99), 0.0))
    assert three.view["roll"] == 4


def test_a_face_that_this_game_does_not_have_is_no_roll(table: TableUnderTest) -> None:
    """R-DIE"""
    table.new_game("red", "blue", faces=[2, 3])
    table.play(place("F6"), place("G7"))
    table.settle()
    table.settle(die=5)
    assert table.view["roll"] is None
    table.settle(die=3)
    assert table.view["roll"] == 3


def test_a_die_that_lay_there_before_the_game_is_no_roll_but_the_next_face_is(table: TableUnderTest) -> None:
    ships: Seen = {"F6": Ship("red"), "G7": Ship("blue")}
    table.settle(ships, die=3)
    table.new_game("red", "blue")
    assert (table.view["phase"], table.view["roll"]) == ("roll", None)
    table.settle(ships, die=4)
    assert table.view["roll"] == 4


def test_a_die_that_lay_there_before_is_no_roll_until_it_is_tapped(table: TableUnderTest) -> None:
    table.new_game("red", "blue")
    table.settle({"F6": Ship("red")}, die=4)
    table.settle({"F6": Ship("red"), "G7": Ship("blue")}, die=4)
    assert table.view["roll"] is None
    assert "If it shows 4 again, tap that here" in table.status["text"]
    table.act(**roll(4))
    assert table.view["roll"] == 4


def test_the_die_of_the_last_turn_is_not_taken_for_the_next_roll(second_round: TableUnderTest) -> None:
    table = second_round
    table.show(fly("D3"), die=2)
    table.press("done")
    assert table.view["phase"] == "roll"
    table.settle(die=2)
    assert table.view["roll"] is None
    table.settle(die="arrows")
    assert table.view["roll"] == "arrows"


def test_a_die_turned_over_or_misread_in_the_middle_of_a_turn_is_no_roll(second_round: TableUnderTest) -> None:
    table = second_round
    table.show(fly("D3"), die=5)
    table.settle(die=2)
    table.press("done")
    for face in (2, 5, None):
        table.settle(die=face)
        assert table.view["roll"] is None
    table.settle(die=4)
    assert table.view["roll"] == 4


def test_a_die_that_lay_there_when_another_face_was_tapped_is_not_the_next_roll(unbuilt: TableUnderTest) -> None:
    """Nobody sees the board while blue's whole turn is kept by hand."""
    table = unbuilt
    table.press("done")
    table.settle(die=2)
    table.session.handle(Watching("hands"))
    table.play(roll(3), fly("D4"), PASS)
    table.settle(die=2)
    assert (table.snapshot["to_act"], table.view["roll"]) == ("red", None)
    table.settle(die=4)
    assert table.view["roll"] == 4


def test_a_flight_without_a_roll_is_asked_never_concluded(three: TableUnderTest) -> None:
    three.settle({"F3": Ship("red"), "G7": Ship("blue"), "H8": Ship("green")})
    assert three.status["kind"] == "doubt"
    assert [choice["text"] for choice in three.status["choices"]] == [
        "Red rolls the arrows; red flies by the arrows to F3.",
        "Red rolls 3; red flies straight to F3.",
    ]
    assert three.view["phase"] == "roll"
    three.choose(2)
    assert three.view["roll"] == 3
    assert three.view["ships"]["red"] == "F3"
    assert three.last(Accepted).why == "chosen"
    three.settle()
    assert three.status["kind"] == "watching"


def test_a_flight_is_taken_as_soon_as_it_is_seen(second_round: TableUnderTest) -> None:
    second_round.show(fly("D3"))
    assert second_round.view["phase"] == "stones"
    assert second_round.view["stones"] == {"F3": {"red": 1, "blue": 1}}


def perhaps_flown(table: TableUnderTest, likely: float) -> Reading:
    """Red may have flown from F3 to D3, with such a probability."""
    still = reading(GAME.visible(table.state))
    odds: dict[Place, Odds] = {
        "F3": {Ship("red"): 1 - likely, Stones(("blue", "red")): likely},
        "D3": {None: 1 - likely, Ship("red"): likely},
    }
    return replace(still, squares={**still.squares, **odds})


def test_a_flight_that_may_not_have_been_flown_waits_for_another_picture(second_round: TableUnderTest) -> None:
    table = second_round
    table.session.handle(Settled(perhaps_flown(table, 0.4), 0.0))
    assert table.status == {
        "kind": "doubt",
        "text": "D3, F3 cannot be made out clearly.",
        "choices": [],
        "squares": ["D3", "F3"],
    }
    table.show(fly("D3"))
    assert table.view["ships"]["red"] == "D3"


@pytest.mark.parametrize("answer", [1, 2])
def test_whether_a_flight_was_flown_is_asked_once_the_board_was_read_again(
    second_round: TableUnderTest, answer: int
) -> None:
    table = second_round
    doubtful = perhaps_flown(table, 0.4)
    table.session.handle(Settled(doubtful, 0.0))
    table.session.handle(Settled(doubtful, 1.5, again=True))
    assert table.status["text"] == "D3, F3 cannot be made out clearly. What happened, if anything?"
    assert table.status["squares"] == ["D3", "F3"]
    assert [choice["text"] for choice in table.status["choices"]] == ["Red flies straight to D3.", words.KEEP]
    table.choose(answer)
    assert table.view["ships"]["red"] == ("D3" if answer == 1 else "F3")
    assert table.status["kind"] == "watching"
    table.session.handle(Settled(doubtful, 3.0, again=True))
    assert table.status["kind"] == "watching"


def test_what_was_asked_when_read_again_is_taken_from_a_better_picture(second_round: TableUnderTest) -> None:
    table = second_round
    for t in (0.0, 1.5):
        table.session.handle(Settled(perhaps_flown(table, 0.5), t, again=t > 0))
    assert len(table.status["choices"]) == 2
    table.show(fly("D3"))
    assert table.view["ships"]["red"] == "D3"
    assert table.status["choices"] == []


def test_a_build_that_is_seen_takes_the_stones_heard_and_ends_the_turn(unbuilt: TableUnderTest) -> None:
    unbuilt.press("red", "blue")
    unbuilt.show(stones("red", "blue"), build("F3", 1, "F3"))
    snapshot = unbuilt.snapshot
    assert (snapshot["to_act"], unbuilt.view["phase"], snapshot["heard"]) == ("blue", "roll", 0)
    assert unbuilt.state.stones["D3"] == {"red": 1}
    assert unbuilt.state.stones["G4"] == {"blue": 1, "red": 1}
    assert [line.get("points") for line in snapshot["log"]].count(4) == 1


def test_flight_and_build_in_one_picture_are_one_turn(second_round: TableUnderTest) -> None:
    second_round.press("red")
    second_round.show(fly("D3"), stones("red"), build("F3", 1, "F3"))
    assert second_round.snapshot["to_act"] == "blue"
    assert second_round.state.stones == {"D3": {"red": 1}, "G4": {"blue": 1}}


def test_two_turns_in_one_picture_are_taken_one_after_the_other(three: TableUnderTest) -> None:
    """Red ends its turn by 'done' before the camera has seen its flight; then blue flies."""
    table = three
    table.settle(die=3)
    table.session.handle(Watching("hands"))
    table.press("done")
    table.show(fly("F3"), stones(), PASS, fly("G4"))
    assert table.view["ships"] == {"red": "F3", "blue": "G4", "green": "H8"}
    assert table.snapshot["to_act"] == "blue"
    accepted = [entry.actions for entry in table.accepted]
    assert [len(actions) for actions in accepted[-2:]] == [3, 1]


def test_a_forgotten_done_is_asked_when_the_next_player_has_flown(three: TableUnderTest) -> None:
    table = three
    table.settle(die=3)
    table.show(fly("F3"))
    table.press("red")
    table.show(stones("red"), PASS, fly("G4"))
    assert table.snapshot["to_act"] == "red"
    [choice] = table.status["choices"]
    assert choice["text"] == "Red brings in 1 stone; red builds nothing; blue flies straight to G4."
    table.choose()
    assert table.snapshot["to_act"] == "blue"
    assert table.state.stones == {"F3": {"red": 1}}
    table.undo()
    assert table.snapshot["to_act"] == "red"
    assert table.view["phase"] == "stones"


def test_a_forgotten_god_press_is_asked(second_round: TableUnderTest) -> None:
    second_round.settle({"A1": Ship("red"), "F3": Stones(("blue", "red")), "G4": Ship("blue")})
    assert [choice["text"] for choice in second_round.status["choices"]] == [
        f"Red discards god stone {value} and puts the ship on A1." for value in (2, 4, 6)
    ]
    second_round.choose(2)
    assert second_round.view["supply"]["red"]["gods"] == [2, 6]


def test_a_board_as_it_should_be_clears_a_doubt(unbuilt: TableUnderTest) -> None:
    unbuilt.settle({**GAME.visible(unbuilt.state), "A1": Ship("purple")})
    assert unbuilt.status["kind"] == "doubt"
    unbuilt.settle()
    assert unbuilt.status == {"kind": "watching", "text": "Red's turn.", "choices": [], "squares": []}


def test_a_piece_where_no_move_puts_one_is_doubted_and_nothing_is_taken(second_round: TableUnderTest) -> None:
    seen = GAME.visible(second_round.after(fly("D3")))
    before = second_round.state
    second_round.settle({**seen, "J9": Pyramid("blue", 3)})
    assert second_round.status["kind"] == "doubt"
    assert "J9 holds a blue pyramid of 3 floors, not nothing" in second_round.status["text"]
    assert "J9" in second_round.status["squares"]
    assert second_round.state == before


@pytest.mark.parametrize(
    ("watching", "kind"),
    [
        (Watching("hands"), "hands"),
        (Watching("moving"), "hands"),
        (Watching("unusable", "it is too dark"), "unfit"),
        (Watching("dead"), "dead"),
        (Watching("still"), "watching"),
    ],
)
def test_the_status_says_what_the_camera_is_at(three: TableUnderTest, watching: Watching, kind: str) -> None:
    assert three.session.handle(watching)["status"]["kind"] == kind


def test_a_picture_that_cannot_be_read_says_why_and_changes_nothing(three: TableUnderTest) -> None:
    before = three.state
    unusable = Reading("pacal", "reference", usable=False, reason="a hand is over the board")
    status = three.session.handle(Settled(unusable, 0.0))["status"]
    assert (status["kind"], status["text"]) == ("unfit", "A hand is over the board.")
    assert three.state == before
    three.settle(die=3)
    assert three.status["kind"] == "watching"


def test_what_was_asked_of_a_picture_is_asked_no_more_when_none_comes(three: TableUnderTest) -> None:
    three.settle({"F3": Ship("red"), "G7": Ship("blue"), "H8": Ship("green")})
    for sight in (Watching("unusable", "it is too dark"), Watching("dead")):
        assert three.session.handle(sight)["status"]["choices"] == []
        with pytest.raises(NotAllowed, match="moved on"):
            three.session.handle(Choose("1", three.snapshot["version"]))


def test_the_picture_can_be_fetched(three: TableUnderTest) -> None:
    assert three.snapshot["has_picture"]
    assert three.publisher.picture() == b"jpeg"


def test_nothing_is_taken_after_the_end(table: TableUnderTest) -> None:
    table.new_game("red", "blue")
    over = GAME.state_to_json(table.state) | {"phase": "over", "ending": "target", "ships": {"red": "A1", "blue": "B1"}}
    over["track"] = {"red": 45, "blue": 0}
    table.session.handle(Correct(over))
    assert table.status["kind"] == "over"
    count = len(table.entries)
    table.settle({})
    table.press("red", "done", "god")
    assert len(table.entries) == count
    assert table.status["kind"] == "over"
    assert "Red wins" in table.status["text"]
