"""What two networks see of dice: where in a picture one may lie, and what one shows that lies there.

Both were taught with dice drawn on pictures of many tables (``training/packing/dice.py``): on cloths as white and as
spotted as a die, too, where no rule tells it from its ground.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.geometry import Floats
from vision.reading.crops import Planes
from vision.reading.die.camera import TOP_MM, DieCamera
from vision.reading.die.templates import FACES
from vision.reading.nets import load, run

PLACES_NET, FACES_NET = "die_places.onnx", "die_faces.onnx"
SEARCH_WIDTH_PX, CELL_PX = 768, 4
"""How wide a picture is that is searched, and how wide a cell of it of which the first network says one score."""
SIDE, STEP_MM = 40, 0.75
"""How much of a die the second is shown: so many pixels of so many mm, its upper face in their middle."""
_AROUND = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)], float)
_STEPS_MM, PERHAPS = (4.0, 2.0), -12.0
"""In such steps a die is looked for about a place: cells are 4 to 5 mm wide. Where the logarithm of its odds is lower
than the latter in the first of them it is given up."""
_DARK = 8
"""Grey levels added before logarithms are taken: what is darker is noise."""
_LEAST_CONTRAST = 3.0
"""Grey levels."""
_LOGARITHMS = np.log(np.arange(256, dtype=np.float32) + _DARK)


class DieSight:
    """The two networks."""

    def __init__(self) -> None:
        self._places, self._faces = load(PLACES_NET), load(FACES_NET)

    def places(self, picture: Picture, corners_px: Floats, most: int, apart_px: float) -> list[tuple[float, float]]:
        """Where in a picture the middle of a die's upper face is likeliest (px), the best first.

        corners_px: the board's (4 x 2); on it there is none. most: so many at most; apart_px: so far from each other.
        """
        self._places.setInput(search_planes(searched(picture)[None]))
        scores = np.array(self._places.forward()[0, 0], np.float32)
        to_cells = SEARCH_WIDTH_PX / picture.shape[1] / CELL_PX
        corners = (np.asarray(corners_px) + 0.5) * to_cells - 0.5
        lowest = float(scores.min())
        cv2.fillConvexPoly(scores, np.round(corners).astype(np.int32), lowest)
        places: list[tuple[float, float]] = []
        while len(places) < most:
            _, best, _, (x, y) = cv2.minMaxLoc(scores)
            if best <= lowest:
                break
            places.append(((x + 0.5) / to_cells - 0.5, (y + 0.5) / to_cells - 0.5))
            cv2.circle(scores, (x, y), max(round(apart_px * to_cells), 1), lowest, -1)
        return places

    def dice(self, camera: DieCamera, picture: Picture, places_px: Sequence[tuple[float, float]]) -> list[Floats]:
        """Where the middles of the upper faces of dice are that are likelier than not, about some places (px); on the
        plane of the upper face."""
        dice = []
        for place in places_px:
            middle, odds = camera.point(place, TOP_MM), -np.inf
            for step in _STEPS_MM:
                near = middle + step * _AROUND
                every = self.log_odds(camera, picture, list(near))
                middle, odds = near[int(np.argmax(every))], max(every)
                if odds < PERHAPS:
                    break
            if odds > 0:
                dice.append(middle)
        return dice

    def log_odds(self, camera: DieCamera, picture: Picture, centres_mm: Sequence[Floats]) -> list[float]:
        """The logarithms of the odds that a die has the middle of its upper face there.

        centres_mm: on the plane of the upper face.
        """
        if not centres_mm:
            return []
        said = run(self._faces, face_planes(*patches_about(camera, picture, centres_mm)), len(FACES) + 1)
        return [float(one) for one in np.logaddexp.reduce(said[:, 1:], axis=1) - said[:, 0]]


def searched(picture: Picture) -> Picture:
    """A picture as small as it is searched."""
    size = SEARCH_WIDTH_PX, round(picture.shape[0] * SEARCH_WIDTH_PX / picture.shape[1])
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def patches_about(
    camera: DieCamera, picture: Picture, centres_mm: Sequence[Floats]
) -> tuple[NDArray[np.uint8], list[float]]:
    """What a picture shows about places on the plane of the upper face, as ``face_planes`` takes it: patches, and of
    each how far below the upper face the lower one appears."""
    centres = np.reshape(centres_mm, (-1, 2))
    return camera.upright(picture, centres, SIDE, STEP_MM), np.hypot(*camera.drop(centres).T).tolist()


def search_planes(small: NDArray[np.uint8]) -> Planes:
    """What the network for places is shown of pictures (N x height x width x 3): N x 3 x height x width."""
    planes = _hues(small)
    planes -= planes.mean(axis=(2, 3), keepdims=True)
    return planes


def face_planes(patches: NDArray[np.uint8], drops_mm: Sequence[float]) -> Planes:
    """What the network for faces is shown of patches (N x ``SIDE`` x ``SIDE`` x 3): N x 4 x ``SIDE`` x ``SIDE``.

    drops_mm: of each, how far below the upper face the lower one appears (``DieCamera.drop``).
    """
    grey = patches @ np.array([0.114, 0.587, 0.299], np.float32)
    contrast = grey.std(axis=(1, 2), keepdims=True) + np.float32(_LEAST_CONTRAST)
    even = (grey - grey.mean(axis=(1, 2), keepdims=True)) / contrast
    drops = np.broadcast_to(np.asarray(drops_mm, np.float32)[:, None, None] / np.float32(SIDE * STEP_MM), grey.shape)
    return np.ascontiguousarray(np.concatenate([even[:, None], _hues(patches)[:, 1:], drops[:, None]], axis=1))


def _hues(pictures: NDArray[np.uint8]) -> Planes:
    """Logarithms of how bright pictures are, of blue against red, and of green against both: N x 3 x height x width."""
    many, height, width = pictures.shape[:3]
    blue, green, red = (
        np.asarray(cv2.LUT(plane, _LOGARITHMS), np.float32).reshape(many, height, width)
        for plane in cv2.split(pictures.reshape(many * height, width, 3))
    )
    planes = np.empty((many, 3, height, width), np.float32)
    planes[:, 0] = np.float32(0.114) * blue + np.float32(0.587) * green + np.float32(0.299) * red
    np.subtract(blue, red, out=planes[:, 1])
    np.subtract(green, (blue + red) / 2, out=planes[:, 2])
    return planes
