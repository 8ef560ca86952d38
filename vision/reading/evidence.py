"""What speaks for what on a straightened picture, pixel by pixel: the maps from which pieces are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board
from companion.games.pacal.pieces import Piece
from companion.squares import Square
from vision.finding.patches import Patches
from vision.finding.tiles import Tiles
from vision.frames import Picture, Shades, grey
from vision.geometry import Floats, Lens, Pose
from vision.grid import Canvas, shrink
from vision.light.appearance import STRANGE, Looks, Map, bare_fit, edge_noise, material_fits
from vision.light.comparison import Change, compare
from vision.light.glare import Glare, GlareFinder
from vision.light.hues import Hues
from vision.light.unlike import explain
from vision.light.veil import VeilFinder
from vision.logarithms import TO_BGR, Layers, logarithms
from vision.noise import noise_of, smoothed
from vision.reading.details import details_of
from vision.reading.places import Places, to_map
from vision.reading.print_shown import Print, in_light

WHITE_FROM = 245
"""Grey level above which a pixel's darkest channel tells nothing of its colour."""
CHECKED, PATCH_PX, REACH_PX = 24, 20, 6
"""So many patches of the print tell whether the board is where it was; their side, and how far they may have moved."""
LEAST_CHECKED, STILL_MM = 6, 0.25
"""So many of them must be found, and half of those may be off by no more."""
MUCH_BURNT = 0.05
"""If a larger share of the board's pixels is burnt out, what is seen is compared with the print that such light would
leave. Single pieces burn out fewer."""
BLIND = 0.5
"""Where pixels are as blind, their colour tells nothing."""
UNSURE = 0.2
"""Where the empty board's logarithms are uncertain by as much, a pixel is half blind."""


Which: TypeAlias = slice | NDArray[np.int64]
"""Some rows, or columns, of a picture: those of a part, or as ``numpy.ix_`` numbers them."""


@dataclass(frozen=True)
class Photo:
    """A picture, and from where it was taken."""

    picture: Picture
    lens: Lens
    pose: Pose

    def project(self, points_mm: Floats) -> Floats:
        """Where it shows points on the board (N x 2, mm), in px."""
        return self.pose.project(self.lens, points_mm)


@dataclass(frozen=True)
class Scene:
    """One picture as maps: one pixel for four of the canvas (``MM_PER_PX``).

    fits: materials x height x width, the log density of each pixel if it shows that material. bare: the same for bare
    board. blind: how little each pixel can tell, from 0 to 1: burnt out, in a mirrored lamp, or not in the picture.
    shade: the logarithm of brightness, light-free. details: 4 x height x width, how the brightness of the four canvas
    pixels of each (top left, top right, bottom left, bottom right) differs from that round it (logarithms). difference:
    from the empty board, in opponent logarithms; empty: those of the empty board. gain: the light that was taken out;
    burnt: which pixels are burnt out (``vision.light.comparison``). printed: how much print there is on the empty
    board; shown: how well what is seen fits it (``vision.reading.print_shown``). reached: which pixels this picture and
    the empty one show.
    print_left: the share of each square's print that is seen, as ``places`` names them; blindness: how blind each is.
    eye: see ``Pose``. straight: the picture, straightened; taught: the empty one. glare: the mirrored lamps that are in
    but one of them. photo: the picture itself.
    """

    board: Board
    places: Places
    eye: Floats
    fits: NDArray[np.float32]
    bare: Map
    blind: Map
    shade: Map
    details: NDArray[np.float32]
    difference: Layers
    empty: Layers
    gain: Layers
    burnt: NDArray[np.bool_]
    printed: Map
    shown: Map
    reached: NDArray[np.bool_]
    print_left: Floats
    blindness: Floats
    straight: Picture
    taught: Picture
    glare: Glare | None
    photo: Photo

    def empty_at(self, rows: Which, columns: Which) -> Picture:
        """Some rows and columns of the empty board, straightened, with the lamps mirrored in it that are in this
        picture: where they are is worked out for what is looked at closely, which is a small part of it."""
        taught = self.taught[rows, columns]
        return taught if self.glare is None else self.glare.over(taught, self._mirrored[rows, columns])

    @cached_property
    def _mirrored(self) -> Map:
        """How much light those lamps add to each pixel of the straightened empty board."""
        assert self.glare is not None
        return self.glare.amounts(self.taught.shape)

    @cached_property
    def brighter(self) -> Map:
        """How much brighter each pixel is than the empty board: a logarithm, negative where it is darker."""
        return np.asarray(cv2.extractChannel(self.difference, 2), np.float32)

    def about(self, name: Square) -> tuple[Floats, Floats]:
        """Where the middle of a square is on the maps (x, y; px), and the camera from there (x, y and height; mm)."""
        index = self.places.names.index(name)
        return self.places.middles[index], self.eye - (*self.places.centres_mm[index], 0)


Shown: TypeAlias = tuple[Scene, Mapping[Square, Piece]]
"""A picture of known pieces."""


