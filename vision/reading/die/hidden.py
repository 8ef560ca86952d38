"""A die that something hides in part: three corner pips in their places, and the middle, tell a four or a five."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from companion.observation import Die
from vision.reading.die.camera import TOP_MM
from vision.reading.die.places import spotted_places
from vision.reading.die.side import may_be_side
from vision.reading.die.templates import (
    ALL_PIPS,
    DRAWING_MM,
    FACE_NOISE,
    FACES,
    Grid,
    face_templates,
    likelihood,
    turns,
)
from vision.reading.die.view import DieView

TOLD: tuple[Die, ...] = (4, 5)
"""What is left of a three is also left of a five; two dark spots on something white, or strokes, are found on many
things."""
PLACES, APART_MM = 2, 8.0
LEAST_SEEN, ALL_SEEN = 0.6, 0.95
"""The share of a face that must be seen; and what is as good as all of it."""
WHITE = 0.72
"""What has less of the whiteness of the whitest there is not the die."""
PERHAPS_SIDE = 0.5
"""What is as much a side of a die as this is not its upper face."""
PERHAPS_TAUGHT = 0.5
"""Nor is it a die if it looks so much as it was taught (``TaughtTable``): spots on a table are there always."""
OTHER_THING = 0.8
"""The correlation at which it is as likely to be some other thing: what is hidden helps every drawing to fit."""

_GRID = Grid(step_mm=1.0, side=19, reach=8, turns=turns(6))


def face_left(view: DieView) -> tuple[Mapping[Die | None, float], tuple[float, float] | None]:
    """The probability of each face, and of None: no such die; and the middle of the face in the picture, None with it.

    No probabilities where nothing at all looks like a die.
    """
    best: Mapping[Die | None, float] = {}
    middle = None
    for place in spotted_places(view.white, PLACES, APART_MM):
        odds, centre = _at(view, place)
        if odds and odds[None] < best.get(None, 1.0):
            best, middle = odds, centre
    if not best or max(best, key=lambda face: best[face]) not in TOLD:
        return {}, None
    return best, middle


def _at(view: DieView, place: tuple[float, float]) -> tuple[Mapping[Die | None, float], tuple[float, float] | None]:
    """The same for the die that fits best about a place."""
    camera = view.camera
    about = camera.point(place, TOP_MM)
    filled = camera.from_above(view.white.filled, about, _GRID.side + 2 * _GRID.reach, _GRID.step_mm)
    templates = face_templates(_GRID, ALL_PIPS)
    patch = view.grey_patch(about, _GRID)
    visible = filled > WHITE * np.percentile(filled, 97)
    fits, seen = templates.correlation_of(visible, LEAST_SEEN, patch, FACE_NOISE)
    # A die is where most of it is seen, too: elsewhere its pips could be those of a face of which little is.
    best = np.unravel_index(int((fits * np.minimum(seen, ALL_SEEN)).argmax()), fits.shape)
    number, down, across = (int(index) for index in best)
    turn = templates.turn[number]
    centre = about + _GRID.step_mm * (np.array([across, down]) - _GRID.reach)
    if fits[best] <= 0 or not camera.sees(DRAWING_MM, centre, _GRID.turns[turn]):
        return {}, None
    if may_be_side(view, centre, _GRID.turns[turn]) > PERHAPS_SIDE:
        return {}, None
    if view.as_taught(centre) > PERHAPS_TAUGHT:
        return {}, None
    near = fits[:, max(down - 1, 0) : down + 2, max(across - 1, 0) : across + 2]
    each = [near[(templates.face == face) & (templates.turn == turn)].max() for face in range(len(FACES))]
    likely = likelihood(np.array([*each, OTHER_THING]), float(seen[best]))
    shares = (likely / likely.sum()).tolist()
    x, y = camera.px(centre[None])[0]
    return dict(zip((*FACES, None), shares, strict=True)), (float(x), float(y))
