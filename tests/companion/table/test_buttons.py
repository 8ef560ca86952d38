"""What presses lead to."""

from __future__ import annotations

from companion.games.pacal import GAME
from companion.journal.entries import Accepted, Pressed
from companion.table.outside import Correct, Settled, Watching
from tests.companion.games.pacal.short import build, fly, stones
from tests.companion.table.under_test import TableUnderTest, reading


def test_a_stone_is_kept_as_a_press_until_the_turn_is_told(unbuilt: TableUnderTest) -> None:
    unbuilt.press("red")
    assert unbuilt.entries[-1].kind == "pressed"
    assert unbuilt.snapshot["heard"] == 1
    assert unbuilt.view["phase"] == "stones"
    unbuilt.settle()
    assert unbuilt.snapshot["heard"] == 1
    unbuilt.press("blue")
    assert unbuilt.snapshot["heard"] == 2
    assert "Heard: 2 stones" in unbuilt.status["text"]


def test_done_brings_in_the_stones_heard_and_ends_the_turn(unbuilt: TableUnderTest) -> None:
    unbuilt.press("red", "blue", "done")
    accepted = unbuilt.last(Accepted)
    assert [action["type"] for action in accepted.actions] == ["stones", "pass"]
    assert accepted.why == "pressed"
    assert unbuilt.snapshot["to_act"] == "blue"
    assert unbuilt.snapshot["heard"] == 0
    assert unbuilt.state.stones["D3"] == {"red": 1}


def test_stones_heard_before_the_flight_is_seen_stay_for_after_it(second_round: TableUnderTest) -> None:
    second_round.press("red")
    second_round.show(fly("D3"))
    assert second_round.view["phase"] == "stones"
    assert second_round.snapshot["heard"] == 1
    second_round.press("done")
    assert second_round.state.stones["D3"] == {"red": 1}


def test_one_stone_too_many_is_not_counted_and_said(unbuilt: TableUnderTest) -> None:
    unbuilt.press("red", "blue", "blue")
    assert unbuilt.snapshot["heard"] == 2
    assert "A stone was heard, but red cannot bring in that stone now" in unbuilt.status["text"]
    assert [entry.kind for entry in unbuilt.entries[-2:]] == ["pressed", "pressed"]
    unbuilt.press("done")
    assert unbuilt.snapshot["to_act"] == "blue"


def test_what_was_refused_is_said_until_the_next_picture(unbuilt: TableUnderTest) -> None:
    unbuilt.press("purple")
    unbuilt.session.handle(Watching("still"))
    assert "A stone was heard" in unbuilt.status["text"]
    unbuilt.settle()
    assert unbuilt.status["text"] == "Red's turn."


def test_what_was_refused_is_still_said_when_the_board_is_but_read_again(unbuilt: TableUnderTest) -> None:
    unbuilt.press("purple")
    same = reading(GAME.visible(unbuilt.state))
    unbuilt.session.handle(Settled(same, 1.5, again=True))
    assert "A stone was heard" in unbuilt.status["text"]


def test_what_was_refused_is_said_until_the_next_press(unbuilt: TableUnderTest) -> None:
    unbuilt.press("purple", "red")
    assert unbuilt.status["text"] == "Red's turn. Heard: a stone."


def test_the_stone_into_anothers_ship_may_come_first(unbuilt: TableUnderTest) -> None:
    unbuilt.press("blue")
    assert unbuilt.snapshot["heard"] == 1
    unbuilt.press("red", "done")
    assert unbuilt.snapshot["to_act"] == "blue"
    assert unbuilt.state.stones["D3"] == {"red": 1}
    assert unbuilt.state.stones["G4"] == {"blue": 1, "red": 1}


def test_a_stone_into_anothers_ship_alone_is_not_enough(unbuilt: TableUnderTest) -> None:
    unbuilt.press("blue", "done")
    assert unbuilt.snapshot["to_act"] == "red"
    assert "red cannot end the turn now" in unbuilt.status["text"]
    unbuilt.settle()
    assert unbuilt.status["kind"] == "doubt"
    assert "not a whole yet" in unbuilt.status["text"]
    unbuilt.press("undo")
    assert unbuilt.status["kind"] == "watching"


def test_undo_takes_back_the_last_pending_press_first(unbuilt: TableUnderTest) -> None:
    before = unbuilt.state
    unbuilt.press("red", "blue", "undo")
    assert unbuilt.snapshot["heard"] == 1
    unbuilt.press("undo")
    assert unbuilt.snapshot["heard"] == 0
    assert unbuilt.state == before
    unbuilt.press("undo")
    assert unbuilt.view["phase"] == "fly"


def test_done_before_the_flight_means_nothing_on_a_still_board(second_round: TableUnderTest) -> None:
    second_round.press("done")
    assert second_round.entries[-1].kind == "accepted"
    assert "red cannot end the turn now" in second_round.status["text"]


def test_done_while_hands_are_over_the_board_waits_for_the_picture(unbuilt: TableUnderTest) -> None:
    """The pyramid was put down and 'done' pressed before the camera could see it: the build counts."""
    unbuilt.session.handle(Watching("hands"))
    unbuilt.press("red", "done")
    assert unbuilt.snapshot["to_act"] == "red"
    unbuilt.session.handle(Watching("still"))
    unbuilt.show(stones("red"), build("F3", 1, "F3"))
    assert unbuilt.view["pyramids"] == {"F3": {"colour": "red", "floors": 1}}
    assert unbuilt.state.stones["D3"] == {"red": 1}
    assert unbuilt.snapshot["to_act"] == "blue"


