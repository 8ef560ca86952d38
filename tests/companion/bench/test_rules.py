"""The positions on which the rules are timed are fixed, and the table says what was measured of each game."""

from __future__ import annotations

import sys

import pytest

from companion import games
from companion.bench.positions import POSITIONS, positions
from companion.bench.rules import Figures, Listing, measure_chess, per_action, report
from companion.errors import StartError


@pytest.mark.parametrize("name", games.names())
def test_a_game_has_its_hundred_positions_and_each_turn_is_explained(name: str) -> None:
    game = games.get(name)
    found = [position for some in positions(name).values() for position in some]
    assert len(found) == POSITIONS
    for position in found:
        assert len(game.legal(position.state)) > 1
        game.apply(position.state, position.action)
    for position in found[::10]:
        assert game.explain(position.turn_start, position.seen, position.presses)


def test_chess_is_listed_on_as_many_positions() -> None:
    listings = measure_chess()
    assert len(listings) == POSITIONS
    assert all(listing.actions > 0 and listing.seconds > 0 for listing in listings)


def test_without_the_chess_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "chess", None)
    with pytest.raises(StartError, match="pip install chess"):
        measure_chess()


def test_the_table_compares_the_time_for_one_action() -> None:
    chess = [Listing(30e-6, 30), Listing(20e-6, 20)]
    assert per_action(chess) == pytest.approx(1e-6)
    figures = {"go": Figures({"turn": [Listing(10e-6, 5), Listing(40e-6, 10)]}, [5e-6, 7e-6, 50e-6], [1e-3, 2e-3])}
    lines = list(report(figures, chess))
    assert [line.split() for line in lines if line.startswith("go, turn")] == [
        ["go,", "turn", "2", "7.5", "25", "us", "3.00", "us", "3.00"]
    ]
    assert [line.split() for line in lines if line.startswith("go ")] == [
        ["go", "7", "us", "50", "us", "1500", "us", "2000", "us"]
    ]
