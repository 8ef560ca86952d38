"""Random games keep what must always hold: on any layout, with any options, for any number of players."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.errors import IllegalAction
from companion.games.game import canonical
from companion.games.pacal import GAME
from companion.games.pacal.actions import Action, BringIn, Build, Fly, text
from companion.games.pacal.pieces import COLOURS, DonePress, GodPress, Press, StonePress
from companion.games.pacal.state import State

SWITCHES = ("diagonal_lines", "empty_gaps", "tilted_squares", "two_player_rotation", "master")

games = settings(max_examples=10, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
seeds = st.integers(0, 10**6)


def random_layout(chance: random.Random) -> str:
    """A layout of 6 to 11 squares a side, with lake, holes, shore and covers."""
    columns, rows = chance.randint(6, 11), chance.randint(6, 11)
    grid = [[chance.choice("AAABBBCCDDE") for _ in range(columns)] for _ in range(rows)]
    for _ in range(chance.randint(0, 8)):
        grid[chance.randrange(rows)][chance.randrange(columns)] = chance.choice("~.")
    for row in (rows // 2, rows // 2 + 1):
        grid[row][columns // 2 - 1 : columns // 2 + 2] = "SSS"
    shore = ["".join("#" if letter not in "~." and chance.random() < 0.2 else "." for letter in line) for line in grid]
    letters = sorted({letter for line in grid for letter in line} - set("~."))
    values = ", ".join(f"{letter} = {chance.randint(1, 9)}" for letter in letters)
    covered = [letter for letter in letters if letter in "DE"]
    return "\n".join(
        [
            'format = 1\ngame = "pacal"\nname = "random"\nsacred = "S"',
            "board_mm = [300, 300]\ngrid_mm = [0, 0, 300, 300]",
            'districts = """',
            *("".join(line) for line in grid),
            '"""\nshore = """',
            *shore,
            f'"""\nvalues = {{ {values} }}',
            f'[covers]\n"2" = {covered[:1]}\n"2/3" = {covered[1:]}\n"4" = {covered}',
        ]
    )


def new_game(seed: int, folder: Path) -> State:
    chance = random.Random(seed)
    players = list(COLOURS[: chance.randint(2, 5)])
    chance.shuffle(players)
    options: dict[str, Any] = {name: chance.random() < 0.7 for name in SWITCHES if chance.random() < 0.4}
    if chance.random() < 0.3:
        options["target"] = chance.randint(10, 40)
    if chance.random() < 0.2:
        options["faces"] = chance.choice(([1, 2, 3], [6, 5, 4, "arrows"], ["arrows"]))
    board = "reference"
    if chance.random() < 0.7:
        board = str(folder / f"{seed}.toml")
        Path(board).write_text(random_layout(chance), encoding="utf-8")
    return GAME.new(players, board, options, None)


def sensible(chance: random.Random, actions: list[Action]) -> Action:
    """A random action, rather a build than none, rather two stones than one, and few god stones."""
    builds = [action for action in actions if isinstance(action, Build)]
    if builds and chance.random() < 0.7:
        tallest = max(build.floors for build in builds)
        return chance.choice([build for build in builds if build.floors == tallest])
    stones = [action for action in actions if isinstance(action, BringIn) and len(action.into) == 2]
    if stones and chance.random() < 0.7:
        return chance.choice(stones)
    flights = [action for action in actions if isinstance(action, Fly) and action.god is None]
    if flights and chance.random() < 0.97:
        return chance.choice(flights)
    return chance.choice(actions)


def played(seed: int, state: State, length: int = 600) -> Iterator[tuple[State, list[Action], Action, State]]:
    """Each step of a random game: the state, what was legal, what was done, the state after it."""
    chance = random.Random(seed)
    for _ in range(length):
        actions = GAME.legal(state)
        if not actions:
            return
        action = sensible(chance, actions)
        following = GAME.apply(state, action).state
        yield state, actions, action, following
        state = following


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("layouts")


@games
@given(seed=seeds)
def test_every_state_reached_is_accepted_and_comes_back_from_json(folder: Path, seed: int) -> None:
    for state, actions, _, following in played(seed, new_game(seed, folder)):
        data = GAME.state_to_json(following)
        again = GAME.state_from_json(data)
        assert again == following
        assert GAME.state_to_json(again) == data
        assert [text(action) for action in actions] == sorted({canonical(action.to_json()) for action in actions})
        assert actions or GAME.over(state)


@pytest.mark.parametrize("players", GAME.players)
def test_a_game_ends_and_only_for_a_reason(players: int) -> None:
    *_, (_, _, _, last) = played(players, GAME.new(COLOURS[:players], "reference", {}, None), 4000)
    assert GAME.over(last) and last.ending in ("target", "penultimate")
    assert GAME.score(last)["over"] and GAME.legal(last) == []


