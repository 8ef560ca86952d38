"""What 'done' ends, which pictures answer it, and what is pressed before it is answered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.games.pacal import GAME
from companion.games.pacal.pieces import Ship, Stones
from companion.journal import entries as entries_of
from companion.journal.entries import Accepted, Started
from companion.journal.store import Journal
from companion.table.outside import Correct, Pressed, Settled, Watching
from tests.companion.games.pacal.short import PASS, build, fly, place, roll, stones
from tests.companion.table.under_test import TableUnderTest, reading


@pytest.fixture
def leaving(three: TableUnderTest) -> TableUnderTest:
    """Red has flown to F3 and pressed 'done' while its hand is still over the board."""
    three.settle(die=3)
    three.show(fly("F3"))
    three.session.handle(Watching("hands"))
    three.press("done")
    return three


# -- presses before it is answered


def test_a_stone_of_the_next_player_waits_until_done_is_answered(leaving: TableUnderTest) -> None:
    leaving.press("blue")
    assert leaving.snapshot["heard"] == 0
    leaving.show(stones(), PASS, fly("G4"))
    assert (leaving.snapshot["to_act"], leaving.view["phase"]) == ("blue", "stones")
    assert leaving.snapshot["heard"] == 1
    assert leaving.replayed() == leaving.course
    leaving.press("done")
    assert leaving.state.stones["G4"] == {"blue": 1}


def test_what_is_deferred_is_shown_and_kept_when_the_plug_is_pulled(leaving: TableUnderTest) -> None:
    leaving.press("blue", "red", "done", "green")
    assert leaving.status["text"].endswith("Heard for the next turn: 2 stones, 'done', a stone.")
    leaving.restart()
    assert leaving.status["text"].endswith("Heard for the next turn: 2 stones, 'done', a stone.")
    leaving.show(stones(), PASS, fly("G4"), stones("blue", "red"), PASS, fly("H5"))
    assert leaving.state.stones == {"G4": {"blue": 1}, "F3": {"blue": 1}}
    assert leaving.snapshot["heard"] == 1
    assert leaving.replayed() == leaving.course


def test_a_second_done_is_still_one_too_many_when_the_plug_was_pulled(leaving: TableUnderTest) -> None:
    leaving.press("done")
    leaving.restart()
    leaving.session.handle(Watching("hands"))
    leaving.press("green")
    leaving.show(stones(), PASS, fly("G4"))
    assert (leaving.snapshot["to_act"], leaving.course.pending) == ("blue", ())
    assert "after 'done' was pressed twice is not counted" in leaving.status["text"]


@pytest.mark.parametrize("written", [0, 1])
def test_the_plug_is_pulled_between_the_answer_to_done_and_what_was_deferred(
    leaving: TableUnderTest, tmp_path: Path, written: int
) -> None:
    """written: how many of the two stones had been taken by then."""
    leaving.press("blue", "red")
    leaving.show(stones(), PASS, fly("G4"))
    started, *entries = leaving.entries
    assert isinstance(started, Started)
    taken = [isinstance(entry, entries_of.Pressed) and entry.deferred for entry in entries].index(True)
    journal = Journal.open(tmp_path / "cut.db", lambda: 0.0)
    journal.start(started)
    journal.append(1, *entries[: taken + written])
    journal.close()
    cut = TableUnderTest(tmp_path / "cut.db")
    assert (cut.snapshot["to_act"], cut.snapshot["heard"], cut.course.deferred) == ("blue", 2, ())


def test_a_stone_that_waits_belongs_to_the_build_in_the_same_picture(leaving: TableUnderTest) -> None:
    """Red, then blue with its stones, then green with one; all of it before the board is still."""
    leaving.press("blue", "red", "done", "green")
    leaving.show(stones(), PASS, fly("G4"), stones("blue", "red"), PASS, fly("H5"))
    assert (leaving.snapshot["to_act"], leaving.view["phase"]) == ("green", "stones")
    assert leaving.state.stones == {"G4": {"blue": 1}, "F3": {"blue": 1}}
    assert leaving.snapshot["heard"] == 1


def test_the_turn_that_done_ended_is_taken_though_nobody_told_of_the_roll_after_it(unbuilt: TableUnderTest) -> None:
    """Blue's stone counts for blue's build, though the picture shows both players' turns at once."""
    table = unbuilt
    table.session.handle(Watching("hands"))
    table.press("done", "blue")
    table.show(stones(), PASS, roll(3), fly("D4"), stones("blue"), build("G4", 1, "G4"), die=3)
    assert table.status["text"].startswith("Red rolls the die.")
    assert table.view["pyramids"] == {"G4": {"colour": "blue", "floors": 1}}
    assert table.state.stones["D4"] == {"blue": 1}


