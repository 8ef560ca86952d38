"""The options of Pacal's Rocket (spec: pacal, Rulings)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.games.options import ListOf, Number, Option, Switch, read_options
from companion.observation import Die

FACES: tuple[Die, ...] = (2, 3, 4, 5, "arrows")
MAX_FACE = 99


def _is_face(value: Any) -> bool:
    return value == "arrows" if isinstance(value, str) else type(value) is int and 1 <= value <= MAX_FACE


OPTIONS = (
    Option("target", "R-TARGET", Number("points", 1), None),
    Option("diagonal_lines", "R-DIAGONAL", Switch(), True),
    Option("empty_gaps", "R-GAPS", Switch(), False),
    Option("tilted_squares", "R-TILTED", Switch(), False),
    Option("two_player_rotation", "R-TWO-ORDER", Switch(), False),
    Option("faces", "R-DIE", ListOf(f'numbers from 1 to {MAX_FACE} and "arrows"', _is_face, FACES), list(FACES)),
    Option("master", "R-MASTER", Switch(), False),
)


@dataclass(frozen=True, slots=True)
class Options:
    """The rulings in force. ``given`` names those that were given: only these are in the JSON form.

    target: points that end the game, None for the rulebook's.
    """

    target: int | None = None
    diagonal_lines: bool = True
    empty_gaps: bool = False
    tilted_squares: bool = False
    two_player_rotation: bool = False
    faces: tuple[Die, ...] = FACES
    master: bool = False
    given: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        values = {name: getattr(self, name) for name in self.given}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def options_from_json(data: Any) -> Options:
    """Options from their JSON form. Raises ValueError that says which is wrong and what was expected."""
    values = read_options("Pacal's Rocket", OPTIONS, data)
    return Options(**values, given=tuple(values))
