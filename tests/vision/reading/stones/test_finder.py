"""Which stones a square shows, given those that are found on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.pacal.pieces import COLOURS, Piece, Pyramid, Ship, Stones
from companion.observation import Odds, likeliest
from vision.light.appearance import Looks
from vision.reading.claim import Claim
from vision.reading.evidence import Scene, Shown, usual_shades
from vision.reading.odds import SETS, stones_of
from vision.reading.stones.features import FEATURES, features
from vision.reading.stones.finder import (
    COLOURS_TOLD,
    FURTHER,
    IN_WHITE,
    UNFOUND,
    USUAL,
    StoneFinder,
    Weights,
    can_find_stones,
    coloured,
    likely_sets,
    perhaps_stones,
    weighed,
)
from vision.reading.stones.fit import FOUND, Patch, find_stones
from vision.reading.stones.outline import MARGIN

RED, YELLOW, GREEN, BLUE, PURPLE = range(len(COLOURS))
rows = st.lists(st.floats(-8, 8), min_size=len(COLOURS), max_size=len(COLOURS))
founds = st.lists(rows, max_size=FOUND).map(lambda drawn: np.array(drawn, np.float64).reshape(-1, len(COLOURS)))


def said(*stones: dict[int, float]) -> Weights:
    """What is said of stones: the colours that they may have, all others being out of the question."""
    return np.array([[one.get(colour, -12.0) for colour in range(len(COLOURS))] for one in stones]).reshape(-1, 5)


@given(founds)
def test_a_set_is_as_likely_as_all_ways_in_which_it_may_be_there(found: Weights) -> None:
    told = dict(zip(SETS, likely_sets(found), strict=True))
    for colours in ((), (RED,), (GREEN, BLUE), (RED, YELLOW, PURPLE)):
        total = 0.0
        # Each colour's stone is one of those that were found, or unfound (None); no two are the same.
        for which in product([None, *range(len(found))], repeat=len(colours)):
            taken = [stone for stone in which if stone is not None]
            if len(taken) == len(set(taken)):
                logs = [UNFOUND if stone is None else found[stone, c] for stone, c in zip(which, colours, strict=True)]
                total += np.exp(sum(logs))
        assert told[colours] == pytest.approx(np.log(total))


@given(founds)
def test_the_sum_of_odds_stays(found: Weights) -> None:
    odds: Odds = {None: 0.2, Stones(("blue",)): 0.3, Ship("blue"): 0.05, Pyramid("blue", 2): 0.25}
    after = weighed(odds, found)
    assert sum(after.values()) == pytest.approx(0.8)
    assert after[Ship("blue")] / after[Pyramid("blue", 2)] == pytest.approx((0.05 / 0.25) ** USUAL.known)


def test_each_stone_beside_the_first_is_likelier_than_what_tells_of_it_says() -> None:
    found = said({BLUE: 2.0}, {GREEN: 2.0}, {RED: 2.0})
    told = dict(zip(SETS, likely_sets(found), strict=True))
    sets = [(), (BLUE,), (RED, BLUE), (RED, GREEN, BLUE)]
    after = list(weighed({stones_of(colours) if colours else None: 0.25 for colours in sets}, found).values())
    for many, (fewer, more) in enumerate(pairwise(sets)):
        by_shape = USUAL.found * (told[more] - told[fewer])
        assert np.log(after[many + 1] / after[many]) == pytest.approx(by_shape + FURTHER * (many > 0))


def test_a_stone_that_is_found_is_likelier_there() -> None:
    odds: Odds = {None: 0.5, Stones(("red",)): 0.25, Stones(("blue",)): 0.25}
    after = weighed(odds, said({RED: 6.0, BLUE: 1.0}))
    assert likeliest(after) == Stones(("red",))
    nothing = weighed(odds, said())
    assert likeliest(nothing) is None


def test_a_stone_may_be_there_that_was_not_asked_after() -> None:
    green, both = Stones(("green",)), Stones(("green", "purple"))
    odds: Odds = {None: 0.02, green: 0.58, Pyramid("green", 1): 0.4}
    after = weighed(odds, said({GREEN: 6.0}, {PURPLE: 6.0}))
    assert after[both] > after[green] > after[Stones(("purple",))]
    # What was asked after, and said not to be there, as well; but not what is no likelier by its shape than not.
    assert weighed({**odds, both: 1e-5}, said({GREEN: 6.0}, {PURPLE: 6.0}))[both] == pytest.approx(
        after[both], rel=1e-3
    )
    assert weighed(odds, said({GREEN: 6.0}, {PURPLE: 0.5})).keys() == odds.keys()


@given(founds, st.floats(0.05, 3))
def test_a_colour_that_is_told_changes_nothing_in_whether_it_is_a_stone(found: Weights, better: float) -> None:
    told = np.full(found.shape, -better)
    told[:, GREEN] = 0
    after = coloured(found, told)
    assert np.logaddexp.reduce(after, axis=1) == pytest.approx(np.logaddexp.reduce(found, axis=1))
    for before, now in zip(coloured(found, np.zeros(found.shape)), after, strict=True):
        assert now[GREEN] > before[GREEN]
        assert now[GREEN] - now[BLUE] == pytest.approx(before[GREEN] - before[BLUE] + COLOURS_TOLD * better)


def test_shape_tells_more_where_a_stone_is_white() -> None:
    odds: Odds = {None: 0.98, Stones(("red",)): 0.01, Stones(("blue",)): 0.01}
    found = said({RED: 2.0, BLUE: -2.0})
    assert max(odds, key=weighed(odds, found).__getitem__) is None
    assert max(odds, key=weighed(odds, found, IN_WHITE).__getitem__) == Stones(("red",))


def test_one_stone_is_not_counted_for_two() -> None:
    one, two = Stones(("blue",)), Stones(("blue", "purple"))
    odds: Odds = {one: 0.4, two: 0.6}
    after = weighed(odds, said({BLUE: 6.0, PURPLE: 6.0}))
    assert after[one] > after[two]
    after = weighed(odds, said({BLUE: 6.0, PURPLE: 6.0}, {BLUE: 6.0, PURPLE: 6.0}))
    assert after[two] > odds[two]


def test_features_are_of_the_stones_that_were_found(scene: Scene, looks: Looks) -> None:
    for name in scene.places.names[:40]:
        patch = Patch.of(Claim.of(scene, name, MARGIN), looks)
        found = find_stones(patch)
        seen = features(patch, found, looks)
        assert seen.shape == (len(found), len(COLOURS), FEATURES)
        assert np.isfinite(seen).all()


def test_stones_are_told_from_what_they_are_not(told_apart: Callable[..., tuple[int, int]], looks: Looks) -> None:
    right, many = told_apart(StoneFinder(looks).weigh, (0.2, 0.3, 0.3, 0.2))
    assert many >= 80
    assert right >= 0.97 * many


def test_bare_board_is_told_from_stones(shown: list[Shown], looks: Looks) -> None:
    finder = StoneFinder(looks)
    right = many = 0
    for scene, pieces in shown:
        for number, name in enumerate(scene.places.names):
            if name not in pieces and number % 3 == 0:
                odds = finder.weigh(scene, name, {None: 0.45, Stones((COLOURS[number % 5],)): 0.55})
                many, right = many + 1, right + (odds[None] > 0.5)
    assert many >= 60
    assert right >= 0.97 * many


@pytest.mark.parametrize(
    "odds",
    [
        {Stones(("red",)): 0.98, Stones(("yellow",)): 0.02},
        {Pyramid("red", 3): 0.6, Pyramid("red", 4): 0.39, Stones(("red",)): 0.01},
        {Stones(("blue",)): 0.5, Ship("blue"): 0.5},
    ],
)
def test_what_is_not_in_doubt_or_no_stone_is_left_alone(scene: Scene, looks: Looks, odds: Odds) -> None:
    assert StoneFinder(looks).weigh(scene, scene.places.names[0], odds) is odds


@pytest.mark.parametrize(
    ("odds", "perhaps"),
    [
        ({None: 0.985, Stones(("red",)): 0.015}, True),
        ({None: 0.995, Stones(("red",)): 0.005}, False),
        ({Stones(("blue",)): 0.985, Stones(("red",)): 0.015}, False),
        ({Pyramid("blue", 1): 0.985, Stones(("red",)): 0.015}, False),
        ({Pyramid("blue", 1): 0.95, Stones(("red",)): 0.05}, True),
    ],
)
def test_a_stone_that_looks_like_bright_board_is_looked_for(odds: Odds, perhaps: bool) -> None:
    assert perhaps_stones(odds) is perhaps


@pytest.mark.parametrize(("colour", "looked_for"), [("blue", True), ("purple", True), ("red", False)])
def test_pale_stones_are_looked_for_however_sure_it_is_that_they_are_blue_or_purple(
    scene: Scene, looks: Looks, colour: str, looked_for: bool
) -> None:
    odds: Odds = {Stones((colour,)): 0.999, None: 0.001}
    finder = StoneFinder(looks)
    name = scene.places.names[0]
    number = COLOURS.index(colour)
    usual = looks.plain.log_densities(list(looks.means.T.astype(np.float32)))[number].max()

    def shown(less: float, brighter: float) -> Scene:
        """The scene, all of it so much less likely of the colour than usual, and so much brighter."""
        shade = np.full_like(scene.shade, usual_shades(looks)[number] + brighter)
        return replace(scene, fits=np.full_like(scene.fits, usual - less), shade=shade)

    assert finder.weigh(shown(0.5, 0.5), name, odds) is odds
    assert finder.weigh(shown(1.0, 0.3), name, odds) is odds
    pale = shown(1.0, 0.5)
    told = finder.weigh(pale, name, odds)
    assert (told is not odds) is looked_for
    assert not looked_for or told == weighed(odds, *finder.said(pale, name))


def test_stones_are_searched_for_only_where_those_of_the_palettes_are_found(
    shown: list[Shown], looks: Looks, scene: Scene
) -> None:
    assert can_find_stones(shown, looks)
    assert can_find_stones([], looks)
    # What is said to be other stones than what lies there might as well have another shape.
    others: dict[Piece, Piece] = {
        Stones((one,)): Stones((other,)) for one, other in zip(COLOURS, (*COLOURS[2:], *COLOURS[:2]), strict=True)
    }
    wrong = [(seen, {name: others.get(piece, piece) for name, piece in pieces.items()}) for seen, pieces in shown]
    assert not can_find_stones(wrong, looks)
    doubtful: Odds = {None: 0.5, Stones(("blue",)): 0.5}
    assert StoneFinder(looks, trusted=False).weigh(scene, scene.places.names[0], doubtful) is doubtful
    assert StoneFinder(looks).weigh(scene, scene.places.names[0], doubtful) is not doubtful


def test_no_stones_are_searched_for_on_squares_that_are_burnt_out(looks: Looks, scene: Scene) -> None:
    doubtful: Odds = {None: 0.5, Stones(("blue",)): 0.5}
    for blind, looked_for in ((0.5, True), (0.7, False)):
        blinded = replace(scene, blindness=np.full_like(scene.blindness, blind))
        assert (StoneFinder(looks).weigh(blinded, scene.places.names[0], doubtful) is not doubtful) is looked_for


def test_what_rivals_have_settled_is_looked_at_as_well(looks: Looks, scene: Scene) -> None:
    both = Stones(("blue", "purple"))
    settled: Odds = {Stones(("blue",)): 0.99, both: 0.01}
    finder, name = StoneFinder(looks), scene.places.names[0]
    assert finder.weigh(scene, name, settled, settled) is settled
    told = finder.weigh(scene, name, settled, {Stones(("blue",)): 0.7, both: 0.3})
    assert told == weighed(settled, *finder.said(scene, name))
