"""Which squares may hold something, and of which colours: what the networks are asked about.

A colour is asked after where it shows. Lamps, shadows and what stands in front make pieces look like something else:
each rule says where more is asked after for that, given what is by those before it. What is asked in vain costs time;
what is not asked is not found.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.squares import Square
from vision.light.appearance import STRANGE
from vision.reading.evidence import Scene
from vision.reading.shapes import SHIP_MM
from vision.reading.showing import INSIDE, MOST_OF_NINE, SOME_OF_NINE, UNKNOWN, Showing, best_fit, votes

LEAST_PX, LEAST_DULL_PX = 4, 6
"""So many pixels of a square must most likely show a colour for it to be asked after; and so many, if they may be a
ship's inside as well, as dull or dark ones may."""
LEAST_INSIDE_PX, CLEARLY_PX, PRINT_HIDDEN = 48, 24, 0.75
"""Where so many show a ship's inside, as high as it is, all colours are asked after, unless one shows clearly: seen
from above a ship shows hardly any. No larger share of the square's print may be seen then: a ship hides it, shadows,
which may look like an inside, do not."""
CLEARLY_BESIDE = 0.25
"""Beside a large inside so much of it: a ship's rim, mixed with what is round it, may look like any colour."""
UNKNOWN_PX = 60
"""Nor does any show clearly where so many pixels show nothing that is known: a wall that mirrors the board."""
SCATTERED_PX, PRINT_COVERED, LARGE_PX = 10, 0.5, 60
"""Where less of the print is seen than such a share, and no colour shows on so many pixels as on a pyramid or a ship,
so many that are not side by side are enough: a lamp that is mirrored in a stone mixes its colour with others."""
BRIGHTER, NOT_BARE, BRIGHTER_PX, LEFT_PX = 0.5, -3.0, 12, 3
"""What is so much brighter than the empty board (a logarithm), and does not look like it (a log density), may mirror a
lamp. Where so many pixels of something small do, some of the print is hidden, and so few pixels are left of a colour,
all are asked after: a lamp may make a stone white but for a tinge, and that of its own colour or not."""
HALF_STONE_PX = 18
"""Nor need print be hidden where so many pixels are, which is half a stone: it may lie where there is hardly any."""
MIXED_PX = 6
"""Where something small shows that is no ship, or may be, as some of the print is hidden, a colour is also asked after
that shows on so many pixels which stand less close together: of a stone that mirrors a lamp only the edges have its
own."""
PRINT_GONE, HARDLY_BARE = 0.15, 3.0
"""If something shows on a square, but of its print no more than such a share, bare board must fit by so much better (in
log density) than a colour: lamplight can make a pale piece look like the board, but not like its print."""
DARKER = -0.3
"""What is darker than the empty board by so much (a logarithm) may be a piece though bare board in shadow fits better:
a colour that fits ``ALIKE_PX`` such pixels worse by no more than ``ALIKE`` is asked after."""
ALIKE, LEAST_ALIKE, ALIKE_PX = 2.0, -4.0, 8
"""Where so many solid pixels of a square show a colour that fits them no worse than the second, another is asked after
too that fits them worse by no more than the first (log densities): under a lamp purple pieces may be as pale as blue
ones."""
DARK, LEAST_DARK_PX, MOST_DARK_PX = -0.5, 5, 30
"""Where no colour shows, but so many pixels are darker than the empty board by more than the first (a logarithm) and do
not look like it, all are asked after: of a stone that a lamp makes as white as the board round it only a side shows. Of
674 bare squares on 1,340 pictures, plain and in light x 1.4, that are asked after so, none is taken for a piece; of
four stones, one as white as that and three in the brighter light, two are found and none is surely nothing. Where more
pixels are dark something lies over the board (``vision.reading.covered``). Nor does a colour that shows tell of it on a
square that is more than ``TOO_BLIND``: a blue stone as white as its board fitted yellow there."""
LEAST_CHANGED_PX, TOO_BLIND, FADED = 3, 0.05, 0.2
"""Where fewer pixels of a square have changed nothing stands on it, however like a piece its print looks; unless it is
more than so blind, or half a stone is at least a little unlike the board (a logarithm): pale purple stones on pink
board are no more. Of 4,612 squares in 2,370 pictures, plain and changed, of which less has changed, five hold
something: all five differ so, and are read, and of 401 others that do none is taken for a piece."""
PLAINLY = 5.0
"""Nor where a colour fits half a stone so much better (log density) than bare board, and nothing large: a purple stone
on purple board differs by less, but not as board does. Of 256 such squares on 1,098 pictures, plain and changed, five
hold something, and are read; of the others none is taken for a piece."""
COLOURS_HIDDEN = 0.1
"""Where something shows on a square that is more than so blind, all colours are asked after: a lamp that is mirrored in
a red pyramid may leave it pale purple but for its edges. And so they are where no colour shows on a square that is more
than ``TOO_BLIND``, but half a stone is ``CHANGED``, and nothing large: a dark green stone beside a mirrored lamp fitted
bare board in shadow better. Of 63 bare squares on 1,420 pictures, plain and in light x 1.4, none is taken for a piece
for that."""

