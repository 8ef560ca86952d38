"""What every game promises to those who use it through its face, held against random games of each."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import games
from companion.errors import BadCommand, BadState, IllegalAction
from companion.games.game import Game, canonical, filled
from companion.referee.lines import Referee

NAMES = games.names()
RULE = re.compile(r"^(?:(?:PACRU|POMP)-)?[A-Z]+(?:-[A-Z]+)*(?:-\d+)?: .")
START_CARD = {"building": "temple", "colour": "red", "value": 6}
MAX_STEPS = 250
SAMPLE = 12

random_games = settings(max_examples=6, derandomize=True)
seeds = st.integers(0, 10**6)


class Played(NamedTuple):
    """One step of a game: the state, what was done, and the state after it."""

    state: Any
    action: Any
    after: Any


def begin(game: Game[Any, Any], chance: random.Random) -> Any:
    """A new game with any number of players in any colours, and any options."""
    players = chance.sample(game.colours, chance.choice(game.players))
    given_options = [option for option in game.options if chance.random() < 0.3]
    options = {option.name: chance.choice(option.kind.examples()) for option in given_options}
    more = {"start": START_CARD} if options.get("hands") == "hidden" else {}
    return game.new(players, "reference", options, chance.randrange(1000), more)


def choose(game: Game[Any, Any], state: Any, chance: random.Random) -> Any:
    """A legal action: each kind of action as likely as the others, and rather one that tells of much."""
    kinds: dict[str, list[dict[str, Any]]] = {}
    for action in game.legal(state):
        data = game.action_to_json(action)
        kinds.setdefault(data["type"], []).append(data)
    some = kinds[chance.choice(sorted(kinds))]
    data = max(chance.sample(some, min(3, len(some))), key=len)
    return game.action_from_json(fill(data, chance))


def fill(data: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """An action with its open choices made, one of the first ways."""
    return chance.choice(list(islice(filled(data), 50)))


def played(name: str, seed: int, steps: int = MAX_STEPS) -> Iterator[Played]:
    game, chance = games.get(name), random.Random(seed)
    state = begin(game, chance)
    for _ in range(steps):
        if game.over(state) or not game.legal(state):
            return
        action = choose(game, state, chance)
        after = game.apply(state, action).state
        yield Played(state, action, after)
        state = after


every_game = pytest.mark.parametrize("name", NAMES)


@every_game
@random_games
@given(seed=seeds)
def test_every_state_survives_json_and_set_and_goes_on_or_is_over(name: str, seed: int) -> None:
    game, referee = games.get(name), Referee()
    for _, _, after in played(name, seed):
        data = game.state_to_json(after)
        assert game.state_from_json(json.loads(json.dumps(data))) == after
        assert json.loads(referee.answer(json.dumps({"cmd": "set", "state": data}).encode())) == {"ok": True}
        assert json.loads(referee.answer(b'{"cmd":"state"}'))["state"] == data
        assert game.over(after) == game.score(after)["over"] == (data["phase"] == "over")
        assert game.to_act(after) in data["players"]
        if game.over(after):
            assert game.legal(after) == []


def pacal_sum(data: dict[str, Any]) -> Any:
    stones, pyramids = Counter[str](), Counter[tuple[str, int]]()
    for here in data["stones"].values():
        stones.update(here)
    pyramids.update((pyramid["colour"], pyramid["floors"]) for pyramid in data["pyramids"].values())
    for player, supply in data["supply"].items():
        stones[player] += supply["stones"]
        pyramids.update({(player, floors): count for floors, count in enumerate(supply["pyramids"], 1)})
    return stones, pyramids


def pacru_sum(data: dict[str, Any]) -> Any:
    return Counter(data["supply"]) + Counter(data["markers"].values())


def pompeji_sum(data: dict[str, Any]) -> Any:
    places = [data["city"], data["discards"], data["pile"], *data["hands"].values()]
    cards = sum(place if isinstance(place, int) else len(place) for place in places)
    return cards + sum(data["statues"].values()) + data["volcanoes"]


SUMS = {"pacal": pacal_sum, "pacru": pacru_sum, "pompeji": pompeji_sum}


@every_game
@random_games
@given(seed=seeds)
def test_nothing_is_lost_and_nothing_comes_from_nowhere(name: str, seed: int) -> None:
    game = games.get(name)
    sums = [SUMS[name](game.state_to_json(step.state)) for step in played(name, seed)]
    assert all(one == sums[0] for one in sums)


def other_actions(data: dict[str, Any], known: list[dict[str, Any]], chance: random.Random) -> Iterator[dict[str, Any]]:
    """An action with one thing changed, left out or added."""
    for key, value in data.items():
        if key != "type":
            yield {other: kept for other, kept in data.items() if other != key}
            yield {**data, key: chance.choice([other.get(key) for other in known])}
            yield {**data, key: chance.choice(["Z9", "A1", 0, -1, 2.0, True, None, [], {}, [value]])}
    yield {**data, "more": 1}
    yield {**data, "type": chance.choice(["fly", "move", "place", "draw", "", None])}


@every_game
@random_games
@given(seed=seeds)
def test_what_is_legal_is_sorted_and_can_be_applied_and_nothing_else_can(name: str, seed: int) -> None:
    game, chance = games.get(name), random.Random(seed)
    for state, _, _ in played(name, seed, 60):
        legal = [game.action_to_json(action) for action in game.legal(state)]
        texts = [canonical(data) for data in legal]
        assert texts == sorted(set(texts))
        for data in chance.sample(legal, min(SAMPLE, len(legal))):
            done = fill(data, chance)
            action = game.action_from_json(done)
            assert game.action_to_json(action) == done
            step = game.apply(state, action)
            assert step.state != state and all(event["text"] for event in step.events)
            assert game.describe(action, game.to_act(state))
            allowed = {canonical(way) for other in legal for way in (islice(filled(other), 2000))}
            for wrong in other_actions(done, legal, chance):
                if canonical(wrong) not in allowed and not same_rotation(wrong, legal):
                    with pytest.raises(IllegalAction) as refused:
                        game.apply(state, game.action_from_json(wrong))
                    assert RULE.match(str(refused.value)) and refused.value.rule in str(refused.value)


def same_rotation(wrong: dict[str, Any], legal: list[dict[str, Any]]) -> bool:
    """Whether this fills in an open choice in one of the ways that are too many to be listed, or in another order."""
    removed = wrong.get("remove")
    if not isinstance(removed, list) or any(not isinstance(field, str) for field in removed):
        return False
    return any(
        other["type"] == "rotate"
        and {**wrong, "remove": None} == {**other, "remove": None}
        and len(set(removed)) == len(removed) == other["remove"]["choose"]
        and set(removed) <= set(other["remove"]["from"])
        for other in legal
        if isinstance(other.get("remove"), dict)
    )


def hidden_moved(name: str, data: dict[str, Any], viewer: str, chance: random.Random) -> dict[str, Any]:
    """Another state that looks the same to a viewer: stones under ships changed places, or cards in hands and pile."""
    other: dict[str, Any] = json.loads(json.dumps(data))
    if name == "pacal":
        under = [other["stones"][square] for square in other["ships"].values() if square in other["stones"]]
        stones = [{colour: n for colour, n in here.items() if colour != viewer} for here in under]
        chance.shuffle(stones)
        for here, others in zip(under, stones, strict=True):
            own = {viewer: here[viewer]} if viewer in here else {}
            here.clear()
            here.update(own | others)
        other["stones"] = {square: here for square, here in other["stones"].items() if here}
    if name == "pompeji" and data["options"].get("hands") != "hidden":
        hands = {player: hand for player, hand in other["hands"].items() if player != viewer}
        cards = [card for hand in hands.values() for card in hand]
        cards += [card for card in other["pile"] if "volcano" not in card]
        chance.shuffle(cards)
        for player, hand in hands.items():
            dealt = [cards.pop() for _ in hand]
            other["hands"][player] = sorted(dealt, key=lambda card: (card["building"], card["colour"]))
        other["pile"] = [card if "volcano" in card else cards.pop() for card in other["pile"]]
    return other


@every_game
@random_games
@given(seed=seeds)
def test_a_view_is_the_same_whatever_is_hidden_from_its_viewer(name: str, seed: int) -> None:
    game, chance = games.get(name), random.Random(seed)
    for state, _, _ in played(name, seed):
        data = game.state_to_json(state)
        for viewer in ("public", chance.choice(data["players"])):
            other = game.state_from_json(hidden_moved(name, data, viewer, chance))
            assert canonical(game.view(state, viewer)) == canonical(game.view(other, viewer))
            assert game.visible(state) == game.visible(other)
            if viewer == "public":
                assert canonical(game.outlook(state)) == canonical(game.outlook(other))
    with pytest.raises(BadCommand):
        game.view(state, "nobody")


@every_game
def test_a_drawing_is_the_same_throughout_a_game(name: str) -> None:
    game = games.get(name)
    assert len({canonical(game.drawing(step.state)) for step in played(name, 1)}) == 1


def turn_of(game: Game[Any, Any], state: Any) -> tuple[Any, ...]:
    """What stays the same while one player's turn lasts."""
    data = game.state_to_json(state)
    return (game.to_act(state), data.get("round"), data.get("interruption"), data["phase"] == "roll", data.get("turn"))


