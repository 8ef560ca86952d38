"""How a game of Pacru begins, and on what board."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.errors import BadCommand, BadLayout
from companion.games.pacru import GAME


def groups(*players: str) -> dict[str, str]:
    """Each player's chevrons as ``A1 SE, G1 S``."""
    state = GAME.new(players, "reference", {}, None)
    return {
        player: ", ".join(
            f"{name} {chevron.heading}" for name, chevron in sorted(state.chevrons.items()) if chevron.colour == player
        )
        for player in players
    }


@pytest.mark.parametrize(("count", "chevrons", "markers"), [(2, 4, 42), (3, 3, 28), (4, 3, 24)])
def test_everybody_has_chevrons_and_a_supply_of_markers(count: int, chevrons: int, markers: int) -> None:
    players = GAME.colours[:count]
    state = GAME.new(players, "reference", {}, None)
    colours = [chevron.colour for chevron in state.chevrons.values()]
    assert all(colours.count(player) == chevrons for player in players)
    assert state.supply == dict.fromkeys(players, markers)
    assert (state.markers, state.turn, state.to_act, state.phase) == ({}, 1, players[0], "turn")


def test_two_players_start_in_opposite_corners() -> None:
    assert groups("green", "purple") == {"green": "A1 SE, G1 S, G9 N, I5 W", "purple": "A5 E, C1 S, C9 N, I9 NW"}


def test_of_three_players_the_middle_one_starts() -> None:
    assert groups("red", "blue", "green") == {
        "red": "A3 E, E1 S, I3 W",
        "blue": "G1 S, G9 N, I5 W",
        "green": "A5 E, C1 S, C9 N",
    }


def test_four_players_sit_clockwise_east_south_west_north() -> None:
    assert groups("red", "blue", "green", "yellow") == {
        "red": "G1 S, G9 N, I5 W",
        "blue": "A7 E, E9 N, I7 W",
        "green": "A5 E, C1 S, C9 N",
        "yellow": "A3 E, E1 S, I3 W",
    }


def test_only_the_options_given_are_in_the_state() -> None:
    options: dict[str, Any] = {"rules": "official", "meeting_threshold": 3}
    state = GAME.new(["red", "blue"], "reference", options, 1)
    assert GAME.state_to_json(state)["options"] == options


def test_the_official_rules_set_four_options_and_those_given_beside_win() -> None:
    official = GAME.new(["red", "blue"], "reference", {"rules": "official"}, 1).options
    assert (official.bonuses, official.meeting_target) == ("mandatory", "any")
    assert (official.meeting_on_markers, official.meeting_threshold) == (True, 9)
    assert (official.landing_field, official.filled_borderland, official.rotation_markers) == (
        True,
        "marked",
        "unoccupied",
    )
    mixed = GAME.new(["red", "blue"], "reference", {"bonuses": "optional", "rules": "official"}, 1).options
    assert (mixed.bonuses, mixed.meeting_target) == ("optional", "any")
    own = GAME.new(["red", "blue"], "reference", {"rules": "deskovehry"}, 1).options
    assert (own.bonuses, own.meeting_threshold) == ("optional", 0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bonuses": "must"}, "bonuses must be"),
        ({"meeting_threshold": 82}, "from 0 to 81"),
        ({"meeting_threshold": True}, "from 0 to 81"),
        ({"landing_field": 0}, "true or false"),
        ({"speed": 3}, "no option 'speed'"),
    ],
)
def test_options_that_there_are_not_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(BadCommand, match=message):
        GAME.new(["red", "blue"], "reference", options, None)


def test_a_new_game_is_given_nothing_more() -> None:
    with pytest.raises(BadCommand, match="takes no start"):
        GAME.new(["red", "blue"], "reference", {}, None, {"start": 1})


def test_the_built_in_board_has_81_fields_of_40_mm_and_a_margin() -> None:
    board = GAME.board("reference")
    assert board is not None
    assert (board.size_mm, board.square_mm, len(board.squares)) == ((378.0, 378.0), (40.0, 40.0), 81)
    assert board.centre_mm("A1") == (29.0, 29.0) and board.centre_mm("I9") == (349.0, 349.0)


def test_a_board_of_another_size_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "large.toml"
    path.write_text('format = 1\ngame = "pacru"\nname = "large"\nboard_mm = [500, 500]\ngrid_mm = [25, 25, 475, 475]\n')
    board = GAME.board(str(path))
    assert board is not None and board.square_mm == (50.0, 50.0)
    state = GAME.new(["red", "blue"], str(path), {}, None)
    assert GAME.state_to_json(GAME.state_from_json(GAME.state_to_json(state)))["board"] == str(path)


@pytest.mark.parametrize("board", ["other", "pacal-reference", "/", ""])
def test_a_board_that_there_is_not_is_refused(board: str) -> None:
    with pytest.raises(BadLayout):
        GAME.new(["red", "blue"], board, {}, None)