Asked: TypeAlias = NDArray[np.bool_]
"""Squares x colours: which are asked after on which."""
More: TypeAlias = Callable[[Showing, Asked], Asked]
"""What is asked after as well (squares x colours, or squares x 1 for all of them), given what is."""


def candidates(scene: Scene) -> dict[Square, list[int]]:
    """For each square that may hold something the colours that may be there."""
    view = Showing.of(scene)
    asked = (view.solid >= LEAST_PX) | (view.dull >= LEAST_DULL_PX)
    usual: tuple[More, ...] = (_on_ships, _scattered, _white, _at_edges, _like_board, _like_shadow, _as_well, _dark)
    for more in usual:
        asked |= more(view, asked)
    asked[_printed(view, asked)] = False
    for more in (_beside_a_lamp, _changed_beside_a_lamp):
        asked |= more(view, asked)
    colours = ([colour for colour, is_asked in enumerate(row) if is_asked] for row in asked.tolist())
    return {name: some for name, some in zip(scene.places.names, colours, strict=True) if some}


def _is_hollow(view: Showing) -> NDArray[np.bool_]:
    """Which squares a ship may hide: its inside shows, and not all of the print."""
    return np.asarray((view.insides >= LEAST_INSIDE_PX) & (view.scene.print_left < PRINT_HIDDEN), np.bool_)


def _is_small(view: Showing) -> NDArray[np.bool_]:
    """On which squares no colour shows as on a pyramid or a ship."""
    return np.asarray(view.solid.max(axis=1) < LARGE_PX, np.bool_)


def _on_ships(view: Showing, asked: Asked) -> Asked:
    """All colours where a ship's inside shows and no colour clearly does, or its wall mirrors the board; else those
    that show half way up."""
    found = np.zeros_like(asked)
    unclear = view.solid.max(axis=1) < np.maximum(CLEARLY_PX, CLEARLY_BESIDE * view.insides)
    for index in np.flatnonzero(_is_hollow(view)).tolist():
        if unclear[index] or _unknown_px(view.scene, index) >= UNKNOWN_PX:
            found[index] = True
        elif not asked[index].all():
            found[index] = _on_walls(view, index) >= CLEARLY_PX
    return found


def _scattered(view: Showing, asked: Asked) -> Asked:
    """What shows here and there on something small that covers print."""
    covered = (view.scene.print_left < PRINT_COVERED) & _is_small(view)
    return np.asarray(covered[:, None] & (view.scattered >= SCATTERED_PX), np.bool_)


def _white(view: Showing, asked: Asked) -> Asked:
    """All colours where something small mirrors a lamp, if hardly a pixel is left of any."""
    mirroring = view.count((view.brighter > BRIGHTER) & (view.bare < NOT_BARE))
    covers = (view.scene.print_left < PRINT_HIDDEN) | (mirroring >= HALF_STONE_PX)
    left = (asked | (view.scattered >= LEFT_PX)).any(axis=1)
    return np.asarray((mirroring >= BRIGHTER_PX) & covers & _is_small(view) & left, np.bool_)[:, None]


def _at_edges(view: Showing, asked: Asked) -> Asked:
    """What shows at the edges of something small."""
    perhaps = asked.any(axis=1) | (view.scene.print_left < PRINT_HIDDEN)
    mixed = perhaps & _is_small(view) & ~_is_hollow(view)
    return np.asarray(mixed[:, None] & (view.mixed >= MIXED_PX), np.bool_)


