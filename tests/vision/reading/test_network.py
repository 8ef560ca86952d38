"""The network for kinds: crops alone and among others, and the quick one beside the thorough one."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

import numpy as np
import pytest
from numpy.typing import NDArray

import vision.reading.nets
import vision.reading.network
import vision.reading.pyramids.floors
from companion.games.pacal.pieces import Ship
from companion.observation import Seen
from vision.reading.crops import AT_ONCE, Asked, Cutter
from vision.reading.nets import ASIDE, shares
from vision.reading.network import DOUBTFUL, PLAIN_SHIP, PYRAMID, STONE, SquareNetwork
from vision.reading.pyramids.floors import FloorCounter

SURENESSES = ("SURE", "SURE_OF_STONE", "SURE_OF_NOTHING")
"""Where the quick network is less sure than one of these the thorough one is asked."""


def test_a_crop_scores_the_same_alone_and_among_others(cutter: Cutter, wanted: list[Asked]) -> None:
    network = SquareNetwork(FloorCounter())
    assert len(wanted) > AT_ONCE
    # What is asked of a square's colours is not told by one of them alone.
    squares = [list(pairs) for _, pairs in groupby(wanted, key=lambda pair: pair[0])]
    for among, *alone, none in zip(
        network.look(cutter, wanted), *(network.look(cutter, pairs) for pairs in squares), network.look(cutter, []),
        strict=True,
    ):  # fmt: skip
        assert among == pytest.approx(np.concatenate(alone), abs=1e-4)
        assert len(none) == 0


def test_what_a_quick_network_is_sure_of_the_thorough_one_says_too(
    cutter: Cutter, wanted: list[Asked], monkeypatch: pytest.MonkeyPatch
) -> None:
    network = SquareNetwork(FloorCounter())
    scores, _ = network.look(cutter, wanted)
    monkeypatch.setattr(vision.reading.pyramids.floors, "SURE", 2.0)
    for sure in SURENESSES:
        monkeypatch.setattr(vision.reading.network, sure, 2.0)
    thorough, _ = network.look(cutter, wanted)
    assert not np.array_equal(scores, thorough)
    best, most = (np.column_stack([np.zeros(len(some)), some]).argmax(axis=1) for some in (scores, thorough))
    assert best.tolist() == most.tolist()


@pytest.mark.parametrize(("name", "kind"), [("SURE_OF_NOTHING", 0), ("SURE_OF_STONE", 1 + STONE)])
def test_how_sure_the_quick_network_must_be_depends_on_what_it_sees(
    cutter: Cutter, wanted: list[Asked], monkeypatch: pytest.MonkeyPatch, name: str, kind: int
) -> None:
    network = SquareNetwork(FloorCounter())

    def kinds(sure: float) -> NDArray[np.float64]:
        for other in SURENESSES:
            monkeypatch.setattr(vision.reading.network, other, sure if other == name else 0.0)
        return network.look(cutter, wanted)[0][:, :PYRAMID]

    quick = kinds(0.0)
    looked = (kinds(2.0) != quick).any(axis=1)
    best = np.column_stack([np.zeros(len(quick)), quick]).argmax(axis=1)
    assert looked.any()
    assert looked.tolist() == (looked & (best == kind)).tolist()


def test_the_thorough_network_is_not_asked_where_a_ship_stands_plainly_unless_something_lies_over_it(
    cutter: Cutter, wanted: list[Asked], truth: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = SquareNetwork(FloorCounter())
    for sure in SURENESSES:
        monkeypatch.setattr(vision.reading.network, sure, 2.0)

    def kinds(plain: float, covered: float) -> NDArray[np.float64]:
        monkeypatch.setattr(vision.reading.network, "PLAIN_SHIP", plain)
        monkeypatch.setattr(vision.reading.network, "PERHAPS_COVERED", covered)
        return network.look(cutter, wanted)[0][:, :PYRAMID]

    every = kinds(2.0, 0.05)
    quick = (kinds(PLAIN_SHIP, 1.0) != every).any(axis=1)
    ships = [isinstance(truth.get(name), Ship) for name, _ in wanted]
    assert any(ships)
    assert quick.tolist() == ships
    assert np.array_equal(kinds(PLAIN_SHIP, -1.0), every)


@pytest.fixture
def thorough(
    cutter: Cutter, wanted: list[Asked], monkeypatch: pytest.MonkeyPatch
) -> Callable[[float], NDArray[np.float64]]:
    """What the thorough network says of all, if it looks again where it is less sure than that."""
    network = SquareNetwork(FloorCounter())
    for sure in (*SURENESSES, "PLAIN_SHIP"):
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
