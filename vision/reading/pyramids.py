"""Pyramids: one to five square floors, each narrower than the one below."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.squares import Square
from vision.appearance import Map
from vision.geometry import Floats
from vision.grid import PX_PER_MM, lean, nearest_first
from vision.reading.climbing import climb
from vision.reading.evidence import LIMIT, Scene
from vision.reading.shading import Shading, brightness, evidence, face_labels
from vision.reading.shapes import Mask, Sizes, Window, pyramid_outline, ring_of

MAX_FLOORS = 5
WANDER_MM = 4.5
"""How far from its square's middle a pyramid may stand, along x and along y."""
MAX_TURN = 0.4
"""How far it may be turned, in radians."""
MOVES = np.array([[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -0.05], [0, 0, 0.05]])
"""Across, down and turn (radians), for a step of 1 mm."""
HOPELESS = 600.0
"""Log evidence by which a number of floors may lag before its place is refined."""
LEAST_PIXELS = 40
SILHOUETTE_WEIGHT = 0.4
"""How much the odds of the silhouette's pixels count beside the evidence of the faces."""
MOST_ROUND = 0.55
"""A pyramid ends at its outline: where more of the surroundings than this have its colour too, it is no pyramid."""
LEAST_SHARE = 0.5
"""A silhouette that its colour fills less than this is no pyramid's."""


@dataclass(frozen=True)
class FoundPyramid:
    """colours: for each colour the share of the silhouette that it fills. floors: log evidence of 1 to 5 floors."""

    square: Square
    colours: Floats
    floors: Floats


