"""What happened, in words that a display can use (spec: protocol, events)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.game import Event
from companion.games.pacru.actions import Action, Move, Rotate
from companion.games.pacru.state import State
from companion.games.pacru.words import describe
from companion.games.phrases import counted, listed


def events(before: State, action: Action, after: State) -> tuple[Event, ...]:
    """What an action did, in the order in which it happened; each event has a ``text`` for people."""
    return tuple(_events(before, action, after))


def _events(before: State, action: Action, after: State) -> Iterator[Event]:
    player = before.to_act
    told = {"player": player, "text": describe(action, player) + "."}
    match action:
        case Move(start, to):
            yield {"event": "move", "from": start, "to": to, "heading": after.chevrons[to].heading, **told}
            yield from _captured(before, to)
            yield from _marked(before, after)
        case Rotate(name, heading, remove):
            yield {"event": "rotate", "field": name, "heading": heading, "removed": list(remove), **told}
    yield from _out(before, action, after)
    yield from _end(after)


def _captured(before: State, to: str) -> Iterator[Event]:
    chevron = before.chevrons.get(to)
    if chevron is not None:
        text = f"{before.to_act} catches the {chevron.colour} chevron on {to} in a pincer."
        yield {"event": "capture", "player": before.to_act, "colour": chevron.colour, "field": to, "text": text}


def _marked(before: State, after: State) -> Iterator[Event]:
    """Markers put on the board, and those of others that went back to the supplies for them."""
    player = before.to_act
    fields = sorted(name for name, owner in after.markers.items() if owner == player != before.markers.get(name))
    if fields:
        text = f"{player} puts {counted(len(fields), 'marker')} on the board, on {listed(fields)}."
        yield {"event": "mark", "player": player, "fields": fields, "text": text}
    for owner in before.players:
        count = after.supply[owner] - before.supply[owner]
        if count > 0:
            text = f"{counted(count, 'marker')} of {owner} {'goes' if count == 1 else 'go'} back to the supply."
            yield {"event": "return", "player": owner, "count": count, "text": text}


def _out(before: State, action: Action, after: State) -> Iterator[Event]:
    caught = action.to if isinstance(action, Move) else None
    for player in after.out[len(before.out) :]:
        left = [name for name, chevron in before.chevrons.items() if chevron.colour == player and name != caught]
        text = f"{player} {'cannot move any chevron' if left else 'has lost the last chevron'} and is out."
        yield {"event": "out", "player": player, "text": text}


def _end(after: State) -> Iterator[Event]:
    if after.phase == "over":
        why = "has put the last marker on the board" if after.ending == "markers" else "is the last in the game"
        text = f"The game is over: {after.winner} {why} and wins."
        yield {"event": "end", "ending": after.ending, "leaders": [after.winner], "text": text}