def test_a_roll_that_nobody_told_is_asked_with_the_stone_that_waited(unbuilt: TableUnderTest) -> None:
    table = unbuilt
    table.session.handle(Watching("hands"))
    table.press("done", "blue")
    table.show(stones(), PASS, roll(3), fly("D4"), stones("blue"), build("G4", 1, "G4"))
    assert (table.snapshot["to_act"], table.view["phase"]) == ("blue", "roll")
    assert [choice["text"] for choice in table.status["choices"]] == [
        "Blue rolls the arrows; blue flies by the arrows to D4; blue brings in 1 stone; blue builds 1 floor on G4."
    ]
    table.choose()
    assert table.view["pyramids"] == {"G4": {"colour": "blue", "floors": 1}}
    assert table.state.stones["D4"] == {"blue": 1}
    assert table.course.pending == ()


def test_a_god_stone_that_nobody_told_is_asked_though_done_was_pressed(second_round: TableUnderTest) -> None:
    table = second_round
    data = GAME.state_to_json(table.state)
    data["supply"]["red"]["gods"] = [6]
    table.session.handle(Correct(data))
    table.session.handle(Watching("hands"))
    table.press("done")
    table.settle({"A1": Ship("red"), "F3": Stones(("blue", "red")), "G4": Ship("blue")})
    assert [choice["text"] for choice in table.status["choices"]] == [
        "Red discards god stone 6 and puts the ship on A1; red brings in no stone; red builds nothing."
    ]
    assert table.snapshot["to_act"] == "red"


def test_done_is_answered_by_a_picture_that_people_say_is_wrong(leaving: TableUnderTest) -> None:
    leaving.press("blue")
    leaving.settle({**GAME.visible(leaving.state), "C9": Stones(("green",))})
    assert leaving.snapshot["to_act"] == "red"
    leaving.choose()
    assert (leaving.snapshot["to_act"], leaving.snapshot["heard"]) == ("blue", 1)


def test_done_pressed_twice_is_one_done(leaving: TableUnderTest) -> None:
    leaving.press("done")
    leaving.show(stones(), PASS, fly("G4"))
    assert (leaving.snapshot["to_act"], leaving.view["phase"]) == ("blue", "stones")
    assert leaving.status["text"] == "Blue's turn."


def test_whose_a_stone_is_after_done_was_pressed_twice_is_not_guessed(leaving: TableUnderTest) -> None:
    """Blue's 'done' and green's stones, or red's impatience and blue's stones: nobody can tell."""
    leaving.press("done")
    assert leaving.status["text"].endswith("'Done' was heard twice; once is enough.")
    leaving.press("green", "blue")
    assert leaving.status["text"].endswith("does not count: press it when the board has been read.")
    leaving.show(stones(), PASS, fly("G4"))
    assert leaving.snapshot["to_act"] == "blue"
    assert leaving.course.pending == ()
    assert "after 'done' was pressed twice is not counted" in leaving.status["text"]
    leaving.press("undo")
    assert (leaving.snapshot["to_act"], leaving.view["phase"]) == ("blue", "fly")


def test_whose_a_stone_is_after_a_done_that_means_nothing_is_not_guessed(leaving: TableUnderTest) -> None:
    """Blue has not been seen to fly, and will not be: green's stone may be blue's or green's own."""
    leaving.press("blue", "done", "green")
    leaving.session.handle(Watching("dead"))
    leaving.press("done")
    assert leaving.snapshot["to_act"] == "blue"
    assert leaving.snapshot["heard"] == 1
    assert "after 'done' was pressed twice is not counted" in leaving.status["text"]