class EmptyBoard:
    """The empty board of a table, ready to compare pictures with."""

    def __init__(self, board: Board, canvas: Canvas, straight: Picture) -> None:
        """straight: the straightened empty picture."""
        self.board = board
        self.canvas = canvas
        self._straight = straight
        small = shrink(straight)
        self.logs = logarithms(small)
        self._edges = edge_noise(self.logs)
        self.places = Places.of(board, canvas)
        self._glares = GlareFinder(self.logs)
        height, width = small.shape[:2]
        corners = to_map(canvas, np.array([(0.0, 0.0), board.size_mm])) + 0.5
        (x0, y0), (x1, y1) = np.clip(corners, 0, (width, height)).round().astype(int).tolist()
        self._board = slice(y0, y1), slice(x0, x1)
        self.veils, self.hues = VeilFinder(small, self._board), Hues(small, self._board)
        self._tiles = Tiles(board, small)
        self._noise = noise_of(small)
        shades = grey(straight)
        self._print = Print(details_of(straight))
        self._print_there = np.maximum(self.places.sums(self._print.strength), 1e-6)
        self._patches = Patches.of(shades, self._grid_mask(shades.shape), CHECKED, PATCH_PX, REACH_PX)

    def in_place(self, shades: Shades, small: Picture) -> bool:
        """Whether a straightened picture (in ``grey``; small: ``shrink`` of it) shows the board just where it should.

        False, too, when so much is covered that this cannot tell.
        """
        still_px, least = STILL_MM * self.canvas.px_per_mm, max(LEAST_CHECKED, len(self._patches) // 2)
        # Most often so many are where they were that it does not matter where the others are.
        if self._patches.still(shades, still_px) < max(least, len(self._patches) // 2 + 1):
            expected, moved = self._patches.match(shades)
            if len(expected) < least or float(np.median(np.abs(moved - expected).max(axis=1))) > still_px:
                return False
        return self._tiles.in_place(small)

    def _grid_mask(self, shape: tuple[int, ...]) -> NDArray[np.uint8]:
        """Where the squares are."""
        left, top, right, bottom = self.board.grid_mm
        (x0, y0), (x1, y1) = self.canvas.to_px([(left, top), (right, bottom)]).round().astype(int)
        mask = np.zeros(shape, np.uint8)
        mask[y0:y1, x0:x1] = 1
        return mask

    def compare(self, straight: Picture, hue: tuple[float, float]) -> Change:
        """What changed in a straightened picture."""
        return compare(smoothed(shrink(straight), self._noise), self.logs, hue, self._glares, self._board)

    def look(self, photo: Photo, straight: Picture, small: Picture, looks: Looks, reached: NDArray[np.bool_]) -> Scene:
        """The maps of a picture (straight: straightened; small: ``shrink`` of that).

        reached: the maps' pixels that this picture and the empty one show.
        """
        small = smoothed(small, self._noise)
        change = compare(small, self.logs, looks.hue, self._glares, self._board)
        fits = material_fits(change, looks)
        bare = bare_fit(change, looks, self._edges)
        explain(looks.unlike, fits[:-1], bare, change)
        blind = cv2.inRange(small, (WHITE_FROM + 1,) * 3, (255, 255, 255)) / np.float32(255)
        if change.doubt is not None:
            blind = np.maximum(blind, 1 - 1 / (1 + (change.doubt / UNSURE) ** 2))
        if not reached.all():
            for layer, value in ((fits, STRANGE), (bare, 0.0), (blind, 1.0)):
                np.copyto(layer, np.float32(value), where=~reached)
        details = details_of(straight)
        shown, left = self._print_seen(details, change)
        blindness = self.places.sums(blind) / self.places.areas
        return Scene(
            self.board,
            self.places,
            photo.pose.eye,
            fits,
            bare,
            blind,
            change.shade,
            details,
            change.difference,
            self.logs,
            change.gain,
            change.burnt,
            self._print.strength,
            shown,
            reached,
            left,
            blindness,
            straight,
            self._straight,
            change.glare,
            photo,
        )

    def _print_seen(self, details: NDArray[np.float32], change: Change) -> tuple[Map, Floats]:
        """How well a picture's details fit the print, and the share of each square's print that it shows."""
        strength, shown = self._print.strength, self._print.shown(details)
        burnt = change.burnt[self._board]
        if change.doubt is not None or np.count_nonzero(burnt) <= MUCH_BURNT * burnt.size:
            return shown, self._print_left(shown)
        lit = Print(details_of(in_light(self._straight, change.gain)))
        # How much light it is is only guessed where all is burnt out: the print as it was taught counts too.
        shown = np.maximum(shown, lit.shown(details))
        # Of print that is burnt out as much is taken to be seen as of the rest: most things that hide some are darker.
        lost = np.maximum(strength - lit.strength, 0) * change.burnt
        kept = strength - lost
        seen = self.places.sums(kept * shown)
        share = max(float(seen.sum() / max(self.places.sums(kept).sum(), 1.0)), 0.0)
        return shown, np.asarray((seen + share * self.places.sums(lost)) / self._print_there, np.float64)

    def print_left(self, straight: Picture) -> Floats:
        """The share of each square's print that a straightened picture shows, as ``places`` names them."""
        return self._print_left(self._print.shown(details_of(straight)))

    def _print_left(self, shown: Map) -> Floats:
        return np.asarray(self.places.sums(self._print.strength * shown) / self._print_there, np.float64)


def usual_shade(mean: Floats) -> float:
    """The logarithm of the brightness of a material whose opponent logarithms are these on average."""
    return float(np.log(np.mean(np.exp(2 * (TO_BGR @ mean)))) / 2)


def usual_shades(looks: Looks) -> list[float]:
    """The same of every material but the last, the inside of ships."""
    return [usual_shade(mean) for mean in looks.means[:-1]]
