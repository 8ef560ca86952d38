"""Two colours that a square may be claimed for: which they are, what is seen of them, and that a network knows them."""

from __future__ import annotations

from collections import defaultdict
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.pacal.pieces import COLOURS, Pyramid, Ship, Stones
from companion.observation import Content
from vision.appearance import Looks
from vision.reading.crops import WHOLE, Cutter
from vision.reading.evidence import Scene
from vision.reading.rivals import SEEN, SHIP_WAYS, WAYS, Claim, Rivals, rivals_of, way_of_two, weighed
from vision.reading.ships import Odds
from vision.reading.terraces import Shown

RED, YELLOW, GREEN, BLUE, PURPLE = range(len(COLOURS))
EITHER = {Stones(("blue",)): 0.3, Stones(("purple",)): 0.3, Stones(("blue", "purple")): 0.3, None: 0.05}

contents = st.one_of(
    st.none(),
    st.sampled_from(COLOURS).map(Ship),
    st.tuples(st.sampled_from(COLOURS), st.integers(1, 5)).map(lambda drawn: Pyramid(*drawn)),
    st.sets(st.sampled_from(COLOURS), min_size=1).map(lambda colours: Stones(tuple(sorted(colours)))),
)
pairs = st.sampled_from(list(permutations(range(len(COLOURS)), 2)))


@pytest.mark.parametrize(
    ("odds", "rivals"),
    [
        (EITHER, {BLUE, PURPLE}),
        ({Stones(("blue",)): 0.98, Stones(("purple",)): 0.02}, None),
        ({Stones(("blue",)): 0.6, None: 0.4}, None),
        ({Stones(("blue",)): 0.5, Stones(("purple",)): 0.3, Ship("blue"): 0.2}, None),
        ({Pyramid("red", 3): 0.9, Pyramid("purple", 3): 0.1}, {RED, PURPLE}),
        # Red surely is there: it is doubted of the others.
        ({Stones(("blue", "red")): 0.5, Stones(("purple", "red")): 0.4, Stones(("blue", "purple", "red")): 0.1},
         {BLUE, PURPLE}),
    ],
)  # fmt: skip
def test_rivals_are_the_two_colours_in_doubt(odds: dict[Content | None, float], rivals: set[int] | None) -> None:
    found = rivals_of(odds)
    assert (found and set(found)) == rivals


def test_what_may_be_there_of_two_colours() -> None:
    stones, pairs = Stones(("blue", "red")), ((RED, GREEN), (GREEN, RED), (RED, BLUE))
    assert [way_of_two(stones, *pair) for pair in pairs] == [1, 2, 3]
    assert way_of_two(Ship("blue"), RED, BLUE) == SHIP_WAYS[1]
    assert way_of_two(None, RED, BLUE) == way_of_two(Pyramid("green", 1), RED, BLUE) == 0


@given(contents, pairs)
def test_the_ways_of_two_colours_are_told_apart_by_what_is_there(
    content: Content | None, pair: tuple[int, int]
) -> None:
    one, other = way_of_two(content, *pair), way_of_two(content, *pair[::-1])
    named = [COLOURS[colour] in str(content) for colour in pair]
    assert (one == other) == (sum(named) != 1)
    assert (one == 0) == (not any(named))


def by_way(odds: Odds, pair: tuple[int, int]) -> dict[int, float]:
    """How likely each way is in which two colours may be there."""
    total: dict[int, float] = defaultdict(float)
    for content, p in odds.items():
        total[way_of_two(content, *pair)] += p
    return total


@given(st.lists(st.floats(0.01, 1), min_size=WAYS, max_size=WAYS), pairs)
def test_odds_go_half_of_the_way_to_what_the_network_says(told: list[float], pair: tuple[int, int]) -> None:
    said = np.array(told) / sum(told)
    found = weighed(EITHER, pair, np.log(said))
    assert sum(found.values()) == pytest.approx(sum(EITHER.values()))
    before, after = by_way(EITHER, pair), by_way(found, pair)
    ratios = [after[way] / np.sqrt(before[way] * said[way]) for way in before]
    assert ratios == pytest.approx([ratios[0]] * len(ratios), rel=1e-3)
    # What it cannot tell apart stays as it was.
    for content, p in EITHER.items():
        way = way_of_two(content, *pair)
        assert found[content] / after[way] == pytest.approx(p / before[way])


def test_what_is_known_already_changes_nothing() -> None:
    odds = {Stones(("blue",)): 0.7, Stones(("purple",)): 0.3}
    told = np.log(np.array([1e-5, 0.7, 0.3, 1e-5, 1e-5, 1e-5, 1e-5, 1e-5]))
    assert weighed(odds, (BLUE, PURPLE), told) == pytest.approx(odds, abs=1e-3)


def test_a_claim_is_what_crops_show(scene: Scene, cutter: Cutter, looks: Looks) -> None:
    means = looks.means[: len(COLOURS)].astype(np.float32)
    for name in scene.places.names:
        crop = np.concatenate(list(cutter.cut([(name, BLUE)], WHOLE)))[0]
        planes = Claim.of(scene, name, 0).planes(means, BLUE, RED)
        assert np.array_equal(planes[0], crop[0])
        # The likeliest other colour, but for the rival.
        assert np.array_equal(np.maximum(planes[1], planes[2]), crop[1])
        # Bare board that fits as well as it can tells no more.
        assert np.array_equal(planes[3:9], np.minimum(crop[2:8], [[[1.0]]] * 2 + [[[np.inf]]] * 4))
        assert np.array_equal(planes[-3:], crop[-3:])


def test_a_margin_only_adds_what_is_round_a_claim(scene: Scene) -> None:
    for name in scene.places.names:
        plain, wide = Claim.of(scene, name, 0), Claim.of(scene, name, 3)
        assert wide.seen.shape == (SEEN, WHOLE.side + 6, WHOLE.side + 6)
        assert np.array_equal(wide.seen[:, 3:-3, 3:-3], plain.seen)
        assert np.array_equal(wide.square, plain.square)


def test_stones_are_told_from_what_they_are_not(shown: list[Shown], looks: Looks) -> None:
    rivals = Rivals(looks)
    right = many = 0
    for scene, pieces in shown:
        for name, piece in pieces.items():
            if isinstance(piece, Stones) and len(piece.colours) == 1:
                for other in set(COLOURS) - set(piece.colours):
                    both = Stones(tuple(sorted({*piece.colours, other})))
                    odds = rivals.weigh(scene, name, {piece: 0.3, Stones((other,)): 0.3, both: 0.4})
                    many, right = many + 1, right + (max(odds, key=lambda content: odds[content]) == piece)
    assert many >= 80
    assert right >= 0.97 * many


def test_what_is_not_in_doubt_is_left_alone(scene: Scene, looks: Looks) -> None:
    odds = {Stones(("blue",)): 0.99, Stones(("purple",)): 0.01}
    assert Rivals(looks).weigh(scene, scene.places.names[0], odds) is odds