def test_a_stone_that_waits_counts_though_one_before_it_means_nothing(leaving: TableUnderTest) -> None:
    leaving.press("purple", "blue")
    leaving.settle()
    assert leaving.snapshot["to_act"] == "blue"
    assert leaving.snapshot["heard"] == 1


def test_undo_takes_back_the_press_that_waits_first(leaving: TableUnderTest) -> None:
    leaving.press("blue", "undo")
    assert "taken back" in leaving.status["text"]
    leaving.show(stones(), PASS, fly("G4"))
    assert leaving.snapshot["heard"] == 0
    assert leaving.snapshot["to_act"] == "blue"


def test_what_waits_is_dropped_when_the_position_is_corrected(leaving: TableUnderTest) -> None:
    leaving.press("blue")
    leaving.session.handle(Correct(GAME.state_to_json(leaving.state)))
    assert (leaving.course.pending, leaving.course.deferred) == ((), ())
    leaving.settle()
    leaving.press("done")
    assert leaving.snapshot["to_act"] == "blue"
    assert leaving.snapshot["heard"] == 0


def test_a_press_that_waits_and_then_means_nothing_is_said(leaving: TableUnderTest) -> None:
    leaving.press("purple")
    leaving.settle()
    assert leaving.snapshot["to_act"] == "blue"
    assert "A stone was heard, but blue cannot bring in that stone now" in leaving.status["text"]


def test_what_was_refused_while_hands_were_over_the_board_is_still_said_when_they_have_left(
    unbuilt: TableUnderTest,
) -> None:
    unbuilt.session.handle(Watching("hands"))
    unbuilt.press("red", "blue", "blue", "done")
    unbuilt.session.handle(Watching("moving"))
    unbuilt.settle()
    assert unbuilt.snapshot["to_act"] == "blue"
    assert "A stone was heard, but red cannot bring in that stone now" in unbuilt.status["text"]
    unbuilt.session.handle(Watching("hands"))
    unbuilt.settle()
    assert unbuilt.status["text"] == "Blue rolls the die."


# -- without a picture


def test_done_in_the_dark_waits_for_the_light(unbuilt: TableUnderTest) -> None:
    unbuilt.session.handle(Watching("unusable", "it is too dark"))
    unbuilt.press("red", "done")
    assert unbuilt.snapshot["to_act"] == "red"
    assert unbuilt.status["text"].startswith("It is too dark. 'Done' waits until the board can be seen")
    unbuilt.show(stones("red"), build("F3", 1, "F3"))
    assert unbuilt.view["pyramids"] == {"F3": {"colour": "red", "floors": 1}}
    assert unbuilt.snapshot["to_act"] == "blue"


def test_done_in_the_dark_waits_for_a_flight_that_was_not_seen_too(second_round: TableUnderTest) -> None:
    second_round.session.handle(Watching("unusable", "it is too dark"))
    second_round.press("done")
    second_round.show(fly("D3"))
    assert second_round.view["ships"]["red"] == "D3"
    assert second_round.snapshot["to_act"] == "blue"


@pytest.mark.parametrize("action", [PASS, build("F3", 1, "F3")])
def test_when_the_light_never_comes_back_the_page_ends_the_turn(unbuilt: TableUnderTest, action: object) -> None:
    unbuilt.session.handle(Watching("unusable", "it is too dark"))
    unbuilt.press("red", "done")
    assert isinstance(action, dict)
    unbuilt.act(**action)
    assert unbuilt.snapshot["to_act"] == "blue"
    assert unbuilt.course.pending == ()
    assert unbuilt.state.stones["D3"] == {"red": 1}
    assert unbuilt.status["text"] == "It is too dark."


@pytest.mark.parametrize("rotation", [False, True])
def test_a_done_that_waits_is_not_the_next_turns_when_the_page_ends_this_one(
    table: TableUnderTest, rotation: bool
) -> None:
    """With R-TWO-ORDER the next turn is the same player's."""
    table.new_game("red", "blue", two_player_rotation=rotation)
    table.play(place("F6"), place("G7"), roll(3), fly("F3"), stones(), PASS)
    table.play(roll(3), fly("G4"), stones())
    table.settle()
    table.session.handle(Watching("hands"))
    table.press("done")
    table.act(**PASS)
    assert (table.snapshot["to_act"], table.view["phase"]) == ("blue" if rotation else "red", "roll")
    assert table.course.pending == ()


