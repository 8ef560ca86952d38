from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.frames import Picture
from vision.grid import Canvas, shrink
from vision.light.appearance import Map
from vision.light.glare import FAINT, Glare, GlareFinder
from vision.logarithms import BURNT, Layers, light_of, logarithms, logarithms_of
from vision.reader import Reader
from vision.table import Table

HUE = (0.0, 0.0)


@pytest.fixture(scope="module")
def empty(table: Table) -> Picture:
    canvas = Canvas.to_read(table.board)
    return shrink(canvas.straighten(table.empty, table.lens, table.pose))


def spot(shape: tuple[int, ...], strength: float) -> Map:
    """Light that a lamp mirrored in the board's middle adds, in shares of white."""
    rows, columns = np.mgrid[: shape[0], : shape[1]]
    away = ((rows - shape[0] / 2) ** 2 + (columns - shape[1] / 2) ** 2) / (0.1 * shape[0]) ** 2
    return np.asarray(strength * np.exp(-0.5 * away), np.float32)


def mirrored(picture: Picture, strength: float, dimmed: float = 1.0) -> Picture:
    """The picture, lit by so much less light and with a lamp mirrored in it."""
    light = light_of(logarithms(picture)) * np.float32(dimmed) + spot(picture.shape, strength)[..., None]
    levels = 255 * np.clip(light, 0, 1) ** (1 / 2.2)
    return np.asarray(levels.round(), np.uint8)


def find(taught: Picture, seen: Picture) -> Glare | None:
    unburnt = np.where(seen.max(axis=2) < BURNT, 255, 0).astype(np.uint8)
    return GlareFinder(logarithms(taught)).find(logarithms(seen), HUE, unburnt)


def test_light_and_logarithms_are_each_others_inverse(empty: Picture) -> None:
    logs: Layers = logarithms(empty)
    assert np.allclose(logarithms_of(light_of(logs)), logs, atol=2e-3)


@pytest.mark.parametrize("dimmed", [1.0, 0.6])
def test_no_glare_is_found_where_only_the_light_changed(empty: Picture, dimmed: float) -> None:
    assert find(empty, mirrored(empty, 0.0, dimmed)) is None


def test_no_glare_is_found_in_a_shadow(empty: Picture) -> None:
    shade = 1 - 0.6 * np.clip(np.linspace(-4, 4, empty.shape[1]), 0, 1)[None, :, None]
    shaded = np.asarray(empty * shade, np.uint8)
    assert find(empty, shaded) is None


def test_no_glare_is_found_where_bright_print_is_burnt_out_as_the_light_is_brighter(empty: Picture) -> None:
    printed = np.full_like(empty, 165)
    printed[::2] -= 20
    for row in range(40, empty.shape[0] - 60, 80):
        printed[row : row + 40] = (217, 107, 234)
    brighter = np.asarray(np.minimum(printed * 1.4, 255).round(), np.uint8)
    assert find(printed, brighter) is None


def test_no_glare_is_found_where_a_part_of_the_board_is_burnt_out_and_the_rest_in_shadow(empty: Picture) -> None:
    shade = 1 - 0.55 * np.clip(np.linspace(-6, 10, empty.shape[1]), 0, 1)[None, :, None]
    seen = np.asarray(np.minimum(empty * shade * 2.0, 255).round(), np.uint8)
    assert (seen == 255).any(axis=2).mean() > 0.15
    assert find(empty, seen) is None


def test_a_lamp_that_is_mirrored_now_is_found(empty: Picture) -> None:
    glare = find(empty, mirrored(empty, 0.2))
    assert glare is not None
    rows, columns = glare.amount.shape
    assert glare.amount[rows // 2, columns // 2] == pytest.approx(0.2, abs=0.08)
    assert np.abs(glare.amount[:, : columns // 6]).max() < 0.02


@pytest.mark.parametrize("dimmed", [1.0, 0.4])
def test_a_lamp_that_was_mirrored_when_taught_is_found(empty: Picture, dimmed: float) -> None:
    bright = mirrored(empty, 0.3)
    glare = find(bright, mirrored(empty, 0.0, dimmed))
    assert glare is not None
    rows, columns = glare.amount.shape
    assert glare.amount[rows // 2, columns // 2] == pytest.approx(-0.3, abs=0.1)
    taught = logarithms(bright)
    lit, doubt = glare.on(taught)
    plain, middle = logarithms(empty), np.s_[155:181, 155:181]
    # Its print has its own colours again.
    before = np.abs(taught - plain)[middle][..., :2].mean()
    assert np.abs(lit - plain)[middle][..., :2].mean() < 0.5 * before
    assert doubt[middle].mean() > 0.02
    assert doubt[:, :14].max() == 0


def test_a_bare_board_is_bare_when_its_mirrored_lamp_is_gone(table: Table) -> None:
    light = light_of(logarithms(table.empty))
    bright = spot(table.empty.shape, 0.35)[..., None] * np.array([0.85, 1.0, 1.1], np.float32)
    levels = 255 * np.clip(light + bright, 0, 1) ** (1 / 2.2)
    taught = Table(table.board, table.lens, table.corners_px, np.asarray(levels, np.uint8), table.learned)
    dim = cv2.convertScaleAbs(table.empty, alpha=0.7)
    assert Reader(taught).read(np.asarray(dim, np.uint8)).seen() == {}


def test_a_picture_of_the_empty_board_gets_the_light_that_its_logarithms_get(empty: Picture) -> None:
    amount = spot((empty.shape[0] // 4, empty.shape[1] // 4), 0.3)
    glare = Glare(amount, np.array([0.9, 1.0, 1.1], np.float32))
    seen = light_of(logarithms(glare.over(empty, glare.amounts(empty.shape))))
    expected = np.minimum(light_of(glare.on(logarithms(empty))[0]), 1)
    # Half a grey level, and what is too faint for the logarithms.
    assert np.allclose(seen, expected, atol=0.0045 + FAINT)
    assert np.abs(seen - light_of(logarithms(empty))).max() > 0.2


def test_light_that_the_empty_board_is_to_be_rid_of_leaves_it_no_darker_than_black(empty: Picture) -> None:
    glare = Glare(spot((empty.shape[0] // 4, empty.shape[1] // 4), -0.8), np.ones(3, np.float32))
    black = glare.over(empty, glare.amounts(empty.shape))
    assert black[empty.shape[0] // 2, empty.shape[1] // 2].max() == 0
