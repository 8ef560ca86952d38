"""The options of Pacru (spec: pacru, Rulings)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.games.options import Number, OneOf, Option, Switch, read_options

OFFICIAL: Mapping[str, Any] = {
    "bonuses": "mandatory",
    "meeting_target": "any",
    "meeting_on_markers": True,
    "meeting_threshold": 9,
}
"""What the published rules as of March 2011 set."""

OPTIONS: tuple[Option, ...] = (
    Option("rules", "R-RULES", OneOf(("deskovehry", "official")), "deskovehry"),
    Option("bonuses", "R-BONUS", OneOf(("optional", "mandatory")), "optional"),
    Option("meeting_target", "R-MEET-TARGET", OneOf(("neutral", "any")), "neutral"),
    Option("meeting_on_markers", "R-MEET-OWN", Switch(), False),
    Option("meeting_threshold", "R-MEET-NINE", Number("markers", 0, 81), 0),
    Option("landing_field", "R-LANDING", Switch(), True),
    Option("filled_borderland", "R-FILLED", OneOf(("marked", "occupied")), "marked"),
    Option("rotation_markers", "R-ROT-WHICH", OneOf(("unoccupied", "any")), "unoccupied"),
)


@dataclass(frozen=True, slots=True)
class Options:
    """The rulings in force, and those that were ``given``: only these are in the JSON form."""

    bonuses: str = "optional"
    meeting_target: str = "neutral"
    meeting_on_markers: bool = False
    meeting_threshold: int = 0
    landing_field: bool = True
    filled_borderland: str = "marked"
    rotation_markers: str = "unoccupied"
    given: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return dict(self.given)


def options_from_json(data: Any) -> Options:
    """Options from their JSON form. Raises ValueError that says which is wrong and what was expected."""
    given = read_options("Pacru", OPTIONS, data)
    rulings = {**(OFFICIAL if given.get("rules") == "official" else {}), **given}
    rulings.pop("rules", None)
    return Options(**rulings, given=given)
