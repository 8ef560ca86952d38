"""Close-ups of pyramids: what they show, and that a network counts floors in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from companion.games.pacal.pieces import COLOURS, MAX_FLOORS, Piece, Pyramid, squares_from_json
from companion.squares import Square
from vision.appearance import Looks
from vision.frames import Picture
from vision.reading.close_look import BEFORE_MM, COARSER, PX_PER_MM, SIDE, CloseLook, closeup
from vision.reading.crops import Asked
from vision.reading.evidence import Scene
from vision.reading.learning import MATERIALS
from vision.reading.shapes import BASE_MM
from vision.setup_folder import Setup
from vision.table import Table


@pytest.fixture(scope="module")
def looks(table: Table) -> Looks:
    return Looks.from_arrays(MATERIALS, table.learned)


@pytest.fixture(scope="module")
def shown(setup: Setup, look: Callable[[Picture], Scene]) -> list[tuple[Scene, Mapping[Square, Piece]]]:
    """The palettes."""
    return [(look(palette.picture), squares_from_json(palette.squares)) for palette in setup.palettes]


def test_the_foot_of_a_pyramid_is_always_at_the_same_place_in_its_colour(
    shown: list[tuple[Scene, Mapping[Square, Piece]]], looks: Looks
) -> None:
    begin, inner = BEFORE_MM * PX_PER_MM, BASE_MM / 4 * PX_PER_MM
    foot = slice(round(begin - inner), round(begin + inner))
    for scene, pieces in shown:
        for name, piece in pieces.items():
            if isinstance(piece, Pyramid) and piece.floors == 1:
                close = closeup(scene, name, 0)
                assert close.picture.shape == (SIDE, SIDE, 3)
                assert close.gain.shape == close.difference.shape == (SIDE // COARSER, SIDE // COARSER, 3)
                own, *others = (
                    np.abs(close.layers(looks.means[colour].astype(np.float32))[foot, foot, :2].mean(axis=(0, 1))).sum()
                    for colour in [COLOURS.index(piece.colour), *range(len(COLOURS))]
                )
                assert own == min(others)


def test_a_margin_only_adds_what_is_round_a_closeup(shown: list[tuple[Scene, Mapping[Square, Piece]]]) -> None:
    margin = 2 * COARSER
    for name in shown[0][1]:
        plain, wide = (closeup(shown[0][0], name, many) for many in (0, margin))
        inner = wide.picture[margin:-margin, margin:-margin]
        # Where they lie in the picture is but worked out from other points.
        assert np.abs(inner.astype(int) - plain.picture).mean() < 0.5
        assert wide.gain[2:-2, 2:-2] == pytest.approx(plain.gain, abs=1e-3)
        assert wide.leans == plain.leans


def test_floors_are_counted_in_closeups(shown: list[tuple[Scene, Mapping[Square, Piece]]], looks: Looks) -> None:
    close = CloseLook(looks)
    right = many = 0
    for scene, pieces in shown:
        wanted: list[Asked] = []
        floors = []
        for name, piece in pieces.items():
            if isinstance(piece, Pyramid):
                wanted.append((name, COLOURS.index(piece.colour)))
                floors.append(piece.floors)
        told = close.count(scene, wanted)
        assert CloseLook(looks, 4.0).count(scene, wanted).max() < told.max()
        assert np.exp(told).sum(axis=1) == pytest.approx(np.ones(len(wanted)))
        right, many = right + int(sum(told.argmax(axis=1) + 1 == floors)), many + len(floors)
        assert close.count(scene, []).shape == (0, MAX_FLOORS)
    assert many >= 25
    assert right >= many - 1


@pytest.mark.parametrize("overstated", [0.5, 7.0, float("nan")])
def test_it_overstates_by_what_can_be_learned_or_is_refused(looks: Looks, overstated: float) -> None:
    with pytest.raises(ValueError, match="overstate"):
        CloseLook(looks, overstated)
