"""Whole random games through the session: what the players did is what the journal says."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest

from companion.errors import NotAllowed
from companion.games.game import Press
from companion.games.pacal import GAME
from companion.games.pacal.actions import Action
from companion.games.pacal.state import State
from tests.companion.table.under_test import TableUnderTest


def choose_action(state: State, chance: random.Random) -> Action:
    """A legal action, building often, so that games come to an end."""
    actions = GAME.legal(state)
    builds = [action for action in actions if GAME.action_to_json(action)["type"] == "build"]
    return chance.choice(builds if builds and chance.random() < 0.8 else actions)


def carry_out(table: TableUnderTest, state: State, action: Action, noise: random.Random | None) -> State:
    """What players do at the table for an action, and what the camera sees then."""
    after = GAME.apply(state, action).state
    seen, data = GAME.visible(after), GAME.action_to_json(action)
    match data["type"]:
        case "roll" if data["face"] not in table.session._old_faces:
            table.settle(seen, data["face"], chance=noise)
        case "roll":
            table.act(**data)
        case "stones":
            table.press(*data["into"])
            if data["from"] != ["supply"] * len(data["from"]):
                table.settle(seen, chance=noise)
        case "pass":
            table.press("done")
        case "fly" if data["mode"] == "god":
            table.press("god")
            if table.status["kind"] == "doubt":
                names = [choice["text"] for choice in table.status["choices"]]
                table.choose(1 + names.index(f"God stone {data['god']}."))
            table.settle(seen, chance=noise)
        case _:
            table.settle(seen, chance=noise)
    return after


def play(
    table: TableUnderTest, seed: int, players: Sequence[str], noise: random.Random | None = None, turns: int = 60
) -> Iterator[State]:
    chance = random.Random(seed)
    # A game to few points: long enough for everything to happen, and soon over.
    table.new_game(*players, target=15)
    state, told = table.state, 0
    while not GAME.over(state) and told < turns:
        state = carry_out(table, state, choose_action(state, chance), noise)
        yield state
        if state.phase in ("roll", "fly", "over"):
            told += 1
            assert GAME.state_to_json(table.state) == GAME.state_to_json(state), table.status
            assert table.status["kind"] in ("watching", "over")
            assert table.course.pending == ()


@pytest.mark.parametrize("seed", range(4))
def test_a_game_seen_perfectly_is_followed_to_its_end(table: TableUnderTest, seed: int) -> None:
    players = ("red", "blue", "green", "yellow", "purple")[: 2 + seed]
    for _ in play(table, seed, players, turns=1000):
        pass
    assert table.status["kind"] == "over"
    assert table.snapshot["score"] == GAME.score(table.state)
    assert table.replayed() == table.course


@pytest.mark.parametrize("seed", range(3))
def test_a_game_seen_with_noise_and_a_blind_square_is_followed_too(table: TableUnderTest, seed: int) -> None:
    for _ in play(table, 10 + seed, ("green", "red", "purple"), noise=random.Random(seed), turns=25):
        pass
    assert table.replayed() == table.course


def test_undo_goes_back_step_by_step_to_the_start_of_the_game(table: TableUnderTest) -> None:
    past: list[tuple[State, tuple[Press, ...]]] = []
    for _ in play(table, 5, ("red", "blue", "green"), turns=20):
        past.append((table.state, table.course.pending))
    start = GAME.new(("red", "blue", "green"), "reference", {"target": 15}, None)
    while table.snapshot["can_undo"]:
        pending = table.course.pending
        table.undo()
        assert table.replayed() == table.course
        if pending:
            assert table.course.pending == pending[:-1]
        else:
            # Each is an earlier one than the last, but for those that were accepted together.
            while past and past[-1] != (table.state, ()):
                past.pop()
            assert past or table.state == start
    assert table.state == start
    with pytest.raises(NotAllowed, match="nothing to take back"):
        table.undo()


def test_a_restart_at_any_moment_goes_on_with_the_same_game(table: TableUnderTest) -> None:
    for number, _ in enumerate(play(table, 6, ("red", "blue", "green"), turns=15)):
        if number % 3 == 0:
            course = table.course
            table.restart()
            assert table.course == course
