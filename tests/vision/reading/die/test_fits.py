from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.observation import Die
from tests.vision.reading.die.drawn_dice import BOARD_MM, CLOTH, LENS, Table, seen_by
from vision.reading.die.camera import TOP_MM, DieCamera
from vision.reading.die.fits import NEAR_MM, Fit, best_fits, fits_near, without_sides
from vision.reading.die.places import Whiteness
from vision.reading.die.side import is_below, upper_from_side
from vision.reading.die.templates import EDGE_MM, FACES
from vision.reading.die.view import DieView


def upper_and_side(seen: DieCamera) -> tuple[np.ndarray, np.ndarray]:
    """Where the middles of an upper face and of a side below it are seen, on the plane of the upper face."""
    upper = np.array([-75.0, 240.0])
    drop = seen.drop(upper)
    return upper, np.asarray(upper + drop / 2 + EDGE_MM / 2 * drop / np.linalg.norm(drop))


def test_something_above_a_die_that_looks_less_like_a_cube_does_not_make_a_side_of_its_upper_face() -> None:
    seen = seen_by(Table(tilt=-30))
    upper, side = upper_and_side(seen)
    beyond = upper_from_side(seen, upper)
    assert is_below(seen, side, upper) and is_below(seen, upper, beyond)
    threes, arrows = np.array([0.7, 0.92, 0.4, 0.6, 0.1]), np.array([0.1, 0.2, 0.1, 0.1, 0.91])
    die, on_side, other = (
        Fit(centre, 0.0, faces, cube, 0.9)
        for centre, faces, cube in ((upper, threes, 0.96), (side, arrows, 0.75), (beyond, arrows, 0.84))
    )
    kept = without_sides(seen, [die, on_side, other])
    assert [fit is die for fit in kept] == [True]


def test_an_upper_face_counts_though_a_lamp_shines_on_the_side_below_it() -> None:
    """Of a table that nobody had seen (seed 26500, set-up 9): the brighter side with the table round it was a cube."""
    seen = seen_by(Table(tilt=-30))
    upper, side = upper_and_side(seen)
    fours, fives = np.array([0.55, 0.43, 0.84, 0.76, 0.4]), np.array([0.46, 0.59, 0.66, 0.8, 0.31])
    die, on_side = Fit(upper, 0.0, fours, 0.78, 0.83), Fit(side, 0.0, fives, 0.9, 0.2)
    assert [fit is die for fit in without_sides(seen, [die, on_side])] == [True]


@pytest.mark.parametrize(
    ("face", "across", "down"), [(2, 6, 11), (3, -10, 4), (4, -10, 4), (5, -10, 4), ("arrows", -3, -10)]
)
def test_finds_a_die_beyond_what_is_searched_about_a_place_where_some_of_it_shows(
    face: Die, across: int, down: int
) -> None:
    """White squares of a cloth beside a die draw the place where it is looked for away from it."""
    at = np.array([-75.0, 240.0])
    table = Table(CLOTH).check(30, (20, 20, 22)).board().die(face, (-75, 240), 30)
    picture, corners = table.picture(), table.corners_px()
    view = DieView.of(picture, corners, BOARD_MM)
    assert view is not None
    view = replace(view, sharp=picture, white=Whiteness.of(picture, corners, BOARD_MM))
    place = table.pose.project(LENS, np.append(at + np.array([across, down]), TOP_MM)[None])[0]
    fits = best_fits(view, [(float(place[0]), float(place[1]))])
    best = max(fits, key=lambda fit: fit.log_odds)
    assert FACES[int(best.faces.argmax())] == face
    assert np.hypot(*(best.centre_mm - at)) < 1


def test_stripes_above_a_die_that_look_like_arrows_do_not_make_a_side_of_its_upper_face() -> None:
    """Of a table that nobody had seen (seed 28100, set-up 5, turned): a lamp shone on the die, whose pips were pale."""
    seen = seen_by(Table(tilt=-30))
    upper, _ = upper_and_side(seen)
    threes, arrows = np.array([0.66, 0.82, 0.44, 0.65, 0.18]), np.array([0.11, 0.26, -0.01, 0.07, 0.83])
    die, stripes = Fit(upper, 0.0, threes, 0.82, 0.67), Fit(upper_from_side(seen, upper), 0.0, arrows, 0.76, 0.29)
    assert any(fit is die for fit in without_sides(seen, [die, stripes]))


def test_a_die_that_is_known_to_lie_somewhere_is_fitted_there_though_another_fits_better() -> None:
    at, other = np.array([-75.0, 240.0]), (-75.0, 257.0)
    table = Table(CLOTH).board().die(4, (-75, 240), 30, glare=0.6).die(5, other, 30)
    view = DieView.of(table.picture(), table.corners_px(), BOARD_MM)
    assert view is not None
    (fit,) = fits_near(view, [at + np.array([0.5, 1.0])])
    assert FACES[int(fit.faces.argmax())] == 4
    assert np.hypot(*(fit.centre_mm - at)) < 1.5
    # Where there is none it stays where it was sent.
    for none in fits_near(view, [at + np.array([0.0, 8.5])]):
        assert np.hypot(*(none.centre_mm - at - np.array([0.0, 8.5]))) < NEAR_MM + 3.0


def test_nothing_is_fitted_where_nothing_looks_like_a_die() -> None:
    table = Table(CLOTH).board()
    view = DieView.of(table.picture(), table.corners_px(), BOARD_MM)
    assert view is not None
    assert fits_near(view, [np.array([-75.0, 240.0])]) == []


@pytest.mark.parametrize("sight", [-20.0, -3.0, 0.0, 3.0, 20.0])
def test_what_a_network_sees_counts_but_is_never_all(sight: float) -> None:
    plain = Fit(np.zeros(2), 0.0, np.array([0.7, 0.92, 0.4, 0.6, 0.1]), 0.8, 0.5)
    more = replace(plain, sight=sight).log_odds - plain.log_odds
    assert np.sign(more) == np.sign(sight)
    assert abs(more) <= 9.0