def test_what_is_refused_in_the_dark_is_said(unbuilt: TableUnderTest) -> None:
    unbuilt.session.handle(Watching("unusable", "it is too dark"))
    unbuilt.press("purple")
    assert "A stone was heard, but red cannot bring in that stone now" in unbuilt.status["text"]


def test_a_camera_that_dies_leaves_done_open_until_it_is_pressed_again(unbuilt: TableUnderTest) -> None:
    """A plug that was out for a second must not end a turn whose build was never seen."""
    unbuilt.session.handle(Watching("hands"))
    unbuilt.press("red", "done")
    unbuilt.session.handle(Watching("dead"))
    assert unbuilt.snapshot["to_act"] == "red"
    assert "press 'done' again" in unbuilt.status["text"]
    unbuilt.press("done")
    assert unbuilt.snapshot["to_act"] == "blue"
    assert unbuilt.last(Accepted).why == "pressed"
    assert unbuilt.state.stones["D3"] == {"red": 1}


def test_a_stone_after_done_does_not_count_though_the_camera_is_dead(unbuilt: TableUnderTest) -> None:
    unbuilt.session.handle(Watching("hands"))
    unbuilt.press("done")
    unbuilt.session.handle(Watching("dead"))
    unbuilt.press("red")
    assert unbuilt.snapshot["to_act"] == "red"
    unbuilt.press("done")
    assert unbuilt.snapshot["to_act"] == "blue"
    assert "D3" not in unbuilt.state.stones


def test_done_before_a_flight_that_no_camera_saw_ends_nothing(second_round: TableUnderTest) -> None:
    second_round.session.handle(Watching("hands"))
    second_round.press("done")
    second_round.session.handle(Watching("dead"))
    second_round.press("done")
    assert (second_round.snapshot["to_act"], second_round.view["phase"]) == ("red", "fly")


def test_done_waits_for_the_first_picture_of_a_camera_that_is_back(unbuilt: TableUnderTest) -> None:
    unbuilt.session.handle(Watching("dead"))
    unbuilt.session.handle(Watching("still"))
    unbuilt.press("done")
    assert unbuilt.snapshot["to_act"] == "red"
    unbuilt.show(stones(), build("F3", 1, "F3"))
    assert unbuilt.view["pyramids"] == {"F3": {"colour": "red", "floors": 1}}


# -- pictures that were taken before it


def settle(table: TableUnderTest, seen: object, t: float) -> None:
    assert isinstance(seen, dict)
    table.session.handle(Settled(reading(seen), t, b"jpeg"))


def test_a_picture_taken_before_done_does_not_answer_it(second_round: TableUnderTest) -> None:
    """Reading takes a while: the picture is of the flight, and the build came after it."""
    table = second_round
    flown, built = (
        GAME.visible(table.after(*some)) for some in ((fly("D3"),), (fly("D3"), stones(), build("F3", 1, "F3")))
    )
    table.session.handle(Watching("hands"))
    table.session.handle(Pressed("done", 101.3))
    settle(table, flown, 100.2)
    assert table.snapshot["to_act"] == "red"
    table.session.handle(Watching("moving"))
    table.session.handle(Watching("still"))
    settle(table, built, 102.0)
    assert table.view["pyramids"] == {"F3": {"colour": "red", "floors": 1}}
    assert table.snapshot["to_act"] == "blue"


def test_a_frame_that_shows_no_change_lets_the_picture_before_done_answer_it(second_round: TableUnderTest) -> None:
    table = second_round
    flown = GAME.visible(table.after(fly("D3")))
    table.session.handle(Watching("hands"))
    table.session.handle(Pressed("done", 101.3))
    table.session.handle(Watching("still"))
    settle(table, flown, 100.2)
    assert table.snapshot["to_act"] == "red"
    table.session.handle(Watching("still"))
    assert table.view["ships"]["red"] == "D3"
    assert table.snapshot["to_act"] == "blue"


