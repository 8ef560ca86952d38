"""Random games of 2 to 4 players keep what must always hold, with any options, with open hands and hidden ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.errors import IllegalAction
from companion.games.game import canonical
from companion.games.pompeji import GAME
from companion.games.pompeji.actions import Action, Discard, Draw, Permit, Place, PlaceStatue, Reveal, RevealSome
from companion.games.pompeji.pieces import COLOURS, Card, Statue
from companion.games.pompeji.state import State

games = settings(max_examples=8, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
seeds = st.integers(0, 10**6)


class Step(NamedTuple):
    state: State
    legal: list[Action]
    action: Action
    after: State


def begin(chance: random.Random, hands: str | None = None) -> State:
    """A new game of any number of players with any options; hands: open or hidden, None for either."""
    players = chance.sample(COLOURS, chance.randint(2, 4))
    some = [option for option in GAME.options if chance.random() < 0.4]
    options: dict[str, Any] = {option.name: chance.choice(option.kind.examples()) for option in some}
    if hands:
        options["hands"] = hands
    hidden = options.get("hands") == "hidden"
    more = {"start": Card("temple", "red", 6).to_json()} if hidden else {}
    return GAME.new(players, "reference", options, chance.randrange(10**6), more)


def played(seed: int, hands: str | None = None) -> Iterator[Step]:
    """Each step of a random game; statues and permits are used now and then only."""
    chance = random.Random(seed)
    state = begin(chance, hands)
    while legal := GAME.legal(state):
        rare = {Permit: 0.2, PlaceStatue: 0.01, Discard: 0.2}
        action = chance.choices(legal, [rare.get(type(action), 1.0) for action in legal])[0]
        if isinstance(action, RevealSome):
            action = Reveal(tuple(chance.sample(action.cards, action.choose)))
        after = GAME.apply(state, action).state
        yield Step(state, legal, action, after)
        state = after


def count_cards(state: State) -> int:
    buildings = sum(isinstance(content, Card) for content in state.city.values())
    hands = sum(state.hand_size(player) for player in state.players)
    return buildings + len(state.discards) + hands + state.pile_size + state.volcanoes - 2


@games
@given(seed=seeds)
def test_every_state_reached_is_accepted_and_nothing_is_lost(seed: int) -> None:
    before: dict[str, int] = {}
    for _, _, _, after in played(seed):
        assert GAME.state_from_json(GAME.state_to_json(after)) == after
        assert count_cards(after) == 49
        laid = sum(isinstance(content, Statue) for content in after.city.values())
        assert laid + sum(after.statues.values()) == len(after.players)
        assert all(after.points[player] >= points for player, points in before.items())
        before = dict(after.points)
    assert GAME.over(after) and after.volcanoes == 2


@games
@given(seed=seeds)
def test_what_is_legal_is_sorted_and_what_is_listed_is_not_refused(seed: int) -> None:
    chance = random.Random(seed)
    for state, legal, _, _ in played(seed):
        texts = [canonical(action.to_json()) for action in legal]
        assert texts == sorted(set(texts))
        for action in chance.sample(legal, min(10, len(legal))):
            assert GAME.action_from_json(action.to_json()) == action
            if not isinstance(action, RevealSome):
                GAME.apply(state, action)


def candidates(chance: random.Random, state: State) -> Iterator[Action]:
    """Actions of every kind, most of them illegal, many only just."""
    top, left = min(row for row, _ in state.city) - 2, min(column for _, column in state.city) - 2
    for _ in range(25):
        row, column, card = top + chance.randrange(11), left + chance.randrange(11), chance.choice(state.cards.cards)
        yield Place(card, row, column)
        yield PlaceStatue(row, column, card.building, card.colour)
    yield Discard(card)
    yield from map(Permit, COLOURS)
    yield Draw("draw")
    yield Draw("keep")
    yield Draw("volcano")
    yield Reveal(tuple(chance.sample(state.cards.cards, chance.randrange(4))))


@games
@given(seed=seeds)
def test_exactly_what_is_not_listed_is_refused_by_the_id_of_a_rule(seed: int) -> None:
    chance = random.Random(seed)
    for state, legal, _, _ in played(seed):
        for action in candidates(chance, state):
            if action in legal:
                GAME.apply(state, action)
            elif not isinstance(action, Reveal) or state.phase != "reveal":
                with pytest.raises(IllegalAction, match=r"^(POMP|R)-[A-Z0-9-]+: ") as refused:
                    GAME.apply(state, action)
                assert len(str(refused.value)) < 250


@games
@given(seed=seeds)
def test_explain_finds_every_turn_played_and_each_part_of_it(seed: int) -> None:
    run: list[Step] = []
    for step in played(seed):
        if isinstance(step.action, Reveal):
            break
        run = run if run and _same_turn(run[0].state, step.state) else []
        run.append(step)
        start, actions = run[0].state, tuple(one.action for one in run)
        presses = [press for one in run for press in GAME.told(one.action)]
        seen = GAME.visible(step.after)
        found = GAME.explain(start, seen, presses)
        assert actions in found
        for other in found:
            state = start
            for action in other:
                state = GAME.apply(state, action).state
            assert GAME.visible(state) == seen
        assert actions in {turn.actions for turn in GAME.turns(start, presses)}


def _same_turn(start: State, state: State) -> bool:
    """Whether a step still belongs to the turn that began with a state: a turn that broke in is one by itself."""
    return (start.turn, start.interruption == "used") == (state.turn, state.interruption == "used")


@games
@given(seed=seeds)
def test_turns_that_leave_some_places_as_they_look_are_all_that_do(seed: int) -> None:
    chance = random.Random(seed)
    for number, (state, _, _, _) in enumerate(played(seed)):
        if number % 9:
            continue
        now = GAME.visible(state)
        fixed = {f"{chr(65 + column)}{row}" for column in range(7) for row in range(1, 8) if chance.random() < 0.2}
        right = [
            turn.actions
            for turn in GAME.turns(state, [])
            if not any(place in fixed for place, _ in now.items() ^ GAME.visible(turn.state).items())
        ]
        assert [turn.actions for turn in GAME.turns(state, [], fixed)] == right


@games
@given(seed=seeds)
def test_the_public_sees_nothing_of_what_is_hidden(seed: int) -> None:
    chance = random.Random(seed)
    for state, _, action, after in played(seed, "open"):
        other = dealt_again(chance, state)
        for shown in (GAME.outlook, GAME.visible, lambda state: GAME.view(state, "public")):
            assert shown(state) == shown(other)
        assert [GAME.presses(state, button) for button in GAME.buttons] == [
            GAME.presses(other, button) for button in GAME.buttons
        ]
        assert {**GAME.view(state, state.to_act), "hands": 0} == {**GAME.view(other, state.to_act), "hands": 0}
        if after.phase != "over" and not isinstance(action, Place | Discard):
            assert GAME.apply(state, action).events == GAME.apply(other, action).events


def dealt_again(chance: random.Random, state: State) -> State:
    """The same to everybody who looks on: other cards in the hands and in the pile, volcanoes where they were."""
    data = GAME.state_to_json(state)
    places = [*data["hands"].values(), data["pile"]]
    cards = [card for place in places for card in place if "volcano" not in card]
    chance.shuffle(cards)
    for place in places:
        place[:] = [card if "volcano" in card else cards.pop() for card in place]
    for hand in data["hands"].values():
        hand.sort(key=lambda card: (card["building"], card["colour"]))
    return GAME.state_from_json(data)


@games
@given(seed=seeds)
def test_an_open_game_played_again_with_hidden_hands_scores_the_same(seed: int) -> None:
    steps = list(played(seed, "open"))
    first, last = steps[0].state, steps[-1].after
    options = {**first.options.to_json(), "hands": "hidden"}
    start = first.city[0, 0].to_json()
    state = GAME.new(first.players, "reference", options, None, {"start": start})
    for before, _, action, after in steps:
        state = GAME.apply(state, seen_at_the_table(before, action)).state
        while state.pile_size > after.pile_size:
            state = GAME.apply(state, drawn_from(before, before.pile_size - state.pile_size)).state
        assert (state.city, state.points, state.discards) == (after.city, after.points, after.discards)
    while state.phase == "reveal":
        hand = last.hands[state.to_act]
        assert not isinstance(hand, int)
        state = GAME.apply(state, Reveal(hand)).state
    assert GAME.score(state) == GAME.score(last)


def seen_at_the_table(before: State, action: Action) -> Action:
    """What is told of an action: with open hands ``draw`` may turn out to be a volcano."""
    return drawn_from(before, 0) if action == Draw("draw") else action


def drawn_from(state: State, index: int) -> Draw:
    """What is told of drawing a card of the pile, counted from the top."""
    assert not isinstance(state.pile, int)
    return Draw("draw" if isinstance(state.pile[index], Card) else "volcano")
