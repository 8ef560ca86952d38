"""The network for kinds: in batches, and the quick one beside the thorough one."""

from __future__ import annotations

import numpy as np
import pytest

import vision.reading.floors
import vision.reading.network
from vision.reading.crops import BATCH, Asked, Cutter
from vision.reading.floors import FloorCounter
from vision.reading.network import SquareNetwork


def test_a_crop_scores_the_same_alone_and_among_others(cutter: Cutter, wanted: list[Asked]) -> None:
    network = SquareNetwork(FloorCounter())
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
    network = SquareNetwork(FloorCounter())
    scores, _ = network.look(cutter, wanted)
    for module in (vision.reading.network, vision.reading.floors):
        monkeypatch.setattr(module, "SURE", 2.0)
    thorough, _ = network.look(cutter, wanted)
    assert not np.array_equal(scores, thorough)
    best, most = (np.column_stack([np.zeros(len(some)), some]).argmax(axis=1) for some in (scores, thorough))
    assert best.tolist() == most.tolist()
