"""After a power cut at any moment the next start goes on with the same game."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from companion.errors import NotAllowed
from companion.games.pacal import GAME
from companion.table.outside import Correct, Settled, Undo, Watching
from tests.companion.games.pacal.short import build, fly, place, roll, stones
from tests.companion.table.under_test import TableUnderTest, reading

PLAYER = """
import sys
from pathlib import Path
from companion.journal.store import Journal
from companion.table.outside import Act, NewGame, Pressed, Undo
from companion.table.publish import Publisher
from companion.table.session import Session

session = Session(Journal.open(Path(sys.argv[1]), lambda: 0.0), Publisher())
snapshot = session.handle(NewGame("pacal", ("red", "blue")))
for action in ({"type": "place", "square": "F6"}, {"type": "place", "square": "G7"}, {"type": "roll", "face": 3}):
    snapshot = session.handle(Act(action, snapshot["version"]))
while True:
    snapshot = session.handle(Act({"type": "fly", "mode": "straight", "to": "F3"}, snapshot["version"]))
    for button in ("red", "blue", "undo", "undo"):
        snapshot = session.handle(Pressed(button, 0.0))
        print(snapshot["heard"], len(snapshot["log"]), flush=True)
    snapshot = session.handle(Undo())
"""


def test_after_a_kill_the_game_goes_on_where_the_journal_is(table: TableUnderTest) -> None:
    """Killed again and again, at moments that differ: the newest game is always whole, and no later than shown."""
    table.journal.close()
    for number in range(4):
        player = subprocess.Popen([sys.executable, "-c", PLAYER, str(table.path)], stdout=subprocess.PIPE, text=True)
        assert player.stdout is not None
        player.stdout.readline()
        killer = threading.Timer(0.005 + 0.012 * number, player.kill)
        killer.start()
        player.stdout.read()
        player.wait()
        player.stdout.close()
        table.start()
        assert table.snapshot["players"] == ["red", "blue"]
        assert table.view["phase"] in ("fly", "stones")
        assert table.replayed() == table.course
        assert table.snapshot["heard"] in (0, 1, 2)
        table.journal.close()
    table.start()


def test_what_was_asked_is_asked_again_after_a_restart(second_round: TableUnderTest) -> None:
    """The die reaches D3, too: without the question the flight would be its own."""
    table = second_round
    table.press("god")
    asked = table.status["choices"]
    table.restart()
    assert table.status["choices"] == asked
    table.show(fly("D3"))
    assert table.view["phase"] == "fly"
    table.choose(2)
    assert table.view["supply"]["red"]["gods"] == [2, 6]
    table.restart()
    assert (table.status["kind"], table.view["phase"]) == ("watching", "stones")


@pytest.mark.parametrize("more", [("done",), ("blue",), ("red", "blue")])
def test_just_what_was_asked_is_asked_again_though_more_was_pressed(
    second_round: TableUnderTest, more: tuple[str, ...]
) -> None:
    table = second_round
    table.press("god")
    table.session.handle(Watching("hands"))
    table.press(*more)
    asked = table.status["choices"]
    assert len(asked) == 3
    table.restart()
    assert table.status["choices"] == asked


def test_what_was_asked_before_a_correction_is_asked_no_more_when_that_is_taken_back(
    second_round: TableUnderTest,
) -> None:
    table = second_round
    table.press("god")
    table.session.handle(Correct(GAME.state_to_json(table.state)))
    table.undo()
    assert table.status["choices"] == []
    table.restart()
    assert table.status["choices"] == []
    table.show(fly("D3"))
    assert table.view["phase"] == "stones"
    table.undo()
    assert table.view["phase"] == "fly"


def test_what_was_taken_back_is_not_asked_after_a_restart(second_round: TableUnderTest) -> None:
    second_round.press("god", "undo")
    second_round.restart()
    assert second_round.status["kind"] == "watching"


def test_pending_presses_are_still_there_after_a_restart(unbuilt: TableUnderTest) -> None:
    unbuilt.press("red", "blue")
    unbuilt.restart()
    assert unbuilt.snapshot["heard"] == 2
    unbuilt.press("done")
    assert unbuilt.snapshot["to_act"] == "blue"
    assert unbuilt.state.stones["D3"] == {"red": 1}


def test_a_page_from_before_a_restart_is_old_also_when_the_clock_has_gone_back(unbuilt: TableUnderTest) -> None:
    version = unbuilt.snapshot["version"]
    unbuilt.restart()
    assert unbuilt.snapshot["version"] < version
    with pytest.raises(NotAllowed, match="moved on"):
        unbuilt.session.handle(Undo(version))
    assert unbuilt.view["phase"] == "stones"


def test_a_done_that_waited_is_answered_by_the_first_picture_after_a_restart(unbuilt: TableUnderTest) -> None:
    unbuilt.session.handle(Watching("hands"))
    unbuilt.press("done")
    unbuilt.restart()
    assert unbuilt.snapshot["to_act"] == "red"
    unbuilt.settle()
    assert unbuilt.snapshot["to_act"] == "blue"


def test_a_restart_does_not_take_the_die_of_the_last_turn_for_a_roll(second_round: TableUnderTest) -> None:
    table = second_round
    table.show(fly("D3"), die=2)
    table.press("done")
    seen = table.session._sight.seen
    table.restart()
    table.session.handle(Settled(reading(seen, 2), 0.0))
    assert table.view["phase"] == "roll"
    table.session.handle(Settled(reading(seen, 3), 0.0))
    assert table.view["roll"] == 3


def test_a_die_that_lay_there_since_the_game_began_is_no_roll_after_a_restart(table: TableUnderTest) -> None:
    table.new_game("red", "blue")
    table.settle(die=5)
    table.play(place("F6"), place("G7"))
    table.restart()
    table.settle(die=5)
    assert table.view["roll"] is None
    assert "If it shows 5 again, tap that here" in table.status["text"]
    table.settle(die=3)
    assert table.view["roll"] == 3


def test_a_roll_made_while_it_was_off_is_tapped_and_the_page_says_so(three: TableUnderTest) -> None:
    three.restart()
    three.settle(die=5)
    assert three.view["roll"] is None
    assert (
        three.status["text"] == "Red rolls the die. If it shows 5 again, tap that here, also if 5 is the roll already."
    )
    three.act(**roll(5))
    assert three.view["roll"] == 5


def test_the_die_of_the_first_picture_after_a_correction_is_no_roll(three: TableUnderTest) -> None:
    three.session.handle(Watching("dead"))
    three.session.handle(Correct(GAME.state_to_json(three.state)))
    three.settle(die=5)
    assert three.view["roll"] is None


def test_what_happened_while_it_was_off_is_explained_by_the_first_picture(second_round: TableUnderTest) -> None:
    seen = GAME.visible(second_round.after(fly("D3")))
    second_round.restart()
    second_round.settle(seen)
    assert second_round.view["ships"]["red"] == "D3"


def test_what_was_taken_back_before_a_restart_is_not_taken_again_after_it(unbuilt: TableUnderTest) -> None:
    seen = GAME.visible(unbuilt.state)
    unbuilt.undo()
    unbuilt.undo()
    unbuilt.restart()
    assert unbuilt.status["text"].startswith("Taken back.")
    unbuilt.settle(seen)
    assert unbuilt.view["phase"] == "roll"
    assert unbuilt.status["text"].startswith("Taken back.")
    unbuilt.settle()
    assert unbuilt.status["kind"] == "watching"


def test_presses_after_an_undo_still_wait_after_a_restart(unbuilt: TableUnderTest) -> None:
    unbuilt.press("red")
    unbuilt.show(stones("red"), build("F3", 1, "F3"))
    seen = GAME.visible(unbuilt.state)
    unbuilt.press("undo", "red")
    unbuilt.restart()
    unbuilt.settle(seen)
    assert unbuilt.view["pyramids"] == {}
    assert unbuilt.status["text"].startswith("Taken back.")
    unbuilt.press("blue", "done")
    assert unbuilt.state.stones == {"D3": {"red": 1}, "G4": {"blue": 1, "red": 1}}


def test_the_log_goes_on(three: TableUnderTest) -> None:
    before = three.snapshot["log"]
    three.restart()
    assert three.snapshot["log"] == before
