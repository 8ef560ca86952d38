"""Which sequences of legal actions lead to what is seen (spec: protocol, explain)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from companion.games.game import Press, Turn
from companion.games.pacal.actions import MODES, Action, BringIn, Build, Fly, Pass, Place, text
from companion.games.pacal.pieces import DonePress, GodPress, Pyramid, Ship, StonePress, Stones
from companion.games.pacal.state import State
from companion.games.pacal.turn import after, legal
from companion.games.pacal.view import visible
from companion.observation import Seen
from companion.squares import Square


@dataclass(frozen=True)
class Pressed:
    """What the presses say of a turn: the ships that got a stone (sorted), god stones discarded, whether it is done."""

    ships: tuple[str, ...]
    gods: tuple[int, ...]
    done: bool


@dataclass(frozen=True)
class Hint:
    """What a picture says of a turn, so that the rest need not be tried; None where it leaves everything open.

    ship: where the ship of the player to act stands. built: what was built where; () when nothing was. left: where a
    stone of the player to act is seen, so that none was brought in from there.
    """

    ship: Square | None = None
    built: tuple[tuple[Square, Pyramid], ...] | None = None
    left: frozenset[Square] = frozenset()


def turns(state: State, presses: Sequence[Press], fixed: Collection[Square] = ()) -> Iterator[Turn[State, Action]]:
    """Every turn that agrees with the presses and leaves what is fixed as it looks (see ``Game.turns``)."""
    now = visible(state)
    for turn in _turns(state, presses, Hint()):
        then = visible(turn.state) if fixed else now
        if all(now.get(square) == then.get(square) for square in fixed):
            yield turn


def _turns(state: State, presses: Sequence[Press], hint: Hint) -> Iterator[Turn[State, Action]]:
    """The turns that agree with the presses, of those that a hint leaves."""
    pressed = Pressed(
        ships=tuple(sorted(press.ship for press in presses if isinstance(press, StonePress))),
        gods=tuple(press.value for press in presses if isinstance(press, GodPress)),
        done=any(isinstance(press, DonePress) for press in presses),
    )
    yield from _search(state, (), pressed, hint)


def explain(state: State, seen: Seen, presses: Sequence[Press]) -> list[tuple[Action, ...]]:
    """The turns that end in exactly what is seen, sorted by canonical JSON (see ``Game.explain``)."""
    seen = dict(seen)
    if not presses and seen == visible(state):
        return []
    hint = hint_from(state, seen)
    if hint is None:
        return []
    found = [turn.actions for turn in _turns(state, presses, hint) if visible(turn.state) == seen]
    return sorted(found, key=lambda actions: f"[{','.join(text(action) for action in actions)}]")


def hint_from(state: State, seen: Seen) -> Hint | None:
    """What a picture says of a turn; None when no turn can lead to it."""
    ship = next((square for square, piece in seen.items() if piece == Ship(state.to_act)), None)
    changed = [
        (square, piece)
        for square, piece in seen.items()
        if isinstance(piece, Pyramid) and state.pyramids.get(square) != piece
    ]
    if ship is None or len(changed) > 1:
        return None
    own = [square for square, piece in seen.items() if isinstance(piece, Stones) and state.to_act in piece.colours]
    return Hint(ship, tuple(changed), frozenset(own))


def _search(state: State, done: tuple[Action, ...], pressed: Pressed, hint: Hint) -> Iterator[Turn[State, Action]]:
    """The turns that go on from a state in the middle of one; ``done`` is what led there."""
    for action in _candidates(state, hint):
        rest = _without(pressed, action)
        if rest is None:
            continue
        actions, following = (*done, action), after(state, action)
        ended = isinstance(action, Build | Pass | Place)
        if _complete(action, rest, ended):
            yield Turn(actions, following)
        if not ended:
            yield from _search(following, actions, rest, hint)


def _candidates(state: State, hint: Hint) -> list[Action]:
    """The legal actions that a hint leaves; flights that differ in their mode only once."""
    actions = legal(state)
    if state.phase == "fly":
        flights = [action for action in actions if isinstance(action, Fly)]
        if hint.ship is not None:
            flights = [flight for flight in flights if flight.to == hint.ship]
        return list(_one_mode(flights))
    if state.phase == "stones":
        return [action for action in actions if isinstance(action, BringIn) and hint.left.isdisjoint(action.origin)]
    if state.phase == "build" and hint.built is not None:
        return [
            action
            for action in actions
            if (
                hint.built == ((action.at, Pyramid(state.to_act, action.floors)),)
                if isinstance(action, Build)
                else not hint.built
            )
        ]
    return actions


def _one_mode(flights: list[Fly]) -> Iterator[Fly]:
    """For each square the flight whose mode is preferred; god flights are told apart by their press."""
    kept: dict[Square, Fly] = {}
    for flight in flights:
        if flight.god is not None:
            yield flight
        elif flight.to not in kept or MODES.index(flight.mode) < MODES.index(kept[flight.to].mode):
            kept[flight.to] = flight
    yield from kept.values()


def _without(pressed: Pressed, action: Action) -> Pressed | None:
    """The presses that are still to be accounted for after an action; None when it disagrees with them."""
    if isinstance(action, Fly):
        if pressed.gods != (() if action.god is None else (action.god,)):
            return None
        return Pressed(pressed.ships, (), pressed.done)
    if isinstance(action, BringIn):
        return Pressed((), pressed.gods, pressed.done) if tuple(sorted(action.into)) == pressed.ships else None
    return pressed


def _complete(action: Action, rest: Pressed, ended: bool) -> bool:
    """Whether a turn may be seen to stop after an action: every press is accounted for, and it shows or was pressed."""
    if rest.ships or rest.gods:
        return False
    if rest.done:
        return ended
    return isinstance(action, Fly | Build | Place) or (isinstance(action, BringIn) and bool(action.into))