def test_done_on_a_board_that_was_read_long_ago_is_answered_at_once(unbuilt: TableUnderTest) -> None:
    settle(unbuilt, GAME.visible(unbuilt.state), 100.0)
    unbuilt.session.handle(Watching("still"))
    unbuilt.session.handle(Pressed("done", 160.0))
    assert unbuilt.snapshot["to_act"] == "blue"


def test_done_pressed_just_when_the_picture_has_been_read_waits_for_the_next_frame(unbuilt: TableUnderTest) -> None:
    settle(unbuilt, GAME.visible(unbuilt.state), 100.2)
    unbuilt.session.handle(Pressed("done", 101.3))
    assert unbuilt.snapshot["to_act"] == "red"
    unbuilt.session.handle(Watching("moving"))
    settle(unbuilt, GAME.visible(unbuilt.after(stones(), build("F3", 1, "F3"))), 102.0)
    assert unbuilt.view["pyramids"] == {"F3": {"colour": "red", "floors": 1}}


def test_a_picture_after_done_answers_it_at_once(unbuilt: TableUnderTest) -> None:
    unbuilt.session.handle(Watching("hands"))
    unbuilt.session.handle(Pressed("done", 101.3))
    settle(unbuilt, GAME.visible(unbuilt.state), 102.0)
    assert unbuilt.snapshot["to_act"] == "blue"


# -- pressed twice


def test_done_pressed_again_just_after_its_answer_is_not_the_next_players(leaving: TableUnderTest) -> None:
    table = leaving
    table.session.handle(Watching("still"))
    settle(table, GAME.visible(table.state), 100.1)
    assert table.snapshot["to_act"] == "blue"
    table.session.handle(Pressed("done", 101.2))
    assert table.course.pending == ()
    assert table.status["text"].startswith("'Done' was pressed, but blue cannot end the turn now")


def test_done_pressed_again_after_a_start_waits_for_the_first_picture(unbuilt: TableUnderTest) -> None:
    unbuilt.session.handle(Watching("hands"))
    unbuilt.press("done")
    unbuilt.restart()
    unbuilt.press("done")
    assert unbuilt.snapshot["to_act"] == "red"
    unbuilt.settle(GAME.visible(unbuilt.after(stones(), build("F3", 1, "F3"))))
    assert unbuilt.view["pyramids"] == {"F3": {"colour": "red", "floors": 1}}


def test_a_press_that_waits_is_taken_back_without_ending_the_turn_though_the_camera_is_dead(
    unbuilt: TableUnderTest,
) -> None:
    unbuilt.session.handle(Watching("hands"))
    unbuilt.press("done", "blue")
    unbuilt.session.handle(Watching("dead"))
    unbuilt.press("undo")
    assert unbuilt.snapshot["to_act"] == "red"
    unbuilt.press("done")
    assert unbuilt.snapshot["to_act"] == "blue"


# -- a roll that nobody told


@pytest.fixture
def by_arrows(three: TableUnderTest) -> dict[str, Any]:
    """Red's flight to a square that the arrows alone lead to: nobody told of that roll, but 'done' was pressed."""
    three.settle(die=3)
    three.undo()
    rolled = {face: three.after(roll(face)) for face in (2, 3, 4, 5, "arrows")}
    reached = {face: {GAME.action_to_json(one)["to"] for one in GAME.legal(state)} for face, state in rolled.items()}
    three.session.handle(Watching("hands"))
    three.press("done")
    return fly(min(reached.pop("arrows").difference(*reached.values())), "arrows")


def test_a_roll_is_asked_though_done_was_pressed_and_one_roll_alone_explains_the_flight(
    three: TableUnderTest, by_arrows: dict[str, Any]
) -> None:
    three.show(roll("arrows"), by_arrows, die=3)
    assert three.view["phase"] == "roll"
    (choice,) = three.status["choices"]
    assert choice["text"].startswith("Red rolls the arrows; red flies by the arrows to ")
    three.choose()
    # What lay there is not blue's roll.
    assert three.view["phase"] == "fly" and three.snapshot["to_act"] == "blue"


