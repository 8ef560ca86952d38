from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.parabola import vertex


@given(st.floats(-0.99, 0.99), st.floats(0.01, 100.0), st.floats(-5.0, 5.0))
def test_the_top_of_a_parabola_is_found(at: float, bend: float, height: float) -> None:
    three = height - bend * (np.array([-1.0, 0.0, 1.0]) - at) ** 2
    assert vertex(three) == pytest.approx(at, abs=1e-6)


def test_what_has_no_top_is_highest_on_its_higher_side() -> None:
    three = np.array([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0], [1.0, 1.0, 1.0], [2.0, 1.0, 3.0]]).T
    assert vertex(three).tolist() == [1.0, -1.0, 0.0, 1.0]


@given(st.lists(st.floats(-1.0, 1.0), min_size=3, max_size=3))
def test_it_is_nearest_to_the_largest(values: list[float]) -> None:
    three = np.array(sorted(values))[[0, 2, 1]]
    assert abs(vertex(three)) < 0.5 + 1e-9
