"""How a lens bends and how far it sees is found from a picture of the empty board alone."""

from __future__ import annotations

import numpy as np
import pytest

import vision.teaching.lens_finding
from companion import games
from companion.errors import BadSetup
from vision.frames import Picture
from vision.geometry import Floats, Lens
from vision.simulated.printed import printed_board
from vision.simulated.scene import Renderer, SceneState
from vision.simulated.setup import corners_px
from vision.simulated.view import View
from vision.teaching.lens_finding import find_lens

SIZE = (1152, 648)


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(printed_board("pacal", "reference"))


def found(renderer: Renderer, view: View, off_px: Floats | None = None) -> Lens:
    board = games.get("pacal").board("reference")
    assert board is not None
    picture: Picture = renderer.render(SceneState(), view)
    corners = np.array(corners_px(renderer, view)) + (0 if off_px is None else off_px)
    return find_lens(board, corners, picture)


@pytest.mark.parametrize(
    ("field_deg", "k1", "tilt_deg"),
    [(66, 0.02, 14), (60, -0.04, 25), (74, 0.05, 20), (66, -0.18, 10), (70, 0.15, 20)],
)
def test_focal_length_and_bend_of_a_tilted_camera_are_found(
    renderer: Renderer, field_deg: float, k1: float, tilt_deg: float
) -> None:
    view = View(size=SIZE, field_deg=field_deg, k1=k1, tilt_deg=tilt_deg, height_mm=820)
    lens = found(renderer, view)
    assert lens.focal == pytest.approx(view.focal_px, rel=0.02)
    assert lens.k1 == pytest.approx(k1, abs=0.012)


@pytest.mark.parametrize(("field_deg", "k1", "height_mm"), [(54, 0.0, 1100), (80, 0.0, 700), (85, 0.1, 700)])
def test_a_quite_other_lens_is_found_from_a_slant(
    renderer: Renderer, field_deg: float, k1: float, height_mm: float
) -> None:
    """To a lens of the usual focal length such a board seems bent: a k1 of -0.3 was found."""
    view = View(size=SIZE, field_deg=field_deg, k1=k1, tilt_deg=33, azimuth_deg=45, height_mm=height_mm)
    lens = found(renderer, view)
    assert lens.focal == pytest.approx(view.focal_px, rel=0.02)
    assert lens.k1 == pytest.approx(k1, abs=0.02)


def test_scores_that_go_on_rising_do_not_send_it_beyond_what_was_tried() -> None:
    """Of these the top of the parabola is at 0.73: a lens that bends the board's straight lines into arcs."""
    tried, scores = np.arange(0.0, 0.05, 0.01), np.array([10.336, 10.724, 11.035, 11.0728, 11.1098])
    assert vision.teaching.lens_finding._top(tried, scores) == pytest.approx(tried[-1])
    assert vision.teaching.lens_finding._top(tried, scores[::-1]) == pytest.approx(tried[0])
    assert vision.teaching.lens_finding._top(tried, -((tried - 0.023) ** 2)) == pytest.approx(0.023)


def test_corners_that_are_a_little_off_change_little(renderer: Renderer) -> None:
    view = View(size=SIZE, field_deg=66, k1=0.02, tilt_deg=22)
    off = np.random.default_rng(3).normal(0, 0.5, (4, 2))
    assert found(renderer, view, off).focal == pytest.approx(view.focal_px, rel=0.04)


@pytest.mark.parametrize(
    "view",
    [
        View(size=SIZE, field_deg=66, k1=0.0, tilt_deg=1),
        View(size=SIZE[::-1], field_deg=40.1, k1=0.0, tilt_deg=1, height_mm=1200),
    ],
    ids=["level", "upright"],
)
def test_from_right_above_the_usual_focal_length_is_taken(renderer: Renderer, view: View) -> None:
    """That of a camera that sees 66 degrees along its pictures' longer side."""
    off = np.random.default_rng(4).normal(0, 0.5, (4, 2))
    assert found(renderer, view, off).focal == pytest.approx(view.focal_px, rel=0.05)


def test_corners_of_another_shape_are_refused(renderer: Renderer) -> None:
    off = np.array([[0, 0], [120, 0], [0, 0], [0, 90]])
    with pytest.raises(BadSetup, match=r"corners fit no camera|beginning at the one at A1"):
        found(renderer, View(size=SIZE), off)