def turns_played(game: Game[Any, Any], steps: list[Played]) -> Iterator[list[Played]]:
    """The runs of steps that belong to one turn of one player, up to the last one that shows or is told."""
    run: list[Played] = []
    for step in [*steps, None]:
        if run and (step is None or turn_of(game, run[0].state) != turn_of(game, step.state)):
            while run and not (game.told(run[-1].action) or shows(game, run[-1])):
                run.pop()
            if run:
                yield run
            run = []
        if step is not None:
            run.append(step)


def shows(game: Game[Any, Any], step: Played) -> bool:
    return game.visible(step.state) != game.visible(step.after)


def without_mode(game: Game[Any, Any], actions: Any) -> str:
    """Actions as text; by what mode a ship flew cannot be told from what is seen."""
    data = [game.action_to_json(action) for action in actions]
    return canonical([{key: value for key, value in one.items() if key != "mode"} for one in data])


@every_game
@random_games
@given(seed=seeds)
def test_explain_finds_what_was_played(name: str, seed: int) -> None:
    game = games.get(name)
    for run in turns_played(game, list(played(name, seed, 80))):
        before, after = run[0].state, run[-1].after
        presses = [press for step in run for press in game.told(step.action)]
        seen = game.seen_from_json(json.loads(json.dumps(game.seen_to_json(game.visible(after)))))
        assert seen == game.visible(after)
        found = [without_mode(game, actions) for actions in game.explain(before, seen, presses)]
        actions = [game.action_from_json(sorted_lists(game.action_to_json(step.action))) for step in run]
        assert without_mode(game, actions) in found


