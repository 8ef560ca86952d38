"""Which sequences of legal actions lead to what is seen (spec: pompeji, explain)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from companion.games.game import Press, Turn, canonical
from companion.games.pompeji.actions import Action, Discard, Draw, Permit
from companion.games.pompeji.city import City, Position
from companion.games.pompeji.pieces import (
    DiscardPress,
    DonePress,
    DrawPress,
    PermitPress,
    Statue,
    StatuePress,
)
from companion.games.pompeji.places import FreePlaces
from companion.games.pompeji.refusal import why_not
from companion.games.pompeji.state import State
from companion.games.pompeji.turn import after, in_hand, placements, places_in, statues
from companion.games.pompeji.view import visible
from companion.observation import Content, Seen
from companion.squares import Square
from companion.squares import position as column_and_row


@dataclass(frozen=True)
class Hint:
    """What a picture says of what was laid, so that the rest need not be tried.

    places: where something may have been laid, None for anywhere. content: what it was, None for anything.
    """

    places: frozenset[Position] | None = None
    content: Content | None = None


def turns(state: State, presses: Sequence[Press], fixed: Collection[Square] = ()) -> Iterator[Turn[State, Action]]:
    """Every turn that agrees with the presses and leaves some places as they look (see ``Game.turns``)."""
    places = None
    if fixed:
        free = places_in(state).places
        places = frozenset(place for place, _ in free if _changed(state.city, place).isdisjoint(fixed))
    yield from _search(state, (), _pressed(presses), Hint(places))


def explain(state: State, seen: Seen, presses: Sequence[Press]) -> list[tuple[Action, ...]]:
    """The turns that end in exactly what is seen, sorted by canonical JSON (see ``Game.explain``)."""
    seen = dict(seen)
    hint = _hint(state, seen)
    if hint is None:
        return []
    found = [turn.actions for turn in _search(state, (), _pressed(presses), hint) if visible(turn.state.city) == seen]
    return sorted(found, key=lambda actions: canonical([action.to_json() for action in actions]))


def _search(
    state: State, done: tuple[Action, ...], presses: Sequence[Press], hint: Hint
) -> Iterator[Turn[State, Action]]:
    """The turns that go on from a state in the middle of one; ``done`` is what led there."""
    for action, rest in _candidates(state, presses, hint):
        actions, following = (*done, action), after(state, action)
        if not rest:
            yield Turn(actions, following)
        if not _ended(state, following):
            yield from _search(following, actions, rest, hint)


def _candidates(state: State, presses: Sequence[Press], hint: Hint) -> Iterator[tuple[Action, Sequence[Press]]]:
    """The next actions that may be, each with the presses that are left after it."""
    if state.phase == "turn" and not isinstance(hint.content, Statue):
        places = _places(state, hint)
        for card in in_hand(state):
            if hint.content in (None, card):
                yield from ((placement, presses) for placement in placements(card, places))
    if presses:
        for action in _told(state, presses[0], hint):
            yield action, presses[1:]


def _told(state: State, press: Press, hint: Hint) -> Iterator[Action]:
    """The legal actions that a press can tell of."""
    match press:
        case StatuePress(building, colour):
            if state.phase == "turn" and hint.content in (None, Statue()):
                for statue in statues(state, _places(state, hint)):
                    if (statue.building, statue.colour) == (building, colour):
                        yield statue
        case PermitPress(player):
            yield from _if_legal(state, Permit(player))
        case DiscardPress(card):
            yield from _if_legal(state, Discard(card))
        case DrawPress(drawing):
            yield from _if_legal(state, Draw(drawing))


def _if_legal(state: State, action: Action) -> Iterator[Action]:
    if why_not(state, action) is None:
        yield action


def _places(state: State, hint: Hint) -> FreePlaces:
    free = places_in(state)
    return free if hint.places is None else free.among(hint.places)


def _pressed(presses: Sequence[Press]) -> Sequence[Press]:
    """The presses that stand for an action."""
    return [press for press in presses if not isinstance(press, DonePress)]


def _ended(before: State, after: State) -> bool:
    """Whether an action ended the turn, or that of a player who broke in."""
    broke_in = before.interruption == "running" != after.interruption
    return after.turn != before.turn or broke_in or after.phase in ("reveal", "over")


def _changed(city: City, position: Position) -> set[Square]:
    """The squares that look different when something is laid there; many, when it shifts the city's frame."""
    now, then = visible(city), visible({**city, position: Statue()})
    return {name for name, _ in now.items() ^ then.items()}


def _hint(state: State, seen: Seen) -> Hint | None:
    """What a picture says was laid; None when no turn can lead to it.

    The city may have grown at its top or left: then everything is seen elsewhere, and the start card tells where.
    """
    found = {column_and_row(name): content for name, content in seen.items()}
    for (left, top), content in found.items():
        if content == state.city[0, 0]:
            there = {(row - top, column - left): what for (column, row), what in found.items()}
            new = {place: what for place, what in there.items() if place not in state.city}
            if len(new) <= 1 and all(there.get(place) == what for place, what in state.city.items()):
                return Hint(frozenset(new), next(iter(new.values()), None))
    return None
