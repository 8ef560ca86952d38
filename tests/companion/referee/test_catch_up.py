"""Which turns surely came first when a picture shows several; what becomes of them is in the tests of the table."""

from __future__ import annotations

import pytest

from companion.games.pacal.pieces import DonePress
from companion.referee.catch_up import MAX_WAYS, Way, first_told, until_done
from companion.referee.weigh import Explanation

DONE = (DonePress(),)
ENDED = Explanation(("red flies to D3", "red passes"), 1, DONE)
ENDED_ELSEWHERE = Explanation(("red flies to H3", "red passes"), 2, DONE)
NEXT = [Explanation((f"blue rolls {face}",), face) for face in range(10, 10 + MAX_WAYS + 1)]


def untold(*turns: Explanation) -> Way:
    return Way(turns, untold=True)


def test_the_only_way_that_was_told_is_sure() -> None:
    told = Way((ENDED, NEXT[0]), untold=False)
    assert first_told([told], DONE) == first_told([told, untold(ENDED_ELSEWHERE, NEXT[1])], DONE) == ENDED
    assert first_told([told, Way((ENDED_ELSEWHERE, NEXT[1]), untold=False)], DONE) is None


def test_a_turn_that_done_ended_is_sure_where_every_way_begins_with_it() -> None:
    alike = [untold(ENDED, turn) for turn in NEXT]
    assert first_told(alike[:MAX_WAYS], DONE) == ENDED
    assert first_told([untold(ENDED, NEXT[0]), untold(ENDED_ELSEWHERE, NEXT[0])], DONE) is None
    # There may be more that begin otherwise.
    assert first_told(alike, DONE) is None
    assert first_told([], DONE) is None


@pytest.mark.parametrize("way", [untold(ENDED), untold(NEXT[0], ENDED)])
def test_a_turn_is_not_sure_that_is_all_there_is_or_that_no_press_ended(way: Way) -> None:
    assert first_told([way], DONE) is None


def test_ways_that_differ_only_after_done_are_the_same_until_then() -> None:
    assert until_done([untold(ENDED, NEXT[0]), untold(ENDED, NEXT[1])]) == [untold(ENDED)]
    assert until_done([untold(NEXT[0], ENDED, NEXT[1]), untold(NEXT[2])]) == [untold(NEXT[0], ENDED), untold(NEXT[2])]
