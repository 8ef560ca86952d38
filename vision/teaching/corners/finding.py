"""Where a board's corners are in a picture of it, empty: nobody has to say.

What is known is how far its lines are from each other. First the directions are found that many straight lines of the
picture have; then, as if seen from straight above, the places where the board's lines fit on these; and of those the
one where the picture shows all of the lines, and the edges. Cloths and planks have lines too, but not at such places.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from companion.boards import Board
from companion.errors import BadSetup
from vision.frames import Picture
from vision.geometry import HALF_FIELD, Floats, Lens
from vision.teaching.corners.directions import Bits, find_directions, find_lines, without_grain
from vision.teaching.corners.placing import find_places
from vision.teaching.corners.printed import PrintShown, Probes, logs_of
from vision.teaching.corners.turning import Shown, likeliest
from vision.teaching.corners.view import View
from vision.teaching.lens_finding import find_lens

HALF_FIELDS = (HALF_FIELD, *(math.radians(half) for half in (27.0, 39.0, 43.0, 50.0)))
"""Half of the fields of view along a picture's longer side that a lens may have, the usual one first: seen at a slant,
lines are at right angles only for about the right one."""
BENDS = (-0.1, 0.1)
"""Wide lenses that bend so much show no lines at right angles when taken for straight ones."""
MOST = 8
"""So many of the places where a board fits best are looked at closely."""
REACHES_MM, LAST_REACHES_MM = (5.0, 4.0, 3.0, 2.0, 2.0, 1.5), (2.0, 1.5)
SAME_PX = 6.0
"""Corners that are no further off are the same."""
PLAIN_SCORE, LEAST_SCORE = 0.7, 0.35
"""Where a board is seen so well no other lens is tried; one of which less is seen does not lie there. Some boards have
lines round their districts only: of those a quarter is seen, and all edges."""
OUTLINE, LEAST_OUTLINED = 0.9, 0.2
"""But where none is seen elsewhere one does of which all four of its own edges are, each to such a share, and of all so
much: there may be no lines to see, and hardly any grid. Elsewhere some edge was always seen less, on thirty tables."""
MOST_PLACES = 4
"""So many of them are left to the palettes."""
ALIKE = 0.1
"""A board that is seen so much worse than elsewhere does not lie there, nor one of which so many lines less are seen
than when it is turned. Less does not decide: who measured a layout to a millimetre has the board's edges a little off,
and turned, or a square further, they may be just right."""


class _Try(NamedTuple):
    """A lens that may have taken the picture. grain: whether the lines count as well that a table top of planks has
    most of."""

    half_field: float
    k1: float = 0.0
    grain: bool = True


LIKELY = tuple(_Try(half) for half in HALF_FIELDS)
UNLIKELY = (*(_Try(half, grain=False) for half in HALF_FIELDS), *(_Try(HALF_FIELDS[-1], k1) for k1 in BENDS))
"""Tried where no board is seen so."""


class _Sight(NamedTuple):
    """How the board is shown where this view has it."""

    shown: PrintShown
    view: View


def find_corners(board: Board, empty: Picture, palettes: Sequence[Shown]) -> Floats:
    """The printed board's corners in a picture of it without pieces: the one at A1, then clockwise, 4 x 2 px.

    palettes: taken by the same camera of the same board; they tell which corner is at A1 where its lines look the same
    from several sides, and where it lies if it may lie off by a square. Raises BadSetup when the board is not found, or
    the palettes do not tell.
    """
    return likeliest(board, empty, palettes, find_ways(board, empty))


def find_ways(board: Board, empty: Picture) -> list[Floats]:
    """The ways in which the printed board may lie in a picture of it without pieces: its corners, the one at A1, then
    clockwise, 4 x 2 px. Most often they differ by where A1 is, if by anything.

    Raises BadSetup when the board is not found.
    """
    if board.columns == board.rows == 1:
        raise BadSetup("a board of one square has no lines")
    search = _Search(board, empty)
    ways = [way for place in search.places(search.sights()) for way in search.turned(place)]
    if not ways:
        raise BadSetup("no board with lines at such distances is seen")
    most = max(way.shown.lines for way in ways)
    return [way.view.corners_px(board) for way in ways if way.shown.lines > most - ALIKE]


class _Search:
    """A board, looked for in a picture."""

    def __init__(self, board: Board, empty: Picture) -> None:
        self._board, self._empty = board, empty
        self._logs, self._probes = logs_of(empty), Probes.of(board)
        low, high = float(self._logs.min()), float(self._logs.max())
        self._lines = find_lines(((self._logs - low) * (255 / max(high - low, 1e-6))).astype(np.uint8))

    def sights(self) -> list[_Sight]:
        """Where enough of the board is seen; by the unlikely lenses only if it is nowhere by the likely ones, and by
        its own edges only if it is nowhere at all."""
        likely = self._seen(LIKELY)
        if enough := _enough(likely):
            return enough
        unlikely = self._seen(UNLIKELY)
        return _enough(unlikely) or [sight for sight in likely + unlikely if _is_outlined(sight)]

    def places(self, sights: Sequence[_Sight]) -> list[_Sight]:
        """Those of which about as much is seen as of any, each place once, the best first."""
        places: list[_Sight] = []
        for sight in sorted(sights, key=_score, reverse=True):
            corners = sight.view.corners_px(self._board)
            new = not any(_same(place.view.corners_px(self._board), corners) for place in places)
            if new and (not places or _score(sight) > _score(places[0]) - ALIKE):
                places.append(sight)
        return places[:MOST_PLACES]

    def turned(self, place: _Sight) -> list[_Sight]:
        """The board in its place, and turned there by quarters, through the lens that took the picture; none where
        there is no such lens."""
        corners = place.view.corners_px(self._board)
        try:
            # That printed lines are straight tells the bend better than that they are in their places.
            lens = find_lens(self._board, corners, self._empty)
        except BadSetup:
            return []
        ways = [View.of(self._board, lens, lens.ideal(np.roll(corners, k, axis=0))) for k in range(4)]
        return [self._sight(way.fitted(self._board, self._logs, LAST_REACHES_MM, bends=False)) for way in ways]

    def _seen(self, tries: Sequence[_Try]) -> list[_Sight]:
        """Where the board may be seen, by the first lens that sees it plainly and those before."""
        sights: list[_Sight] = []
        for one in tries:
            sights += self._best(one)
            if max(map(_score, sights), default=0) >= PLAIN_SCORE:
                break
        return sights

    def _best(self, one: _Try) -> list[_Sight]:
        """Where such a lens may see the board, moved to where its lines are seen; at most ``MOST``."""
        straight = Lens.straight((self._logs.shape[1], self._logs.shape[0]), one.half_field)
        sights = sorted(self._all(replace(straight, k1=one.k1), one.grain), key=_score, reverse=True)
        views = [sight.view.fitted(self._board, self._logs, REACHES_MM, bends=True) for sight in sights[:MOST]]
        return [self._sight(view) for view in views]

    def _all(self, lens: Lens, grain: bool) -> Iterator[_Sight]:
        """The board wherever its lines fit some that are seen."""
        bits, rng = Bits.of(self._lines, lens), np.random.default_rng(0)
        bits = bits if grain else without_grain(bits, rng)
        for turn in find_directions(bits, rng):
            for offsets in find_places(bits, turn, self._board):
                yield self._sight(View.of(self._board, lens, offsets))

    def _sight(self, view: View) -> _Sight:
        return _Sight(self._probes.look(self._logs, view.project), view)


def _score(sight: _Sight) -> float:
    return sight.shown.score


def _enough(sights: Sequence[_Sight]) -> list[_Sight]:
    return [sight for sight in sights if _score(sight) >= LEAST_SCORE]


def _is_outlined(sight: _Sight) -> bool:
    return min(sight.shown.outline) >= OUTLINE and _score(sight) >= LEAST_OUTLINED


def _same(corners: Floats, others: Floats) -> bool:
    """Whether two boards' corners are the same, whichever of them is the first."""
    return any(np.abs(np.roll(corners, k, axis=0) - others).max() < SAME_PX for k in range(4))
