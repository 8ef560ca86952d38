"""The positions on which the rules are timed are fixed, and the table says what was measured of each game."""

from __future__ import annotations

import sys

import pytest

from companion import games
from companion.bench.positions import POSITIONS, positions
from companion.bench.rules import Figures, Listing, measure_chess, report
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


def test_the_table_compares_with_what_as_many_actions_take() -> None:
    chess = [Listing(30e-6, 20), Listing(20e-6, 10), Listing(40e-6, 30)]
    figures = {"go": Figures({"turn": [Listing(45e-6, 5), Listing(60e-6, 20)]}, [5e-6, 7e-6, 50e-6], [1e-3, 2e-3])}
    rows = {line.split("  ")[0]: line.split() for line in report(figures, chess)}
    # 10 us and 1 us an action: 15 us for 5 actions, 30 us for 20.
    assert rows["python-chess"][-1] == "1.00"
    assert rows["go, turn"] == ["go,", "turn", "2", "12.5", "52", "us", "6.00", "us", "22", "us", "2.50"]
    assert rows["go"] == ["go", "7", "us", "50", "us", "1500", "us", "2000", "us"]
