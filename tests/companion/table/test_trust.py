"""People may know better than the picture: then the game goes on, and the picture is believed about other things."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import pytest

from companion.games.pacal import GAME
from companion.games.pacal.pieces import Pyramid, Ship, Stones
from companion.observation import Odds, Place, Seen
from companion.table.outside import Correct, Settled
from tests.companion.games.pacal.short import build, fly, roll, stones
from tests.companion.table.under_test import TableUnderTest, reading

Misread: TypeAlias = Callable[[Seen], Seen]


@pytest.fixture
def misread() -> Misread:
    """What the picture shows, with a stone on C9 that is not there."""
    return lambda seen: {**seen, "C9": Stones(("green",))}


def test_a_misread_square_stops_the_game_until_people_say_so(second_round: TableUnderTest, misread: Misread) -> None:
    table = second_round
    table.settle(misread(GAME.visible(table.state)))
    assert table.status["kind"] == "doubt"
    assert table.status["squares"] == ["C9"]
    assert [choice["text"] for choice in table.status["choices"]] == [
        "Nothing happened: the page is right, the picture is not."
    ]
    written = len(table.entries)
    table.choose()
    assert table.status["kind"] == "watching"
    assert table.status["text"].endswith("Kept by hand, not by the picture: C9.")
    assert [entry.kind for entry in table.entries[written:]] == ["kept"]


def test_what_people_said_against_the_picture_is_still_known_after_a_restart(unbuilt: TableUnderTest) -> None:
    """F3's stone is taken for a pyramid that could be built there: believed again, it would be."""
    table = unbuilt
    misread = {**GAME.visible(table.state), "F3": Pyramid("red", 1)}
    table.settle(misread)
    table.undo()
    table.settle({**misread, "A1": Stones(("blue",))})
    table.choose()
    table.restart()
    table.settle(misread)
    assert table.view["pyramids"] == {}
    assert table.status["text"].endswith("Kept by hand, not by the picture: F3.")
    table.session.handle(Correct(GAME.state_to_json(table.state)))
    table.undo()
    table.restart()
    table.settle({**misread, "A1": Stones(("blue",))})
    assert table.status["kind"] == "doubt"
    assert table.status["squares"] == ["A1"]


@pytest.mark.parametrize("restarted", [False, True])
def test_a_square_that_held_something_else_since_is_believed_again(unbuilt: TableUnderTest, restarted: bool) -> None:
    """F3's stone was taken for a pyramid once; then one was built there, and taken back, and is built again."""
    table = unbuilt
    right = GAME.visible(table.state)
    wrong = {**right, "F3": Pyramid("red", 1)}
    table.settle(wrong)
    table.undo()
    table.settle({**wrong, "A1": Stones(("blue",))})
    table.choose()
    table.settle(wrong)
    table.act(**stones())
    table.act(**build("F3", 1, "F3"))
    table.settle()
    table.undo()
    table.settle(right)
    if restarted:
        table.restart()
        table.settle(right)
    table.show(build("F3", 1, "F3"))
    assert table.view["pyramids"] == {"F3": {"colour": "red", "floors": 1}}


def test_the_game_is_followed_with_a_square_that_stays_misread(second_round: TableUnderTest, misread: Misread) -> None:
    table = second_round
    table.settle(misread(GAME.visible(table.state)))
    table.choose()
    table.settle(misread(GAME.visible(table.after(fly("D3")))))
    assert table.view["ships"]["red"] == "D3"
    assert table.status["kind"] == "watching"


def test_a_square_is_believed_again_once_it_shows_something_else(
    second_round: TableUnderTest, misread: Misread
) -> None:
    table = second_round
    right = GAME.visible(table.state)
    table.settle(misread(right))
    table.choose()
    table.settle({**right, "C9": Pyramid("green", 2)})
    assert table.status["kind"] == "doubt"
    assert table.status["squares"] == ["C9"]
    table.settle(right)
    assert table.status["text"] == "Red's turn."


def test_a_reading_that_wavers_is_not_asked_about_again(second_round: TableUnderTest, misread: Misread) -> None:
    table = second_round
    right = GAME.visible(table.state)
    for seen in (misread(right), right, misread(right)):
        table.settle(seen)
        if table.status["choices"]:
            table.choose()
            asked = len(table.entries)
    assert table.status["kind"] == "watching"
    assert len(table.entries) == asked


