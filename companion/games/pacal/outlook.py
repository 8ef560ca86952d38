"""What can be done now, and how the board is drawn: JSON for the public page, so nothing here looks under a ship."""

from __future__ import annotations

from typing import Any

from companion.games.pacal.actions import Action, Build, Fly, Mode
from companion.games.pacal.building import builds
from companion.games.pacal.flight import ALLOWANCE
from companion.games.pacal.scoring import floors_in, leader
from companion.games.pacal.state import State
from companion.games.pacal.turn import after, legal
from companion.games.pacal.words import choice
from companion.games.phrases import counted

STEPS = ("roll", "fly", "stones", "build")


def outlook(state: State) -> dict[str, Any]:
    """What is still to do in this turn, what can be done for it, who leads where, and how near the end is."""
    actions = legal(state)
    return {
        "todo": _todo(state, actions),
        "actions": [_entry(state, action) for action in actions if not isinstance(action, Fly | Build)],
        "flights": [_flight(state, action) for action in actions if isinstance(action, Fly)],
        "builds": _builds(state),
        "majorities": majorities(state),
        "end": end(state),
    }


def drawing(state: State) -> dict[str, Any]:
    """The maps of the layout, as in its file, and the squares under covers."""
    layout = state.ground.layout
    return {
        "columns": len(layout.districts[0]),
        "rows": len(layout.districts),
        "districts": list(layout.districts),
        "shore": list(layout.shore),
        "values": dict(layout.values),
        "sacred": layout.sacred,
        "covered": list(state.ground.covered),
    }


def majorities(state: State) -> dict[str, Any]:
    """Each district in play with its value, the floors in it and who has the majority."""
    return {
        district: {"value": state.ground.values[district], "floors": floors, "leader": leader(floors)}
        for district in sorted(set(state.ground.district.values()))
        for floors in [floors_in(state, state.pyramids, district)]
    }


def end(state: State) -> str:
    """How near the end is, in one sentence."""
    if state.phase == "over":
        why = {"target": f"{state.target} points were reached", "penultimate": "a last but one pyramid was built"}
        return f"The game is over: {why[state.ending or 'target']}."
    if state.ending == "target":
        return f"{state.target} points have been reached: this round is the last."
    most = max(state.track.values())
    first = next(player for player in state.players if state.track[player] == most)
    fewest = min(state.players, key=lambda player: sum(state.supply[player].pyramids))
    left = sum(state.supply[fewest].pyramids) - 1
    return (
        f"{first} has {most} of the {state.target} points that end the game; "
        f"{fewest} would end it with {counted(left, 'more new pyramid')}."
    )


def _todo(state: State, actions: list[Action]) -> list[dict[str, str]]:
    if state.phase in ("place", "over"):
        return []
    texts = {
        "roll": "roll the die" if state.roll is None else f"rolled: {state.roll}",
        "fly": _flying(state, {action.mode for action in actions if isinstance(action, Fly)}),
        "stones": f"bring in up to {counted(state.allowance, 'stone')}" if state.allowance else "bring in stones",
        "build": "build one pyramid, or none",
    }
    now = STEPS.index(state.phase)
    states = ["done"] * now + ["now"] + ["open"] * (len(STEPS) - now - 1)
    return [{"step": step, "state": at, "text": texts[step]} for step, at in zip(STEPS, states, strict=True)]


def _flying(state: State, modes: set[Mode]) -> str:
    """How the player to act can fly. Before it is time to: in the first round not by a god stone as well (FLY-9)."""
    if modes == {"god"}:
        return "discard a god stone to fly"
    god = "god" in modes if modes else state.round > 1 and state.supply[state.to_act].gods
    return "fly, or discard a god stone" if god else "fly"


def _entry(state: State, action: Action) -> dict[str, Any]:
    return {"action": action.to_json(), "text": choice(action, state.to_act)}


def _flight(state: State, flight: Fly) -> dict[str, Any]:
    entry = _entry(state, flight)
    return {**entry, "to": flight.to, "mode": flight.mode, "stones": ALLOWANCE[flight.mode]}


def _builds(state: State) -> list[dict[str, Any]]:
    """The builds that the markers seen now allow the player to act, whether it is time to build or not."""
    if state.phase in ("place", "over"):
        return []
    return [_build(state, build) for build in sorted(builds(state, state.to_act), key=_rank)]


def _rank(build: Build) -> tuple[int, str, tuple[str, ...]]:
    return -build.floors, build.at, build.uses


def _build(state: State, build: Build) -> dict[str, Any]:
    scored = after(state, build).track[state.to_act] - state.track[state.to_act]
    return {
        **_entry(state, build),
        "at": build.at,
        "floors": build.floors,
        "uses": list(build.uses),
        "kind": "upgrade" if build.at in state.pyramids else "new",
        "scores": scored,
        "district": state.ground.district[build.at],
    }
