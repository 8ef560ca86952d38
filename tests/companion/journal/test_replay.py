"""What entries add up to."""

from __future__ import annotations

import pytest

from companion import games
from companion.errors import IllegalAction, JournalError, NotAllowed
from companion.journal.entries import (
    Accepted,
    Asked,
    Corrected,
    Deferred,
    Dropped,
    Entry,
    Json,
    Kept,
    Pressed,
    Recorded,
    Started,
    Undone,
)
from companion.journal.replay import Course, advance, begin, replay

PACAL = games.get("pacal")
START = Started("pacal", ("red", "blue"), "reference")
STONE = {"press": "stone", "ship": "red"}


def accepted(*actions: Json, used: tuple[Json, ...] = ()) -> Accepted:
    return Accepted(actions, "seen", used)


PLACED = accepted({"type": "place", "square": "F6"}), accepted({"type": "place", "square": "G7"})
ROLLED = accepted({"type": "roll", "face": 3})
FLOWN = accepted({"type": "fly", "mode": "straight", "to": "F3"})
DONE = accepted({"type": "stones", "into": ["red"], "from": ["supply"]}, {"type": "pass"}, used=(STONE,))


def course(*entries: Entry) -> Course:
    return replay(PACAL, [Recorded(seq, 1, float(seq), entry) for seq, entry in enumerate((START, *entries), 1)])


def test_a_game_begins_as_it_was_started() -> None:
    begun = course()
    assert begun.state == PACAL.new(("red", "blue"), "reference", {}, None)
    assert not begun.can_undo
    assert [line.text for line in begun.log] == ["Pacal's Rocket: red, blue."]


def test_accepted_actions_are_applied_in_order_and_told_in_words() -> None:
    now = course(*PLACED, ROLLED, FLOWN)
    assert now.can_undo
    assert now.state.ships == {"red": "F3", "blue": "G7"}
    assert [line.text for line in now.log[1:]] == [
        "Red places the ship on F6.",
        "Blue places the ship on G7.",
        "Red rolls 3.",
        "Red flies straight to F3.",
    ]
    assert [line.player for line in now.log[1:]] == ["red", "blue", "red", "red"]
    assert [line.seq for line in now.log] == [1, 2, 3, 4, 5]


def test_presses_are_pending_until_actions_answer_to_them() -> None:
    pressed = course(*PLACED, ROLLED, FLOWN, Pressed(STONE))
    assert [press.to_json() for press in pressed.pending] == [STONE]
    assert pressed.state.phase == "stones"
    assert course(*PLACED, ROLLED, FLOWN, Pressed(STONE), DONE).pending == ()


def test_deferred_buttons_wait_in_the_order_in_which_they_were_pressed() -> None:
    entries: list[Entry] = [*PLACED, ROLLED, FLOWN, Deferred("blue"), Deferred("red"), Deferred("done")]
    assert course(*entries).deferred == ("blue", "red", "done")
    taken = course(*entries, Pressed(STONE, deferred=True))
    assert (len(taken.pending), taken.deferred) == (1, ("red", "done"))
    assert course(*entries, Dropped(2)).deferred == ("done",)


def test_undo_takes_back_the_last_deferred_button_before_any_press() -> None:
    entries: list[Entry] = [*PLACED, ROLLED, FLOWN, Pressed(STONE), Deferred("blue"), Deferred("red")]
    undone = course(*entries, Undone())
    assert (len(undone.pending), undone.deferred) == (1, ("blue",))
    assert course(*entries, Undone(), Undone(), Undone()) == course(*PLACED, ROLLED, FLOWN)


GODS = tuple({"press": "god", "value": value} for value in (2, 4, 6))


def test_what_a_button_meant_is_asked_until_it_is_answered_taken_back_or_overtaken() -> None:
    entries: list[Entry] = [*PLACED, ROLLED, FLOWN, Pressed(STONE), Asked(GODS)]
    asked = course(*entries)
    assert (len(asked.pending), tuple(press.to_json() for press in asked.asked)) == (1, GODS)
    assert course(*PLACED, Asked(GODS)).can_undo
    assert course(*entries, Pressed(STONE)).asked == asked.asked
    answered = course(*entries, Pressed(STONE, asked=True))
    assert (len(answered.pending), answered.asked) == (2, ())
    undone = course(*entries, Undone())
    assert (len(undone.pending), undone.asked) == (1, ())
    assert course(*PLACED, Asked(GODS), ROLLED).asked == asked.asked
    by_hand = Accepted(ROLLED.actions, "by hand")
    assert course(*PLACED, Asked(GODS), by_hand).asked == ()
    assert course(*PLACED, Asked(GODS), by_hand, Undone()).asked == ()
    data = PACAL.state_to_json(asked.state)
    assert course(*entries, Corrected(data)).asked == ()
    taken_back = course(*entries, Corrected(data), Undone())
    assert (len(taken_back.pending), taken_back.asked) == (1, ())


