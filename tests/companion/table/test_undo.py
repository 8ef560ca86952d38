"""After an undo the board still shows what was taken back; it must not be taken in again by itself."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from companion.errors import NotAllowed
from companion.games.pacal import GAME
from companion.table.outside import Pressed, Settled, Undo, Watching
from tests.companion.games.pacal.short import build, fly, roll, stones
from tests.companion.table.under_test import TableUnderTest, reading


@pytest.fixture
def undone(unbuilt: TableUnderTest) -> TableUnderTest:
    """Red's flight was seen and has been taken back; the ship still stands on D3."""
    unbuilt.undo()
    return unbuilt


def test_what_was_taken_back_is_not_taken_again_from_the_same_board(undone: TableUnderTest) -> None:
    seen = GAME.visible(undone.after(fly("D3")))
    for _ in range(3):
        undone.session.handle(Watching("hands"))
        undone.settle(seen)
    assert undone.view["phase"] == "fly"
    assert undone.status["text"].startswith("Taken back.")


def test_two_pages_that_undo_the_same_take_it_back_once(unbuilt: TableUnderTest) -> None:
    version = unbuilt.snapshot["version"]
    unbuilt.session.handle(Undo(version))
    with pytest.raises(NotAllowed, match="moved on"):
        unbuilt.session.handle(Undo(version))
    assert unbuilt.view["phase"] == "fly"
    unbuilt.session.handle(Undo(unbuilt.snapshot["version"]))
    assert unbuilt.view["phase"] == "roll"


def test_two_pages_that_undo_the_same_press_take_back_nothing_else(second_round: TableUnderTest) -> None:
    second_round.press("god")
    version = second_round.snapshot["version"]
    second_round.session.handle(Undo(version))
    with pytest.raises(NotAllowed, match="moved on"):
        second_round.session.handle(Undo(version))
    assert second_round.view["phase"] == "fly"


def test_hands_over_the_board_make_no_page_old(unbuilt: TableUnderTest) -> None:
    version = unbuilt.snapshot["version"]
    unbuilt.session.handle(Watching("hands"))
    unbuilt.session.handle(Undo(version))
    assert unbuilt.view["phase"] == "fly"


def test_noise_is_no_change_of_the_board(undone: TableUnderTest) -> None:
    seen = GAME.visible(undone.after(fly("D3")))
    for seed in range(5):
        undone.settle(seen, chance=random.Random(seed))
    assert undone.view["phase"] == "fly"


def test_once_the_board_has_changed_it_goes_on(undone: TableUnderTest) -> None:
    undone.show(fly("H3"))
    assert undone.view["ships"]["red"] == "H3"


def test_putting_the_pieces_back_and_doing_it_again_counts(undone: TableUnderTest) -> None:
    undone.settle()
    assert undone.status["text"] == "Red's turn."
    undone.show(fly("D3"))
    assert undone.view["ships"]["red"] == "D3"


def test_presses_after_an_undo_wait_until_done_lets_the_board_count_again(unbuilt: TableUnderTest) -> None:
    """Red built with one stone, meant two: undo, press both again and 'done'; the pyramid need not be lifted."""
    unbuilt.press("red")
    unbuilt.show(stones("red"), build("F3", 1, "F3"))
    unbuilt.press("undo")
    assert unbuilt.view["pyramids"] == {}
    unbuilt.press("red")
    unbuilt.settle(GAME.visible(unbuilt.after(stones("red"), build("F3", 1, "F3"))))
    assert unbuilt.view["pyramids"] == {}
    assert unbuilt.status["text"].startswith("Taken back.")
    assert "'done' is pressed" in unbuilt.status["text"]
    assert unbuilt.status["text"].endswith("Heard: a stone.")
    unbuilt.press("blue", "done")
    assert unbuilt.view["pyramids"] == {"F3": {"colour": "red", "floors": 1}}
    assert unbuilt.snapshot["to_act"] == "blue"
    assert unbuilt.course.pending == ()
    assert unbuilt.state.stones == {"D3": {"red": 1}, "G4": {"blue": 1, "red": 1}}


def test_presses_after_an_undo_wait_until_the_board_has_changed(unbuilt: TableUnderTest) -> None:
    unbuilt.press("red")
    unbuilt.show(stones("red"), build("F3", 1, "F3"))
    unbuilt.press("undo", "red", "blue")
    unbuilt.settle()
    assert unbuilt.status["text"] == "Red's turn. Heard: 2 stones."
    unbuilt.show(stones("red", "blue"), build("F3", 1, "F3"))
    assert unbuilt.state.stones == {"D3": {"red": 1}, "G4": {"blue": 1, "red": 1}}


def test_a_press_that_is_taken_back_after_an_undo_lets_nothing_count(unbuilt: TableUnderTest) -> None:
    unbuilt.press("red")
    unbuilt.show(stones("red"), build("F3", 1, "F3"))
    unbuilt.press("undo", "blue", "undo")
    assert unbuilt.view["pyramids"] == {}
    assert unbuilt.status["text"].startswith("Taken back.")
    unbuilt.press("red", "done")
    assert unbuilt.state.stones["D3"] == {"red": 1}


def test_done_after_an_undo_takes_the_flight_that_the_board_still_shows(undone: TableUnderTest) -> None:
    undone.press("done")
    assert undone.view["ships"]["red"] == "D3"
    assert undone.snapshot["to_act"] == "blue"
    assert undone.status["text"] == "Blue rolls the die."
    undone.settle(die=4)
    assert undone.view["roll"] == 4