def test_what_was_wrong_of_one_thing_is_believed_of_the_next(unbuilt: TableUnderTest) -> None:
    """F3's stone is misread as a pyramid; once F3 really holds one, nothing is held against it."""
    table = unbuilt
    table.settle({**GAME.visible(table.state), "F3": Pyramid("red", 2)})
    table.choose()
    table.show(stones(), build("F3", 1, "F3"))
    table.settle({**GAME.visible(table.state), "F3": Pyramid("red", 2)})
    assert table.status["kind"] == "doubt"


def test_what_is_done_by_hand_stands_against_the_picture(unbuilt: TableUnderTest) -> None:
    table = unbuilt
    table.act(**build("F3", 1, "F3"))
    assert table.view["pyramids"] == {"F3": {"colour": "red", "floors": 1}}
    assert table.status["kind"] == "watching"
    assert "F3" in table.status["text"]


def test_what_is_done_by_hand_stands_where_the_picture_was_wrong_before_too(unbuilt: TableUnderTest) -> None:
    unbuilt.settle({**GAME.visible(unbuilt.state), "F3": Pyramid("red", 2)})
    unbuilt.choose()
    unbuilt.act(**build("F3", 1, "F3"))
    assert unbuilt.status["text"] == "Blue rolls the die. Kept by hand, not by the picture: F3."


def test_what_is_chosen_stands_against_the_picture(second_round: TableUnderTest) -> None:
    """Which of two squares the ship is on was in doubt; later pictures are sure, and wrong."""
    table = second_round
    flown = reading(GAME.visible(table.after(fly("D3"))))
    odds: dict[Place, Odds] = {"D3": {Ship("red"): 0.6, None: 0.4}, "H3": {None: 0.6, Ship("red"): 0.4}}
    table.session.handle(Settled(replace(flown, squares={**flown.squares, **odds}), 0.0))
    table.choose(2)
    assert table.view["ships"]["red"] == "H3"
    table.settle(flown.seen())
    assert table.view["ships"]["red"] == "H3"
    assert table.status["text"] == "Red's turn. Kept by hand, not by the picture: D3, H3."


def test_what_is_taken_back_stays_so_beside_a_square_that_is_misread(
    second_round: TableUnderTest, misread: Misread
) -> None:
    table = second_round
    table.settle(misread(GAME.visible(table.state)))
    table.choose()
    flown = misread(GAME.visible(table.after(fly("D3"))))
    table.settle(flown)
    table.undo()
    table.settle(flown)
    assert table.view["ships"]["red"] == "F3"
    assert table.status["text"].startswith("Taken back.")


def test_what_is_corrected_stands_against_the_picture(second_round: TableUnderTest, misread: Misread) -> None:
    table = second_round
    table.settle(misread(GAME.visible(table.state)))
    table.session.handle(Correct(GAME.state_to_json(table.state)))
    assert table.status["text"] == "Red's turn. Kept by hand, not by the picture: C9."


def test_a_tapped_die_does_not_hide_what_was_flown_meanwhile(second_round: TableUnderTest) -> None:
    table = second_round
    table.show(fly("D3"))
    table.press("done")
    assert table.view["phase"] == "roll"
    table.settle(GAME.visible(table.after(roll(3), fly("D4"))))
    assert table.status["kind"] == "doubt"
    table.act(**roll(3))
    assert table.view["ships"]["blue"] == "D4"


def test_what_is_built_where_the_picture_was_wrong_is_not_guessed(unbuilt: TableUnderTest) -> None:
    """The picture takes F3's stone for the pyramid that is then really built there: nobody can tell but people."""
    table = unbuilt
    table.settle({**GAME.visible(table.state), "F3": Pyramid("red", 1)})
    assert table.view["pyramids"] == {"F3": {"colour": "red", "floors": 1}}
    table.undo()
    table.settle({**GAME.visible(table.state), "F3": Pyramid("red", 1), "A1": Stones(("blue",))})
    assert table.status["kind"] == "doubt"
    table.choose()
    built = GAME.visible(table.after(stones(), build("F3", 1, "F3")))
    table.settle(built)
    assert table.view["pyramids"] == {}
    assert table.status["text"].endswith("Kept by hand, not by the picture: F3.")
    table.act(**build("F3", 1, "F3"))
    assert table.status["text"] == "Blue rolls the die."
