"""Counting floors: by a quick network, a thorough one, terraces; and how far the networks are trusted on a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

import vision.reading.pyramids.floors
from companion.games.pacal.pieces import MAX_FLOORS, Piece, Pyramid
from companion.squares import Square
from vision.light.appearance import Looks
from vision.reading.crops import Asked, Cutter
from vision.reading.evidence import Scene, Shown
from vision.reading.nets import OVERSTATED
from vision.reading.network import SquareNetwork
from vision.reading.pyramids.floors import ALIKE, FloorCounter, learn_overstated
from vision.reading.pyramids.terraces import MOST, TerraceCounter


class OneFloor(TerraceCounter):
    """Terraces that always say one floor, and that any other number is less likely by so much (a logarithm)."""

    def __init__(self, less: float) -> None:
        self.less = less
        self.asked: list[Asked] = []
        self.likely: list[NDArray[np.float64]] = []

    def count(self, scene: Scene, wanted: Sequence[Asked], likely: NDArray[np.float64]) -> NDArray[np.float64]:
        self.asked += wanted
        self.likely += list(likely)
        return np.tile([0.0, *[-self.less] * (MAX_FLOORS - 1)], (len(wanted), 1))


@pytest.mark.parametrize("less", [1.0, 3 * MOST])
def test_terraces_count_where_networks_are_doubtful_about_floors(
    cutter: Cutter, wanted: list[Asked], less: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, _ = SquareNetwork(FloorCounter()).look(cutter, wanted)
    terraces = OneFloor(less)
    network = SquareNetwork(FloorCounter([terraces]))
    monkeypatch.setattr(vision.reading.pyramids.floors, "SURE", 2.0)
    monkeypatch.setattr(vision.reading.pyramids.floors, "DOUBTFUL", 2.0)
    thorough, _ = SquareNetwork(FloorCounter()).look(cutter, wanted)
    told, _ = network.look(cutter, wanted)
    there = np.array([pair in terraces.asked for pair in wanted])
    assert there.any()
    assert not there.all()
    assert np.array_equal(told[~there], thorough[~there])
    # They are told what the network says, so that they look at nothing in vain.
    for before, likely in zip(thorough[there], terraces.likely, strict=True):
        assert np.ptp(ALIKE * before[2:] - likely) == pytest.approx(0, abs=1e-9)
    # One floor gains on each other number as much as the terraces say, within limits: however sure they are they may
    # err. All together are as likely as before.
    gained = ALIKE * (told - thorough)[there, 2:]
    assert np.diff(gained[:, :2]) == pytest.approx(-min(less, MOST))
    assert np.ptp(gained[:, 1:], axis=1) == pytest.approx(0, abs=1e-9)
    for before, after in zip(thorough[there], told[there], strict=True):
        assert np.logaddexp.reduce(after[2:]) == pytest.approx(np.logaddexp.reduce(before[2:]))
    monkeypatch.setattr(vision.reading.pyramids.floors, "SURE", 0.01)
    terraces.asked.clear()
    sure, _ = network.look(cutter, wanted)
    assert terraces.asked == []
    assert sure.shape == plain.shape


def one_more(pieces: Mapping[Square, Piece], many: int) -> dict[Square, Piece]:
    """The same pieces, so many of the pyramids said to have a floor more, the highest one floor."""
    told = dict(pieces)
    for name in [name for name, piece in pieces.items() if isinstance(piece, Pyramid)][:many]:
        piece = pieces[name]
        assert isinstance(piece, Pyramid)
        told[name] = Pyramid(piece.colour, piece.floors % MAX_FLOORS + 1)
    return told


def test_networks_are_believed_where_they_know_the_palettes_pyramids(shown: list[Shown], looks: Looks) -> None:
    assert learn_overstated(shown, looks).tolist() == [1.0, 1.0, 1.0]
    assert learn_overstated([], looks).tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("many", [2, 5])
def test_networks_are_believed_less_the_more_pyramids_they_mistake(shown: list[Shown], looks: Looks, many: int) -> None:
    fewer, more = (
        learn_overstated([(scene, one_more(pieces, count)) for scene, pieces in shown], looks)
        for count in (many, 2 * many)
    )
    assert (fewer > 1).all()
    assert (more >= fewer).all()
    assert {*fewer.tolist(), *more.tolist()} <= set(OVERSTATED)


def test_networks_that_overstate_say_the_same_but_less_surely(cutter: Cutter, wanted: list[Asked]) -> None:
    likely = np.ones(len(wanted), np.bool_)
    usual, less = (FloorCounter(overstated=much).count(cutter, wanted, likely) for much in ((1.0, 1.0), (4.0, 4.0)))
    assert np.exp(less).sum(axis=1) == pytest.approx(np.ones(len(wanted)))
    assert (less.max(axis=1) < np.maximum(usual.max(axis=1), np.log(0.999))).all()
    sure = usual.max(axis=1) > np.log(0.99)
    assert sure.any()
    assert less[sure].argmax(axis=1).tolist() == usual[sure].argmax(axis=1).tolist()


@pytest.mark.parametrize("overstated", [(0.5, 1.0), (1.0, 7.0), (float("nan"), 1.0)])
def test_networks_overstate_by_what_can_be_learned_or_the_counter_is_refused(overstated: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="overstate"):
        FloorCounter(overstated=overstated)
