"""Two colours that a square may be claimed for: which they are, what is seen of them, and that a network knows them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.pacal.pieces import COLOURS, Pyramid, Ship, Stones
from companion.observation import Content, Odds
from vision.grid import READ_PX_PER_MM
from vision.light.appearance import Looks
from vision.reading.claim import CLOSE, Claim
from vision.reading.evidence import Scene, Shown
from vision.reading.nets import TEMPERATURE
from vision.reading.places import on_canvas
from vision.reading.rivals import (
    CHANNELS,
    NOT_CLAIMED,
    SHIP_WAYS,
    WAYS,
    Rivals,
    planes,
    rivals_of,
    way_of_two,
    weighed,
    with_taken,
)

RED, YELLOW, GREEN, BLUE, PURPLE = range(len(COLOURS))
EITHER: Odds = {Stones(("blue",)): 0.3, Stones(("purple",)): 0.3, Stones(("blue", "purple")): 0.3, None: 0.05}

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
        ({Stones(("blue",)): 0.98, Stones(("purple",)): 0.02}, set()),
        ({Stones(("blue",)): 0.6, None: 0.4}, {BLUE}),
        ({Stones(("blue",)): 0.5, Stones(("purple",)): 0.3, Ship("blue"): 0.2}, set()),
        ({Pyramid("red", 3): 0.9, Pyramid("purple", 3): 0.1}, {RED, PURPLE}),
        ({Stones(("blue", "red")): 0.5, Stones(("purple", "red")): 0.49, Stones(("green", "red")): 0.01},
         {RED, BLUE, PURPLE}),
    ],
)  # fmt: skip
def test_rivals_are_the_colours_that_may_be_there(odds: dict[Content | None, float], rivals: set[int]) -> None:
    assert set(rivals_of(odds)) == rivals


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
def test_odds_go_most_of_the_way_to_what_the_network_says(told: list[float], pair: tuple[int, int]) -> None:
    said = np.array(told) / sum(told)
    found = weighed(EITHER, [pair], np.log(said)[None])
    assert sum(found.values()) == pytest.approx(sum(EITHER.values()))
    before, after = by_way(EITHER, pair), by_way(found, pair)
    ratios = [after[way] / (before[way] ** 0.15 * said[way] ** 0.85) for way in before]
    assert ratios == pytest.approx([ratios[0]] * len(ratios), rel=1e-3)
    # What it cannot tell apart stays as it was.
    for content, p in EITHER.items():
        way = way_of_two(content, *pair)
        assert found[content] / after[way] == pytest.approx(p / before[way])


def test_what_is_known_already_changes_nothing() -> None:
    odds: Odds = {Stones(("blue",)): 0.7, Stones(("purple",)): 0.3}
    told = np.log(np.array([[1e-5, 0.7, 0.3, 1e-5, 1e-5, 1e-5, 1e-5, 1e-5]]))
    assert weighed(odds, [(BLUE, PURPLE)], told) == pytest.approx(odds, abs=1e-3)


@given(st.lists(st.floats(0.01, 1), min_size=3, max_size=3))
def test_three_pairs_that_agree_say_no_more_than_one_look_at_all_three(weights: list[float]) -> None:
    share = np.array(weights) / sum(weights)
    three = list(combinations((RED, GREEN, BLUE), 2))
    told = np.full((3, WAYS), 1e-5)
    for row, (first, second) in zip(told, combinations(range(3), 2), strict=True):
        row[:3] = 1 - share[first] - share[second], share[first], share[second]
    stones = [Stones((colour,)) for colour in ("red", "green", "blue")]
    found = weighed(dict.fromkeys(stones, 1 / 3), three, np.log(told))
    told_of_all = share**0.85
    assert list(found.values()) == pytest.approx(list(told_of_all / told_of_all.sum()), rel=1e-3)


def test_a_claim_shows_its_square_in_the_same_place_however_it_is_turned(scene: Scene) -> None:
    pictures = (scene.straight, scene.empty_at(slice(None), slice(None)))
    for name in scene.places.names:
        claim = Claim.of(scene, name, 0)
        x, y = on_canvas(scene.about(name)[0]).round().astype(int)
        for picture, part in zip(pictures, (claim.picture, claim.empty), strict=True):
            # It begins with a whole pixel of the maps, which may be one of the picture's aside.
            near = part[CLOSE.before - 1 : CLOSE.before + 2, CLOSE.before - 1 : CLOSE.before + 2].reshape(-1, 3)
            assert picture[y, x].tolist() in near.tolist()
        (across, down), square = claim.square_mm, claim.square()
        assert square.sum() == pytest.approx(across * down * READ_PX_PER_MM**2, rel=0.05)
        assert square[CLOSE.before, CLOSE.before] == 1


def test_maps_lie_over_the_picture(shown: list[Shown], looks: Looks) -> None:
    means, many = looks.means[: len(COLOURS)].astype(np.float32), 0
    for scene, pieces in shown:
        for name, piece in pieces.items():
            if isinstance(piece, Pyramid):
                colour = COLOURS.index(piece.colour)
                claim = Claim.of(scene, name, 0)
                seen = planes(claim.layers(), claim.leans, means, colour, (colour + 1) % len(COLOURS))
                assert seen.shape == (CHANNELS, *CLOSE.shape)
                fits, off = seen[10], np.abs(seen[:2]).max(axis=0)
                good = (fits > 0) & (claim.square() > 0)
                assert off[good].mean() < 0.5 * off[~good].mean()
                many += 1
    assert many >= 25


def test_rivals_that_are_swapped_are_seen_so(scene: Scene, looks: Looks) -> None:
    means, claim = looks.means[: len(COLOURS)].astype(np.float32), Claim.of(scene, scene.places.names[0], 0)
    one, other = (planes(claim.layers(), claim.leans, means, *pair) for pair in ((BLUE, RED), (RED, BLUE)))
    assert np.array_equal(one[[3, 4, 5, 0, 1, 2, 6, 7, 8, 9, 11, 10]], other[:12])
    assert np.array_equal(one[12:], other[12:])


def test_a_margin_only_adds_what_is_round_a_claim(scene: Scene) -> None:
    for name in scene.places.names:
        plain, wide = Claim.of(scene, name, 0), Claim.of(scene, name, 4)
        assert np.array_equal(wide.picture[4:-4, 4:-4], plain.picture)
        assert np.array_equal(wide.gain[2:-2, 2:-2], plain.gain)
        assert np.array_equal(wide.maps[:, 2:-2, 2:-2], plain.maps)
        assert np.array_equal(wide.square()[4:-4, 4:-4], plain.square())


def test_stones_are_told_from_what_they_are_not(told_apart: Callable[..., tuple[int, int]], looks: Looks) -> None:
    right, many = told_apart(Rivals(looks).weigh, (0.3, 0.3, 0.4, 0.0))
    assert many >= 80
    assert right >= 0.97 * many


def test_what_is_not_in_doubt_is_left_alone(scene: Scene, looks: Looks) -> None:
    odds: Odds = {Stones(("blue",)): 0.99, Stones(("purple",)): 0.01}
    assert Rivals(looks).weigh(scene, scene.places.names[0], odds) is odds


def taken(content: Content | None) -> bool:
    return isinstance(content, Stones) and ("blue" in content.colours) != ("purple" in content.colours)


def other(content: Content | None) -> tuple[str, ...]:
    assert isinstance(content, Stones)
    swapped = {"blue": "purple", "purple": "blue"}
    return tuple(sorted(swapped.get(colour, colour) for colour in content.colours))


@given(st.dictionaries(contents, st.floats(0.01, 1), min_size=1, max_size=6))
def test_a_stone_that_may_be_blue_or_purple_may_be_the_other_too(odds: dict[Content | None, float]) -> None:
    found = with_taken(odds)
    assert sum(found.values()) == pytest.approx(sum(odds.values()))
    # All else stays as likely beside all else.
    scale = 1 + NOT_CLAIMED * sum(p for content, p in odds.items() if taken(content)) / sum(odds.values())
    for content, p in odds.items():
        assert found[content] * scale >= p * (1 - 1e-9)
        if not isinstance(content, Stones) or not taken(content):
            assert found[content] * scale == pytest.approx(p)
    assert {content for content in found if content not in odds} <= {Stones(other(one)) for one in odds if taken(one)}


class Network:
    """A stand-in that says of every pair of colours that the first is there."""

    def __init__(self) -> None:
        self._seen = 0

    @property
    def asked(self) -> int:
        """Of how many pairs: each is seen twice, the second time the other way round."""
        return self._seen // 2

    def setInput(self, seen: np.ndarray) -> None:  # noqa: N802
        assert len(seen) == 1
        self._seen += 1

    def forward(self) -> np.ndarray:
        said = np.zeros((1, WAYS), np.float32)
        said[0, 1 if self._seen % 2 else 2] = 9
        return said


@pytest.mark.parametrize(
    ("odds", "pairs", "likeliest"),
    [
        ({Stones(("purple",)): 0.84, None: 0.16}, 1, Stones(("blue",))),
        ({Stones(("purple", "red")): 0.84, Stones(("red",)): 0.16}, 2, None),
        ({Stones(("red",)): 0.84, None: 0.16}, 0, Stones(("red",))),
        (EITHER, 1, Stones(("blue",))),
    ],
)
def test_where_only_one_of_blue_and_purple_is_claimed_both_are_told_apart(
    scene: Scene, looks: Looks, odds: Odds, pairs: int, likeliest: Content | None
) -> None:
    rivals, network = Rivals(looks), Network()
    rivals._net = network  # type: ignore[assignment]
    found = rivals.weigh(scene, scene.places.names[0], odds)
    assert network.asked == pairs
    assert sum(found.values()) == pytest.approx(sum(odds.values()))
    if likeliest is not None:
        assert max(found, key=lambda content: found[content]) == likeliest


@pytest.mark.parametrize(
    ("odds", "known", "counts"),
    [({Stones(("purple",)): 0.84, None: 0.16}, np.log(NOT_CLAIMED), 0.6), (EITHER, 0.0, 0.85)],
)
def test_what_is_said_counts_less_where_but_one_colour_was_claimed(
    scene: Scene, looks: Looks, odds: Odds, known: float, counts: float
) -> None:
    rivals = Rivals(looks)
    rivals._net = Network()  # type: ignore[assignment]
    found = rivals.weigh(scene, scene.places.names[0], odds)
    said = 9 / TEMPERATURE
    told = (1 - counts) * known + counts * said
    assert np.log(found[Stones(("blue",))] / found[Stones(("purple",))]) == pytest.approx(told, abs=1e-3)
