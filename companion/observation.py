"""What a camera above the table sees: values, and their JSON form (spec: observation).

An *observation* says what is on each place; a *reading* says how likely each thing is there. Places with nothing on
them are not listed in an observation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeAlias, TypeVar

from companion.squares import Square, reading_order

FORMAT = 1

K = TypeVar("K")

Place: TypeAlias = Square
"""Where something can lie or stand: a square of the board, or of a grid from the top left corner of what is seen."""

Die: TypeAlias = int | str
"""2 to 5, or ``"arrows"``."""


class Content(Protocol):
    """What stands on one place: an immutable, hashable value that belongs to a game (its ``pieces`` module)."""

    def to_json(self) -> dict[str, Any]: ...

    def __hash__(self) -> int: ...


Odds: TypeAlias = Mapping[Content | None, float]
"""The probability of each content of a place, None being nothing."""

Seen: TypeAlias = Mapping[Place, Content]
"""What is on each place that holds something."""


def likeliest(odds: Odds) -> Content | None:
    """What is most likely there."""
    return max(odds, key=lambda content: odds[content])


def squares_to_json(seen: Seen) -> dict[str, Any]:
    """The ``squares`` of an observation, row by row."""
    return {name: seen[name].to_json() for name in sorted(seen, key=reading_order)}


@dataclass(frozen=True)
class Reading:
    """What was read from one picture, with how sure it is.

    squares: for each square of the board the probability of each content, None being 'nothing'; each adds up to 1.
    What is missing from 1, if anything, is doubt: all contents share it, whether they are listed or not.
    die: what the die shows, None when none was found; die_confidence: the probability of that. usable is False, with
    the reason for people, when the picture is not fit to be read; squares is empty then, and nothing is said of the die
    with any confidence. board_corners_px: the corner
    at A1, then clockwise as seen from above.
    unseen: for squares of which something hides a part other contents that may show no more than the likeliest, with
    the probability that they do: how likely they are is for those to say who know what was there before.
    """

    game: str
    board: str
    squares: Mapping[Place, Odds] = field(default_factory=dict)
    die: Die | None = None
    die_confidence: float = 1.0
    usable: bool = True
    reason: str | None = None
    board_corners_px: tuple[tuple[float, float], ...] | None = None
    unseen: Mapping[Place, Mapping[Content, float]] = field(default_factory=dict)

    @staticmethod
    def unusable(game: str, board: str, reason: str) -> Reading:
        """That of a picture which is not fit to be read."""
        return Reading(game, board, die_confidence=0.0, usable=False, reason=reason)

    def seen(self) -> dict[Place, Content]:
        """The most likely content of each square that most likely holds something."""
        best = {name: likeliest(odds) for name, odds in self.squares.items()}
        return {name: content for name, content in best.items() if content is not None}

    def confidence(self) -> dict[Place, float]:
        """The probability of the most likely content of each square."""
        return {name: max(odds.values()) for name, odds in self.squares.items()}

    def to_json(self) -> dict[str, Any]:
        """The form that ``companion read`` prints (spec: observation)."""
        data: dict[str, Any] = {
            "format": FORMAT,
            "game": self.game,
            "board": self.board,
            "squares": squares_to_json(self.seen()),
            "die": self.die,
            "die_confidence": round(self.die_confidence, 4),
            "confidence": {
                name: round(p, 4) for name, p in sorted(self.confidence().items(), key=lambda i: reading_order(i[0]))
            },
            "usable": self.usable,
        }
        if self.reason is not None:
            data["reason"] = self.reason
        if self.board_corners_px is not None:
            data["board_corners_px"] = [[round(x, 2), round(y, 2)] for x, y in self.board_corners_px]
        return data


def mean_reading(readings: Sequence[Reading]) -> Reading:
    """What readings of the same board say together, of which there is at least one, all of them usable: the mean of
    their probabilities. One that errs is outvoted, and where they contradict each other nothing is sure.

    The board's corners are those of the newest. What may show no more than what is likeliest is said as by the newest
    that takes the same for likeliest.
    """
    newest = readings[-1]
    if len(readings) == 1:
        return newest
    squares = {name: _mean([reading.squares[name] for reading in readings]) for name in newest.squares}
    die_odds = _mean([{reading.die: reading.die_confidence} for reading in readings])
    die = max(die_odds, key=lambda face: die_odds[face])
    unseen = {
        name: reading.unseen[name]
        for reading in readings
        for name in reading.unseen
        if likeliest(reading.squares[name]) == likeliest(squares[name])
    }
    return replace(newest, squares=squares, die=die, die_confidence=die_odds[die], unseen=unseen)


def _mean(of: Sequence[Mapping[K, float]]) -> dict[K, float]:
    """The mean of probabilities; what one does not list has none there."""
    names = dict.fromkeys(name for odds in of for name in odds)
    return {name: sum(odds.get(name, 0.0) for odds in of) / len(of) for name in names}
