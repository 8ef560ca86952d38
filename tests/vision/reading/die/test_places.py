from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.reading.die.places import Whiteness, likely_places

CORNERS = np.array([[500.0, 150], [1050, 150], [1050, 700], [500, 700]])
BOARD_MM = (400.0, 400.0)
PX_PER_MM = 550 / 400


def table(colour: tuple[int, int, int]) -> np.ndarray:
    picture = np.full((864, 1536, 3), colour, np.uint8)
    cv2.fillConvexPoly(picture, CORNERS.astype(np.int32), (225, 230, 235))
    return picture


def put_die(picture: np.ndarray, at: tuple[int, int]) -> None:
    """A white square of 16 mm with the pips of a five, as seen from straight above."""
    half = round(8 * PX_PER_MM)
    cv2.rectangle(picture, (at[0] - half, at[1] - half), (at[0] + half, at[1] + half), (215, 220, 225), -1)
    for across, down in [(0, 0), (-1, -1), (1, -1), (1, 1), (-1, 1)]:
        pip = (at[0] + round(4 * across * PX_PER_MM), at[1] + round(4 * down * PX_PER_MM))
        cv2.circle(picture, pip, 2, (20, 20, 20), -1)


def places(picture: np.ndarray, most: int = 12) -> list[tuple[float, float]]:
    return likely_places(Whiteness.of(picture, CORNERS, BOARD_MM), most, 8.0)


@pytest.mark.parametrize("colour", [(20, 22, 25), (60, 100, 150), (190, 200, 205), (150, 60, 50)], ids=str)
@pytest.mark.parametrize("at", [(300, 400), (1300, 100), (700, 780)], ids=str)
def test_the_first_place_is_where_the_die_lies(colour: tuple[int, int, int], at: tuple[int, int]) -> None:
    picture = table(colour)
    put_die(picture, at)
    assert np.hypot(*np.subtract(places(picture)[0], at)) < 5 * PX_PER_MM


def test_finds_a_die_between_white_checks_of_its_size() -> None:
    picture = table((50, 60, 150))
    for x in range(0, 480, 48):
        for y in range(0, 864, 48):
            picture[y : y + 24, x : x + 24] = 240
    put_die(picture, (257, 410))
    assert min(np.hypot(*np.subtract(place, (257, 410))) for place in places(picture)) < 5 * PX_PER_MM


def test_places_keep_apart_and_off_the_board() -> None:
    picture = table((60, 100, 150))
    for at in [(300, 400), (340, 400), (1300, 600), (770, 430)]:
        put_die(picture, at)
    found = np.array(places(picture))
    gaps = np.hypot(*(found[:, None] - found).transpose(2, 0, 1)) + 1e3 * np.eye(len(found))
    assert gaps.min() > 6 * PX_PER_MM
    assert not ((found > CORNERS[0]) & (found < CORNERS[2])).all(axis=1).any()


def test_names_no_more_places_than_asked_for() -> None:
    picture = table((60, 100, 150))
    put_die(picture, (300, 400))
    assert 1 <= len(places(picture, 3)) <= 3


def test_an_even_table_has_no_place() -> None:
    assert places(table((60, 100, 150))) == []


def test_noise_on_a_white_table_is_not_taken_for_pips() -> None:
    calm = table((225, 230, 235))
    noisy = np.clip(calm + np.random.default_rng(1).normal(0, 15, calm.shape), 0, 255).astype(np.uint8)
    white = Whiteness.of(noisy, CORNERS, BOARD_MM)
    assert float(np.mean(cv2.subtract(white.filled, white.plain)[:60])) < 2
