"""What happened, in words that a display can use (spec: protocol, events). Nothing here tells what a drawn card is."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.game import Event
from companion.games.phrases import counted, listed
from companion.games.pompeji.actions import Action, Discard, Permit, Place, PlaceStatue, Reveal
from companion.games.pompeji.pieces import Card
from companion.games.pompeji.scoring import hand_penalty, score, scored
from companion.games.pompeji.state import State
from companion.games.pompeji.turn import STATUE_VALUE
from companion.games.pompeji.words import describe


def events(before: State, action: Action, after: State) -> tuple[Event, ...]:
    """What an action did, in the order in which it happened; each event has a ``text`` for people."""
    return tuple(_events(before, action, after))


def _events(before: State, action: Action, after: State) -> Iterator[Event]:
    player = before.to_act
    told = {"player": player, "text": describe(action, player) + "."}
    match action:
        case Place(card, row, column):
            yield {"event": "place", "card": card.to_json(), "row": row, "column": column, **told}
            yield from _scores(before, action, card)
        case PlaceStatue(row, column, building, colour):
            said = {"building": building, "colour": colour}
            yield {"event": "statue", "row": row, "column": column, **said, **told}
            yield from _scores(before, action, Card(building, colour, STATUE_VALUE))
        case Discard(card):
            yield {"event": "discard", "card": card.to_json(), **told}
        case Permit(owner):
            yield {"event": "permit", **told, "player": owner}
        case Reveal(cards):
            yield {"event": "reveal", "cards": [card.to_json() for card in cards], **told}
    yield from _drawn(before, action, after)
    yield from _turns(before, action, after)


def _scores(before: State, action: Place | PlaceStatue, card: Card) -> Iterator[Event]:
    """The points for a card, street by street."""
    player = before.to_act
    streets = scored(before.city, (action.row, action.column), card, before.options.seventh_counts_statues)
    points = sum(street.points for street in streets)
    if not points:
        return
    parts = [
        f"{part} for {what} ({street.street})"
        for street in streets
        for part, what in (
            (street.building, card.building),
            (street.colour, card.colour),
            (street.seventh, "the seventh building"),
        )
        if part
    ]
    yield {
        "event": "score",
        "player": player,
        "points": points,
        "streets": [street._asdict() for street in streets],
        "text": f"{player} scores {points}: {listed(parts)}.",
    }


def _drawn(before: State, action: Action, after: State) -> Iterator[Event]:
    """What was drawn: volcanoes, and whether a card came into the hand or none was wanted."""
    player = before.to_act
    for number in range(before.volcanoes + 1, after.volcanoes + 1):
        text = f"{player} draws the {'first' if number == 1 else 'second'} volcano."
        yield {"event": "volcano", "player": player, "number": number, "text": text}
    played = isinstance(action, Place | Discard)
    if after.hand_size(player) > before.hand_size(player) - played:
        yield {"event": "draw", "player": player, "text": f"{player} draws a card."}
    elif before.phase == "draw" and after.volcanoes == before.volcanoes:
        yield {"event": "keep", "player": player, "text": f"{player} draws no card."}
    elif after.phase == "drawn" != before.phase:
        text = f"{player} draws; whether it is a building card or a volcano must be told."
        yield {"event": "drawing", "player": player, "text": text}


def _turns(before: State, action: Action, after: State) -> Iterator[Event]:
    """Whose turn it is now, or how the game ended."""
    if after.phase == "over":
        yield from _end(after)
    elif after.turn != before.turn:
        text = f"It is the turn of {after.turn_of}."
        yield {"event": "turn", "turn": after.turn, "player": after.turn_of, "text": text}
    elif (before.interruption, after.interruption) == ("running", "used"):
        text = f"{after.turn_of} goes on with the turn that was broken into."
        yield {"event": "turn", "turn": after.turn, "player": after.turn_of, "text": text}


def _end(after: State) -> Iterator[Event]:
    for player in after.players:
        penalty = hand_penalty(after, player)
        if penalty:
            text = f"{player} loses {counted(penalty, 'point')} for what is left."
            yield {"event": "hand", "player": player, "points": -penalty, "text": text}
    leaders = score(after)["leaders"]
    text = f"The game is over: {listed(leaders)} {'wins' if len(leaders) == 1 else 'win together'}."
    yield {"event": "end", "ending": after.ending, "leaders": leaders, "text": text}
