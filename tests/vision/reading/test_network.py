"""The networks themselves: in batches, and the quick ones beside the thorough ones."""

from __future__ import annotations

import numpy as np
import pytest

import vision.reading.network
from vision.appearance import Looks
from vision.reading.crops import CHANNELS, SIDE, Planes, candidates, cut
from vision.reading.evidence import Scene, usual_shades
from vision.reading.learning import MATERIALS
from vision.reading.network import BATCH, SquareNetwork
from vision.table import Table


@pytest.fixture
def crops(scene: Scene, table: Table) -> list[Planes]:
    usual = usual_shades(Looks.from_arrays(MATERIALS, table.learned))
    wanted = [(name, colour) for name, colours in candidates(scene).items() for colour in colours]
    return [batch.copy() for batch in cut(scene, usual, wanted, BATCH)]


def test_a_crop_scores_the_same_alone_and_among_others() -> None:
    network = SquareNetwork()
    crops = np.random.default_rng(1).normal(0, 1, (11, CHANNELS, SIDE, SIDE)).astype(np.float32)
    for among, alone, none in zip(
        *(network.look(some) for some in ([crops[:8], crops[8:]], [crops[9:10]], [])), strict=True
    ):
        assert among[9:10] == pytest.approx(alone, abs=1e-4)
        assert len(none) == 0


def test_what_a_quick_network_is_sure_of_the_thorough_one_says_too(
    crops: list[Planes], monkeypatch: pytest.MonkeyPatch
) -> None:
    network = SquareNetwork()
    scores, _ = network.look(crops)
    monkeypatch.setattr(vision.reading.network, "SURE", 2.0)
    monkeypatch.setattr(vision.reading.network, "SURE_OF_FLOORS", 2.0)
    thorough, _ = network.look(crops)
    assert not np.array_equal(scores, thorough)
    best, most = (np.column_stack([np.zeros(len(some)), some]).argmax(axis=1) for some in (scores, thorough))
    assert best.tolist() == most.tolist()
