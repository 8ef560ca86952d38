"""Which squares may hold something, and of which colours: what the networks are asked about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.pacal.pieces import COLOURS
from companion.squares import Square
from vision.frames import Part
from vision.light.appearance import STRANGE, Map
from vision.reading.evidence import Scene
from vision.reading.shapes import SHIP_MM

LEAST_PX, LEAST_DULL_PX = 4, 6
"""So many pixels of a square must most likely show a colour for it to be asked after; and so many, if they may be a
ship's inside as well, as dull or dark ones may."""
LEAST_INSIDE_PX, CLEARLY_PX, PRINT_HIDDEN = 48, 24, 0.75
"""Where so many show a ship's inside, as high as it is, all colours are asked after, unless one shows clearly: seen
from above a ship shows hardly any. No larger share of the square's print may be seen then: a ship hides it, shadows,
which may look like an inside, do not."""
CLEARLY_BESIDE = 0.25
"""Beside a large inside so much of it: a ship's rim, mixed with what is round it, may look like any colour."""
SCATTERED_PX, PRINT_COVERED, LARGE_PX = 10, 0.5, 60
"""Where less of the print is seen than such a share, and no colour shows on so many pixels as on a pyramid or a ship,
so many that are not side by side are enough: a lamp that is mirrored in a stone mixes its colour with others."""
BRIGHTER, NOT_BARE, BRIGHTER_PX, LEFT_PX = 0.5, -3.0, 12, 3
"""What is so much brighter than the empty board (a logarithm), and does not look like it (a log density), may mirror a
lamp. Where so many pixels of something small do, some of the print is hidden, and so few pixels are left of a colour,
all are asked after: a lamp may make a stone white but for a tinge, and that of its own colour or not."""
HALF_STONE_PX = 18
"""Nor need print be hidden where so many pixels are, which is half a stone: it may lie where there is hardly any."""
DARK, LEAST_DARK_PX, MOST_DARK_PX = -0.5, 5, 30
"""Where no colour shows, but so many pixels are darker than the empty board by more than the first (a logarithm) and do
not look like it, all are asked after: of a stone that a lamp makes as white as the board round it only a side shows. Of
674 bare squares on 1,340 pictures, plain and in light x 1.4, that are asked after so, none is taken for a piece; of
four stones, one as white as that and three in the brighter light, two are found and none is surely nothing. Where more
pixels are dark something lies over the board (``vision.reading.covered``). Nor does a colour that shows tell of it on a
square that is more than ``TOO_BLIND``: a blue stone as white as its board fitted yellow there."""
UNKNOWN_PX = 60
"""Nor does any show clearly where so many pixels show nothing that is known: a wall that mirrors the board."""
UNKNOWN = np.float32(STRANGE + 0.1)
"""What fits a pixel no better than this (log density) fits it as little as anything does."""
MOST_OF_NINE = 6
"""So many of a pixel and its neighbours make it solid."""
_INSIDE = len(COLOURS)
"""The number of a scene's material that is the inside of ships; those before it are the pieces' colours."""
_SHOWS = 15
"""Nine votes fit into the bits of it: two sorts of them are counted at a time."""
SOME_OF_NINE, MIXED_PX = 4, 6
"""Where something small shows that is no ship, or may be, as some of the print is hidden, a colour is also asked after
that shows on so many pixels which stand less close together: of a stone that mirrors a lamp only the edges have its
own."""
ALIKE, LEAST_ALIKE, ALIKE_PX = 2.0, -4.0, 8
"""Where so many solid pixels of a square show a colour that fits them no worse than the second, another is asked after
too that fits them worse by no more than the first (log densities): under a lamp purple pieces may be as pale as blue
ones."""
DARKER = -0.3
"""What is darker than the empty board by so much (a logarithm) may be a piece though bare board in shadow fits better:
a colour that fits ``ALIKE_PX`` such pixels worse by no more than ``ALIKE`` is asked after."""
PRINT_GONE, HARDLY_BARE = 0.15, 3.0
"""If something shows on a square, but of its print no more than such a share, bare board must fit by so much better (in
log density) than a colour: lamplight can make a pale piece look like the board, but not like its print."""
CHANGED, LEAST_CHANGED_PX, TOO_BLIND, FADED = 0.3, 3, 0.05, 0.2
"""Where fewer pixels of a square differ from the empty board by more than the first (logarithms), nothing stands on it,
however like a piece its print looks; unless it is more than so blind, or half a stone is at least a little unlike the
board: pale purple stones on pink board are no more. Of 4,612 squares in 2,370 pictures, plain and changed, of which
less differs by the first, five hold something: all five differ so, and are read, and of 401 others that do none is
taken for a piece."""
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


