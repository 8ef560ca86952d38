"""The face that every game shows: values and functions, the same for all, so that nothing above knows which is on.

A game is a package below ``companion.games`` whose ``__init__`` offers one ``Game``. States and actions are immutable
values of the game's own; only the game looks inside them. Rules never roll dice and never shuffle by themselves: chance
arrives as an action, or as the seed of ``new``.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from companion.boards import Board
from companion.games.options import Option
from companion.observation import Place, Seen

State = TypeVar("State")
Action = TypeVar("Action")

Event: TypeAlias = dict[str, Any]
"""Something that happened, for a display: ``{"event": "score", "player": "red", "points": 5, "district": "E"}``.

Events are public: they never tell what lies under a ship or in a hand.
"""


class Press(Protocol):
    """What a player told with a button, because no camera can see it; an immutable value that belongs to a game."""

    @property
    def button(self) -> str:
        """The one of the game's ``buttons`` that is pressed for it."""

    def to_json(self) -> dict[str, Any]: ...

    def __hash__(self) -> int: ...


class Step(NamedTuple, Generic[State]):
    """What an action leads to."""

    state: State
    events: tuple[Event, ...]


class Turn(NamedTuple, Generic[State, Action]):
    """Legal actions one after the other, and the state after the last of them."""

    actions: tuple[Action, ...]
    state: State


class Game(Protocol[State, Action]):
    """What the referee, the journal, the session and the page need of a game."""

    name: str
    title: str
    """For people: "Pacal's Rocket"."""
    colours: tuple[str, ...]
    players: range
    """How many can play."""
    options: tuple[Option, ...]
    """What players can agree on, in the order in which it is told."""
    buttons: tuple[str, ...]
    """The buttons that can mean something in this game."""

    def board(self, board: str) -> Board | None:
        """The printed board of a layout (``boards.read_layout``), None when the game has none. Raises BadLayout."""

    def new(
        self,
        players: Sequence[str],
        board: str,
        options: Mapping[str, Any],
        seed: int | None,
        more: Mapping[str, Any] | None = None,
    ) -> State:
        """The first state of a game. Raises BadCommand for players or options that there are not, and BadLayout.

        more: what else a new game of some kind is given (a start card), under the names of its specification.
        """

    def state_from_json(self, data: Any) -> State:
        """A state from its JSON form. Raises BadState, saying what is wrong, for one that contradicts itself."""

    def state_to_json(self, state: State) -> dict[str, Any]: ...

    def action_from_json(self, data: Any) -> Action:
        """An action from its JSON form; whether it is legal shows ``apply``. Raises IllegalAction on another form."""

    def action_to_json(self, action: Action) -> dict[str, Any]: ...

    def legal(self, state: State) -> list[Action]:
        """Every legal action, sorted by canonical JSON.

        One whose JSON leaves a choice open stands for all that fill it in (``filled``); only those can be applied.
        """

    def apply(self, state: State, action: Action) -> Step[State]:
        """The state after an action. Raises IllegalAction with the ID of the rule that the action breaks."""

    def to_act(self, state: State) -> str:
        """The player to act (when it is over: whose action ended the game)."""

    def over(self, state: State) -> bool: ...

    def visible(self, state: State) -> Seen:
        """What a camera above the table must see."""

    def seen_to_json(self, seen: Seen) -> dict[str, Any]:
        """The observation's part that says what is seen: ``{"squares": …}``."""

    def seen_from_json(self, message: Mapping[str, Any]) -> Seen:
        """What is seen, from a message that holds it (``squares``, ``cards``). Raises BadCommand."""

    def press_from_json(self, data: Any) -> Press:
        """Raises BadCommand for a press that the game does not know."""

    def presses(self, state: State, button: str) -> list[Press]:
        """What one of ``buttons`` can mean now. Empty when it means nothing; several when the player must be asked
        which."""

    def told(self, action: Action) -> tuple[Press, ...]:
        """The presses by which players tell of an action; none when the camera sees it, or there is nothing to tell."""

    def score(self, state: State) -> dict[str, Any]:
        """The score as if the game ended now."""

    def view(self, state: State, viewer: str) -> dict[str, Any]:
        """The state as JSON without what the viewer (``"public"``, or a colour) may not know. Raises BadCommand."""

    def turns(
        self, state: State, presses: Sequence[Press], fixed: Collection[Place] = ()
    ) -> Iterator[Turn[State, Action]]:
        """Every sequence of legal actions that stays within this turn and agrees with the presses (spec: protocol,
        explain), whatever it would leave to see; flights that differ only in their mode once.

        fixed: places that surely look as they did before: only turns that leave them so. Without any there can be very
        many turns.
        """

    def explain(self, state: State, seen: Seen, presses: Sequence[Press]) -> list[tuple[Action, ...]]:
        """The sequences of ``turns`` that end in exactly what is seen, sorted by canonical JSON."""

    def describe(self, action: Action, player: str) -> str:
        """An action in words, for a button or a log: public, it tells nothing hidden."""

    def name_content(self, content: Any) -> str:
        """What is on a place, in words; None is nothing."""

    def outlook(self, state: State) -> dict[str, Any]:
        """What can be done now, for the public page: JSON of the game's own form, each thing with its ``action``.

        Tells nothing hidden.
        """

    def drawing(self, state: State) -> dict[str, Any]:
        """What the page needs to draw the board, as JSON of the game's own form; the same throughout a game."""


def filled(action: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The actions, as JSON, that one of ``legal`` stands for: itself, or each filling of its open choices.

    An open choice is ``{"choose": 2, "from": [...]}``: so many different entries of the list.
    """
    ways = [
        [list(some) for some in combinations(value["from"], value["choose"])] if _is_open(value) else [value]
        for value in action.values()
    ]
    for values in product(*ways):
        yield dict(zip(action, values, strict=True))


def _is_open(value: Any) -> bool:
    return isinstance(value, Mapping) and value.keys() == {"choose", "from"}


def canonical(data: Any) -> str:
    """Canonical JSON (spec: protocol): sorted keys, no spaces."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"))
