"""What hands do for an action: the squares they visit, and how they leave them."""

from __future__ import annotations

from companion import games
from companion.demo.player import play_script
from companion.demo.touches import Standing, Touch, standings, touches
from companion.games.pacal.pieces import Pyramid, Ship

PACAL = games.get("pacal")


def test_a_ship_is_lifted_and_put_down_with_the_stones_staying() -> None:
    before = {"C4": Standing(Ship("red"), stones=("blue", "red"))}
    after = {"C4": Standing(stones=("blue", "red")), "F4": Standing(Ship("red"))}
    assert touches(before, after) == [
        Touch("C4", Standing(stones=("blue", "red")), carries=Ship("red")),
        Touch("F4", Standing(Ship("red"))),
    ]


def test_stones_that_go_back_are_taken_away_after_the_flight() -> None:
    before = {"C4": Standing(Ship("red"), stones=("blue", "red", "red"))}
    after = {"C4": Standing(stones=("blue",)), "F4": Standing(Ship("red"))}
    visits = touches(before, after)
    assert visits[0].leaves.stones == ("blue", "red", "red")
    assert visits[-1] == Touch("C4", Standing(stones=("blue",)))


def test_a_building_hand_leaves_the_table_as_the_rules_do() -> None:
    before = {"A1": Standing(stones=("red",)), "B1": Standing(stones=("blue", "red"))}
    after = {"A1": Standing(pyramid=Pyramid("red", 2)), "B1": Standing(stones=("blue",))}
    assert {touch.square: touch.leaves for touch in touches(before, after)} == after


def test_hands_make_each_table_of_a_game_from_the_one_before() -> None:
    script = play_script(PACAL, ("red", "blue", "green"), "reference", {}, seed=5, max_turns=40)
    state = PACAL.new(script.opening.players, "reference", {}, None)
    table = standings(PACAL.state_to_json(state))
    for step in script.steps:
        state = PACAL.apply(state, PACAL.action_from_json(step.action)).state
        wanted = standings(PACAL.state_to_json(state))
        for touch in touches(table, wanted):
            table[touch.square] = touch.leaves
        assert {name: here for name, here in table.items() if here != Standing()} == wanted