def candidates(scene: Scene) -> dict[Square, list[int]]:
    """For each square that may hold something the colours that may be there."""
    places = scene.places
    best = best_fit(scene.fits[:_INSIDE], scene.bare)
    insides = places.sums_above(_solid(scene.fits[_INSIDE] >= best), scene.eye, SHIP_MM)
    seen = _Seen.of(scene, best, places.around)
    votes, showing = _votes_of(seen), _inner(seen.showing)
    shows = votes & _SHOWS
    counts, dull = places.counts(votes >= (_SHOWS + 1) * MOST_OF_NINE), places.counts(shows >= MOST_OF_NINE)
    shown = (counts >= LEAST_PX) | (dull >= LEAST_DULL_PX)
    hollow = (insides >= LEAST_INSIDE_PX) & (scene.print_left < PRINT_HIDDEN)
    clearest = counts.max(axis=1)
    unclear = clearest < np.maximum(CLEARLY_PX, CLEARLY_BESIDE * insides)
    for index in np.flatnonzero(hollow).tolist():
        shown[index] |= unclear[index] or _unknown_px(scene, index) >= UNKNOWN_PX
        if not shown[index].all():
            shown[index] |= _on_walls(scene, best, index) >= CLEARLY_PX
    scattered, small = places.counts(showing), clearest < LARGE_PX
    shown |= ((scene.print_left < PRINT_COVERED) & small)[:, None] & (scattered >= SCATTERED_PX)
    mirroring = (seen.brighter > BRIGHTER) & (seen.bare < NOT_BARE)
    dark = (seen.brighter < DARK) & (seen.bare < NOT_BARE)
    same = cv2.inRange(scene.difference[places.around], (-CHANGED,) * 3, (CHANGED,) * 3)
    mirrors, darks, changed = places.counts(_inner(np.stack([mirroring, dark, same == 0]))).T
    left = (shown | (scattered >= LEFT_PX)).any(axis=1)
    covers = (scene.print_left < PRINT_HIDDEN) | (mirrors >= HALF_STONE_PX)
    shown[(mirrors >= BRIGHTER_PX) & covers & small & left] = True
    perhaps = shown.any(axis=1) | (scene.print_left < PRINT_HIDDEN)
    mixed = (perhaps & small & ~hollow)[:, None]
    shown |= mixed & (places.counts(shows >= SOME_OF_NINE) >= MIXED_PX)
    for index in np.flatnonzero(shown.any(axis=1) & (scene.print_left < PRINT_GONE)).tolist():
        shown[index] |= _like_the_board(scene, index)
    shown |= places.counts(_votes(_like_shadow(seen)) >= SOME_OF_NINE) >= ALIKE_PX
    shown |= shown.any(axis=1, keepdims=True) & (places.counts(_votes(_alike(seen)) >= MOST_OF_NINE) >= ALIKE_PX)
    no_colour_tells = ~shown.any(axis=1) | (scene.blindness > TOO_BLIND)
    shown[(darks >= LEAST_DARK_PX) & (darks <= MOST_DARK_PX) & no_colour_tells] = True
    printed = shown.any(axis=1) & (changed < LEAST_CHANGED_PX) & (scene.blindness <= TOO_BLIND)
    for index in np.flatnonzero(printed).tolist():
        shown[index] &= _faded_px(scene, index) >= HALF_STONE_PX or HALF_STONE_PX <= _plain_px(scene, index) <= LARGE_PX
    shown |= shown.any(axis=1, keepdims=True) & (scene.blindness > COLOURS_HIDDEN)[:, None]
    perhaps_stone = (scene.blindness > TOO_BLIND) & (changed >= HALF_STONE_PX) & (changed <= LARGE_PX)
    shown[perhaps_stone & ~shown.any(axis=1)] = True
    asked = ([colour for colour, may_be in enumerate(row) if may_be] for row in shown.tolist())
    return {name: colours for name, colours in zip(places.names, asked, strict=True) if colours}


def best_fit(materials: NDArray[np.float32], bare: Map) -> Map:
    """How well each pixel (height x width) is fitted by the best of some materials (M x height x width) and bare board,
    or by what fits nothing much better than anything does: log densities."""
    return np.asarray(np.maximum(np.maximum(materials.max(axis=0), bare), UNKNOWN), np.float32)


