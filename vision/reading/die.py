"""What the special die shows: a white cube on the table beside the board.

The board's corners give the camera's pose, so wherever the die may lie its shape in the picture is known but for its
turn about the vertical: a square upper face, EDGE_MM above the table, and below it, towards the point under the camera,
as much of the side faces as can be seen. Where something is white, small and spotted (``die_places``), dice are fitted
to the picture (``die_fits``); here they are weighed against each other, and against there being none.

A wrong face is worse than none: a drawing that fits no face well and a face of which the picture cuts off more than a
bare corner count as no die.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.observation import Die
from vision.frames import Picture
from vision.geometry import Floats
from vision.noise import noise_of
from vision.reading.die_camera import DieCamera
from vision.reading.die_fits import OTHER_FACE, SEARCHED_MM, Fit, apart, best_fits, without_sides
from vision.reading.die_hidden import face_left
from vision.reading.die_places import likely_places
from vision.reading.die_taught import TaughtTable
from vision.reading.die_templates import FACES, likelihood
from vision.reading.die_view import DieView

SOFT, NOISY = 1 / 1024, 8.0
"""Pictures are sharpened against a blur of this share of their width (standard deviation), unless they have more noise
than so many grey levels (``vision.noise.noise_of``)."""
FIRST_CANDIDATES, MAX_CANDIDATES, EVENED_CANDIDATES = 6, 24, 3
"""Places that are looked at in a picture: as many at first, and as many in all when no die was found for sure among
those; and so many once more, as if no shadow's edge fell over them."""
SURE_LOG_ODDS = 4.0
PERHAPS_NONE = 0.3
"""Where no die is as likely as this, one is looked for over which a shadow's edge falls, and one that is hidden in
part; the likelier of them counts."""

FACE_SLIP = 0.01
"""How often a face is taken for another for reasons that the pixels do not show."""


@dataclass(frozen=True)
class DieReading:
    """What the die shows, with how sure that is.

    odds: the probability of each face, and of None: no die to be seen; they add up to 1.
    centre_px: the middle of the upper face in the picture, None when most likely there is no die.
    """

    odds: Mapping[Die | None, float]
    centre_px: tuple[float, float] | None

    @property
    def die(self) -> Die | None:
        """The most likely face, None for no die."""
        return max(self.odds, key=lambda face: self.odds[face])


def read_die(
    picture: Picture, corners_px: Floats, board_mm: tuple[float, float], taught: TaughtTable | None = None
) -> DieReading:
    """What the special die on the table shows, wherever it lies outside the board.

    corners_px: the board's corners in this picture, 4 x 2, the one at A1 first, then clockwise; board_mm: its width and
    height; taught: the table as it was taught, None where that is not known. A die that is mostly hidden, or of whose
    upper face more than a bare corner is outside the picture, is read as none.
    """
    view = DieView.of(_sharpened(picture), corners_px, board_mm, taught)
    if view is None:
        return DieReading(dict.fromkeys(FACES, 0.0) | {None: 1.0}, None)
    places = likely_places(view.white, MAX_CANDIDATES, SEARCHED_MM)
    fits: list[Fit] = []
    for some in (places[:FIRST_CANDIDATES], places[FIRST_CANDIDATES:]):
        fits += best_fits(view, some)
        if any(fit.log_odds > SURE_LOG_ODDS for fit in fits):
            break
    reading = _reading(fits, view.camera)
    if reading.odds[None] > PERHAPS_NONE:
        again = _reading(best_fits(view.evened(), places[:EVENED_CANDIDATES]), view.camera)
        reading = min(reading, again, key=lambda one: one.odds[None])
    if reading.odds[None] > PERHAPS_NONE:
        odds, centre = face_left(view)
        if odds and odds[None] < reading.odds[None]:
            return DieReading(odds, centre)
    return reading


def _sharpened(picture: Picture) -> Picture:
    """The picture with pips as dark as they are, though the camera may be a little out of focus; a noisy one as it
    is."""
    if noise_of(picture) > NOISY:
        return picture
    sigma = SOFT * picture.shape[1]
    soft = cv2.GaussianBlur(picture, (2 * round(2 * sigma) + 1,) * 2, sigma)
    # Written over what it is made of: new memory takes as long as the sharpening.
    return np.asarray(cv2.addWeighted(picture, 2, soft, -1, 0, dst=soft), np.uint8)


def _reading(fits: Sequence[Fit], camera: DieCamera) -> DieReading:
    """Weigh the fits, of which one at most is the die, against there being none."""
    fits = apart(without_sides(camera, fits))
    weights: dict[Die | None, float] = dict.fromkeys(FACES, 0.0) | {None: 1.0}
    for fit in fits:
        weight = float(np.exp(fit.log_odds))
        if not fit.whole:
            weights[None] += weight
            continue
        likely, other = likelihood(fit.faces), float(likelihood(OTHER_FACE))
        known = likely.sum() / (likely.sum() + other)
        weights[None] += float(weight * (1 - known))
        likely = (1 - FACE_SLIP) * likely / likely.sum() + FACE_SLIP / len(FACES)
        for face, share in zip(FACES, likely, strict=True):
            weights[face] += float(weight * known * share)
    total = sum(weights.values())
    odds = {face: weight / total for face, weight in weights.items()}
    best = max(fits, key=lambda fit: fit.log_odds, default=None)
    if best is None or max(odds, key=lambda face: odds[face]) is None:
        return DieReading(odds, None)
    x, y = camera.px(best.centre_mm[None])[0]
    return DieReading(odds, (float(x), float(y)))
