"""Looking for the place where a piece fits best."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vision.geometry import Floats


def climb(
    start: Floats,
    score: Callable[[Floats], float],
    steps: Sequence[float],
    moves: Floats,
    allowed: Callable[[Floats], bool],
) -> Floats:
    """The place near a start where the score is best, step by ever smaller step.

    steps: in mm. moves: the directions to try, a row each, in steps. allowed: whether a place may be tried.
    """
    at, best = start, score(start)
    for step in steps:
        moved = True
        while moved:
            moved = False
            for move in moves:
                other = at + step * move
                if not allowed(other):
                    continue
                value = score(other)
                if value > best:
                    at, best, moved = other, value, True
    return at
