"""What is legal in each phase, and the state after an action (ROUND-1, ROUND-2, TURN-1, END-1 to END-3)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.pacal.actions import SUPPLY, Action, BringIn, Build, Fly, Pass, Place, Roll, text
from companion.games.pacal.building import builds
from companion.games.pacal.flight import ALLOWANCE, flights
from companion.games.pacal.pieces import Pyramid
from companion.games.pacal.scoring import PENULTIMATE_POINTS, majority_points
from companion.games.pacal.state import Phase, State, starter_of
from companion.games.pacal.stones import bringings, put_stone, take_stones, uncover


def legal(state: State) -> list[Action]:
    """Every legal action of the player to act, sorted by canonical JSON."""
    match state.phase:
        case "place":
            taken = state.ship_squares()
            return [Place(name) for name in sorted(state.ground.sacred) if name not in taken]
        case "roll":
            return sorted([Roll(face) for face in dict.fromkeys(state.options.faces)], key=text)
        case "fly":
            return list(flights(state))
        case "stones":
            return list(bringings(state))
        case "build":
            return [*builds(state, state.to_act), Pass()]
        case "over":
            return []


def is_legal(state: State, action: Action) -> bool:
    # Actions are tuples, and tuples of different kinds may be equal.
    return any(action == entry and type(action) is type(entry) for entry in legal(state))


def after(state: State, action: Action) -> State:
    """The state after an action that is legal; whether it is must be known already."""
    match action:
        case Place(square):
            return _after_place(state, square)
        case Roll(face):
            return replace(state, phase="fly", roll=face)
        case Fly():
            return _after_flight(state, action)
        case BringIn():
            return _after_stones(state, action)
        case Build():
            return _after_build(state, action)
        case Pass():
            return _next_turn(state)


def _after_place(state: State, square: str) -> State:
    ships = {**state.ships, state.to_act: square}
    following = state.after(state.to_act)
    phase: Phase = "roll" if ships[following] is not None else "place"
    return replace(state, ships=ships, to_act=following, phase=phase)


def _after_flight(state: State, flight: Fly) -> State:
    player = state.to_act
    start = state.ships[player]
    assert start is not None
    stones, supply = uncover(state.stones, start, state.supply)
    if flight.god is not None:
        own = supply[player]
        supply[player] = own._replace(gods=tuple(god for god in own.gods if god != flight.god))
    allowance = ALLOWANCE[flight.mode]
    return replace(
        state,
        phase="stones" if allowance else "build",
        allowance=allowance,
        ships={**state.ships, player: flight.to},
        stones=stones,
        supply=supply,
    )


def _after_stones(state: State, action: BringIn) -> State:
    player = state.to_act
    stones = state.stones
    for origin in action.origin:
        if origin != SUPPLY:
            stones = take_stones(stones, origin, player)
    for ship in action.into:
        square = state.ships[ship]
        assert square is not None
        stones = put_stone(stones, square, player)
    own = state.supply[player].give_stones(-action.origin.count(SUPPLY))
    return replace(state, phase="build", allowance=0, stones=stones, supply={**state.supply, player: own})


def _after_build(state: State, build: Build) -> State:
    player = state.to_act
    stones = state.stones
    supply = dict(state.supply)
    replaced = state.pyramids.get(build.at)
    if replaced is not None:
        supply[player] = supply[player].give_pyramid(replaced.floors)
    supply[player] = supply[player].give_pyramid(build.floors, -1)
    for name in build.uses:
        if name not in state.pyramids:
            stones = take_stones(stones, name, player)
            supply[player] = supply[player].give_stones(1)
    for colour in stones.get(build.at, {}):
        supply[colour] = supply[colour].give_stones(1)
    pyramids = {**state.pyramids, build.at: Pyramid(player, build.floors)}
    points = majority_points(state, player, state.ground.district[build.at], pyramids)
    penultimate = replaced is None and sum(supply[player].pyramids) == 1
    points += PENULTIMATE_POINTS if penultimate else 0
    built = replace(
        state,
        stones={name: colours for name, colours in stones.items() if name != build.at},
        pyramids=pyramids,
        supply=supply,
        track={**state.track, player: state.track[player] + points},
    )
    if penultimate:
        return _end(replace(built, ending="penultimate"))
    if built.track[player] >= built.target:
        built = replace(built, ending="target")
        if len(state.players) == 2:
            return _end(built)
    return _next_turn(built)


def _next_turn(state: State) -> State:
    following = state.after(state.to_act)
    if following != state.starter:
        phase: Phase = "fly" if len(state.players) > 2 else "roll"
        roll = state.roll if phase == "fly" else None
        return replace(state, phase=phase, roll=roll, allowance=0, to_act=following)
    if state.ending is not None:
        return _end(state)
    round_ = state.round + 1
    starter = starter_of(state.players, round_, state.first_rotates)
    return replace(state, phase="roll", roll=None, allowance=0, round=round_, starter=starter, to_act=starter)


def _end(state: State) -> State:
    return replace(state, phase="over", roll=None, allowance=0)