def near_misses(chance: random.Random, state: State, action: Action) -> Iterator[Any]:
    """The JSON of an action with one thing changed."""
    data = action.to_json()
    squares = [*state.ground.district, *state.ground.lake, "Z9", "C04"]
    for key, value in data.items():
        if isinstance(value, str) and key != "type":
            yield {**data, key: chance.choice([*squares, "straight", "turning", "god", "arrows", "stranded"])}
        elif isinstance(value, int):
            yield {**data, key: value + chance.choice((-1, 1))}
            yield {**data, key: float(value)}
        elif isinstance(value, list):
            yield {**data, key: value[:-1]}
            yield {**data, key: value[::-1]}
            yield {**data, key: [*value, chance.choice([*squares, *state.players, "supply"])]}
            yield {**data, key: [*value[1:], chance.choice([*squares, *state.players, "supply"])]}
        yield {name: entry for name, entry in data.items() if name != key}
    yield {**data, "more": 1}


@games
@given(seed=seeds)
def test_apply_takes_exactly_what_is_legal(folder: Path, seed: int) -> None:
    chance = random.Random(seed)
    for state, actions, action, _ in played(seed, new_game(seed, folder), 150):
        legal = {canonical(entry.to_json()) for entry in actions}
        before = canonical(GAME.state_to_json(state))
        for entry in chance.sample(actions, min(3, len(actions))):
            GAME.state_from_json(GAME.state_to_json(GAME.apply(state, entry).state))
        for data in near_misses(chance, state, action):
            if canonical(data) in legal:
                GAME.apply(state, GAME.action_from_json(data))
                continue
            with pytest.raises(IllegalAction) as caught:
                GAME.apply(state, GAME.action_from_json(data))
            assert str(caught.value).startswith(caught.value.rule + ": ")
        assert canonical(GAME.state_to_json(state)) == before


def hidden_elsewhere(state: State) -> State | None:
    """The same state with one stone under another ship; None when no ship hides any."""
    data = GAME.state_to_json(state)
    ships = list(data["ships"].values())
    for square in ships:
        for colour in data["stones"].get(square, {}):
            other = ships[ships.index(square) - 1]
            there = data["stones"].pop(square)
            there[colour] -= 1
            if rest := {name: count for name, count in there.items() if count}:
                data["stones"][square] = rest
            moved = data["stones"].setdefault(other, {})
            moved[colour] = moved.get(colour, 0) + 1
            return GAME.state_from_json(data)
    return None


@games
@given(seed=seeds)
def test_nothing_public_depends_on_what_is_hidden(folder: Path, seed: int) -> None:
    chance = random.Random(seed)
    for state, actions, _, _ in played(seed, new_game(seed, folder), 300):
        other = hidden_elsewhere(state) if chance.random() < 0.2 else None
        if other is None:
            continue
        assert canonical(GAME.view(state, "public")) == canonical(GAME.view(other, "public"))
        assert canonical(GAME.outlook(state)) == canonical(GAME.outlook(other))
        assert canonical(GAME.score(state)) == canonical(GAME.score(other))
        assert GAME.visible(state) == GAME.visible(other)
        assert GAME.legal(other) == actions
        for colour in state.players:
            mine = GAME.view(state, colour)["stones"]
            assert all(set(mine[ship]) == {colour} for ship in state.ships.values() if ship in mine)


def presses_of(actions: list[Action]) -> list[Press]:
    """What the players press beside these actions."""
    pressed: list[Press] = []
    for action in actions:
        if isinstance(action, Fly) and action.god is not None:
            pressed.append(GodPress(action.god))
        if isinstance(action, BringIn):
            pressed += [StonePress(ship) for ship in action.into]
    return pressed


def preferred(state: State, action: Action) -> Action:
    """A turning flight counts as the straight one where both lead to the same square."""
    if isinstance(action, Fly) and action.mode == "turning" and Fly("straight", action.to) in GAME.legal(state):
        return Fly("straight", action.to)
    return action


@games
@given(seed=seeds)
def test_explain_finds_what_was_played_and_just_the_turns_that_fit(folder: Path, seed: int) -> None:
    chance = random.Random(seed)
    begin: State | None = None
    so_far: list[Action] = []
    for state, _, action, following in played(seed, new_game(seed, folder), 200):
        if begin is None or begin.to_act != state.to_act or begin.round != state.round:
            begin, so_far = state, []
        so_far.append(preferred(state, action))
        if isinstance(action, Build) or chance.random() < 0.05:
            pressed = presses_of(so_far)
            seen = GAME.visible(following)
            found = GAME.explain(begin, seen, pressed)
            slow = [turn.actions for turn in GAME.turns(begin, pressed) if GAME.visible(turn.state) == seen]
            if not pressed and seen == GAME.visible(begin):
                assert found == []
                continue
            assert found == sorted(slow, key=lambda turn: f"[{','.join(map(text, turn))}]")
            assert len(set(found)) == len(found)
            if type(action) in (Fly, Build):
                assert tuple(so_far) in found
            if isinstance(action, Build):
                assert tuple(so_far) in GAME.explain(begin, seen, [*pressed, DonePress()])
