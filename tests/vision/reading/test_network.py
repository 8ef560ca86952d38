"""The network for kinds: in batches, and the quick one beside the thorough one."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

import numpy as np
import pytest
from numpy.typing import NDArray

import vision.reading.floors
import vision.reading.nets
import vision.reading.network
from vision.reading.crops import BATCH, Asked, Cutter
from vision.reading.floors import FloorCounter
from vision.reading.nets import ASIDE, shares
from vision.reading.network import DOUBTFUL, PYRAMID, STONE, SquareNetwork, beside_large


def test_the_crops_of_a_square_score_the_same_alone_and_among_others(cutter: Cutter, wanted: list[Asked]) -> None:
    network = SquareNetwork(FloorCounter())
    assert len(wanted) > 2 * BATCH
    squares = [list(pairs) for _, pairs in groupby(wanted, key=lambda pair: pair[0])]
    for among, *alone, none in zip(
        network.look(cutter, wanted), *(network.look(cutter, pairs) for pairs in squares), network.look(cutter, []),
        strict=True,
    ):  # fmt: skip
        assert among == pytest.approx(np.concatenate(alone), abs=1e-4)
        assert len(none) == 0


@pytest.mark.parametrize(
    ("large", "beside", "covers", "skipped"),
    [
        ((0.001, 0.0, 0.0, 0.999), (0.9, 0.1, 0.0, 0.0), (0.0, 0.0), True),
        ((0.001, 0.0, 0.999, 0.0), (0.9, 0.1, 0.0, 0.0), (0.0, 0.0), True),
        ((0.0, 0.999, 0.0, 0.001), (0.9, 0.1, 0.0, 0.0), (0.0, 0.0), False),
        ((0.01, 0.0, 0.0, 0.99), (0.9, 0.1, 0.0, 0.0), (0.0, 0.0), False),
        ((0.001, 0.0, 0.0, 0.999), (0.4, 0.6, 0.0, 0.0), (0.0, 0.0), False),
        ((0.001, 0.0, 0.999, 0.0), (0.9, 0.0, 0.1, 0.0), (0.0, 0.0), False),
        ((0.001, 0.0, 0.0, 0.999), (0.9, 0.1, 0.0, 0.0), (0.5, 0.0), False),
        ((0.001, 0.0, 0.0, 0.999), (0.9, 0.1, 0.0, 0.0), (0.0, 0.5), False),
    ],
)
def test_what_most_likely_is_not_beside_a_sure_ship_or_pyramid_on_its_square_does_not_matter(
    large: tuple[float, ...], beside: tuple[float, ...], covers: tuple[float, ...], skipped: bool
) -> None:
    wanted: list[Asked] = [("A1", 0), ("B1", 0), ("B1", 3)]
    odds = np.array([(0.9, 0.1, 0.0, 0.0), large, beside])
    assert beside_large(wanted, odds, np.array([0.0, *covers])).tolist() == [False, False, skipped]


def test_what_a_quick_network_is_sure_of_the_thorough_one_says_too(
    cutter: Cutter, wanted: list[Asked], monkeypatch: pytest.MonkeyPatch
) -> None:
    network = SquareNetwork(FloorCounter())
    scores, _ = network.look(cutter, wanted)
    for module in (vision.reading.network, vision.reading.floors):
        monkeypatch.setattr(module, "SURE", 2.0)
    monkeypatch.setattr(vision.reading.network, "SURE_OF_STONE", 2.0)
    thorough, _ = network.look(cutter, wanted)
    assert not np.array_equal(scores, thorough)
    best, most = (np.column_stack([np.zeros(len(some)), some]).argmax(axis=1) for some in (scores, thorough))
    assert best.tolist() == most.tolist()


def test_of_a_stone_the_quick_network_must_be_surer(
    cutter: Cutter, wanted: list[Asked], monkeypatch: pytest.MonkeyPatch
) -> None:
    network = SquareNetwork(FloorCounter())

    def kinds(sure: float, of_stone: float) -> NDArray[np.float64]:
        monkeypatch.setattr(vision.reading.network, "SURE", sure)
        monkeypatch.setattr(vision.reading.network, "SURE_OF_STONE", of_stone)
        return network.look(cutter, wanted)[0][:, :PYRAMID]

    quick = kinds(0.0, 0.0)
    looked = (kinds(0.0, 2.0) != quick).any(axis=1)
    is_stone = np.column_stack([np.zeros(len(quick)), quick]).argmax(axis=1) == 1 + STONE
    assert looked.any()
    assert looked.tolist() == (looked & is_stone).tolist()


@pytest.fixture
def thorough(
    cutter: Cutter, wanted: list[Asked], monkeypatch: pytest.MonkeyPatch
) -> Callable[[float], NDArray[np.float64]]:
    """What the thorough network says of all, if it looks again where it is less sure than that."""
    network = SquareNetwork(FloorCounter())
    for sure in ("SURE", "SURE_OF_STONE"):
        monkeypatch.setattr(vision.reading.network, sure, 2.0)

    def look(doubtful: float) -> NDArray[np.float64]:
        monkeypatch.setattr(vision.reading.network, "DOUBTFUL", doubtful)
        return network.look(cutter, wanted)[0]

    return look


def test_what_the_thorough_network_doubts_is_the_mean_of_what_it_says_of_places_side_by_side(
    thorough: Callable[[float], NDArray[np.float64]], wanted: list[Asked], monkeypatch: pytest.MonkeyPatch
) -> None:
    once, again, some = (thorough(doubtful)[:, :PYRAMID] for doubtful in (0.0, 2.0, DOUBTFUL))
    places = []
    for aside in ASIDE:
        monkeypatch.setattr(vision.reading.nets, "ASIDE", (aside,))
        # The mean of what is said of the place and of that beside it.
        places.append(2 * thorough(2.0)[:, :PYRAMID] - once)
        assert not np.allclose(places[-1], once)
    assert again == pytest.approx(np.mean([once, *places], axis=0))
    # Most it is sure of, and looks once.
    sure = (some == once).all(axis=1)
    assert sure.sum() > len(wanted) / 2
    assert some[~sure] == pytest.approx(again[~sure], abs=1e-4)


def test_of_what_is_a_ship_or_nothing_it_looks_once_however_doubtful(
    thorough: Callable[[float], NDArray[np.float64]],
) -> None:
    some, once = thorough(DOUBTFUL), thorough(0.0)
    pyramids = np.logaddexp.reduce(once[:, PYRAMID:], axis=1)
    nothing, stone, ship, pyramid = np.exp(shares(np.column_stack([0 * pyramids, once[:, :PYRAMID], pyramids]))).T
    doubtful = np.maximum.reduce([nothing, stone, ship, pyramid]) < DOUBTFUL
    ships = doubtful & (stone + pyramid <= 1 - DOUBTFUL)
    assert ships.any()
    assert (doubtful & ~ships).any()
    assert np.array_equal((some != once)[:, :PYRAMID].any(axis=1), doubtful & ~ships)