def test_what_is_said_against_pictures_is_kept_until_the_position_is_corrected() -> None:
    shown = {"squares": {"F3": {"stones": ["blue"]}}}
    entries: list[Entry] = [*PLACED, ROLLED, FLOWN, Kept(("F3", "A1"), shown)]
    before, now = course(*entries[:-1]), course(*entries)
    (wrong,) = now.wrong
    assert (wrong.squares, PACAL.seen_to_json(wrong.shown)) == (("F3", "A1"), shown)
    assert wrong.known == PACAL.visible(now.state)
    assert (now.state, now.log, now.pending) == (before.state, before.log, before.pending)
    undone = course(*entries, Undone())
    assert undone.state == course(*PLACED, ROLLED).state
    assert [wrong.squares for wrong in undone.wrong] == [("A1",)]
    assert course(*entries, Corrected(PACAL.state_to_json(now.state))).wrong == ()


def test_what_is_said_against_pictures_holds_for_squares_that_hold_the_same_only() -> None:
    shown = {"squares": {"F3": {"stones": ["blue"]}}}
    before: list[Entry] = [*PLACED, ROLLED, Kept(("F3", "A1"), shown)]
    assert [wrong.squares for wrong in course(*before).wrong] == [("F3", "A1")]
    assert [wrong.squares for wrong in course(*before, FLOWN).wrong] == [("A1",)]
    assert [wrong.squares for wrong in course(*before, FLOWN, Undone()).wrong] == [("A1",)]


def test_undo_takes_back_a_press_then_what_was_accepted_together_then_what_was_before() -> None:
    entries: list[Entry] = [*PLACED, ROLLED, FLOWN, Pressed(STONE), DONE]
    assert course(*entries, Pressed(STONE), Undone()).state == course(*entries).state
    undone = course(*entries, Undone())
    assert undone.state == course(*PLACED, ROLLED, FLOWN).state
    assert undone.pending == ()
    assert course(*entries, Undone(), Undone()).state == course(*PLACED, ROLLED).state
    assert course(*entries, *[Undone()] * 5).state == course().state


def test_undo_of_a_correction_gives_back_the_presses_too() -> None:
    data = PACAL.state_to_json(course(*PLACED, ROLLED, FLOWN).state)
    data["track"]["blue"] = 9
    entries: list[Entry] = [*PLACED, ROLLED, FLOWN, Pressed(STONE), Deferred("blue")]
    before = course(*entries)
    corrected = course(*entries, Corrected(data))
    assert (corrected.state.track["blue"], corrected.pending, corrected.deferred) == (9, (), ())
    assert corrected.log == (*before.log, corrected.log[-1])
    assert corrected.log[-1].text == "The position was corrected by hand."
    undone = course(*entries, Corrected(data), Undone())
    assert (undone.state, undone.pending, undone.deferred) == (before.state, before.pending, ("blue",))
    assert undone.log == (*before.log, undone.log[-1])
    assert undone.log[-1].text == "Taken back: The position was corrected by hand."


def test_a_correction_is_on_the_board_that_the_game_was_started_with() -> None:
    """Earlier versions wrote the path of its file, which may be elsewhere by now."""
    data = PACAL.state_to_json(course(*PLACED).state)
    assert course(*PLACED, Corrected({**data, "board": "/gone/layout.toml"})).state == course(*PLACED).state


def test_play_goes_on_after_an_undo() -> None:
    now = course(*PLACED, ROLLED, FLOWN, Undone(), accepted({"type": "fly", "mode": "straight", "to": "C6"}), Undone())
    assert now.state == course(*PLACED, ROLLED).state
    assert [line.text for line in now.log[-2:]] == [
        "Taken back: Red flies straight to F3.",
        "Taken back: Red flies straight to C6.",
    ]


def test_there_is_nothing_before_the_start() -> None:
    with pytest.raises(NotAllowed, match="nothing to take back"):
        advance(PACAL, begin(PACAL, Recorded(1, 1, 0.0, START)), Recorded(2, 1, 0.0, Undone()))


def test_advance_refuses_what_the_rules_do_not_allow() -> None:
    with pytest.raises(IllegalAction):
        advance(PACAL, course(*PLACED), Recorded(9, 1, 0.0, FLOWN))


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        ((FLOWN,), "cannot be gone on with by the rules of this version"),
        ((START,), "started twice"),
        ((*PLACED, ROLLED, FLOWN, DONE), "not pending"),
    ],
)
def test_entries_that_these_rules_do_not_allow_are_said(entries: tuple[Entry, ...], says: str) -> None:
    with pytest.raises(JournalError, match=says):
        course(*entries)


def test_a_game_that_begins_otherwise_is_no_game() -> None:
    with pytest.raises(JournalError, match="begins with an entry of kind 'undone'"):
        replay(PACAL, [Recorded(1, 1, 0.0, Undone())])


def test_points_are_told_with_what_scored_them() -> None:
    """A first pyramid in a district scores its value."""
    entries: list[Entry] = [*PLACED, ROLLED, FLOWN, Pressed(STONE), DONE]
    blue = {"type": "fly", "mode": "straight", "to": "G4"}
    none = ({"type": "stones", "into": [], "from": []}, {"type": "pass"})
    build = {"type": "build", "at": "F3", "floors": 1, "uses": ["F3"]}
    red = {"type": "fly", "mode": "straight", "to": "D3"}
    now = course(
        *entries, ROLLED, accepted(blue, *none), accepted({"type": "roll", "face": 2}), accepted(red, none[0], build)
    )
    assert [(line.player, line.points) for line in now.log if line.points] == [("red", 4)]
    assert now.state.track["red"] == 4
