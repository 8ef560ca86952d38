"""The networks themselves: in batches, and the quick ones beside the thorough ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

import vision.reading.network
from vision.reading.candidates import candidates
from vision.reading.crops import BATCH, Asked, Cutter
from vision.reading.evidence import Scene
from vision.reading.network import SquareNetwork
from vision.reading.terraces import MOST, TerraceCounter


@pytest.fixture
def wanted(scene: Scene) -> list[Asked]:
    return [(name, colour) for name, colours in candidates(scene).items() for colour in colours]


def test_a_crop_scores_the_same_alone_and_among_others(cutter: Cutter, wanted: list[Asked]) -> None:
    network = SquareNetwork()
    assert len(wanted) > 2 * BATCH
    for among, *alone, none in zip(
        network.look(cutter, wanted), *(network.look(cutter, [pair]) for pair in wanted), network.look(cutter, []),
        strict=True,
    ):  # fmt: skip
        assert among == pytest.approx(np.concatenate(alone), abs=1e-4)
        assert len(none) == 0


def test_what_a_quick_network_is_sure_of_the_thorough_one_says_too(
    cutter: Cutter, wanted: list[Asked], monkeypatch: pytest.MonkeyPatch
) -> None:
    network = SquareNetwork()
    scores, _ = network.look(cutter, wanted)
    monkeypatch.setattr(vision.reading.network, "SURE", 2.0)
    thorough, _ = network.look(cutter, wanted)
    assert not np.array_equal(scores, thorough)
    best, most = (np.column_stack([np.zeros(len(some)), some]).argmax(axis=1) for some in (scores, thorough))
    assert best.tolist() == most.tolist()


class OneFloor(TerraceCounter):
    """Terraces that always say one floor."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.likely: list[NDArray[np.float64]] = []

    def count(self, scene: Scene, wanted: Sequence[Asked], likely: NDArray[np.float64]) -> NDArray[np.float64]:
        self.asked += wanted
        self.likely += list(likely)
        return np.tile([0.0, -MOST, -MOST, -MOST, -MOST], (len(wanted), 1))


def test_terraces_count_where_networks_are_doubtful_about_floors(
    cutter: Cutter, wanted: list[Asked], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, _ = SquareNetwork().look(cutter, wanted)
    terraces = OneFloor()
    network = SquareNetwork(terraces)
    monkeypatch.setattr(vision.reading.network, "SURE", 2.0)
    monkeypatch.setattr(vision.reading.network, "DOUBTFUL", 2.0)
    thorough, _ = SquareNetwork().look(cutter, wanted)
    told, _ = network.look(cutter, wanted)
    there = np.array([pair in terraces.asked for pair in wanted])
    assert there.any()
    assert not there.all()
    assert np.array_equal(told[~there], thorough[~there])
    # They are told what the network says, so that they look at nothing in vain.
    for before, likely in zip(thorough[there], terraces.likely, strict=True):
        assert np.ptp(before[2:] - likely) == pytest.approx(0, abs=1e-9)
    # One floor gains on each other number as much as the terraces say, and all together are as likely as before.
    gained = (told - thorough)[there, 2:]
    assert np.diff(gained[:, :2]) == pytest.approx(-MOST)
    assert np.ptp(gained[:, 1:], axis=1) == pytest.approx(0, abs=1e-9)
    for before, after in zip(thorough[there], told[there], strict=True):
        assert np.logaddexp.reduce(after[2:]) == pytest.approx(np.logaddexp.reduce(before[2:]))
    monkeypatch.setattr(vision.reading.network, "SURE", 0.01)
    terraces.asked.clear()
    sure, _ = network.look(cutter, wanted)
    assert terraces.asked == []
    assert sure.shape == plain.shape
