"""What the operator can do on the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import BadCommand, BadLayout, BadState, CompanionError, IllegalAction, JournalError, NotAllowed
from companion.games.pacal import GAME
from companion.games.pacal.pieces import Ship, Stones
from companion.journal.entries import Accepted, Kept, Started
from companion.journal.store import Journal
from companion.observation import Seen
from companion.table.outside import Act, Choose, Correct, NewGame, Watching
from companion.table.publish import Publisher
from companion.table.session import Session
from tests.companion.games.pacal.short import PASS, build, fly, roll, stones
from tests.companion.table.under_test import TableUnderTest


def test_before_a_game_it_says_so(table: TableUnderTest) -> None:
    assert table.status["kind"] == "setup"
    assert table.snapshot["game"] is None
    with pytest.raises(NotAllowed, match="start one first"):
        table.undo()


@pytest.mark.parametrize(
    ("new", "error"),
    [
        (NewGame("chess", ("red", "blue")), BadCommand),
        (NewGame("pompeji", ("red", "blue")), NotAllowed),
        (NewGame("pacru", ("red", "blue")), NotAllowed),
        (NewGame("pacal", ("red", "red")), BadCommand),
        (NewGame("pacal", ("red", "blue"), options={"nonsense": 1}), BadCommand),
        (NewGame("pacal", ("red", "blue"), board="nowhere.toml"), BadLayout),
    ],
)
def test_a_game_that_cannot_be_is_not_started_and_not_written(
    table: TableUnderTest, new: NewGame, error: type[CompanionError]
) -> None:
    with pytest.raises(error):
        table.session.handle(new)
    assert table.journal.newest() is None
    assert table.status["kind"] == "setup"


@pytest.mark.parametrize("game", ["pacru", "pompeji"])
def test_a_newest_game_of_another_table_does_not_stop_this_one(table: TableUnderTest, game: str) -> None:
    table.journal.start(Started(game, ("red", "blue"), "reference", {}, 1))
    table.restart()
    assert table.status["kind"] == "setup"
    assert "and this table plays Pacal's Rocket" in table.status["text"]
    table.new_game()
    assert table.snapshot["game"] == "pacal"


def test_a_table_of_a_game_of_cards_shows_no_squares(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "cards.db", lambda: 0.0)
    snapshot = Session(journal, Publisher(), game="pompeji").handle(NewGame("pompeji", ("red", "blue")))
    journal.close()
    assert snapshot["game"] == "pompeji"
    assert snapshot["seen"] == {}


def test_a_new_game_leaves_the_one_before_in_the_journal(three: TableUnderTest) -> None:
    three.new_game("green", "purple")
    assert three.snapshot["players"] == ["green", "purple"]
    games = [recorded.entry for recorded in three.journal.games()]
    assert [isinstance(entry, Started) and entry.players for entry in games] == [
        ("red", "blue", "green"),
        ("green", "purple"),
    ]


def test_a_new_game_leaves_nothing_open_of_the_one_before(second_round: TableUnderTest) -> None:
    """A square on which the picture was not believed, and which god stone was meant."""
    table = second_round
    stone: Seen = {"C9": Stones(("green",))}
    table.settle({**GAME.visible(table.state), **stone})
    table.choose()
    table.press("god")
    assert len(table.status["choices"]) == 3
    table.new_game("red", "blue")
    table.settle(stone)
    assert table.status["squares"] == ["C9"]
    assert [choice["id"] for choice in table.status["choices"]] == ["keep"]


def test_a_whole_turn_can_be_kept_by_hand_when_the_camera_is_dead(three: TableUnderTest) -> None:
    three.session.handle(Watching("dead"))
    three.play(roll(3), fly("F3"))
    three.press("red", "done")
    assert three.snapshot["to_act"] == "blue"
    assert three.state.stones == {"F3": {"red": 1}}
    assert three.status["kind"] == "dead"
    assert "Blue's turn" in three.status["text"]
    assert [entry.why for entry in three.accepted][-3:] == ["by hand", "by hand", "pressed"]


def test_a_build_chosen_by_hand_takes_the_stones_heard(unbuilt: TableUnderTest) -> None:
    unbuilt.press("red", "blue")
    unbuilt.act(**build("F3", 1, "F3"))
    assert unbuilt.snapshot["to_act"] == "blue"
    assert unbuilt.state.stones["D3"] == {"red": 1}
    *_, accepted, _ = unbuilt.entries
    assert isinstance(accepted, Accepted)
    assert [action["type"] for action in accepted.actions] == ["stones", "build"]
    assert unbuilt.last(Kept).squares == ("F3",)


def test_stones_chosen_by_hand_stand_for_those_heard(unbuilt: TableUnderTest) -> None:
    unbuilt.press("red")
    unbuilt.act(**stones("red", "blue"))
    assert unbuilt.course.pending == ()
    assert unbuilt.view["phase"] == "build"


def test_a_flight_chosen_by_hand_keeps_stones_but_drops_a_god_stone_heard(second_round: TableUnderTest) -> None:
    second_round.press("god")
    second_round.choose(1)
    second_round.act(**fly("D3"))
    assert second_round.course.pending == ()
    second_round.undo()
    second_round.press("red")
    second_round.act(**fly("D3"))
    assert second_round.snapshot["heard"] == 1


def test_a_flight_chosen_by_hand_answers_which_god_stone_was_meant(second_round: TableUnderTest) -> None:
    second_round.press("god")
    second_round.act(**fly("D3"))
    assert second_round.status["choices"] == []
    assert second_round.view["supply"]["red"]["gods"] == [2, 4, 6]


def test_an_action_that_is_not_allowed_is_refused_with_its_rule(three: TableUnderTest) -> None:
    with pytest.raises(IllegalAction, match="TURN-1"):
        three.act(**fly("F3"))
    with pytest.raises(IllegalAction):
        three.act(type="dance")
    assert three.view["phase"] == "roll"


def test_a_build_before_the_flight_is_refused(second_round: TableUnderTest) -> None:
    with pytest.raises(IllegalAction):
        second_round.act(**build("F3", 1, "F3"))


def test_the_end_of_a_turn_stands_for_no_flight_though_there_is_one_only(second_round: TableUnderTest) -> None:
    """F4 is all that red's ship can reach."""
    table = second_round
    data = GAME.state_to_json(table.state)
    walls = {"E3": 2, "G3": 2, "F2": 2, "F5": 3, "E4": 3}
    data["pyramids"] = {name: {"colour": "blue", "floors": floors} for name, floors in walls.items()}
    data["supply"]["blue"]["pyramids"] = [1, 0, 1, 2, 2]
    data["supply"]["red"]["gods"] = []
    table.session.handle(Correct(data))
    assert [entry["to"] for entry in table.snapshot["outlook"]["flights"]] == ["F4"]
    with pytest.raises(IllegalAction, match="TURN-1"):
        table.act(**PASS)
    assert table.view["ships"]["red"] == "F3"