def sorted_lists(data: dict[str, Any]) -> dict[str, Any]:
    """An action whose fields to take from are in the order in which explain names them."""
    return {key: sorted(value) if key == "remove" else value for key, value in data.items()}


@every_game
@random_games
@given(seed=seeds)
def test_turns_leave_what_is_fixed_as_it_looks_and_have_what_was_played(name: str, seed: int) -> None:
    game = games.get(name)
    for run in list(turns_played(game, list(played(name, seed, 60))))[::3]:
        now, then = game.visible(run[0].state), game.visible(run[-1].after)
        fixed = {place for place in now if now[place] == then.get(place)}
        presses = [press for step in run for press in game.told(step.action)]
        found = []
        for turn in game.turns(run[0].state, presses, fixed):
            left = game.visible(turn.state)
            assert all(left.get(place) == now[place] for place in fixed)
            found.append(without_mode(game, turn.actions))
        actions = [game.action_from_json(sorted_lists(game.action_to_json(step.action))) for step in run]
        assert without_mode(game, actions) in found


@every_game
def test_a_press_that_can_be_made_has_the_button_and_comes_back_from_json(name: str) -> None:
    game = games.get(name)
    for state, _, _ in played(name, 1):
        for button in game.buttons:
            for press in game.presses(state, button):
                assert press.button == button
                assert game.press_from_json(press.to_json()) == press


@every_game
def test_a_state_of_another_game_is_refused(name: str) -> None:
    game = games.get(name)
    for other in set(NAMES) - {name}:
        data = games.get(other).state_to_json(begin(games.get(other), random.Random(1)))
        for wrong in (data, {**data, "game": name}):
            with pytest.raises(BadState):
                game.state_from_json(wrong)


@every_game
@pytest.mark.parametrize(
    "players",
    [["red"], ["red", "red"], ["red", "orange"], ["red", 1], "red", [], None, [["red"], "blue"], ["red", None]],
    ids=str,
)
def test_players_that_cannot_be_are_refused(name: str, players: Any) -> None:
    with pytest.raises(BadCommand, match="players"):
        games.get(name).new(players, "reference", {}, 1)


@every_game
def test_more_players_than_the_game_is_for_are_refused(name: str) -> None:
    game = games.get(name)
    everybody = ["red", "yellow", "green", "blue", "purple", "white"]
    with pytest.raises(BadCommand, match="players"):
        game.new(everybody[: game.players[-1] + 1], "reference", {}, 1)
