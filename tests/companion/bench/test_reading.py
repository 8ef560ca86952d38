"""What is told of the stills: counts by set-up and group, goals, and the table of the changed pictures."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from companion.bench import reading
from companion.bench.reading import (
    AS_IT_IS,
    StillFigures,
    accuracy_goals,
    accuracy_report,
    groups,
    is_borne,
    is_known,
    robustness_report,
)
from companion.bench.scenes import Still
from companion.cli.teach import board_of
from companion.games.pacal.pieces import Ship
from companion.observation import Odds, Reading
from vision.measuring.evaluate import BINS, Miss, Score, total
from vision.measuring.robustness import Borne
from vision.teaching.palettes import ReadBack

PICTURES = Path(__file__).parents[2] / "vision" / "pictures" / "setup"
MISS = Miss("C4", Ship("red"), None, 0.97)


def bins(*said: tuple[float, int, int]) -> tuple[tuple[int, int, float], ...]:
    """A reliability table of (confidence in the middle of a bin, squares, right)."""
    table = [(0, 0, 0.0)] * (len(BINS) - 1)
    for confidence, count, right in said:
        index = max(i for i, low in enumerate(BINS[:-1]) if low <= confidence)
        table[index] = (count, right, count * confidence)
    return tuple(table)


PERFECT = Score(
    pictures=6,
    exact=6,
    occupied=100,
    occupied_right=100,
    bare=900,
    die_right=4,
    die_none=2,
    bins=bins((0.995, 1000, 1000)),
    occupied_bins=bins((0.995, 100, 100)),
)
POOR = replace(
    PERFECT,
    exact=5,
    occupied_right=98,
    die_right=3,
    die_missed=1,
    bins=bins((0.92, 2, 0), (0.995, 998, 998)),
    misses=(MISS, replace(MISS, confidence=0.99)),
)


def report(scores: Mapping[str, Score], apart: Sequence[str] = ()) -> Iterator[str]:
    """Of set-ups that read all their pieces back."""
    return accuracy_report(scores, dict.fromkeys(scores, ReadBack(55, 55)), apart)


def test_setups_kept_apart_are_a_group_of_their_own() -> None:
    assert groups(["setup-01", "setup-02"], ["02"]) == {
        "tuned on": ["setup-01"],
        "kept apart": ["setup-02"],
        "all": ["setup-01", "setup-02"],
    }


@pytest.mark.parametrize("apart", [[], ["01", "02"], ["07"]])
def test_without_two_kinds_of_setups_there_is_one_group(apart: list[str]) -> None:
    assert list(groups(["setup-01", "setup-02"], apart)) == ["all"]


def test_the_accuracy_has_a_line_for_each_setup_and_group() -> None:
    lines = list(report({"setup-01": PERFECT, "setup-02": POOR}, ["02"]))
    assert [line[:12].strip() for line in lines[1:6]] == ["setup-01", "setup-02", "tuned on", "kept apart", "all"]
    assert "1000/1000 100.00 %" in lines[1]
    assert "998/1000 99.80 %" in lines[2]
    assert "98/100 98.00 %" in lines[2]
    assert lines[2].split()[-6:] == ["3/4", "0", "1", "0/2", "1", "0.00"]


def test_the_reliability_says_what_was_said_and_what_was() -> None:
    lines = [line.split() for line in report({"setup-02": POOR})]
    assert ["0.9", "to", "0.95", "2", "0.9200", "0.0000"] in lines
    assert ["0.99", "to", "0.999", "998", "0.9950", "1.0000", "100", "0.9950", "1.0000"] in lines


def test_pictures_wrong_only_where_hardly_anything_can_be_seen_are_told_apart() -> None:
    lines = list(report({"setup-02": replace(POOR, exact_in_sight=6)}))
    assert "all: 6/6 100.00 % read exactly but for pieces of which less than half can be seen" in lines
    assert not any("but for pieces" in line for line in report({"setup-02": replace(POOR, exact_in_sight=5)}))


def test_pictures_of_which_a_referee_takes_nothing_for_happened_are_told_apart() -> None:
    told = "read so that the referee, who knows what was there, takes nothing for happened"
    assert f"all: 6/6 100.00 % {told}" in list(report({"setup-02": replace(POOR, known=6)}))
    assert not any(told in line for line in report({"setup-02": replace(POOR, known=5)}))


@pytest.mark.parametrize(("ship", "known"), [(1.0, True), (0.5, True), (0.03, True), (0.01, False), (0.0, False)])
def test_a_misread_square_harms_nobody_who_knows_it_as_long_as_it_is_doubtful(ship: float, known: bool) -> None:
    told = Reading("pacal", "reference", {"C4": {Ship("red"): ship, None: 1 - ship}, "C5": {None: 1.0}})
    assert is_known(told, {"C4": Ship("red")}) == known


def test_many_squares_that_are_each_doubtful_may_be_taken_for_something_together() -> None:
    doubtful: Odds = {None: 0.8, Ship("red"): 0.2}
    one, three = (dict.fromkeys(names, doubtful) for names in (["C4"], ["C4", "C5", "C6"]))
    assert is_known(Reading("pacal", "reference", one), dict.fromkeys(one, Ship("red")))
    assert not is_known(Reading("pacal", "reference", three), dict.fromkeys(three, Ship("red")))


def test_a_picture_that_cannot_be_read_is_not_known() -> None:
    assert not is_known(Reading.unusable("pacal", "reference", "too dark"), {})


def test_pictures_are_counted_by_how_well_their_tables_read_the_palettes_back() -> None:
    scores = {"one": PERFECT, "two": POOR, "three": PERFECT, "four": POOR}
    backs = {"one": ReadBack(55, 55), "two": ReadBack(55, 53), "three": ReadBack(20, 20), "four": ReadBack(55, 40)}
    lines = [line.split() for line in accuracy_report(scores, backs)]
    assert lines[1][:2] == ["one", "55/55"]
    table = lines[1 + next(at for at, row in enumerate(lines) if row[:3] == ["pieces", "read", "back"]) :]
    assert [row[:-6] for row in table] == [["all", "2"], ["96%", "or", "more", "1"], ["less", "than", "80%", "1"]]
    assert [row[-6] for row in table] == ["12/12", "5/6", "5/6"]


def test_the_goals_of_accuracy() -> None:
    assert all(goal.met for goal in accuracy_goals("all", PERFECT))
    assert not any(goal.met for goal in accuracy_goals("all", POOR))


def test_29_of_30_is_enough() -> None:
    most = total([PERFECT] * 4 + [replace(PERFECT, exact=5)])
    assert accuracy_goals("all", most)[0].met
    assert not accuracy_goals("all", replace(most, exact=28))[0].met


def test_a_die_that_was_made_up_misses_the_goal() -> None:
    assert not accuracy_goals("all", replace(PERFECT, die_none=1, die_made_up=1))[2].met


def test_a_change_is_borne_when_95_of_100_are_like_the_clean_picture() -> None:
    assert is_borne("dim", Borne(100, alike=95))
    assert not is_borne("dim", Borne(100, alike=94, unusable=6))


def test_the_die_counts_as_the_squares_do() -> None:
    assert is_borne("dim", Borne(100, alike=100, other_die=5))
    assert not is_borne("dim", Borne(100, alike=100, other_die=6))
    assert not is_borne("dim", Borne(100, alike=97, other_die=3))


@pytest.mark.parametrize("kind", ["blur", "hand"])
def test_blur_and_hand_may_be_doubted_but_never_surely_wrong(kind: str) -> None:
    assert is_borne(kind, Borne(100, alike=40, unusable=30, unsure=25))
    assert not is_borne(kind, Borne(100, alike=40, unusable=30, unsure=24))
    assert not is_borne(kind, Borne(100, alike=100, misses=(MISS,)))


def test_the_table_of_changes_has_a_line_for_each_and_its_reasons() -> None:
    borne = {
        AS_IT_IS: Borne(4, alike=4),
        "dim": Borne(4, alike=3, unsure=1, misses=(MISS,), other_die=1),
        "blur": Borne(4, unusable=4, reasons=("blurred", "blurred", "lost", "blurred")),
        "hand": Borne(2, unusable=2, reasons=("over A9, B10; a hand?", "over M2, L3 and 1 square more; a hand?")),
    }
    lines = list(robustness_report({"setup-01": borne, "setup-02": borne}))
    table = {line[:12].strip(): line[12:].split() for line in lines if line}
    assert table["dim"] == ["8", "6", "0", "2", "0", "2", "2", "50.0%", "of", "95", "%:", "NOT", "MET"]
    assert table["blur"][:7] == ["8", "0", "8", "0", "0", "0", "0"]
    assert table["blur"][-1] == "met"
    assert table[AS_IT_IS] == ["8", "8", "0", "0", "0", "0", "0"]
    assert "blur: 6 x blurred" in lines
    assert "blur: 2 x lost" in lines
    assert "hand: 4 x over ...; a hand?" in lines


def test_a_setup_is_measured_as_it_is_and_changed(tmp_path: Path) -> None:
    setup = tmp_path / "setup-01"
    shutil.copytree(PICTURES, setup)
    for file in setup.glob("still-002.*"):
        file.unlink()
    table, back = reading.taught(setup, board_of)
    assert back.pieces == 59 and back.share > 0.9
    (one,) = reading.measure(setup, table, ("dim", "blur", "noise"), draws=3)
    assert one.score.squares == 162
    assert one.score.squares_right > 158
    assert list(one.borne) == [AS_IT_IS, "dim", "blur", "noise"]
    assert [borne.pictures for borne in one.borne.values()] == [1, 1, 1, 3]
    assert one.borne[AS_IT_IS].alike == 1


def test_misses_are_told_with_still_and_change() -> None:
    still = Still("setup-01/still-001.jpg", Path("still-001.jpg"), {}, frozenset(), None, False, ())
    borne = {AS_IT_IS: Borne(1, alike=1, misses=(MISS,)), "dim": Borne(1, misses=(MISS,), others=(MISS,))}
    assert list(reading.misses(StillFigures(still, "too dark", POOR, borne)))[::3] == [
        "setup-01/still-001.jpg: too dark",
        "setup-01/still-001.jpg, dim, C4: saw {'ship': 'red'} (0.970), was None",
    ]
