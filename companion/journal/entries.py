"""What the journal holds: frozen values, and their JSON form.

An entry never changes the ones before it. What a game's entries add up to says ``companion.journal.replay``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias, get_args

import msgspec

from companion.errors import JournalError
from companion.observation import Place

Json: TypeAlias = Mapping[str, Any]

Why: TypeAlias = Literal["seen", "pressed", "by hand", "chosen"]
"""What an accepted action rests on: the camera, a button, the operator, or the answer to a doubt."""

WHYS: tuple[Why, ...] = get_args(Why)


@dataclass(frozen=True)
class Started:
    """A game began. board: a built-in one's name, or all that the file of its layout said, for that may be moved or
    changed (``companion.boards.to_keep``). seed: what ``Game.new`` was given."""

    kind: ClassVar[str] = "started"
    game: str
    players: tuple[str, ...]
    board: str
    options: Json = field(default_factory=dict)
    seed: int | None = None


@dataclass(frozen=True)
class Accepted:
    """Actions that happened, accepted together, in order, each in its JSON form.

    used: the presses that they answer to, in their JSON form; the other pending presses stay pending.
    """

    kind: ClassVar[str] = "accepted"
    actions: tuple[Json, ...]
    why: Why
    used: tuple[Json, ...] = ()


@dataclass(frozen=True)
class Pressed:
    """A press that counts, in its JSON form: pending until accepted actions answer to it.

    deferred: whether it is what the first of the deferred buttons meant. asked: whether it is what the button meant
    that was asked about.
    """

    kind: ClassVar[str] = "pressed"
    press: Json
    deferred: bool = False
    asked: bool = False


@dataclass(frozen=True)
class Asked:
    """A button was pressed that can mean several presses, in their JSON form: which it meant is asked."""

    kind: ClassVar[str] = "asked"
    presses: tuple[Json, ...]


@dataclass(frozen=True)
class Deferred:
    """A button was pressed while 'done' waits for its picture: the next player's, so it counts once 'done' is
    answered, and means what it does then."""

    kind: ClassVar[str] = "deferred"
    button: str


@dataclass(frozen=True)
class Dropped:
    """So many of the deferred buttons, the first ones, count for nothing."""

    kind: ClassVar[str] = "dropped"
    count: int


@dataclass(frozen=True)
class Corrected:
    """The state, in its JSON form, was set by hand; pending presses, deferred buttons and what is asked are dropped."""

    kind: ClassVar[str] = "corrected"
    state: Json


@dataclass(frozen=True)
class Kept:
    """People said that the picture is wrong on some squares. shown: what it shows there, in the game's form of that."""

    kind: ClassVar[str] = "kept"
    squares: tuple[Place, ...]
    shown: Json


@dataclass(frozen=True)
class Undone:
    """The last thing that still stood was taken back."""

    kind: ClassVar[str] = "undone"


Entry: TypeAlias = Started | Accepted | Pressed | Asked | Deferred | Dropped | Corrected | Kept | Undone

KINDS: dict[str, type[Entry]] = {kind.kind: kind for kind in get_args(Entry)}


class Recorded(NamedTuple):
    """An entry as it lies in the journal.

    seq: grows from entry to entry over all games. game: the number of the game. t: wall clock, seconds since 1970.
    """

    seq: int
    game: int
    t: float
    entry: Entry


def entry_to_json(entry: Entry) -> dict[str, Any]:
    """The content of an entry, without its kind."""
    data: dict[str, Any] = msgspec.to_builtins(entry)
    return data


def entry_from_json(kind: str, data: Any) -> Entry:
    """An entry from its kind and its content. Raises JournalError that says what is wrong with it."""
    if kind not in KINDS:
        raise JournalError(f"an entry of kind {kind!r}: one of {', '.join(KINDS)} was expected")
    try:
        return msgspec.convert(data, KINDS[kind])
    except msgspec.ValidationError as error:
        raise JournalError(f"an entry of kind {kind!r} of the wrong form: {error}") from None
