"""What several readings of the same board say together."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.pacal.pieces import Ship, Stones
from companion.observation import Content, Die, Odds, Place, Reading, mean_reading

RED, BOTH = Stones(("red",)), Stones(("blue", "red"))


def reading(odds: Odds, die: Die | None = None, sure: float = 1.0, unseen: float | None = None) -> Reading:
    hidden: dict[Place, dict[Content, float]] = {} if unseen is None else {"C5": {Ship("blue"): unseen}}
    return Reading("pacal", "reference", {"C5": odds}, die, sure, unseen=hidden)


def test_a_reading_alone_is_what_it_says() -> None:
    alone = reading({RED: 0.9, None: 0.1}, 4, 0.8, 0.2)
    assert mean_reading([alone]) is alone


def test_what_hardly_shows_is_as_likely_as_it_is_on_average() -> None:
    without, tip = reading({RED: 0.96}), reading({BOTH: 0.88, RED: 0.1})
    mean = mean_reading([without, tip, without, tip])
    assert mean.squares["C5"] == pytest.approx({RED: 0.53, BOTH: 0.44})
    assert mean.seen() == {"C5": RED}


@pytest.mark.parametrize(
    ("dice", "die", "sure"),
    [
        ([(4, 0.9), (None, 0.6), (4, 0.6)], 4, 0.5),
        ([(4, 0.5), (None, 0.9), (None, 0.6)], None, 0.5),
        ([("arrows", 1.0), (2, 1.0), ("arrows", 1.0)], "arrows", 2 / 3),
    ],
)
def test_the_die_shows_what_most_of_them_see(
    dice: Sequence[tuple[Die | None, float]], die: Die | None, sure: float
) -> None:
    mean = mean_reading([reading({None: 1.0}, face, odds) for face, odds in dice])
    assert mean.die == die
    assert mean.die_confidence == pytest.approx(sure)


def test_what_may_show_no_more_is_said_by_the_newest_that_sees_the_same() -> None:
    bare: Odds = {None: 0.9, RED: 0.1}
    stones: Odds = {None: 0.2, RED: 0.8}
    mean = mean_reading([reading(bare, unseen=0.3), reading(bare, unseen=0.2), reading(stones, unseen=0.1)])
    assert mean.unseen == {"C5": {Ship("blue"): 0.2}}
    outvoted = mean_reading([reading(bare, unseen=0.3), reading(stones, unseen=0.1), reading(stones)])
    assert outvoted.unseen == {"C5": {Ship("blue"): 0.1}}


def test_the_corners_are_the_newest_ones() -> None:
    near, far = (
        Reading("pacal", "reference", {"C5": {None: 1.0}}, board_corners_px=((x, 0.0),) * 4) for x in (1.0, 9.0)
    )
    assert mean_reading([near, far]).board_corners_px == ((9.0, 0.0),) * 4


odds = st.dictionaries(st.sampled_from([None, RED, BOTH, Ship("red")]), st.floats(0, 0.25), min_size=1)


@given(st.lists(odds, min_size=1, max_size=5))
def test_nothing_is_surer_or_less_sure_than_in_all_of_them_and_doubt_stays(
    several: list[dict[Content | None, float]],
) -> None:
    mean = mean_reading([reading(one) for one in several]).squares["C5"]
    for content in {content for one in several for content in one}:
        said = [one.get(content, 0.0) for one in several]
        assert min(said) - 1e-9 <= mean.get(content, 0.0) <= max(said) + 1e-9
    assert 1 - sum(mean.values()) == pytest.approx(sum(1 - sum(one.values()) for one in several) / len(several))
