from __future__ import annotations

import numpy as np
import pytest

from vision.reading.learning import ENOUGH, learn_print

STRENGTHS = np.linspace(0.1, 0.9, 30)
"""Of print that is as well seen in every picture as it is strong."""


def learned(taken: list[list[int]], seen: list[float] | None = None) -> list[float]:
    """What two pictures teach, in each of which something stands on some of 30 squares."""
    mask = np.zeros((2, len(STRENGTHS)), np.bool_)
    for picture, squares in enumerate(taken):
        mask[picture, squares] = True
    each = STRENGTHS if seen is None else np.array(seen)
    return [float(share) for share in learn_print(mask, np.array([each - 0.05, each]), STRENGTHS)]


def test_as_much_print_is_expected_as_the_picture_shows_that_shows_most() -> None:
    assert learned([[], []]) == pytest.approx(STRENGTHS.tolist())
    assert learned([[], [4]])[4] == pytest.approx(STRENGTHS[4] - 0.05)


@pytest.mark.parametrize("square", [0, 3, 12, 19])
def test_where_something_stands_always_as_much_as_where_the_print_is_a_little_stronger(square: int) -> None:
    usual = learned([[square], [square]])[square]
    assert STRENGTHS[square + 1] <= usual <= STRENGTHS[square + ENOUGH]
    assert usual == pytest.approx(np.quantile(STRENGTHS[square + 1 : square + ENOUGH + 1], 0.1))


def test_of_the_strongest_print_as_much_as_of_the_strongest_others() -> None:
    usual = learned([[29], [29]])[29]
    assert usual == pytest.approx(np.quantile(STRENGTHS[-ENOUGH - 1 : -1], 0.1))


def test_strong_print_elsewhere_says_nothing_of_faint_print() -> None:
    """Where the empty picture shows hardly more of a print than noise does, others may show nothing of it."""
    seen = [0.0 if strength < 0.4 else 0.9 for strength in STRENGTHS]
    assert learned([[1], [1]], seen)[1] == 0


def test_nothing_is_expected_where_too_few_others_tell() -> None:
    many = list(range(len(STRENGTHS) - ENOUGH + 1))
    assert [learned([many, many])[square] for square in many] == [0] * len(many)
