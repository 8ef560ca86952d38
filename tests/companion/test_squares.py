"""Names of squares."""

from __future__ import annotations

import pytest

from companion.squares import position, reading_order, square


def test_a_name_and_its_place_are_the_same_both_ways() -> None:
    for column in range(26):
        for row in range(99):
            assert position(square(column, row)) == (column, row)


def test_a1_is_the_top_left_square() -> None:
    assert (square(0, 0), square(12, 12)) == ("A1", "M13")


@pytest.mark.parametrize("name", ["", "A", "1", "a1", "A0", "A01", "A100", "AA1", "A1 ", "Ä1", "A١"])
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is not a square"):
        position(name)


@pytest.mark.parametrize("place", [(-1, 0), (26, 0), (0, 99), (0, -1)])
def test_a_place_without_a_name_is_refused(place: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="no square"):
        square(*place)


def test_reading_order_is_row_by_row() -> None:
    assert sorted(["A10", "B1", "A2", "A1"], key=reading_order) == ["A1", "B1", "A2", "A10"]
