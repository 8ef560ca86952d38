from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.reading.print_shown import Print, in_light


@pytest.fixture
def details() -> NDArray[np.float32]:
    """Fine print everywhere but in the right half."""
    some = np.random.default_rng(1).normal(0, 0.2, (4, 60, 80)).astype(np.float32)
    some[:, :, 40:] = 0
    return some


def test_print_is_strong_only_where_there_is_some(details: NDArray[np.float32]) -> None:
    strength = Print(details).strength
    assert strength[:, :35].min() > 0.85
    assert strength[:, 45:].max() < 0.05


def test_print_that_is_seen_fits_however_faint_it_is(details: NDArray[np.float32]) -> None:
    shown = Print(details).shown(details * np.float32(0.3))
    assert shown[:, :35].min() > 0.9


def test_print_that_is_covered_does_not_fit(details: NDArray[np.float32]) -> None:
    seen = details.copy()
    seen[:, 20:40, :30] = np.random.default_rng(2).normal(0, 0.2, (4, 20, 30))
    shown = Print(details).shown(seen)
    assert np.abs(shown[25:35, 5:25]).max() < 0.4
    assert shown[:15, :35].min() > 0.9


def test_a_part_without_print_tells_nothing(details: NDArray[np.float32]) -> None:
    noise = np.random.default_rng(3).normal(0, 0.05, details.shape).astype(np.float32)
    assert np.abs(Print(details).shown(details + noise)[:, 46:]).max() < 0.1


def test_light_that_adds_nothing_leaves_the_board_and_more_of_it_cuts_bright_print_off() -> None:
    empty = np.random.default_rng(4).integers(0, 256, (40, 60, 3), np.uint8)
    gain = np.zeros((20, 30, 3), np.float32)
    assert np.abs(in_light(empty, gain).astype(int) - empty).max() <= 1
    gain[..., 2] = np.log(1.5)
    lit = in_light(empty, gain)
    assert (lit[empty > 180] == 255).all()
    assert (lit[(empty > 30) & (empty < 140)] > 1.4 * empty[(empty > 30) & (empty < 140)]).all()


def test_where_nothing_is_seen_beside_strong_details_nothing_is_shown() -> None:
    """Sums that run over what is strong leave a little less than nothing there."""
    rng = np.random.default_rng(748)
    details = np.zeros((4, 40, 60), np.float32)
    specks = rng.random(details.shape) < 0.01
    details[specks] = rng.normal(0, 1, specks.sum())
    details[:, :, 30:] = 0
    empty = Print(details)
    assert np.isfinite(empty.strength).all()
    assert np.isfinite(empty.shown(details)).all()
    assert np.abs(empty.shown(details)[:, 40:]).max() < 0.01