def test_done_while_hands_are_over_the_board_ends_the_turn_when_nothing_was_built(unbuilt: TableUnderTest) -> None:
    unbuilt.session.handle(Watching("hands"))
    unbuilt.press("done")
    unbuilt.settle()
    assert unbuilt.snapshot["to_act"] == "blue"
    assert unbuilt.course.pending == ()


def test_nothing_more_is_counted_after_done(unbuilt: TableUnderTest) -> None:
    unbuilt.session.handle(Watching("hands"))
    unbuilt.press("done", "done", "red")
    assert [press.to_json()["press"] for press in unbuilt.course.pending] == ["done"]


def test_done_after_a_build_was_taken_does_not_touch_the_next_turn(unbuilt: TableUnderTest) -> None:
    unbuilt.show(stones(), build("F3", 1, "F3"))
    count = len(unbuilt.entries)
    unbuilt.press("done")
    assert len(unbuilt.entries) == count
    assert "not counted" in unbuilt.status["text"]


def test_the_god_button_asks_which_stone(second_round: TableUnderTest) -> None:
    table = second_round
    table.press("god")
    assert [choice["text"] for choice in table.status["choices"]] == ["God stone 2.", "God stone 4.", "God stone 6."]
    assert table.course.pending == ()
    table.settle()
    assert table.status["kind"] == "doubt"
    table.choose(2)
    assert table.last(Pressed).press == {"press": "god", "value": 4}
    table.show(fly("A1", "god", god=4))
    assert table.view["ships"]["red"] == "A1"
    assert table.course.pending == ()
    assert table.last(Accepted).used == ({"press": "god", "value": 4},)


def test_the_last_god_stone_need_not_be_asked_for(second_round: TableUnderTest) -> None:
    table = second_round
    data = GAME.state_to_json(table.state)
    data["supply"]["red"]["gods"] = [6]
    table.session.handle(Correct(data))
    table.press("god")
    assert table.course.pending == (GAME.press_from_json({"press": "god", "value": 6}),)


def test_undo_takes_back_a_question_first(second_round: TableUnderTest) -> None:
    before, count = second_round.course, len(second_round.entries)
    second_round.press("god")
    assert second_round.snapshot["can_undo"]
    second_round.press("undo")
    assert second_round.status["kind"] == "watching"
    assert [entry.kind for entry in second_round.entries[count:]] == ["asked", "undone"]
    assert second_round.course == before


def test_undo_with_nothing_to_take_back_is_said(table: TableUnderTest) -> None:
    table.new_game()
    table.press("undo")
    assert "There is nothing to take back" in table.status["text"]
    assert [entry.kind for entry in table.entries] == ["started"]


def test_the_flight_waits_for_the_answer_which_god_stone_it_is(second_round: TableUnderTest) -> None:
    """The die reaches D3 too; but a god stone allows one stone only, and is out of the game."""
    table = second_round
    table.press("god")
    table.show(fly("D3"))
    assert table.view["phase"] == "fly"
    assert len(table.status["choices"]) == 3
    table.choose(2)
    assert table.view["ships"]["red"] == "D3"
    assert table.view["supply"]["red"]["gods"] == [2, 6]
    assert table.state.allowance == 1


def test_undo_takes_back_the_question_and_lets_the_flight_count(second_round: TableUnderTest) -> None:
    second_round.press("god")
    second_round.show(fly("D3"))
    second_round.press("undo")
    assert second_round.view["phase"] == "stones"
    assert second_round.state.allowance == 2


def test_a_roll_and_a_stone_leave_the_question_open(second_round: TableUnderTest) -> None:
    table = second_round
    table.undo()
    table.press("god")
    table.settle(die=3)
    assert table.view["roll"] == 3
    table.press("red")
    assert len(table.status["choices"]) == 3
    table.choose(1)
    assert [press.to_json()["press"] for press in table.course.pending] == ["stone", "god"]


def test_what_is_done_by_hand_instead_of_an_answer_ends_the_question(second_round: TableUnderTest) -> None:
    table = second_round
    table.press("god")
    table.act(type="fly", mode="straight", to="D3")
    assert (table.status["kind"], table.course.asked) == ("watching", ())
    table.restart()
    assert table.status["choices"] == []


def test_a_god_stone_and_a_stone_in_any_order_are_told_apart(second_round: TableUnderTest) -> None:
    table = second_round
    table.press("red", "god")
    table.choose(1)
    table.show(fly("A1", "god", god=2))
    assert table.view["phase"] == "stones"
    assert [press.to_json()["press"] for press in table.course.pending] == ["stone"]
    table.press("done")
    assert table.state.stones["A1"] == {"red": 1}


def test_presses_before_the_first_game_do_nothing(table: TableUnderTest) -> None:
    table.press("red", "done", "undo", "god")
    assert table.status["kind"] == "setup"
    assert table.journal.newest() is None


def test_a_button_that_the_game_does_not_have_is_said(second_round: TableUnderTest) -> None:
    second_round.press("pink")
    assert "no button 'pink'" in second_round.status["text"]
