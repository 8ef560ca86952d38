"""What is told of boards that nobody said the place of."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.bench.corners import EXACT_PX, Search, measure, report
from companion.cli.teach import board_of
from companion.errors import BadSetup
from tests.vision.conftest import PICTURES
from vision.teaching.setup_folder import Setup, read_setup


@pytest.fixture(scope="module")
def setup() -> Setup:
    return read_setup(PICTURES, board_of)


def test_a_board_is_found_and_how_far_off_is_measured(setup: Setup) -> None:
    search = measure(setup)
    assert search.found
    assert search.seconds > 0
    moved = measure(replace(setup, corners_px=np.add(setup.corners_px, (3.0, 4.0))))
    assert moved.off_px == pytest.approx(5.0, abs=1.0)
    assert not moved.found


def test_a_board_that_is_not_there_is_not_found(setup: Setup) -> None:
    search = measure(replace(setup, empty=np.full_like(setup.empty, 90)))
    assert (search.found, search.off_px) == (False, None)
    assert "no board" in search.reason


def test_what_was_found_is_not_compared_with_itself(setup: Setup) -> None:
    with pytest.raises(BadSetup, match="nothing to compare"):
        measure(replace(setup, corners_said=False))


def test_the_goal_is_that_all_are_found() -> None:
    good, bad = Search(EXACT_PX, "", 1.0), Search(EXACT_PX + 0.1, "", 1.0)
    assert "1/1 100.00 %  goal all: met" in [*report({"setup-01": good})][-1]
    assert "1/2 50.00 %  goal all: NOT MET" in [*report({"setup-01": good, "setup-02": bad})][-1]
    *lines, last = report({"setup-01": good, "setup-02": Search(None, "no board", 1.0)})
    assert "NOT MET" in last
    assert any("no board" in line for line in lines)