def test_an_action_chosen_on_an_older_page_is_refused(three: TableUnderTest) -> None:
    version = three.snapshot["version"]
    three.act(**roll(3))
    with pytest.raises(NotAllowed, match="moved on"):
        three.session.handle(Act(fly("F3"), version))
    assert three.view["phase"] == "fly"


def test_hands_that_come_and_go_do_not_make_a_choice_old(three: TableUnderTest) -> None:
    version = three.snapshot["version"]
    three.session.handle(Watching("hands"))
    assert three.snapshot["version"] > version
    three.session.handle(Act(roll(3), version))
    assert three.view["roll"] == 3


def test_an_answer_to_another_question_is_refused(three: TableUnderTest) -> None:
    ships = {"G7": Ship("blue"), "H8": Ship("green")}
    three.settle({"F3": Ship("red"), **ships})
    version, choice = three.snapshot["version"], three.status["choices"][0]["id"]
    three.settle({"C6": Ship("red"), **ships})
    assert three.status["choices"][0]["id"] == choice
    with pytest.raises(NotAllowed, match="moved on"):
        three.session.handle(Choose(choice, version))
    with pytest.raises(NotAllowed, match="moved on"):
        three.session.handle(Choose("99", three.snapshot["version"]))
    assert three.view["phase"] == "roll"


