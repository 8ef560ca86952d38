"""Goals: what a figure should be, and whether it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    """One figure with what it should be. what, figure, wanted: for people. met: whether it is so."""

    what: str
    figure: str
    wanted: str
    met: bool


def lines(goals: Iterable[Goal]) -> list[str]:
    """A line for each goal."""
    return [
        f"{goal.what:<58}{goal.figure:>20}  goal {goal.wanted}: {'met' if goal.met else 'NOT MET'}" for goal in goals
    ]


def share(part: float, whole: float) -> str:
    """``9/10 90.00 %``; without a share when there is nothing to share."""
    return f"{part:g}/{whole:g} {part / whole:.2%}".replace("%", " %") if whole else f"{part:g}/{whole:g}"
