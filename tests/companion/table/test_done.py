"""What 'done' ends, and which pictures answer it."""

from __future__ import annotations

import pytest

from companion.journal.entries import Accepted
from companion.table.outside import Watching
from tests.companion.games.pacal.short import PASS, build, stones
from tests.companion.table.under_test import TableUnderTest


def test_done_in_the_dark_waits_for_the_light(unbuilt: TableUnderTest) -> None:
    unbuilt.session.handle(Watching("unusable", "it is too dark"))
    unbuilt.press("red", "done")
    assert unbuilt.snapshot["to_act"] == "red"
    assert unbuilt.status["text"].startswith("It is too dark. 'Done' waits until the board can be seen")
    unbuilt.show(stones("red"), build("F3", 1, "F3"))
    assert unbuilt.view["pyramids"] == {"F3": {"colour": "red", "floors": 1}}
    assert unbuilt.snapshot["to_act"] == "blue"


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


def test_done_waits_for_the_first_picture_of_a_camera_that_is_back(unbuilt: TableUnderTest) -> None:
    unbuilt.session.handle(Watching("dead"))
    unbuilt.session.handle(Watching("still"))
    unbuilt.press("done")
    assert unbuilt.snapshot["to_act"] == "red"
    unbuilt.show(stones(), build("F3", 1, "F3"))
    assert unbuilt.view["pyramids"] == {"F3": {"colour": "red", "floors": 1}}