def test_done_after_an_undo_that_waits_for_the_next_frame_is_said_to_be_heard(undone: TableUnderTest) -> None:
    undone.session.handle(Settled(reading(GAME.visible(undone.after(fly("D3")))), 100.2))
    undone.session.handle(Pressed("done", 101.3))
    assert undone.status["text"] == "Red's turn. Heard: 'done'."
    undone.session.handle(Watching("still"))
    assert undone.snapshot["to_act"] == "blue"


def test_a_god_stone_told_after_an_undo_waits_like_a_stone(second_round: TableUnderTest) -> None:
    table = second_round
    table.press("god")
    table.choose(1)
    table.show(fly("A1", "god", god=2))
    table.press("undo", "god")
    table.choose(2)
    assert table.view["phase"] == "fly"
    assert table.status["text"].endswith("Heard: god stone 4.")
    table.press("red", "done")
    assert table.view["supply"]["red"]["gods"] == [2, 6]
    assert table.state.stones["A1"] == {"red": 1}


def test_what_the_operator_does_lets_the_board_count_again(undone: TableUnderTest) -> None:
    undone.act(**fly("D3"))
    assert undone.view["ships"]["red"] == "D3"
    assert undone.status["kind"] == "watching"


@pytest.mark.parametrize("restarted", [False, True])
def test_a_roll_taken_back_is_not_taken_again_from_the_same_die_but_a_new_one_is(
    three: TableUnderTest, restarted: bool
) -> None:
    three.settle(die=4)
    three.undo()
    if restarted:
        three.restart()
    # The first picture need not show the die.
    for face in (None, 4, 4) if restarted else (4,):
        three.settle(die=face)
        assert three.view["roll"] is None
    assert three.status["text"].endswith("If it shows 4 again, tap that here.")
    three.settle(die=3)
    assert three.view["roll"] == 3


def test_when_a_wrong_roll_is_taken_back_the_picture_is_asked_about_again(three: TableUnderTest) -> None:
    three.show(roll(3), fly("F3"))
    asked = three.status["choices"]
    assert len(asked) == 2
    three.act(**roll(5))
    assert three.status["choices"] != asked
    three.undo()
    assert three.status["choices"] == asked


def test_a_press_taken_back_says_nothing_of_the_die(three: TableUnderTest) -> None:
    three.press("red")
    unsure = replace(reading(GAME.visible(three.state), die=4), die_confidence=0.98)
    three.session.handle(Settled(unsure, 0.0))
    three.undo()
    three.settle(die=4)
    assert three.view["roll"] == 4


def test_a_die_turned_over_before_the_roll_is_taken_back_is_no_roll(undone: TableUnderTest) -> None:
    undone.settle(GAME.visible(undone.after(fly("D3"))), die=5)
    undone.undo()
    undone.settle(die=5)
    assert undone.view["roll"] is None
    undone.settle(die=3)
    assert undone.view["roll"] == 3


def test_another_undo_goes_on_back(undone: TableUnderTest) -> None:
    undone.undo()
    assert undone.view["phase"] == "roll"
    undone.undo()
    assert undone.snapshot["to_act"] == "blue"


def test_an_undo_drops_the_presses_that_the_actions_answered_to(unbuilt: TableUnderTest) -> None:
    unbuilt.press("red")
    unbuilt.show(stones("red"), build("F3", 1, "F3"))
    unbuilt.undo()
    assert unbuilt.course.pending == ()
    assert unbuilt.snapshot["heard"] == 0


def test_what_was_said_of_a_press_is_said_no_more_after_an_undo(unbuilt: TableUnderTest) -> None:
    unbuilt.press("purple")
    assert "A stone was heard" in unbuilt.status["text"]
    unbuilt.undo()
    assert unbuilt.status["text"].startswith("Taken back.")
    assert "A stone was heard" not in unbuilt.status["text"]


def test_the_log_says_what_was_taken_back(undone: TableUnderTest) -> None:
    last = undone.snapshot["log"][-1]
    assert last["text"] == "Taken back: Red flies straight to D3."
    assert not any(line["text"] == "Red flies straight to D3." for line in undone.snapshot["log"])


@pytest.mark.parametrize("sight", ["unusable", "dead"])
def test_an_undo_that_the_camera_does_not_see_holds_when_it_sees_again(unbuilt: TableUnderTest, sight: Any) -> None:
    seen = GAME.visible(unbuilt.state)
    unbuilt.session.handle(Watching(sight))
    unbuilt.undo()
    unbuilt.settle(seen)
    assert unbuilt.view["phase"] == "fly"
    assert unbuilt.status["text"].startswith("Taken back.")
    unbuilt.settle()
    assert unbuilt.status["text"] == "Red's turn."


def test_what_was_done_and_undone_by_hand_while_the_camera_was_dead_holds_too(second_round: TableUnderTest) -> None:
    second_round.session.handle(Watching("dead"))
    second_round.act(**fly("D3"))
    seen = GAME.visible(second_round.state)
    second_round.undo()
    second_round.settle(seen)
    assert second_round.view["ships"]["red"] == "F3"
    assert second_round.status["text"].startswith("Taken back.")


def test_more_undos_that_the_camera_does_not_see_hold_too(unbuilt: TableUnderTest) -> None:
    unbuilt.show(stones(), build("F3", 1, "F3"))
    seen = GAME.visible(unbuilt.state)
    unbuilt.session.handle(Watching("unusable"))
    for _ in range(3):
        unbuilt.undo()
    unbuilt.settle(seen)
    assert unbuilt.view["phase"] == "roll"
    assert unbuilt.status["text"].startswith("Taken back.")


def test_done_after_an_undo_is_refused_when_no_camera_can_show_the_flight(undone: TableUnderTest) -> None:
    undone.session.handle(Watching("dead"))
    undone.press("done")
    assert undone.course.pending == ()
    assert "red cannot end the turn now" in undone.status["text"]
