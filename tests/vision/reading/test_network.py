"""The networks themselves: in batches, and the quick ones beside the thorough ones."""

from __future__ import annotations

import numpy as np
import pytest

import vision.reading.network
from vision.reading.candidates import candidates
from vision.reading.crops import BATCH, Asked, Cutter
from vision.reading.evidence import Scene
from vision.reading.network import SquareNetwork


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
    monkeypatch.setattr(vision.reading.network, "SURE_OF_FLOORS", 2.0)
    thorough, _ = network.look(cutter, wanted)
    assert not np.array_equal(scores, thorough)
    best, most = (np.column_stack([np.zeros(len(some)), some]).argmax(axis=1) for some in (scores, thorough))
    assert best.tolist() == most.tolist()
