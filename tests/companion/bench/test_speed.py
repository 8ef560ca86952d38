"""What is told of speed and memory: medians, and ratios with their goals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.bench.memory import added_mb, peak_bytes
from companion.bench.speed import Speed, report, speed_goals
from companion.errors import StartError
from vision.measuring.speed import StillTimes

STILL = StillTimes(unit=0.01, read=0.03, again=0.02, die_found=True, detect=0.1, describe=0.2, anew=0.15, found=True)
SPEED = Speed((STILL, STILL, replace(STILL, read=9.0)), 1, (0.004, 0.004, 0.9), (90.0, 120.0))


def test_medians_are_compared_so_that_one_slow_still_does_not_count() -> None:
    goals = speed_goals(SPEED)
    assert all(goal.met for goal in goals)
    assert [goal.figure for goal in goals] == [
        "20.0 ms = 2.00",
        "30.0 ms = 3.00",
        "4.0 ms = 0.40",
        "150.0 ms = 1.50",
        "3/3",
        "120 MB",
    ]


@pytest.mark.parametrize(
    ("slow", "index"),
    [
        (replace(SPEED, stills=(replace(STILL, again=0.041),)), 0),
        (replace(SPEED, stills=(replace(STILL, read=0.041),)), 1),
        (replace(SPEED, frames=(0.006,)), 2),
        (replace(SPEED, stills=(replace(STILL, anew=0.21),)), 3),
        (replace(SPEED, stills=(STILL, replace(STILL, found=False))), 4),
        (replace(SPEED, memory_mb=(90.0, 150.0)), 5),
    ],
)
def test_each_goal_can_be_missed(slow: Speed, index: int) -> None:
    assert [goal.met for goal in speed_goals(slow)] == [number != index for number in range(6)]


def test_without_recordings_nothing_is_said_of_hands() -> None:
    assert len(speed_goals(replace(SPEED, frames=()))) == 5


def test_the_report_names_what_is_one_and_how_much_was_measured() -> None:
    lines = list(report(SPEED + SPEED))
    assert lines[0].startswith("medians of 6 stills and 6 frames, processor time; 2 not readable")
    assert lines[1].endswith(" 10.0 ms")


def test_reads_after_a_throw_are_told_apart_from_those_where_there_is_no_die() -> None:
    speed = replace(SPEED, stills=(STILL, replace(STILL, read=0.09, die_found=False)))
    assert [line[-7:] for line in report(speed) if "no die" in line] == ["90.0 ms"]
    assert [goal.figure for goal in speed_goals(speed)][:2] == ["20.0 ms = 2.00", "30.0 ms = 3.00"]
    assert not any("no die" in line for line in report(SPEED))
    none = replace(SPEED, stills=(replace(STILL, die_found=False),))
    assert not any("throw" in goal.what for goal in speed_goals(none))


def test_without_a_readable_still_there_is_nothing_to_tell() -> None:
    assert list(report(Speed(unread=3))) == ["no still could be read, so that there is nothing to time"]


def test_the_peak_is_read_from_the_status_of_the_process() -> None:
    assert peak_bytes("VmPeak:\t 10 kB\nVmHWM:\t  2048 kB\n") == 2 << 20


def test_a_system_that_does_not_tell_is_named() -> None:
    with pytest.raises(StartError, match="VmHWM"):
        peak_bytes("")


def test_a_process_that_fails_says_why(tmp_path: Path) -> None:
    with pytest.raises(StartError, match="table"):
        added_mb(tmp_path / "no-table", [])
