"""Random games keep what must always hold: with any options, for any number of players."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import IllegalAction
from companion.games.game import canonical
from companion.games.pacru import GAME
from companion.games.pacru.actions import Action, Choice, Move, Rotate
from companion.games.pacru.pieces import FIELDS, HEADINGS, DonePress
from companion.games.pacru.refusal import why_not
from companion.games.pacru.state import SETS, State
from companion.games.pacru.turn import after

games = settings(max_examples=25, derandomize=True)
seeds = st.integers(0, 10**6)


def new_game(chance: random.Random) -> State:
    players = chance.sample(GAME.colours, chance.choice(GAME.players))
    options = {option.name: chance.choice(option.kind.examples()) for option in GAME.options if chance.random() < 0.4}
    if chance.random() < 0.2:
        options["meeting_threshold"] = chance.randrange(12)
    state = GAME.new(players, "reference", options, None)
    return crowded(state, chance) if chance.random() < 0.6 else state


def crowded(state: State, chance: random.Random) -> State:
    """A first state with markers on the board already, up to all but one of a player."""
    density, owners = chance.random(), chance.choices(state.players, k=3)
    markers, supply = {}, dict(state.supply)
    for name in chance.sample(FIELDS, len(FIELDS)):
        owner = state.chevrons[name].colour if name in state.chevrons else chance.choice(owners)
        if supply[owner] > 1 and chance.random() < density:
            markers[name] = owner
            supply[owner] -= 1
    full = replace(state, markers=markers, supply=supply)
    return full if GAME.legal(full) else state


def closed(action: Action, chance: random.Random) -> Action:
    """An action of ``legal`` with the markers of a rotation chosen."""
    if isinstance(action, Rotate) and isinstance(action.remove, Choice):
        return action._replace(remove=tuple(chance.sample(action.remove.origin, action.remove.choose)))
    return action


def lively(state: State, chance: random.Random) -> Action:
    """A random action that rather takes extras and catches, and rotates now and then."""
    actions = GAME.legal(state)
    moves = [action for action in actions if isinstance(action, Move)]
    if chance.random() < 0.1:
        return closed(chance.choice(actions), chance)
    catches = [move for move in moves if move.to in state.chevrons]
    connects = [move for move in moves if move.connect]
    rich = [move for move in moves if move.mark or move.meet]
    return chance.choice(next(some for some in (catches, connects, rich, moves) if some))


def states(seed: int, steps: int = 250) -> Iterator[State]:
    """The states of a random game, the last one too, when it is over before so many steps."""
    chance = random.Random(seed)
    state = new_game(chance)
    for _ in range(steps):
        yield state
        if state.phase == "over":
            return
        state = after(state, lively(state, chance))


def some_states(seed: int, count: int = 6) -> list[State]:
    """A few states of a random game in which something can be done."""
    going = [state for state in states(seed) if state.phase == "turn"]
    return random.Random(seed).sample(going, min(count, len(going)))


@games
@given(seed=seeds)
def test_pieces_are_neither_lost_nor_won_and_states_survive_json_and_set(seed: int) -> None:
    for state in states(seed):
        owners = list(state.markers.values())
        pieces = SETS[len(state.players)]
        assert all(owners.count(player) + state.supply[player] == pieces.markers for player in state.players)
        assert all(
            chevron.colour == state.markers.get(name, chevron.colour) for name, chevron in state.chevrons.items()
        )
        data = GAME.state_to_json(state)
        assert GAME.state_from_json(json.loads(json.dumps(data))) == state
        assert bool(GAME.legal(state)) == (state.phase == "turn")


@games
@given(seed=seeds)
def test_what_is_legal_is_sorted_by_canonical_json_and_each_can_be_applied(seed: int) -> None:
    chance = random.Random(seed)
    for state in some_states(seed):
        actions = GAME.legal(state)
        texts = [canonical(GAME.action_to_json(action)) for action in actions]
        assert texts == sorted(set(texts))
        assert [GAME.action_from_json(json.loads(text)) for text in texts] == actions
        for action in chance.sample(actions, min(20, len(actions))):
            following, events = GAME.apply(state, closed(action, chance))
            assert following.turn == state.turn + 1 and all(event["text"] for event in events)
            assert GAME.visible(following) != GAME.visible(state)


@games
@given(seed=seeds)
def test_a_move_is_legal_exactly_if_it_is_listed(seed: int) -> None:
    chance = random.Random(seed)
    for state in some_states(seed):
        listed = {action for action in GAME.legal(state) if isinstance(action, Move)}
        ways = {(move.start, move.to) for move in listed}
        plain = (Move(start, to) for start, to in product([*state.chevrons, chance.choice(FIELDS)], FIELDS))
        extras = list(product((None, *FIELDS), (False, True), (None, *chance.sample(FIELDS, 4))))
        rich = (Move(start, to, *some) for start, to in sorted(ways) for some in chance.sample(extras, 40))
        near = (move._replace(meet=chance.choice(FIELDS)) for move in chance.sample(sorted(listed, key=str), 1))
        for move in chain(plain, rich, near, listed):
            problem = why_not(state, move)
            assert (problem is None) == (move in listed), move
            if problem is not None:
                assert str(problem).startswith(("PACRU-", "R-"))


@games
@given(seed=seeds)
def test_a_rotation_is_legal_exactly_if_it_fills_in_one_that_is_listed(seed: int) -> None:
    chance = random.Random(seed)
    for state in some_states(seed):
        listed = {
            (action.field, action.heading): action.remove for action in GAME.legal(state) if isinstance(action, Rotate)
        }
        own = [name for name, owner in state.markers.items() if owner == state.to_act]
        for field, heading in product(state.chevrons, HEADINGS):
            for count in (0, 1, 2, 3, 4, 5):
                remove = tuple(chance.choices([*own, "A1"], k=count))
                choice = listed.get((field, heading))
                legal = isinstance(choice, Choice) and len(set(remove)) == count == choice.choose
                legal = legal and isinstance(choice, Choice) and set(remove) <= set(choice.origin)
                assert (why_not(state, Rotate(field, heading, remove)) is None) == legal


@games
@given(seed=seeds)
def test_explain_finds_every_move_that_leads_to_what_is_seen_and_no_other(seed: int) -> None:
    chance = random.Random(seed)
    for state in some_states(seed):
        moves = [action for action in GAME.legal(state) if isinstance(action, Move)]
        by_picture: dict[Any, list[Any]] = {}
        for move in moves:
            picture = frozenset(GAME.visible(after(state, move)).items())
            by_picture.setdefault(picture, []).append((move,))
        for picture in chance.sample(list(by_picture), min(40, len(by_picture))):
            assert GAME.explain(state, dict(picture), []) == by_picture[picture]
            assert GAME.explain(state, dict(picture), [DonePress()]) == by_picture[picture]


@games
@given(seed=seeds)
def test_explain_finds_every_rotation_with_its_markers(seed: int) -> None:
    chance = random.Random(seed)
    for state in some_states(seed):
        for action in GAME.legal(state):
            if isinstance(action, Rotate):
                done = closed(action, chance)
                assert isinstance(done, Rotate) and not isinstance(done.remove, Choice)
                seen = GAME.visible(after(state, done))
                assert GAME.explain(state, seen, []) == [((done._replace(remove=tuple(sorted(done.remove))),))]


@games
@given(seed=seeds)
def test_a_picture_with_one_thing_more_or_less_is_explained_only_by_what_leads_to_it(seed: int) -> None:
    chance = random.Random(seed)
    for state in some_states(seed):
        seen = dict(GAME.visible(after(state, lively(state, chance))))
        name = chance.choice(sorted(seen))
        del seen[name]
        for (action,) in GAME.explain(state, seen, []):
            assert GAME.visible(GAME.apply(state, action).state) == seen


@games
@given(seed=seeds)
def test_every_near_miss_is_refused_with_a_rule(seed: int) -> None:
    chance = random.Random(seed)
    for state in some_states(seed):
        action = lively(state, chance)
        data = GAME.action_to_json(action)
        key = chance.choice(sorted(data))
        wrong = {**data, key: chance.choice(["J1", None, 0, [], "pass", {"A1": 1}, 2.5, [["A1"]]])}
        with pytest.raises(IllegalAction, match=r"^(PACRU|R)(-[A-Z]+)+(-\d)?: "):
            GAME.apply(state, GAME.action_from_json(wrong))


def test_the_random_games_are_of_every_kind() -> None:
    """Or else the tests above would promise less than they say."""
    seen: set[str] = set()
    for seed in range(60):
        before: State | None = None
        for state in states(seed):
            if before is not None:
                seen |= {f"out {len(state.out)}"} if state.out != before.out else set()
                seen |= {"caught"} if len(state.chevrons) < len(before.chevrons) and state.out == before.out else set()
                seen |= {"rotated"} if state.chevrons.keys() == before.chevrons.keys() else set()
                seen |= {"went back"} if state.supply[state.to_act] > before.supply[state.to_act] else set()
            seen |= {str(state.ending)} if state.phase == "over" else set()
            before = state
    assert {"out 1", "out 2", "caught", "rotated", "went back", "last", "markers"} <= seen
