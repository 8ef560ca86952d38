"""Where dice are seen, and what is seen of them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.observation import Die
from tests.vision.reading.die.drawn_dice import CLOTH, PAPER, WOOD, Table, seen_by
from vision.geometry import Floats
from vision.reading.die.camera import TOP_MM
from vision.reading.die.sight import DieSight, face_planes, search_planes
from vision.reading.die.templates import FACES

AT = (-75.0, 240.0)
APART_PX = 12.0
MANY = 8
SIGHT = DieSight()


def places(table: Table, most: int = MANY) -> list[Floats]:
    """Where dice are likeliest on a table, on the plane of their upper faces."""
    found = SIGHT.places(table.picture(), table.corners_px(), most, APART_PX)
    return [seen_by(table).point(place, TOP_MM) for place in found]


def far(place: Floats, at: tuple[float, float] = AT) -> float:
    return float(np.hypot(*(place - at)))


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("colour", [WOOD, CLOTH, (25, 25, 25), PAPER], ids=["wood", "cloth", "dark", "white"])
def test_the_first_place_is_where_the_die_lies(colour: tuple[int, int, int], face: Die) -> None:
    assert far(places(Table(colour, tilt=20).board().die(face, AT, 30))[0]) < 5


@pytest.mark.parametrize("seed", range(4))
def test_the_first_place_is_where_the_die_lies_on_a_motley_cloth(seed: int) -> None:
    assert far(places(Table(tilt=15).motley(seed).board().die(4, AT, 30))[0]) < 5


def test_finds_a_die_between_white_checks_of_its_size() -> None:
    table = Table().check(16, (50, 60, 150)).board().die(5, AT, 30)
    assert min(map(far, places(table))) < 5


def test_places_keep_apart_and_off_the_board() -> None:
    table = Table().board().die(5, AT, 30).die(2, (-75, 270), 50).die(3, (200, 200), 10).die(3, (560, 300), 77)
    found = np.array(SIGHT.places(table.picture(), table.corners_px(), MANY, APART_PX))
    assert len(found) == MANY
    gaps = np.hypot(*(found[:, None] - found).transpose(2, 0, 1)) + 1e3 * np.eye(len(found))
    assert gaps.min() > APART_PX / 2
    outline = table.corners_px().astype(np.float32)
    assert all(cv2.pointPolygonTest(outline, (float(x), float(y)), True) < 3 for x, y in found)


def test_names_no_more_places_than_asked_for() -> None:
    assert len(places(Table().board().die(5, AT, 30), 3)) == 3


@pytest.mark.parametrize("share", [0.6, 1.25])
def test_pictures_of_another_size_have_their_places_there_too(share: float) -> None:
    table = Table().board().die(5, AT, 30)
    one, other = (
        SIGHT.places(
            np.asarray(cv2.resize(table.picture(), None, fx=size, fy=size, interpolation=cv2.INTER_AREA), np.uint8),
            (table.corners_px() + 0.5) * size - 0.5,
            1,
            APART_PX * size,
        )[0]
        for size in (1.0, share)
    )
    assert np.hypot(*((np.array(other) + 0.5) / share - 0.5 - one)) < 6


@pytest.mark.parametrize("face", FACES)
def test_a_die_is_seen_where_it_lies_and_nowhere_else(face: Die) -> None:
    table = Table(tilt=25).board().die(face, AT, 30)
    camera, picture = seen_by(table), table.picture()
    on_side = np.array(AT) + camera.drop(np.array(AT)) * (0.5 + 8 / np.hypot(*camera.drop(np.array(AT))))
    here, on_a_side, beside, nowhere = SIGHT.log_odds(
        camera, picture, [np.array(AT), on_side, np.array([-87.0, 240.0]), np.array([560.0, 100.0])]
    )
    assert here > 3
    assert max(on_a_side, beside, nowhere) < -2


@pytest.mark.parametrize(("across", "down"), [(0, 0), (5, -4), (-6, 2), (3, 6)])
def test_a_die_is_seen_though_the_place_is_beside_its_middle(across: int, down: int) -> None:
    table = Table(tilt=25).board().die(3, AT, 30)
    camera = seen_by(table)
    px = camera.px(np.array([AT, (AT[0] + across, AT[1] + down), (560.0, 100.0)]))
    (die,) = SIGHT.dice(camera, table.picture(), [(float(x), float(y)) for x, y in px[1:]])
    assert far(die) < 3


def test_no_die_is_seen_where_there_is_none() -> None:
    table = Table(tilt=25).motley(3).board()
    found = SIGHT.places(table.picture(), table.corners_px(), MANY, APART_PX)
    assert SIGHT.dice(seen_by(table), table.picture(), found) == []


def test_nothing_is_said_of_no_places() -> None:
    table = Table().board()
    assert SIGHT.log_odds(seen_by(table), table.picture(), []) == []


@pytest.mark.parametrize("gain", [0.5, 1.3])
def test_networks_are_shown_about_the_same_in_other_light(gain: float) -> None:
    picture = np.random.default_rng(1).integers(60, 180, (40, 40, 3)).astype(np.uint8)
    other = np.round(picture * gain).astype(np.uint8)
    for one, two in (
        (search_planes(picture[None]), search_planes(other[None])),
        (face_planes(picture[None], [5.0]), face_planes(other[None], [5.0])),
    ):
        assert one.shape == two.shape
        assert np.abs(one - two).max() < 0.3
        assert np.abs(one - two).mean() < 0.1
