"""The options of Pacal's Rocket (spec: pacal, Rulings)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.observation import Die

FACES: tuple[Die, ...] = (2, 3, 4, 5, "arrows")
MAX_FACE = 99

_SWITCHES = ("diagonal_lines", "empty_gaps", "tilted_squares", "two_player_rotation", "master")


@dataclass(frozen=True, slots=True)
class Options:
    """The rulings in force. ``given`` names those that were given: only these are in the JSON form.

    target: points that end the game, None for the rulebook's (R-TARGET). diagonal_lines: R-DIAGONAL. empty_gaps:
    R-GAPS. tilted_squares: R-TILTED. two_player_rotation: R-TWO-ORDER. faces: what is on the die (R-DIE). master:
    BUILD-7.
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
    if not isinstance(data, Mapping):
        raise ValueError(f"options must be an object, not {data!r}")
    values: dict[str, Any] = {}
    for name, value in data.items():
        if name in _SWITCHES:
            if not isinstance(value, bool):
                raise ValueError(f"option {name} must be true or false, not {value!r}")
            values[name] = value
        elif name == "target":
            if type(value) is not int or value < 1:
                raise ValueError(f"option target must be a whole number of points from 1, not {value!r}")
            values[name] = value
        elif name == "faces":
            values[name] = _faces(value)
        else:
            known = ", ".join(("target", "faces", *_SWITCHES))
            raise ValueError(f"Pacal's Rocket has no option {name!r}; there are: {known}")
    return Options(**values, given=tuple(values))


def _faces(value: Any) -> tuple[Die, ...]:
    if not isinstance(value, list) or not value:
        raise ValueError(f"option faces must be a list of faces of the die, not {value!r}")
    for face in value:
        if face != "arrows" and (type(face) is not int or not 1 <= face <= MAX_FACE):
            raise ValueError(f'option faces: a face is a number from 1 to {MAX_FACE} or "arrows", not {face!r}')
    return tuple(value)
