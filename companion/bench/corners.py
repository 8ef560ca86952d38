"""How exactly boards are found in the pictures of them, empty, where nobody says where they are."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from companion.bench import goals
from companion.bench.goals import Goal, share
from companion.errors import BadSetup
from vision.teaching.corners.finding import find_corners
from vision.teaching.setup_folder import Setup, shown

EXACT_PX = 2.0
"""Corners that are off by more are not found."""


@dataclass(frozen=True)
class Search:
    """off_px: how far off the corner is that is furthest off; None where the board is not found. reason: why it is not.
    seconds: of processor time."""

    off_px: float | None
    reason: str
    seconds: float

    @property
    def found(self) -> bool:
        return self.off_px is not None and self.off_px <= EXACT_PX


def measure(setup: Setup) -> Search:
    """Find the board's corners as if setup.json did not say where they are, and compare.

    Raises BadSetup when it does not.
    """
    if not setup.corners_said:
        raise BadSetup("setup.json does not say where the board's corners are: there is nothing to compare with")
    begin = time.process_time()
    try:
        corners = find_corners(setup.board, setup.empty, shown(setup.palettes))
    except BadSetup as error:
        return Search(None, str(error), time.process_time() - begin)
    off = float(np.linalg.norm(corners - setup.corners_px, axis=1).max())
    return Search(off, "", time.process_time() - begin)


def report(searches: Mapping[str, Search]) -> Iterator[str]:
    """A line for each set-up, by its name, and the goal."""
    yield f"{'':14}{'corners off by':>16}{'s':>7}"
    for name, one in searches.items():
        off = one.reason if one.off_px is None else f"{one.off_px:.2f} px"
        yield f"{name:14}{off:>16}{one.seconds:>7.1f}"
    yield from goals.lines([_goal(searches.values())])


def _goal(searches: Iterable[Search]) -> Goal:
    found = [one.found for one in searches]
    return Goal("boards found without being told where they are", share(sum(found), len(found)), "all", all(found))
