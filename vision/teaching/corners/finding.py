"""Where a board's corners are in a picture of it, empty: nobody has to say.

What is known is how far its lines are from each other. First the directions are found that many straight lines of the
picture have; then, as if seen from straight above, the places where the board's lines fit on these; and of those the
one where the picture shows all of the lines, and the edges. Cloths and planks have lines too, but not at such places.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from companion.boards import Board
from companion.errors import BadSetup
from vision.frames import Picture
from vision.geometry import HALF_FIELD, Floats, Lens
from vision.teaching.corners.directions import find_bits, find_directions
from vision.teaching.corners.placing import find_places
from vision.teaching.corners.printed import Logs, PrintShown, Probes, logs_of
from vision.teaching.corners.turning import Shown, likeliest
from vision.teaching.corners.view import View
from vision.teaching.lens_finding import find_lens

HALF_FIELDS = (HALF_FIELD, *(math.radians(half) for half in (27.0, 39.0, 43.0)))
"""Half of the horizontal fields of view that a lens may have, the usual one first: seen at a slant, lines are at right
angles only for about the right one."""
MOST = 8
"""So many of the places where a board fits best are looked at closely."""
REACHES_MM, LAST_REACHES_MM = (5.0, 4.0, 3.0, 2.0, 2.0, 1.5), (2.0, 1.5)
SAME_PX = 6.0
"""Corners that are no further off are the same."""
LEAST_SCORE = 0.7
"""A board of which less is seen where it should be lies somewhere else."""
AHEAD = 0.02
"""By so much a board must be seen better than one anywhere else."""
ALIKE = 0.15
"""Turned by a quarter or two a board that is seen so much worse is not the same."""


class _Sight(NamedTuple):
    shown: PrintShown
    view: View


def find_corners(board: Board, empty: Picture, palettes: Sequence[Shown]) -> Floats:
    """The printed board's corners in a picture of it without pieces: the one at A1, then clockwise, 4 x 2 px.

    palettes: taken by the same camera of the same board; where its lines look the same from several sides they tell
    which corner is at A1. Raises BadSetup when the board is not found, may be in two places, or the palettes do not
    tell.
    """
    return likeliest(board, empty, palettes, find_ways(board, empty))


def find_ways(board: Board, empty: Picture) -> list[Floats]:
    """The ways in which the printed board may lie in a picture of it without pieces, the likeliest first: its corners,
    the one at A1 and then clockwise, 4 x 2 px. They differ by where A1 is, if by anything.

    Raises BadSetup when the board is not found, or may be in two places.
    """
    logs, probes = logs_of(empty), Probes.of(board)
    sights: list[_Sight] = []
    for field in HALF_FIELDS:
        sights = _fitted(board, probes, logs, field)
        if sights and sights[0].shown.score >= LEAST_SCORE:
            break
    else:
        raise BadSetup("no board with lines at such distances is seen")
    best = sights[0]
    corners = best.view.corners_px(board)
    if any(
        _score(sight) > _score(best) - AHEAD and not _same(sight.view.corners_px(board), corners) for sight in sights
    ):
        raise BadSetup("the board may lie in two places")
    # That printed lines are straight tells the bend better than that they are in their places.
    lens = find_lens(board, corners, empty)
    ways = [View.of(board, lens, lens.ideal(np.roll(corners, k, axis=0))) for k in range(4)]
    turned = [_sight(probes, logs, way.fitted(board, logs, LAST_REACHES_MM, bends=False)) for way in ways]
    turned.sort(key=_score, reverse=True)
    return [sight.view.corners_px(board) for sight in turned if _score(sight) > _score(turned[0]) - ALIKE]


def _fitted(board: Board, probes: Probes, logs: Logs, half_field: float) -> list[_Sight]:
    """The board where it is seen best by a lens of such a field, the best first."""
    size = (logs.shape[1], logs.shape[0])
    lens = Lens(size, size[0] / 2 / math.tan(half_field), 0.0)
    first = sorted(_sights(board, probes, logs, lens), key=_score, reverse=True)
    views = [sight.view.fitted(board, logs, REACHES_MM, bends=True) for sight in first[:MOST]]
    return sorted((_sight(probes, logs, view) for view in views), key=_score, reverse=True)


def _sights(board: Board, probes: Probes, logs: Logs, lens: Lens) -> Iterator[_Sight]:
    """The board wherever its lines fit some that are seen."""
    low, high = float(logs.min()), float(logs.max())
    shades = ((logs - low) * (255 / max(high - low, 1e-6))).astype(np.uint8)
    bits, rng = find_bits(shades, lens), np.random.default_rng(0)
    for turn in find_directions(bits, rng):
        for offsets in find_places(bits, turn, board):
            yield _sight(probes, logs, View.of(board, lens, offsets))


def _sight(probes: Probes, logs: Logs, view: View) -> _Sight:
    return _Sight(probes.look(logs, view.project), view)


def _score(sight: _Sight) -> float:
    return sight.shown.score


def _same(corners: Floats, others: Floats) -> bool:
    """Whether two boards' corners are the same, whichever of them is the first."""
    return any(np.abs(np.roll(corners, k, axis=0) - others).max() < SAME_PX for k in range(4))
