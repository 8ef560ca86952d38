"""Whole random games through the session: what the players did is what the journal says."""

import random

import pytest

from companion.errors import NotAllowed


def choose_action(game, state, chance):
    """A legal action, building often, so that games come to an end."""
    actions = game.legal(state)
    builds = [action for action in actions if game.action_to_json(action)["type"] == "build"]
    return chance.choice(builds if builds and chance.random() < 0.8 else actions)


def carry_out(table, game, state, action, noise):
    """What players do at the table for an action, and what the camera sees then."""
    after = game.apply(state, action).state
    seen, data = game.visible(after), game.action_to_json(action)
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


def play(table, game, seed, players, noise=None, turns=60):
    chance = random.Random(seed)
    # A game to few points: long enough for everything to happen, and soon over.
    table.new_game(*players, target=15)
    state, told = table.state, 0
    while not game.over(state) and told < turns:
        state = carry_out(table, game, state, choose_action(game, state, chance), noise)
        yield state
        if state.phase in ("roll", "fly", "over"):
            told += 1
            assert game.state_to_json(table.state) == game.state_to_json(state), table.status
            assert table.status["kind"] in ("watching", "over")
            assert table.course.pending == ()


@pytest.mark.parametrize("seed", range(4))
def test_a_game_seen_perfectly_is_followed_to_its_end(table, game, seed):
    players = ("red", "blue", "green", "yellow", "purple")[: 2 + seed]
    for _ in play(table, game, seed, players, turns=1000):
        pass
    assert table.status["kind"] == "over"
    assert table.snapshot["score"] == game.score(table.state)
    assert table.replayed() == table.course


@pytest.mark.parametrize("seed", range(3))
def test_a_game_seen_with_noise_and_a_blind_square_is_followed_too(table, game, seed):
    for _ in play(table, game, 10 + seed, ("green", "red", "purple"), noise=random.Random(seed), turns=25):
        pass
    assert table.replayed() == table.course


def test_undo_goes_back_step_by_step_to_the_start_of_the_game(table, game):
    past = []
    for _ in play(table, game, 5, ("red", "blue", "green"), turns=20):
        past.append((table.state, table.course.pending))
    start = game.new(("red", "blue", "green"), "reference", {"target": 15}, None)
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


def test_a_restart_at_any_moment_goes_on_with_the_same_game(table, game):
    for number, _ in enumerate(play(table, game, 6, ("red", "blue", "green"), turns=15)):
        if number % 3 == 0:
            course = table.course
            table.restart()
            assert table.course == course
