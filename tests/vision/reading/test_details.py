"""The finest that is told of a picture, worked out a few rows at a time."""

from __future__ import annotations

import numpy as np
import pytest

import vision.reading.details
from vision.reading.details import details_of


def test_it_does_not_matter_how_many_rows_are_worked_out_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = np.random.default_rng(0).integers(0, 255, (150, 96, 3)).astype(np.uint8)
    some = details_of(picture)
    assert some.shape == (4, 75, 48)
    monkeypatch.setattr(vision.reading.details, "_TOGETHER", len(picture))
    assert details_of(picture) == pytest.approx(some, abs=1e-5)


def test_each_pixel_has_the_details_of_four() -> None:
    picture = np.full((40, 40, 3), 100, np.uint8)
    picture[21, 20] = 200
    details = details_of(picture)
    assert [*map(int, np.unravel_index(details.argmax(), details.shape))] == [2, 10, 10]
