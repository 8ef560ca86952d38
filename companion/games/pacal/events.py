"""What happened, in words that a display can use (spec: protocol, events). Nothing here tells what is under a ship."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.game import Event
from companion.games.pacal.actions import SUPPLY, Action, BringIn, Build, Fly, Pass, Place, Roll
from companion.games.pacal.scoring import PENULTIMATE_POINTS, score
from companion.games.pacal.state import State
from companion.games.pacal.words import describe
from companion.games.phrases import counted, listed


def events(before: State, action: Action, after: State) -> tuple[Event, ...]:
    """What an action did, in the order in which it happened; each event has a ``text`` for people."""
    return tuple(_events(before, action, after))


def _events(before: State, action: Action, after: State) -> Iterator[Event]:
    player = before.to_act
    told = {"player": player, "text": describe(action, player) + "."}
    match action:
        case Place(square):
            yield {"event": "place", "square": square, **told}
        case Roll(face):
            yield {"event": "roll", "face": face, **told}
        case Fly(mode, to, god):
            flight: dict[str, Any] = {"event": "fly", "mode": mode, "from": before.ships[player], "to": to, **told}
            yield flight if god is None else {**flight, "god": god}
            yield from _returns(before, after, player)
        case BringIn(into, origin):
            taken = [name for name in origin if name != SUPPLY]
            yield {"event": "stones", "count": len(into), "taken": taken, **told}
        case Build(at, floors, uses):
            kind = "upgrade" if at in before.pyramids else "new"
            yield {"event": "build", "kind": kind, "at": at, "floors": floors, "uses": list(uses), **told}
            yield from _returns(before, after, player)
            yield from _scores(before, action, after)
        case Pass():
            yield {"event": "pass", **told}
    yield from _endings(before, after)


def _returns(before: State, after: State, player: str) -> Iterator[Event]:
    """Stones that went back to the supplies."""
    for owner in before.players:
        count = after.supply[owner].stones - before.supply[owner].stones
        if count > 0:
            text = f"{counted(count, 'stone')} of {owner} {'goes' if count == 1 else 'go'} back to the supply."
            yield {"event": "return", "player": owner, "count": count, "text": text}


def _scores(before: State, build: Build, after: State) -> Iterator[Event]:
    player = before.to_act
    points = after.track[player] - before.track[player]
    bonus = PENULTIMATE_POINTS if after.ending == "penultimate" else 0
    if points > bonus:
        district = before.ground.district[build.at]
        yield {
            "event": "score",
            "player": player,
            "points": points - bonus,
            "district": district,
            "text": f"{player} takes the majority in district {district} and scores {points - bonus}.",
        }
    if bonus:
        text = f"{player} has built the last but one pyramid and scores {bonus}."
        yield {"event": "score", "player": player, "points": bonus, "district": None, "text": text}


def _endings(before: State, after: State) -> Iterator[Event]:
    if after.ending == "target" != before.ending and after.phase != "over":
        text = f"{before.to_act} has reached {after.target} points: the round is played to its end."
        yield {"event": "last_round", "player": before.to_act, "text": text}
    if after.phase == "over":
        leaders = score(after)["leaders"]
        text = f"The game is over: {listed(leaders)} {'wins' if len(leaders) == 1 else 'win together'}."
        yield {"event": "end", "ending": after.ending, "leaders": leaders, "text": text}
    elif after.round != before.round:
        yield {"event": "round", "round": after.round, "text": f"Round {after.round} begins: {after.starter} rolls."}
