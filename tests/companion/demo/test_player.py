"""The demo's player plays whole games by the rules, and writes down what must be shown."""

from __future__ import annotations

import pytest

from companion import games
from companion.demo.player import play_script
from companion.demo.script import parse_script, script_lines

PACAL = games.get("pacal")


@pytest.mark.parametrize("players", [("red", "blue"), ("green", "purple", "yellow")])
def test_a_script_is_a_whole_game_by_the_rules(players: tuple[str, ...]) -> None:
    script = play_script(PACAL, players, "reference", {}, seed=3)
    state = PACAL.new(players, "reference", {}, None)
    for step in script.steps:
        state = PACAL.apply(state, PACAL.action_from_json(step.action)).state
    assert PACAL.over(state)
    assert script.steps[-1].expect["track"] == PACAL.view(state, "public")["track"]


def test_the_same_seed_plays_the_same_game() -> None:
    one, other, third = (play_script(PACAL, ("red", "blue"), "reference", {}, seed, max_turns=8) for seed in (1, 1, 2))
    assert one == other != third
    assert parse_script(script_lines(one)) == one


def test_stones_are_heard_before_they_count() -> None:
    script = play_script(PACAL, ("red", "blue"), "reference", {}, seed=3, max_turns=30)
    dropped = [step for step in script.steps if step.action["type"] == "stones" and step.action["into"]]
    assert dropped
    for step in dropped:
        assert step.presses == tuple(step.action["into"])
        seen = set(step.action["from"]) != {"supply"}
        assert step.expect["heard"] == (0 if seen else len(step.presses))
        assert step.expect["phase"] == ("build" if seen else "stones")
