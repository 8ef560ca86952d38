from __future__ import annotations

import pytest

from companion.games.pacal.pieces import Pyramid, Ship, Stones
from companion.observation import Content, Die, Reading
from vision.measuring.evaluate import BINS, Miss, Score, score, score_die, total

SQUARES = {"A1", "A2", "A3", "A4"}
TRUTH: dict[str, Content] = {"A1": Ship("red"), "A2": Pyramid("blue", 3)}


def reading(**squares: dict[Content | None, float]) -> Reading:
    return Reading("pacal", "reference", {**{name: {None: 0.995} for name in SQUARES}, **squares})


def test_a_right_reading_is_exact() -> None:
    one = score(reading(A1={Ship("red"): 1.0}, A2={Pyramid("blue", 3): 0.9}), TRUTH, SQUARES, 0.5)
    assert (one.exact, one.occupied, one.occupied_right, one.bare, one.bare_wrong) == (1, 2, 2, 2, 0)
    assert (one.squares, one.squares_right, one.seconds, one.misses) == (4, 4, 0.5, ())


def test_a_wrong_number_of_floors_is_a_wrong_occupied_square() -> None:
    one = score(reading(A1={Ship("red"): 1.0}, A2={Pyramid("blue", 2): 0.6, Pyramid("blue", 3): 0.4}), TRUTH, SQUARES)
    assert (one.exact, one.occupied_right, one.bare_wrong) == (0, 1, 0)
    (miss,) = one.misses
    assert (miss.square, miss.saw, miss.truth, miss.confidence) == ("A2", Pyramid("blue", 2), Pyramid("blue", 3), 0.6)


def test_a_bare_square_taken_for_occupied_is_counted_apart() -> None:
    one = score(
        reading(A1={Ship("red"): 1.0}, A2={Pyramid("blue", 3): 1.0}, A3={Stones(("red",)): 0.8}), TRUTH, SQUARES
    )
    assert (one.exact, one.occupied_right, one.bare_wrong, one.squares_right) == (0, 2, 1, 3)


@pytest.mark.parametrize(("hidden", "exact"), [(set(), 0), ({"A1"}, 0), ({"A2"}, 1), ({"A1", "A2"}, 1)])
def test_a_piece_that_is_mostly_hidden_does_not_spoil_a_picture(hidden: set[str], exact: int) -> None:
    one = score(reading(A1={Ship("red"): 1.0}), TRUTH, SQUARES, hidden=hidden)
    assert (one.exact, one.exact_in_sight) == (0, exact)


def test_a_missed_piece_is_no_bare_square() -> None:
    one = score(reading(A1={Ship("red"): 1.0}), TRUTH, SQUARES)
    assert (one.occupied_right, one.bare_wrong) == (1, 0)


def test_an_unusable_reading_gets_nothing_right_and_nothing_taken_for_occupied() -> None:
    one = score(Reading("pacal", "reference", usable=False, reason="dark"), TRUTH, SQUARES)
    assert (one.pictures, one.unusable, one.exact, one.occupied_right, one.bare_wrong) == (1, 1, 0, 0, 0)
    assert (one.squares, one.squares_right) == (4, 0)


def test_the_reliability_table_counts_what_was_said_and_what_was() -> None:
    one = score(reading(A1={Ship("red"): 0.93}, A2={Pyramid("blue", 2): 0.93}), TRUTH, SQUARES)
    count, right, said = one.bins[BINS.index(0.9)]
    assert (count, right, round(said, 2)) == (2, 1, 1.86)
    assert sum(count for count, _, _ in one.bins) == 4


def test_a_confidence_on_an_edge_belongs_above_it() -> None:
    one = score(reading(A1={Ship("red"): 0.9}, A2={Pyramid("blue", 3): 1.0}), TRUTH, SQUARES)
    assert one.bins[BINS.index(0.9)][0] == 1
    assert one.bins[-1][0] == 1


def test_the_reliability_of_what_is_said_to_be_there_is_counted_apart() -> None:
    one = score(reading(A1={Ship("red"): 0.93}, A3={Stones(("red",)): 0.93}), TRUTH, SQUARES)
    assert one.occupied_bins[BINS.index(0.9)][:2] == (2, 1)
    assert sum(count for count, _, _ in one.occupied_bins) == 2


def test_squares_that_are_wrong_and_certain_are_counted() -> None:
    one = score(reading(A1={Ship("blue"): 0.99}, A2={Pyramid("blue", 2): 0.98}), TRUTH, SQUARES)
    assert (len(one.misses), one.certain_wrong) == (2, 1)


@pytest.mark.parametrize(
    ("said", "die", "counted"),
    [
        (4, 4, Score(die_right=1)),
        ("arrows", 4, Score(die_wrong=1)),
        (None, "arrows", Score(die_missed=1)),
        (None, None, Score(die_none=1)),
        (2, None, Score(die_made_up=1)),
    ],
)
def test_the_die_is_right_or_wrong_or_missed_or_made_up(said: Die | None, die: Die | None, counted: Score) -> None:
    assert score_die(Reading("pacal", "reference", die=said), die) == counted


def test_an_unusable_reading_misses_the_die() -> None:
    assert score_die(Reading("pacal", "reference", die=3, usable=False), 3) == Score(die_missed=1)


def test_to_miss_a_hidden_die_does_not_count() -> None:
    assert score_die(Reading("pacal", "reference"), 3, hidden=True) == Score()
    assert score_die(Reading("pacal", "reference", die=2), 3, hidden=True) == Score(die_wrong=1)


def test_scores_add_up() -> None:
    good = score(reading(A1={Ship("red"): 1.0}, A2={Pyramid("blue", 3): 1.0}), TRUTH, SQUARES, 1.0)
    bad = score(reading(), TRUTH, SQUARES, 2.0)
    both = total([good, bad])
    assert (both.pictures, both.exact, both.occupied, both.occupied_right, both.seconds) == (2, 1, 4, 2, 3.0)
    assert len(both.misses) == 2
    assert total([]) == Score()


@pytest.mark.parametrize(
    ("truth", "saw", "mistake"),
    [
        (None, Ship("red"), "a ship on a bare square"),
        (Stones(("red",)), None, "stones not seen"),
        (Pyramid("red", 2), Pyramid("red", 3), "a pyramid's floors"),
        (Pyramid("red", 2), Pyramid("blue", 2), "a pyramid's colour"),
        (Ship("red"), Ship("blue"), "a ship's colour"),
        (Stones(("blue", "red")), Stones(("red",)), "a stone too few"),
        (Stones(("red",)), Stones(("blue", "red")), "a stone too many"),
        (Stones(("red",)), Stones(("blue",)), "stones' colours"),
        (Pyramid("red", 1), Stones(("red",)), "a pyramid taken for stones"),
    ],
)
def test_mistakes_are_sorted_by_what_was_confused(truth: Content | None, saw: Content | None, mistake: str) -> None:
    assert Miss("C4", saw, truth, 0.9).mistake == mistake
