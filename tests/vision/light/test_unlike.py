"""Faces that mirror a lamp, that another lamp lights, or none, of colours as a table taught them."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games.pacal.pieces import COLOURS
from vision.light.appearance import STRANGE, Looks, Map, material_fits
from vision.light.comparison import Change
from vision.light.unlike import explain
from vision.logarithms import Layers, light_of, logarithms_of
from vision.reading.learning import MATERIALS
from vision.table import Table

STRANGE_HERE = np.full((1, 1), STRANGE, np.float32)


@pytest.fixture(scope="module")
def looks(table: Table) -> Looks:
    return Looks.from_arrays(MATERIALS, table.learned)


def face(looks: Looks, colour: str, mirrored: float) -> Layers:
    """One pixel of a piece of that colour which mirrors so much white light."""
    usual = looks.means[MATERIALS.index(colour)].astype(np.float32).reshape(1, 1, 3)
    return logarithms_of(np.asarray(light_of(usual) + np.float32(mirrored), np.float32))


def seen(pixel: Layers, brighter: float = 0.0) -> Change:
    """brighter: than the empty board."""
    difference = np.full_like(pixel, brighter)
    return Change(
        pixel, pixel[..., 2], difference, np.zeros_like(pixel), (0.0, 0.0), np.zeros((1, 1), np.bool_), None, None
    )


def best(looks: Looks, pixel: Layers, bare: Map, brighter: float = 0.0) -> str:
    fits = material_fits(seen(pixel), looks)
    explain(looks.unlike, fits[:-1], bare, seen(pixel, brighter))
    return MATERIALS[int(fits[:, 0, 0].argmax())]


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("mirrored", [0.0, 0.05, 0.1, 0.2])
def test_a_glossy_face_fits_its_own_colour_best(looks: Looks, colour: str, mirrored: float) -> None:
    assert best(looks, face(looks, colour, mirrored), STRANGE_HERE) == colour


def test_without_gloss_a_red_one_looks_like_something_else(looks: Looks) -> None:
    fits = material_fits(seen(face(looks, "red", 0.2)), looks)[:, 0, 0]
    assert MATERIALS[int(fits.argmax())] != "red" or fits.max() == np.float32(STRANGE)


def test_what_looks_bare_or_plain_is_left_as_it_is(looks: Looks) -> None:
    glossy, plain = face(looks, "red", 0.2), face(looks, "red", 0.0)
    for pixel, bare in ((glossy, 0.0), (plain, STRANGE)):
        fits = material_fits(seen(pixel), looks)
        before = fits.copy()
        explain(looks.unlike, fits[:-1], np.full((1, 1), bare, np.float32), seen(pixel))
        assert np.array_equal(fits, before)


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("off", [(0.4, 0.2, 0.0), (-0.3, 0.3, -0.2), (0.2, -0.4, 0.1)])
def test_a_face_in_another_light_fits_its_own_colour_best(
    looks: Looks, colour: str, off: tuple[float, float, float]
) -> None:
    pixel = face(looks, colour, 0.0) + np.array(off, np.float32)
    assert best(looks, pixel, STRANGE_HERE) == colour


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("off", [(0.3, 0.0, -0.8), (0.0, 0.0, -1.1), (-0.2, 0.2, -1.4)])
def test_a_face_in_shadow_fits_its_own_colour_best(looks: Looks, colour: str, off: tuple[float, float, float]) -> None:
    pixel = face(looks, colour, 0.0) + np.array(off, np.float32)
    assert best(looks, pixel, STRANGE_HERE, brighter=-0.9) == colour


def test_what_is_not_much_darker_than_the_board_is_in_no_shadow(looks: Looks) -> None:
    pixel = face(looks, "yellow", 0.0) + np.array((0.0, 0.0, -1.5), np.float32)
    for brighter, fitting in ((-0.4, False), (-0.9, True)):
        fits = material_fits(seen(pixel), looks)
        explain(looks.unlike, fits[:-1], STRANGE_HERE, seen(pixel, brighter))
        assert (fits.max() > STRANGE) == fitting


def test_what_is_unlike_every_colour_fits_none(looks: Looks) -> None:
    teal = logarithms_of(np.array([[[0.45, 0.4, 0.02]]], np.float32))
    fits = material_fits(seen(teal), looks)
    explain(looks.unlike, fits[:-1], STRANGE_HERE, seen(teal))
    assert fits.max() == np.float32(STRANGE)
