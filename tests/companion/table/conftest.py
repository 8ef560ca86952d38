"""The tables that the tests begin with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.companion.games.pacal.short import PASS, fly, place, roll, stones
from tests.companion.table.under_test import TableUnderTest


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TableUnderTest]:
    table = TableUnderTest(tmp_path / "journal.db")
    yield table
    table.journal.close()


@pytest.fixture
def three(table: TableUnderTest) -> TableUnderTest:
    """Three ships are placed; red has to roll."""
    table.new_game("red", "blue", "green")
    table.play(place("F6"), place("G7"), place("H8"))
    table.settle()
    return table


@pytest.fixture
def second_round(table: TableUnderTest) -> TableUnderTest:
    """Two players; red has to fly in round 2, a 2 is rolled. Under red's ship on F3 lie a red and a blue stone, under
    blue's on G4 a blue one."""
    table.new_game("red", "blue")
    table.play(place("F6"), place("G7"), roll(3), fly("F3"), stones("red"), PASS)
    table.play(roll(3), fly("G4"), stones("blue", "red"), PASS, roll(2))
    table.settle()
    return table


@pytest.fixture
def unbuilt(second_round: TableUnderTest) -> TableUnderTest:
    """As ``second_round``; red has flown on to D3, and may bring in stones and build on F3."""
    second_round.show(fly("D3"))
    return second_round