@dataclass(frozen=True)
class _Seen:
    """A part of a scene's maps. colours, inside, bare, brighter: see ``Scene``. best: ``best_fit`` of colours and bare
    board. showing: which colours fit as well (colours x height x width)."""

    colours: NDArray[np.float32]
    inside: Map
    bare: Map
    brighter: Map
    best: Map
    showing: NDArray[np.bool_]

    @staticmethod
    def of(scene: Scene, best: Map, part: Part) -> _Seen:
        """best: of the whole scene. part: rows and columns."""
        fits, best = scene.fits[:, *part], best[part]
        colours = fits[:_INSIDE]
        return _Seen(colours, fits[_INSIDE], scene.bare[part], scene.brighter[part], best, colours >= best)


def _alike(seen: _Seen) -> NDArray[np.bool_]:
    """Which pixels show each colour almost as well as another that they do show."""
    # None where bare board fits as well, or nothing fits.
    piece = seen.best > np.maximum(seen.bare, np.float32(LEAST_ALIKE))
    return _fitted(seen.colours, seen.best - np.float32(ALIKE), piece) & ~seen.showing


def _like_shadow(seen: _Seen) -> NDArray[np.bool_]:
    """Which pixels show each colour almost as well as bare board in shadow."""
    least = np.maximum(seen.bare - np.float32(ALIKE), np.float32(LEAST_ALIKE))
    return _fitted(seen.colours, least, seen.brighter < DARKER)


def _fitted(colours: NDArray[np.float32], least: Map, where: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of some pixels each colour (colours x height x width) fits better than so: none of all others."""
    fitted = np.zeros(colours.shape, np.bool_)
    # They are so few that it is quicker to look at each of them.
    rows, columns = np.divmod(np.flatnonzero(where), where.shape[1])
    fitted[:, rows, columns] = colours[:, rows, columns] > least[rows, columns]
    return fitted


def _like_the_board(scene: Scene, index: int) -> NDArray[np.bool_]:
    """Which colours may be on a square whose print is gone, though bare board fits somewhat better."""
    there = scene.places.window(index)
    fits, bare = scene.fits[: _INSIDE + 1, *there], scene.bare[there] - HARDLY_BARE
    best = np.where(fits.max(axis=0) > np.maximum(bare, STRANGE), fits.argmax(axis=0), _INSIDE)
    return np.bincount(best.ravel(), minlength=_INSIDE + 1)[:_INSIDE] >= CLEARLY_PX


def _on_walls(scene: Scene, best: Map, index: int) -> NDArray[np.int64]:
    """How many solid pixels of each colour are about half way up a ship: another may hide its foot. best: ``best_fit``
    of colours and bare board."""
    window = scene.places.window_above(index, scene.eye, SHIP_MM / 2)
    rows, columns = (slice(max(part.start - 1, 0), part.stop + 1) for part in window)
    showing = scene.fits[:_INSIDE, rows, columns] >= best[rows, columns]
    return np.asarray(np.count_nonzero(_votes(showing) >= MOST_OF_NINE, axis=(1, 2)), np.int64)


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
    return int((scene.fits[:_INSIDE, *there].max(axis=0) - scene.bare[there] > PLAINLY).sum())


def _votes_of(seen: _Seen) -> NDArray[np.uint8]:
    """How many of each inner pixel and its neighbours show each colour (colours x height x width), and ``_SHOWS`` + 1
    times how many of those show a colour no less than a ship's inside."""
    counted = (seen.best >= seen.inside) * np.uint8(_SHOWS + 1) + np.uint8(1)
    return _votes(seen.showing * counted)


def _solid(mask: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """The pixels of a map of which most neighbours are so too: single ones are noise, or edges of the print."""
    solid = np.zeros(mask.shape, np.uint8)
    _inner(solid)[...] = _votes(mask) >= MOST_OF_NINE
    return solid


def _votes(counted: NDArray[Any]) -> NDArray[np.uint8]:
    """The sum of each inner pixel of some maps (… x height x width, of bytes) and its neighbours."""
    counted = counted.view(np.uint8)
    across = counted[..., :-2] + counted[..., 1:-1]
    across += counted[..., 2:]
    votes = across[..., :-2, :] + across[..., 1:-1, :]
    votes += across[..., 2:, :]
    return np.asarray(votes, np.uint8)


def _inner(layers: NDArray[Any]) -> NDArray[Any]:
    """Maps (… x height x width) without their outermost pixels."""
    return layers[..., 1:-1, 1:-1]
