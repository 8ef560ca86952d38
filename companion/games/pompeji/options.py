"""The options of Pompeji (spec: pompeji, Rulings)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.games.options import Number, OneOf, Option, Switch, read_options

OPTIONS = (
    Option("hands", "R-HIDDEN", OneOf(("open", "hidden")), "open"),
    Option("permits", "R-PERMIT-TWICE", Number("permits", 1, 2), 1),
    Option("attach_to_statue", "R-ATTACH", Switch(), True),
    Option("seventh_counts_statues", "R-SEVENTH", Switch(), False),
    Option("statue_before_discard", "R-NO-PLACE", Switch(), False),
    Option("statue_draw", "R-STATUE-DRAW", Switch(), False),
    Option("first_volcano_draw", "R-FIRST-VOLCANO", OneOf(("choice", "forced", "none")), "choice"),
    Option("statue_penalty", "R-STATUE-HAND", Switch(), False),
)


@dataclass(frozen=True, slots=True)
class Options:
    """The rulings in force. ``given`` names those that were given: only these are in the JSON form."""

    hands: str = "open"
    permits: int = 1
    attach_to_statue: bool = True
    seventh_counts_statues: bool = False
    statue_before_discard: bool = False
    statue_draw: bool = False
    first_volcano_draw: str = "choice"
    statue_penalty: bool = False
    given: tuple[str, ...] = ()

    @property
    def hidden(self) -> bool:
        """Whether hands and pile are known only as numbers (POMP-TABLE)."""
        return self.hands == "hidden"

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.given}


def options_from_json(data: Any) -> Options:
    """Options from their JSON form. Raises ValueError that says which is wrong and what was expected."""
    values = read_options("Pompeji", OPTIONS, data)
    return Options(**values, given=tuple(values))