def test_a_roll_is_asked_though_two_turns_after_it_were_told(three: TableUnderTest, by_arrows: dict[str, Any]) -> None:
    three.show(roll("arrows"), by_arrows, stones(), PASS, fly("A7", "arrows"), die=3)
    assert three.view["phase"] == "roll"
    (choice,) = three.status["choices"]
    assert choice["text"].startswith("Red rolls the arrows; red flies by the arrows to ")


def test_more_rolls_than_can_be_asked_about_are_not_asked_about_in_part(second_round: TableUnderTest) -> None:
    """Every face leads from F3 to the edge in F1."""
    second_round.undo()
    second_round.show(roll(2), fly("F1"))
    assert [choice["id"] for choice in second_round.status["choices"]] == ["keep"]
    assert second_round.status["text"].startswith("If the die was rolled, tap what it shows. ")


def test_that_a_done_and_a_roll_were_both_forgotten_is_not_thought_of(unbuilt: TableUnderTest) -> None:
    unbuilt.show(stones(), PASS, roll(3), fly("D4"))
    assert [choice["id"] for choice in unbuilt.status["choices"]] == ["keep"]


def test_that_two_forgot_done_is_not_thought_of(three: TableUnderTest) -> None:
    three.settle(die=3)
    three.show(fly("F3"), stones(), PASS, fly("G4"), stones(), PASS, fly("H5"))
    assert (three.snapshot["to_act"], three.view["phase"]) == ("red", "fly")
    assert [choice["id"] for choice in three.status["choices"]] == ["keep"]


def test_of_rolls_that_lead_to_the_same_the_one_that_lies_there_is_offered_and_is_not_the_next_one(
    second_round: TableUnderTest,
) -> None:
    table = second_round
    table.play(fly("D3"), stones(), PASS)
    table.settle(die=2)
    table.play(roll(3))
    table.undo()
    table.session.handle(Watching("hands"))
    table.show(roll(3), fly("D4"), stones(), build("G4", 1, "G4"), die=3)
    assert [choice["text"] for choice in table.status["choices"]] == [
        "Blue rolls 3; blue flies straight to D4; blue brings in no stone; blue builds 1 floor on G4."
    ]
    table.choose()
    assert (table.snapshot["to_act"], table.view["phase"]) == ("red", "roll")


def test_without_an_answer_to_offer_people_are_told_to_tap_the_roll(second_round: TableUnderTest) -> None:
    table = second_round
    table.play(fly("D3"), stones(), PASS)
    table.settle({**GAME.visible(table.state), "L1": Stones(("green",))}, die=2)
    assert table.view["phase"] == "roll"
    assert table.status["text"].startswith("If the die was rolled, tap what it shows. ")


def test_what_waits_belongs_to_the_next_player_when_the_turn_before_it_was_chosen(three: TableUnderTest) -> None:
    """Nobody told of blue's roll; green's stone, flight and build came before the board was still."""
    table = three
    table.play(roll(3), fly("F3"), stones(), PASS, fly("G4"), stones("blue"), PASS, fly("H5"), stones(), PASS)
    data = GAME.state_to_json(table.state)
    data["stones"] = {"F9": {"green": 1}}
    data["supply"]["blue"]["stones"], data["supply"]["green"]["stones"] = 10, 9
    table.settle(die=3)
    # The die lies as it lay.
    table.session.handle(Correct(data))
    assert (table.snapshot["to_act"], table.view["phase"]) == ("blue", "roll")
    truth = table.after(roll(3), fly("D4"), stones(), PASS, fly("E5"), stones("green"), build("F9", 1, "F9"))
    table.session.handle(Watching("hands"))
    table.press("done", "green")
    table.settle(GAME.visible(truth), die=3)
    texts = [choice["text"] for choice in table.status["choices"]]
    assert not any("green" in text for text in texts)
    table.choose(
        texts.index("Blue rolls 3; blue flies straight to D4; blue brings in no stone; blue builds nothing.") + 1
    )
    assert GAME.state_to_json(table.state) == GAME.state_to_json(truth)