def _like_board(view: Showing, asked: Asked) -> Asked:
    """Where the print is gone what fits, though bare board fits somewhat better."""
    found = np.zeros_like(asked)
    scene = view.scene
    for index in np.flatnonzero(asked.any(axis=1) & (scene.print_left < PRINT_GONE)).tolist():
        there = scene.places.window(index)
        fits, bare = scene.fits[: INSIDE + 1, *there], scene.bare[there] - HARDLY_BARE
        best = np.where(fits.max(axis=0) > np.maximum(bare, STRANGE), fits.argmax(axis=0), INSIDE)
        found[index] = np.bincount(best.ravel(), minlength=INSIDE + 1)[:INSIDE] >= CLEARLY_PX
    return found


def _like_shadow(view: Showing, asked: Asked) -> Asked:
    """What fits almost as well as bare board in shadow."""
    least = np.maximum(view.bare - np.float32(ALIKE), np.float32(LEAST_ALIKE))
    like = view.fitted(least, view.brighter < DARKER)
    return np.asarray(view.count_votes(like, SOME_OF_NINE) >= ALIKE_PX, np.bool_)


def _as_well(view: Showing, asked: Asked) -> Asked:
    """What fits almost as well as a colour that shows."""
    # None where bare board fits as well, or nothing fits.
    piece = view.best > np.maximum(view.bare, np.float32(LEAST_ALIKE))
    alike = view.fitted(view.best - np.float32(ALIKE), piece) & ~view.shown
    return np.asarray(asked.any(axis=1, keepdims=True) & (view.count_votes(alike, MOST_OF_NINE) >= ALIKE_PX), np.bool_)


def _dark(view: Showing, asked: Asked) -> Asked:
    """All colours where but a dark side shows, and no colour that tells of what."""
    dark = view.count((view.brighter < DARK) & (view.bare < NOT_BARE))
    no_colour_tells = ~asked.any(axis=1) | (view.scene.blindness > TOO_BLIND)
    return np.asarray((dark >= LEAST_DARK_PX) & (dark <= MOST_DARK_PX) & no_colour_tells, np.bool_)[:, None]


def _printed(view: Showing, asked: Asked) -> NDArray[np.bool_]:
    """Of which squares only the print looks like a piece."""
    same = asked.any(axis=1) & (view.changed < LEAST_CHANGED_PX) & (view.scene.blindness <= TOO_BLIND)
    for index in np.flatnonzero(same).tolist():
        faded = _faded_px(view.scene, index) >= HALF_STONE_PX
        same[index] = not (faded or HALF_STONE_PX <= _plain_px(view.scene, index) <= LARGE_PX)
    return np.asarray(same, np.bool_)


def _beside_a_lamp(view: Showing, asked: Asked) -> Asked:
    """All colours where something shows and a mirrored lamp hides which."""
    return np.asarray(asked.any(axis=1) & (view.scene.blindness > COLOURS_HIDDEN), np.bool_)[:, None]


def _changed_beside_a_lamp(view: Showing, asked: Asked) -> Asked:
    """All colours where nothing shows beside a mirrored lamp, but something like a stone changed."""
    like_a_stone = (view.changed >= HALF_STONE_PX) & (view.changed <= LARGE_PX) & (view.scene.blindness > TOO_BLIND)
    return np.asarray(like_a_stone & ~asked.any(axis=1), np.bool_)[:, None]


def _on_walls(view: Showing, index: int) -> NDArray[np.int64]:
    """How many solid pixels of each colour are about half way up a ship: another may hide its foot."""
    scene, best = view.scene, view.best_of_all
    window = scene.places.window_above(index, scene.eye, SHIP_MM / 2)
    rows, columns = (slice(max(part.start - 1, 0), part.stop + 1) for part in window)
    showing = scene.fits[:INSIDE, rows, columns] >= best[rows, columns]
    return np.asarray(np.count_nonzero(votes(showing) >= MOST_OF_NINE, axis=(1, 2)), np.int64)


def _unknown_px(scene: Scene, index: int) -> int:
    """How many pixels of a square are neither bare board nor any material."""
    there = scene.places.window(index)
    return int((best_fit(scene.fits[:, *there], scene.bare[there]) <= UNKNOWN).sum())


def _faded_px(scene: Scene, index: int) -> int:
    """How many pixels of a square are at least a little unlike the empty board."""
    return int((np.abs(scene.difference[scene.places.window(index)]).max(axis=2) > FADED).sum())


def _plain_px(scene: Scene, index: int) -> int:
    """How many pixels of a square are plainly of some colour."""
    there = scene.places.window(index)
    return int((scene.fits[:INSIDE, *there].max(axis=0) - scene.bare[there] > PLAINLY).sum())