def test_an_answer_where_nothing_is_asked_is_refused(three: TableUnderTest) -> None:
    with pytest.raises(NotAllowed, match="moved on"):
        three.session.handle(Choose("1", three.snapshot["version"]))


def test_a_question_that_stays_the_same_can_be_answered_from_an_older_page(three: TableUnderTest) -> None:
    ships = {"F3": Ship("red"), "G7": Ship("blue"), "H8": Ship("green")}
    three.settle(ships)
    version = three.snapshot["version"]
    three.session.handle(Watching("hands"))
    three.settle(ships)
    three.session.handle(Choose("1", version))
    assert three.view["ships"]["red"] == "F3"


def test_what_is_said_beside_a_question_does_not_make_its_answer_old(three: TableUnderTest) -> None:
    three.settle({"F3": Ship("red"), "G7": Ship("blue"), "H8": Ship("green")})
    version = three.snapshot["version"]
    three.press("purple")
    assert three.snapshot["version"] > version
    three.session.handle(Choose("1", version))
    assert three.view["ships"]["red"] == "F3"
    assert three.status["text"] == "Red's turn."


def test_a_press_that_changes_nothing_on_the_page_does_not_make_it_old(second_round: TableUnderTest) -> None:
    """'Done' is pressed while it is asked which god stone was meant."""
    table = second_round
    table.session.handle(Watching("hands"))
    table.press("god")
    version = table.snapshot["version"]
    table.press("done")
    assert table.snapshot["version"] == version
    table.choose(2)
    table.show(fly("A1", "god", god=4))
    assert table.view["ships"]["red"] == "A1"
    assert table.snapshot["to_act"] == "blue"


def test_a_page_that_is_not_made_yet_is_refused(three: TableUnderTest) -> None:
    with pytest.raises(NotAllowed, match="moved on"):
        three.session.handle(Act(roll(3), three.snapshot["version"] + 1))


def test_the_position_can_be_corrected_and_that_be_undone(unbuilt: TableUnderTest) -> None:
    unbuilt.press("red")
    before, data = unbuilt.course, GAME.state_to_json(unbuilt.state)
    data["track"]["red"] = 12
    unbuilt.session.handle(Correct(data))
    assert unbuilt.view["track"]["red"] == 12
    assert unbuilt.course.pending == ()
    unbuilt.undo()
    assert unbuilt.state == before.state
    assert unbuilt.course.pending == before.pending


def test_a_correction_answers_what_was_asked_before_it(second_round: TableUnderTest) -> None:
    second_round.press("god")
    assert len(second_round.status["choices"]) == 3
    second_round.session.handle(Correct(GAME.state_to_json(second_round.state)))
    assert second_round.status["choices"] == []
    second_round.show(fly("D3"))
    assert second_round.view["ships"]["red"] == "D3"


def test_a_correction_that_contradicts_itself_is_refused(unbuilt: TableUnderTest) -> None:
    data = GAME.state_to_json(unbuilt.state)
    data["supply"]["red"]["stones"] = 11
    with pytest.raises(BadState):
        unbuilt.session.handle(Correct(data))
    other = GAME.state_to_json(GAME.new(("green", "yellow"), "reference", {}, None))
    with pytest.raises(NotAllowed, match="start a new game"):
        unbuilt.session.handle(Correct(other))
    assert unbuilt.entries[-1].kind == "accepted"


def test_on_a_full_disk_nothing_is_shown_that_is_not_written(three: TableUnderTest) -> None:
    database = three.journal._database
    database.execute(f"PRAGMA max_page_count = {database.execute('PRAGMA page_count').fetchone()[0]}")
    with pytest.raises(JournalError, match="disk is full"):
        for _ in range(500):
            three.act(**roll(3))
            three.undo()
    assert three.replayed() == three.course
    database.execute("PRAGMA max_page_count = 1000000")
    three.settle(die=5)
    assert three.replayed() == three.course
    assert three.view["phase"] == "fly"


def test_an_error_that_nobody_waits_for_is_shown(three: TableUnderTest) -> None:
    status = three.session.report(JournalError("the disk is full"))["status"]
    assert status["text"] == "The disk is full."
