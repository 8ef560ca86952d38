"""Readings of changed pictures are counted by how they differ from those of the clean ones."""

from __future__ import annotations

from dataclasses import replace

from companion.games.pacal.pieces import Pyramid, Ship, Stones
from companion.observation import Content, Reading
from vision.measuring.evaluate import Miss
from vision.measuring.robustness import Borne, compare

TRUTH: dict[str, Content] = {"A1": Ship("red"), "A2": Pyramid("blue", 3)}
UNUSABLE = Reading("pacal", "reference", usable=False, reason="blurred")


def reading(**squares: dict[Content | None, float]) -> Reading:
    right: dict[str, dict[Content | None, float]] = {
        "A1": {Ship("red"): 0.99},
        "A2": {Pyramid("blue", 3): 0.98},
        "A3": {None: 0.999},
        "A4": {None: 0.999},
    }
    return Reading("pacal", "reference", {**right, **squares})


def test_the_same_squares_are_alike_whatever_their_confidence() -> None:
    assert compare(reading(), reading(A1={Ship("red"): 0.5}), TRUTH) == Borne(1, alike=1)


def test_a_reading_that_is_not_usable_says_why() -> None:
    assert compare(reading(), UNUSABLE, TRUTH) == Borne(1, unusable=1, reasons=("blurred",))


def test_a_square_read_otherwise_without_being_sure_is_unsure() -> None:
    one = compare(reading(), reading(A3={Stones(("red",)): 0.89}), TRUTH)
    assert one == Borne(1, unsure=1, others=(Miss("A3", Stones(("red",)), None, 0.89),))


def test_a_square_read_otherwise_and_surely_is_wrong_and_sure() -> None:
    one = compare(reading(), reading(A3={Stones(("red",)): 0.9}, A4={Stones(("red",)): 0.6}), TRUTH)
    assert (one.alike, one.unusable, one.unsure, one.otherwise) == (0, 0, 0, 1)
    assert one.misses == (Miss("A3", Stones(("red",)), None, 0.9),)
    assert [miss.square for miss in one.others] == ["A3", "A4"]


def test_what_was_wrong_in_the_clean_picture_too_is_alike_but_still_wrong() -> None:
    clean = reading(A2={Pyramid("blue", 2): 0.95})
    one = compare(clean, clean, TRUTH)
    assert (one.alike, len(one.misses), one.others) == (1, 1, ())


def test_a_square_that_only_the_changed_picture_has_right_is_read_otherwise() -> None:
    one = compare(reading(A2={Pyramid("blue", 2): 0.6}), reading(), TRUTH)
    assert (one.otherwise, one.misses) == (1, ())


def test_a_covered_square_counts_only_when_it_is_wrong_and_sure() -> None:
    unsure, sure = reading(A1={None: 0.7}), reading(A1={None: 0.97})
    assert compare(reading(), unsure, TRUTH, {"A1"}) == Borne(1, alike=1)
    assert compare(reading(), sure, TRUTH, {"A1"}).otherwise == 1
    assert compare(reading(), unsure, TRUTH, {"A2"}).unsure == 1


def test_another_die_is_counted_beside_the_squares() -> None:
    three, four, none = (replace(reading(), die=face) for face in (3, 4, None))
    assert compare(three, four, TRUTH) == compare(three, none, TRUTH) == Borne(1, alike=1, other_die=1)
    assert compare(none, three, TRUTH).other_die == 1
    assert compare(three, three, TRUTH).other_die == 0
    assert compare(UNUSABLE, three, TRUTH).other_die == 0


def test_a_die_that_is_not_seen_where_something_is_covered_is_no_other_one() -> None:
    three, four, none = (replace(reading(), die=face) for face in (3, 4, None))
    assert compare(three, none, TRUTH, {"A1"}).other_die == 0
    assert compare(three, four, TRUTH, {"A1"}).other_die == 1


def test_unusable_both_times_is_alike() -> None:
    assert compare(UNUSABLE, UNUSABLE, TRUTH) == Borne(1, alike=1, reasons=("blurred",))


def test_a_reading_where_the_clean_picture_gave_none_is_otherwise() -> None:
    assert compare(UNUSABLE, reading(), TRUTH).otherwise == 1


def test_counts_add_up() -> None:
    both = compare(reading(), UNUSABLE, TRUTH) + compare(reading(), reading(A1={Ship("blue"): 0.95}), TRUTH)
    assert (both.pictures, both.unusable, both.otherwise, both.reasons, len(both.misses)) == (2, 1, 1, ("blurred",), 1)
