"""What the session is told from outside, and what the page may ask of it: values only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from companion.observation import Reading
from companion.table.snapshot import Snapshot

# -- what comes from the camera and the buttons


@dataclass(frozen=True)
class Settled:
    """The board was still and no hand was over it: what was read then.

    t: when the picture was taken, in seconds on the camera's clock. picture: the frame as JPEG, what could show hidden
    things painted over, or None. again: whether nothing has changed since the last one, and it was but read again, as
    that left something in doubt.
    """

    reading: Reading
    t: float
    picture: bytes | None = None
    again: bool = False


@dataclass(frozen=True)
class Watching:
    """What the camera is at between two settled readings.

    sight: ``hands`` over the table, pieces ``moving``, all ``still``, ``unusable`` picture (reason says why), or
    ``dead``: no picture comes at all. It is told when it changes, and always for the first frame after a settled one:
    ``still`` then says that nothing has changed while that was read.
    """

    sight: Literal["hands", "moving", "still", "unusable", "dead"]
    reason: str | None = None


@dataclass(frozen=True)
class Pressed:
    """A button was pressed: a colour, ``"god"``, ``"done"`` or ``"undo"``.

    t: when, in seconds, on the camera's clock where it can be: a time that is too late costs the wait for one frame.
    """

    button: str
    t: float


# -- what the operator's page asks


@dataclass(frozen=True)
class NewGame:
    """Start a game; the one that is on is kept in the journal. board: None is the table's own."""

    game: str
    players: Sequence[str]
    board: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Act:
    """Do an action as if it had been seen: a die tapped, a game kept by hand.

    version: that of the snapshot it was chosen from; the session refuses it when the table has moved on.
    """

    action: Mapping[str, Any]
    version: int


@dataclass(frozen=True)
class Choose:
    """Answer a doubt with one of the choices offered in the snapshot of that version."""

    choice: str
    version: int


@dataclass(frozen=True)
class Undo:
    """Take the last accepted actions back (those that were accepted together).

    version: that of the snapshot that showed them; the session refuses it when the table has moved on, as when
    somebody else has taken them back already. None, as from a button: whatever was last.
    """

    version: int | None = None


@dataclass(frozen=True)
class Correct:
    """Replace the state by hand; ``state`` is its JSON form."""

    state: Mapping[str, Any]


Command: TypeAlias = NewGame | Act | Choose | Undo | Correct | Pressed

Happening: TypeAlias = Settled | Watching | Pressed


class Desk(Protocol):
    """What the web page sees of the table. Every method may be called from any thread."""

    def snapshot(self) -> Snapshot:
        """The newest public snapshot."""

    def wait(self, version: int, timeout: float) -> Snapshot | None:
        """The newest snapshot once its version is not ``version``; None when ``timeout`` seconds passed before."""

    def do(self, command: Command) -> Snapshot:
        """Carry a command out; returns once it is in the journal. Raises CompanionError with a sentence for people."""

    def picture(self) -> bytes | None:
        """The last settled picture as JPEG, what could show hidden things painted over."""
