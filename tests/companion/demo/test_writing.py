"""A game of the journal becomes a script that the demo table plays."""

from __future__ import annotations

import pytest

from companion import games
from companion.demo.player import play_script
from companion.demo.script import parse_script
from companion.demo.writing import as_script
from companion.errors import JournalError
from companion.journal.entries import Accepted, Corrected, Entry, Recorded, Started, Undone

PACAL = games.get("pacal")
PLAYERS = ("red", "blue")
SCRIPT = play_script(PACAL, PLAYERS, "reference", {}, seed=4, max_turns=12)


def recorded(*entries: Entry) -> list[Recorded]:
    started = Started("pacal", PLAYERS, "reference")
    return [Recorded(seq, 1, float(seq), entry) for seq, entry in enumerate([started, *entries], 1)]


def accepted() -> list[Entry]:
    return [Accepted((step.action,), "by hand") for step in SCRIPT.steps]


def test_a_recorded_game_is_the_script_that_it_was_played_from() -> None:
    assert parse_script(as_script(PACAL, recorded(*accepted())).splitlines()) == SCRIPT


def test_what_was_taken_back_is_not_in_the_script() -> None:
    *most, last = accepted()
    written = parse_script(as_script(PACAL, recorded(*most, last, Undone())).splitlines())
    assert written.steps == SCRIPT.steps[:-1]


def test_a_game_that_was_corrected_has_no_script() -> None:
    state = PACAL.new(PLAYERS, "reference", {}, None)
    for step in SCRIPT.steps:
        state = PACAL.apply(state, PACAL.action_from_json(step.action)).state
    corrected = Corrected(PACAL.state_to_json(state))
    following = PACAL.action_to_json(PACAL.legal(state)[0])
    with pytest.raises(JournalError, match="corrected by hand"):
        as_script(PACAL, recorded(*accepted()[:3], corrected, Accepted((following,), "seen")))