@dataclass(frozen=True)
class Patch:
    """What can be seen round a square, for fitting a pyramid of one colour to it.

    odds: of the colour against bare board, 0 where something else stands before. values: brightness. shade: the pixels
    whose brightness is of use: well inside the colour. usual: the usual brightness of a pyramid of the colour.
    """

    sizes: Sizes
    window: Window
    eye: Floats
    centre_mm: Floats
    odds: Map
    values: Map
    shade: NDArray[np.bool_]
    usual: float

    @staticmethod
    def of(scene: Scene, sizes: Sizes, centre_mm: Floats, colour: int, usual: float) -> Patch:
        tallest = pyramid_outline(sizes, scene.eye, centre_mm, MAX_FLOORS, np.pi / 4)
        window = Window.about(scene.canvas, tallest, WANDER_MM + 1)
        free = scene.free[window.key]
        odds = np.where(free, scene.odds[window.key][..., colour], np.float32(0))
        # The outermost pixels of a piece are mixed with what lies behind it.
        shade = cv2.erode((odds > 1).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        return Patch(sizes, window, scene.eye, centre_mm, odds, brightness(scene.colour[window.key]), shade, usual)

    def outline(self, place: Floats, floors: int) -> Mask:
        mask = self.window.blank()
        self.window.fill(mask, pyramid_outline(self.sizes, self.eye, place[:2], floors, float(place[2])), 1)
        return mask

    def labels(self, place: Floats, floors: int) -> Mask:
        return face_labels(self.sizes, self.window, self.eye, place[:2], float(place[2]), floors)

    def silhouette(self, place: Floats, floors: int) -> float:
        """How well the outline alone fits."""
        return float(np.dot(self.odds.ravel(), self.outline(place, floors).ravel()))

    def fit(self, place: Floats, floors: int, shading: Shading) -> float:
        """How well outline and faces fit together: log evidence."""
        labels = self.labels(place, floors)
        inside = float(np.dot(self.odds.ravel(), (labels > 0).ravel()))
        return SILHOUETTE_WEIGHT * inside + evidence(self.values, labels, self.shade, shading, self.usual)

    def places(self) -> list[Floats]:
        """Where (x, y, turn) a pyramid of 1, 2, … floors best fits the outline."""
        start = np.array([*self.centre_mm, 0.0])
        start = self.climb(start, partial(self.silhouette, floors=2), (3.0, 1.5))
        counts = range(1, MAX_FLOORS + 1)
        return [self.climb(start, partial(self.silhouette, floors=floors), (1.5, 0.7, 0.35)) for floors in counts]

    def floors(self, places: list[Floats], shading: Shading) -> Floats:
        """Log evidence of 1, 2, … floors, each at its best place near the one given."""
        scores = np.array([self.fit(place, floors, shading) for floors, place in enumerate(places, start=1)])
        # The search for the very best place is only worth its time where it can change the order.
        for index in np.flatnonzero(scores > scores.max() - HOPELESS):
            score = partial(self.fit, floors=int(index) + 1, shading=shading)
            scores[index] = score(self.climb(places[index], score, (0.7, 0.35)))
        return scores

    def climb(self, start: Floats, score: Callable[[Floats], float], steps: tuple[float, ...]) -> Floats:
        """The place near a start where the score is best, step by ever smaller step (mm)."""
        return climb(start, score, steps, MOVES, self._near)

    def _near(self, place: Floats) -> bool:
        return bool(np.abs(place[:2] - self.centre_mm).max() <= WANDER_MM and abs(place[2]) <= MAX_TURN)


def find_pyramids(scene: Scene, sizes: Sizes, usual: Floats, shading: Shading) -> list[FoundPyramid]:
    """The squares that may hold a pyramid, nearest to the camera first; marks what they explain.

    usual: the usual brightness of each colour; the scene's first materials are the colours.
    """
    colours = len(usual)
    side = int(0.6 * sizes.base * PX_PER_MM) | 1
    blurred = cv2.blur(np.where(scene.free[..., None], scene.odds[..., :colours], 0), (side, side))
    seen = cv2.blur(scene.free.astype(np.float32), (side, side))
    found = []
    for name in nearest_first(scene.board, scene.eye):
        centre = np.array(scene.board.centre_mm(name))
        x, y = lean(scene.eye, centre[None], sizes.floor)[0]
        rows, columns = scene.canvas.window((x, y), WANDER_MM)
        if (blurred[rows, columns].max(axis=2) / np.maximum(seen[rows, columns], 0.2)).max() < 0.4 * LIMIT:
            continue
        pyramid = _find(scene, sizes, name, centre, usual, shading)
        if pyramid is not None:
            found.append(pyramid)
    return found


def _find(
    scene: Scene, sizes: Sizes, name: Square, centre: Floats, usual: Floats, shading: Shading
) -> FoundPyramid | None:
    count = len(usual)
    window = Window.about(scene.canvas, pyramid_outline(sizes, scene.eye, centre, 1, 0.0), 0.0)
    base = window.blank()
    window.fill(base, pyramid_outline(sizes, scene.eye, centre, 1, 0.0), 1)
    seen = scene.odds[window.key][(base > 0) & scene.free[window.key]]
    colour = int(seen[:, :count].sum(axis=0).argmax())
    patch = Patch.of(scene, sizes, centre, colour, float(usual[colour]))
    places = patch.places()
    outlines = [patch.silhouette(place, floors) for floors, place in enumerate(places, start=1)]
    best = int(np.argmax(outlines))
    mask = patch.outline(places[best], best + 1)
    free = scene.free[patch.window.key]
    visible = (mask > 0) & free
    if visible.sum() < LEAST_PIXELS:
        return None
    shares = scene.odds[patch.window.key][visible][:, :count].mean(axis=0) / LIMIT
    ring = scene.odds[patch.window.key][ring_of(mask) & free][:, int(shares.argmax())]
    if shares.max() < LEAST_SHARE or (ring > 0).mean() > MOST_ROUND:
        return None
    floors = patch.floors(places, shading)
    free[cv2.dilate(mask, np.ones((5, 5), np.uint8)) > 0] = False
    return FoundPyramid(name, np.asarray(shares, np.float64), floors)
