"""What the special die shows: a white cube on the table beside the board.

The board's corners give the camera's pose, so wherever the die may lie its shape in the picture is known but for its
turn about the vertical: a square upper face, EDGE_MM above the table, and below it, towards the point under the camera,
as much of the side faces as can be seen. Where something is white, small and spotted (``places``), and if nothing
is found so where networks see one (``sight``), dice are fitted to the picture (``fits``); here they are weighed
against each other, and against there being none.

A wrong face is worse than none: a drawing that fits no face well and a face of which the picture cuts off more than a
bare corner count as no die.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from companion.observation import Die
from vision.frames import Picture
from vision.geometry import Floats
from vision.reading.die.camera import DieCamera
from vision.reading.die.fits import OTHER_FACE, SEARCHED_MM, Fit, apart, best_fits, fits_near, without_sides
from vision.reading.die.hidden import face_left
from vision.reading.die.places import likely_places
from vision.reading.die.sight import DieSight
from vision.reading.die.taught import TaughtTable
from vision.reading.die.templates import FACES, likelihood
from vision.reading.die.view import DieView

FIRST_CANDIDATES, MAX_CANDIDATES, EVENED_CANDIDATES = 6, 24, 3
"""Places that are looked at in a picture: as many at first, and as many in all when no die was found for sure among
those; and so many once more, as if no shadow's edge fell over them."""
SEEN_CANDIDATES, SEEN_APART_MM = 4, 16.0
"""So many places at which networks see dice are looked at where no other has one, so far from each other."""
SURE_LOG_ODDS = 4.0
PLAIN_LOG_ODDS = 12.0
"""The logarithm of the odds from which on a whole die at the likeliest place is the die, and no other place is looked
at. Of 470 pictures of 29 tables that show one, plain and changed, it was there in 435, and another thing in none."""
PERHAPS_NONE = 0.3
"""Where no die is as likely as this, one is looked for over which a shadow's edge falls, one that networks see, and one
that is hidden in part; the likeliest of them counts."""

FACE_SLIP = 0.01
"""How often a face is taken for another for reasons that the pixels do not show."""


@dataclass(frozen=True)
class DieReading:
    """What the die shows, with how sure that is.

    odds: the probability of each face, and of None: no die to be seen; they add up to 1.
    centre_px: the middle of the upper face in the picture, None when most likely there is no die.
    fits: what was weighed for it; none where it is of a die that is hidden in part.
    """

    odds: Mapping[Die | None, float]
    centre_px: tuple[float, float] | None
    fits: tuple[Fit, ...] = ()

    @property
    def die(self) -> Die | None:
        """The most likely face, None for no die."""
        return max(self.odds, key=lambda face: self.odds[face])


def read_die(
    picture: Picture,
    corners_px: Floats,
    board_mm: tuple[float, float],
    taught: TaughtTable | None = None,
    sight: DieSight | None = None,
) -> DieReading:
    """What the special die on the table shows, wherever it lies outside the board.

    corners_px: the board's corners in this picture, 4 x 2, the one at A1 first, then clockwise; board_mm: its width and
    height; taught: the table as it was taught, None where that is not known; sight: the networks that see dice, None to
    load them. A die that is mostly hidden, or of whose upper face more than a bare corner is outside the picture, is
    read as none.
    """
    view = DieView.of(picture, corners_px, board_mm, taught, sight)
    return no_die() if view is None else find_die(view, corners_px)


def no_die() -> DieReading:
    """What is read where there can be none."""
    return DieReading(dict.fromkeys(FACES, 0.0) | {None: 1.0}, None)


def find_again(views: Iterable[DieView], camera: DieCamera, others: Sequence[Fit]) -> DieReading | None:
    """What the die shows if it is where it was, or plain to see where something has changed, or if there is nothing;
    None if all of the picture must be looked at to tell.

    views: of the regions that have changed; no more are made than must be. others: fits elsewhere in the picture.
    """
    fits, blank = list(others), True
    for view in views:
        places = likely_places(view.white, FIRST_CANDIDATES, SEARCHED_MM)
        if (reading := _plain_reading(view, places, others)) is not None:
            return reading
        if not view.is_blank:
            fits += best_fits(view, places)
            blank = False
    reading = _reading(fits, camera)
    # The best fit comes first.
    is_known = reading.die is not None and any(fit is reading.fits[0] for fit in others)
    return reading if blank or is_known else None


def find_die(view: DieView, corners_px: Floats) -> DieReading:
    """What the die shows, wherever it lies in a picture; see ``read_die``."""
    places = likely_places(view.white, MAX_CANDIDATES, SEARCHED_MM)
    if (plain := _plain_reading(view, places)) is not None:
        return plain
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
        # With those of the rules, of whose cubes it may see a side.
        others = [reading, _reading([*fits, *_seen_fits(view, corners_px)], view.camera)]
        odds, centre = face_left(view)
        if odds:
            others.append(DieReading(odds, centre))
        reading = min(others, key=lambda one: one.odds[None])
    return reading


def _plain_reading(
    view: DieView, places: Sequence[tuple[float, float]], others: Sequence[Fit] = ()
) -> DieReading | None:
    """What a die shows that is plain to see at the first of some places; None if there is none. others: fits elsewhere
    in the picture."""
    fits = best_fits(view, places[:1])
    if not any(fit.log_odds > PLAIN_LOG_ODDS and fit.whole for fit in fits):
        return None
    reading = _reading([*others, *fits], view.camera)
    return reading if reading.odds[None] <= PERHAPS_NONE else None


def _seen_fits(view: DieView, corners_px: Floats) -> list[Fit]:
    """The fits where networks see dice, but for what looks as it was taught: on a cloth as white as they are, and as
    spotted, nothing else tells them."""
    apart_px = SEEN_APART_MM * view.white.px_per_mm / view.white.scale
    places = view.sight.places(view.picture, corners_px, SEEN_CANDIDATES, apart_px)
    # Spots of the cloth may draw a fit away from where the die is seen, and the place where it is seen be off.
    fits = best_fits(view, places) + fits_near(view, view.sight.dice(view.camera, view.picture, places))
    return [fit for fit in fits if not fit.taught]


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
        return DieReading(odds, None, tuple(fits))
    x, y = camera.px(best.centre_mm[None])[0]
    return DieReading(odds, (float(x), float(y)), tuple(fits))
