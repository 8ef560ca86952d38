"""Close-ups of pyramids: what they show, and that a network counts floors in them."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games.pacal.pieces import COLOURS, MAX_FLOORS, Pyramid
from vision.light.appearance import Looks
from vision.reading.crops import Asked
from vision.reading.evidence import Shown
from vision.reading.pyramids.close_look import BEFORE_MM, COARSER, PX_PER_MM, SIDE, CloseLook, closeup
from vision.reading.shapes import BASE_MM


def test_the_foot_of_a_pyramid_is_always_at_the_same_place_in_its_colour(shown: list[Shown], looks: Looks) -> None:
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


def test_a_margin_only_adds_what_is_round_a_closeup(shown: list[Shown]) -> None:
    margin = 2 * COARSER
    for name in shown[0][1]:
        plain, wide = (closeup(shown[0][0], name, many) for many in (0, margin))
        inner = wide.picture[margin:-margin, margin:-margin]
        # Where they lie in the picture is but worked out from other points.
        assert np.abs(inner.astype(int) - plain.picture).mean() < 0.5
        assert wide.gain[2:-2, 2:-2] == pytest.approx(plain.gain, abs=1e-3)
        assert wide.leans == plain.leans


def test_floors_are_counted_in_closeups(shown: list[Shown], looks: Looks) -> None:
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
