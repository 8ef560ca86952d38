"""What a reading with doubts leads to: accept, ask, wait or 'nothing explains it', never a guess."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from companion import games
from companion.games.pacal.pieces import DonePress, GodPress, Press, Pyramid, Ship, StonePress, Stones
from companion.games.pacal.state import State
from companion.observation import Odds, Reading, Seen
from companion.referee.weigh import SURE, Accept, Ask, Fit, Unexplained, Verdict, Wait, weigh
from tests.companion.games.pacal.short import PASS, fly, stones

PACAL = games.get("pacal")
BOARD = PACAL.board("reference")
assert BOARD is not None
SQUARES = BOARD.squares


def apply(state: State, *actions: dict[str, Any]) -> State:
    for data in actions:
        state = PACAL.apply(state, PACAL.action_from_json(data)).state
    return state


@pytest.fixture
def state() -> State:
    """Red has to fly from F3, a 2 is rolled; under the ship lie a red and a blue stone."""
    return apply(
        PACAL.new(("red", "blue"), "reference", {}, None),
        *({"type": "place", "square": square} for square in ("F6", "G7")),
        *({"type": "roll", "face": 3}, fly("F3"), stones("red"), PASS),
        *({"type": "roll", "face": 3}, fly("G4"), stones("blue", "red"), PASS),
        {"type": "roll", "face": 2},
    )


def reading(seen: Seen, **doubtful: Odds) -> Reading:
    """Sure of every square but those that are given, with the odds of each content."""
    squares = {name: {seen.get(name): 1.0} for name in SQUARES}
    return Reading("pacal", "reference", squares | doubtful)


def happened(verdict: Verdict) -> list[dict[str, Any]]:
    assert isinstance(verdict, Accept), verdict
    return [PACAL.action_to_json(action) for action in verdict.explanation.actions]


def test_a_board_as_it_was_says_that_nothing_happened(state: State) -> None:
    assert happened(weigh(PACAL, state, reading(PACAL.visible(state)), ())) == []


def test_what_is_surely_seen_and_explained_in_one_way_is_accepted(state: State) -> None:
    after = apply(state, fly("D3"))
    verdict = weigh(PACAL, state, reading(PACAL.visible(after)), ())
    assert happened(verdict) == [fly("D3")]
    assert isinstance(verdict, Accept)
    assert verdict.explanation.state == after


def test_an_unsure_square_that_only_one_move_explains_is_accepted(state: State) -> None:
    seen = PACAL.visible(apply(state, fly("D3")))
    unsure: Odds = {Ship("red"): 0.45, None: 0.55}
    assert happened(weigh(PACAL, state, reading(seen, D3=unsure), ())) == [fly("D3")]


def test_a_stone_colour_that_was_misread_is_put_right_by_what_is_known(state: State) -> None:
    """The reader takes the stones on F3 for red and purple; only red and blue can lie there."""
    seen = PACAL.visible(apply(state, fly("D3")))
    odds: Odds = {Stones(("purple", "red")): 0.9, Stones(("blue", "red")): 0.09}
    assert happened(weigh(PACAL, state, reading(seen, F3=odds), ())) == [fly("D3")]


def test_a_sure_reading_against_all_that_is_legal_is_unexplained(state: State) -> None:
    seen = PACAL.visible(apply(state, fly("D3")))
    odds: Odds = {Stones(("purple", "red")): 0.999, Stones(("blue", "red")): 0.001}
    verdict = weigh(PACAL, state, reading(seen, F3=odds), ())
    assert isinstance(verdict, Unexplained)
    assert "F3" in verdict.squares


def test_two_flights_that_look_alike_are_asked(state: State) -> None:
    seen: Seen = {"F3": Stones(("blue", "red")), "G4": Ship("blue")}
    either: Odds = {Ship("red"): 0.5, None: 0.5}
    verdict = weigh(PACAL, state, reading(seen, D3=either, H3=either), ())
    assert isinstance(verdict, Ask)
    assert verdict.squares == ("D3", "H3")
    flights = [PACAL.action_to_json(action) for choice in verdict.choices for action in choice.actions]
    assert sorted(flight["to"] for flight in flights) == ["D3", "H3"]


def test_more_flights_than_can_be_asked_about_are_waited_for(state: State) -> None:
    seen: Seen = {"F3": Stones(("blue", "red")), "G4": Ship("blue")}
    somewhere: Odds = {Ship("red"): 0.2, None: 0.8}
    to = [fly.to for fly in PACAL.legal(state) if fly.mode in ("straight", "turning")][:5]
    assert isinstance(weigh(PACAL, state, reading(seen, **dict.fromkeys(to[:4], somewhere)), ()), Ask)
    assert isinstance(weigh(PACAL, state, reading(seen, **dict.fromkeys(to, somewhere)), ()), Wait)


def test_one_that_is_clearly_likelier_is_accepted_and_one_that_is_not_quite_is_asked(state: State) -> None:
    seen: Seen = {"F3": Stones(("blue", "red")), "G4": Ship("blue")}

    def odds(p: float) -> dict[str, Odds]:
        return {"D3": {Ship("red"): p, None: 1 - p}, "H3": {Ship("red"): 1 - p, None: p}}

    assert happened(weigh(PACAL, state, reading(seen, **odds(0.9)), ())) == [fly("D3")]
    assert isinstance(weigh(PACAL, state, reading(seen, **odds(0.8)), ()), Ask)


def test_whether_anything_happened_is_waited_for_not_asked(state: State) -> None:
    after = apply(state, fly("D3"), stones())
    covered: Odds = {Stones(("blue", "red")): 0.4, Pyramid("red", 1): 0.4}
    verdict = weigh(PACAL, after, reading(PACAL.visible(after), F3=covered), ())
    assert isinstance(verdict, Wait)
    assert verdict.squares == ("F3",)
    assert "F3 cannot be made out" in verdict.reason


def test_what_may_have_happened_if_anything_did_is_told_with_what_is_waited_for(state: State) -> None:
    seen: Seen = {"F3": Ship("red"), "G4": Ship("blue")}
    gone: Odds = {Ship("red"): 0.6, Stones(("blue", "red")): 0.4}
    there: Odds = {None: 0.6, Ship("red"): 0.4}
    one = weigh(PACAL, state, reading(seen, F3=gone, D3=there), ())
    assert isinstance(one, Wait)
    assert [PACAL.action_to_json(*choice.actions) for choice in one.choices] == [fly("D3")]
    anywhere = [fly.to for fly in PACAL.legal(state) if fly.mode in ("straight", "turning")][:5]
    many = weigh(PACAL, state, reading(seen, F3=gone, **dict.fromkeys(anywhere, there)), ())
    assert isinstance(many, Wait)
    assert many.choices == ()


def test_squares_that_cannot_be_read_do_not_stop_what_the_others_show(state: State) -> None:
    after = apply(state, fly("D3"))
    blank: Odds = dict.fromkeys([None, *(Ship(colour) for colour in PACAL.colours)], 0.1)
    dark = dict.fromkeys(("A1", "B1", "C1", "A2", "B2", "K9"), blank)
    assert happened(weigh(PACAL, state, reading(PACAL.visible(after), **dark), ())) == [fly("D3")]


def test_a_piece_that_no_move_can_put_there_is_unexplained(state: State) -> None:
    seen = {**PACAL.visible(apply(state, fly("D3"))), "A1": Pyramid("blue", 2)}
    verdict = weigh(PACAL, state, reading(seen), ())
    assert isinstance(verdict, Unexplained)
    assert set(verdict.squares) == {"A1", "D3", "F3"}


def test_many_squares_that_are_each_a_bit_off_do_not_fit_together(state: State) -> None:
    off: Odds = {None: 0.05, Pyramid("red", 1): 0.95}
    few = dict.fromkeys(("A1", "B1"), off)
    many = dict.fromkeys(("A1", "B1", "C1", "A2", "B2", "J9"), off)
    now = PACAL.visible(state)
    assert happened(weigh(PACAL, state, reading(now, **few), ())) == []
    assert isinstance(weigh(PACAL, state, reading(now, **many), ()), Unexplained)


def test_the_second_best_is_not_taken_where_the_best_does_not_fit(state: State) -> None:
    """F3 shows neither the ship nor the stones that a flight to D3 would leave, and hardly anything is seen on D3."""
    shown: Odds = {Stones(("purple",)): 0.8757, Stones(("blue", "red")): 0.1184, Ship("red"): 0.0059}
    seen = reading({"G4": Ship("blue")}, F3=shown, D3={None: 0.982, Ship("red"): 0.018})
    after = PACAL.visible(apply(state, fly("D3")))
    assert Fit(seen).fits(after) and not Fit(seen).fits(PACAL.visible(state))
    assert weigh(PACAL, state, seen, ()) == Unexplained(("F3",))


def test_where_the_board_is_not_as_it_was_is_told_clearest_first(state: State) -> None:
    odds: dict[str, Odds] = {"A1": {Pyramid("red", 1): 0.9, None: 0.1}, "A2": {Pyramid("blue", 2): 1.0}}
    assert weigh(PACAL, state, Reading("pacal", "reference", odds), ()) == Unexplained(("A2", "A1"))


def test_a_picture_that_is_not_usable_is_waited_out(state: State) -> None:
    verdict = weigh(PACAL, state, Reading("pacal", "reference", usable=False, reason="too dark"), ())
    assert verdict == Wait("too dark")


def test_stones_that_were_heard_wait_for_the_end_of_the_turn(state: State) -> None:
    verdict = weigh(PACAL, state, reading(PACAL.visible(apply(state, fly("D3")))), (StonePress("red"),))
    assert happened(verdict) == [fly("D3")]
    assert isinstance(verdict, Accept)
    assert verdict.explanation.used == ()
    flown = verdict.explanation.state
    assert happened(weigh(PACAL, flown, reading(PACAL.visible(flown)), (StonePress("red"),))) == []


def test_a_build_answers_to_the_stones_that_were_heard(state: State) -> None:
    build = {"type": "build", "at": "F3", "floors": 1, "uses": ["F3"]}
    flown = apply(state, fly("D3"))
    seen = PACAL.visible(apply(flown, stones("red"), build))
    verdict = weigh(PACAL, flown, reading(seen), (StonePress("red"),))
    assert happened(verdict) == [stones("red"), build]
    assert isinstance(verdict, Accept)
    assert verdict.explanation.used == (StonePress("red"),)


def test_done_ends_the_turn_though_nothing_shows(state: State) -> None:
    flown = apply(state, fly("D3"))
    doubts: list[dict[str, Odds]] = [{}, {"A1": {None: 0.9, Ship("red"): 0.1}}]
    for doubtful in doubts:
        seen = reading(PACAL.visible(flown), **doubtful)
        verdict = weigh(PACAL, flown, seen, (StonePress("red"), DonePress()))
        assert happened(verdict) == [stones("red"), PASS]
        assert isinstance(verdict, Accept)
        assert verdict.explanation.state == apply(flown, stones("red"), PASS)


@pytest.mark.parametrize("presses", [(GodPress(4), StonePress("red")), (StonePress("red"), GodPress(4))])
def test_a_god_flight_answers_to_the_god_press_alone(state: State, presses: tuple[Press, ...]) -> None:
    flight = {"type": "fly", "mode": "god", "to": "A1", "god": 4}
    verdict = weigh(PACAL, state, reading(PACAL.visible(apply(state, flight))), presses)
    assert happened(verdict) == [flight]
    assert isinstance(verdict, Accept)
    assert verdict.explanation.used == (GodPress(4),)


def test_a_flight_that_no_roll_came_before_is_unexplained(state: State) -> None:
    to_roll = apply(state, fly("D3"), stones(), PASS)
    seen = {**PACAL.visible(to_roll), "J9": Ship("blue")}
    del seen["G4"]
    assert isinstance(weigh(PACAL, to_roll, reading(seen), ()), Unexplained)


def test_ways_to_the_same_position_are_not_asked_about(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two constellations with the same stones give the same build; which was meant makes no difference."""
    seen = PACAL.visible(apply(state, fly("D3")))
    twice = PACAL.explain(state, seen, ()) * 2
    monkeypatch.setattr(PACAL, "explain", lambda *_: twice, raising=False)
    assert happened(weigh(PACAL, state, reading(seen), ())) == [fly("D3")]


def test_how_likely_a_content_is_comes_from_the_reading() -> None:
    fit = Fit(Reading("pacal", "reference", {"A1": {None: 0.6, Ship("red"): 0.3}, "B1": {None: 1.0}}))
    assert fit.misfit("A1", None) == 0
    assert fit.misfit("A1", Ship("red")) == pytest.approx(0.693, abs=0.001)
    assert fit.misfit("A1", Ship("blue")) == pytest.approx(4.094, abs=0.001)
    assert fit.misfit("B1", Ship("blue")) > 11
    assert fit.misfits({"A1": Ship("red")}) == {"A1": fit.misfit("A1", Ship("red"))}
    assert fit.misfit("Z9", Ship("blue")) == 0
    assert fit.fits({})
    assert not fit.fits({"B1": Ship("blue")})


def test_one_square_that_surely_holds_something_else_does_not_fit_beside_others_that_may(state: State) -> None:
    odds: dict[str, Odds] = {"A1": {None: 0.6, Ship("red"): 0.4}, "B1": {None: 0.994, Ship("blue"): 0.006}}
    fit = Fit(Reading("pacal", "reference", odds))
    assert fit.fits({"A1": Ship("red")})
    assert not fit.fits({"B1": Ship("blue")})
    assert not fit.fits({"A1": Ship("red"), "B1": Ship("blue")})


def test_a_change_shows_where_it_is_what_the_picture_most_likely_has() -> None:
    fit = Fit(Reading("pacal", "reference", {"A1": {Ship("red"): 0.6, None: 0.4}, "B1": {None: 0.6, Ship("red"): 0.4}}))
    assert fit.shows({}, {"A1": Ship("red")})
    assert not fit.shows({}, {"B1": Ship("red")})
    assert not fit.shows({}, {"A1": Ship("red"), "B1": Ship("red")})
    assert not fit.shows({}, {"C1": Ship("red")})


def test_what_is_doubted_may_be_any_content_listed_or_not() -> None:
    """A stone that a ship hides: next to nothing speaks for it, but nothing against it either."""
    blue, both = Stones(("blue",)), Stones(("blue", "green"))
    fit = Fit(Reading("pacal", "reference", {"A1": {blue: 0.75, both: 0.0001}}))
    assert fit.misfit("A1", both) == pytest.approx(fit.misfit("A1", Stones(("blue", "red"))))
    assert fit.fits({"A1": both})
    assert not Fit(Reading("pacal", "reference", {"A1": {blue: 0.9999, both: 0.0001}})).fits({"A1": both})


def test_stones_that_a_ship_may_hide_are_still_there(state: State) -> None:
    after = apply(state, fly("D3"), stones())
    bare = reading(PACAL.visible(after), F3={None: 0.99})
    assert not isinstance(weigh(PACAL, after, bare, ()), Accept)
    both = Stones(("blue", "red"))
    assert happened(weigh(PACAL, after, replace(bare, unseen={"F3": {both: 0.05}}), ())) == []
    # Others would be seen no more, but did not lie there.
    others = replace(bare, unseen={"F3": {Stones(("blue",)): 0.05}})
    assert not isinstance(weigh(PACAL, after, others, ()), Accept)


def test_a_board_is_surely_as_it_is_seen_unless_something_may_be_unseen(state: State) -> None:
    seen = reading(PACAL.visible(state))
    assert Fit(seen).sure()
    assert not Fit(replace(seen, unseen={"A1": {Stones(("red",)): 0.05}})).sure()
    assert Fit(replace(seen, unseen={"A1": {Stones(("red",)): 0.01}})).sure()
    assert not Fit(reading(PACAL.visible(state), A1={None: 0.9})).sure()


def test_a_square_on_which_something_may_be_unseen_is_not_fixed(state: State) -> None:
    now = PACAL.visible(state)
    seen = reading(now)
    assert Fit(seen).fixed(now) == set(SQUARES)
    assert Fit(replace(seen, unseen={"A1": {Stones(("red",)): 0.05}})).fixed(now) == set(SQUARES) - {"A1"}


def test_a_square_on_which_one_thing_may_lie_is_not_fixed_though_another_surely_does_not(state: State) -> None:
    now = PACAL.visible(state)
    either: Odds = {None: 0.9, Ship("red"): 0.1 - 1e-9, Ship("blue"): 1e-9}
    assert Fit(reading(now, A1=either)).fixed(now) == set(SQUARES) - {"A1"}


def test_being_sure_of_a_square_is_the_margin_against_all_else() -> None:
    assert 0.98 < SURE < 0.99


@pytest.mark.parametrize("seed", range(5))
def test_random_doubt_never_leads_to_another_position_than_the_true_one(state: State, seed: int) -> None:
    """With readings that are right but unsure, the truth is accepted or nothing is."""
    chance = random.Random(seed)
    for turn in chance.sample(list(PACAL.turns(state, ())), 12):
        seen = PACAL.visible(turn.state)
        odds: dict[str, Odds] = {}
        for name in SQUARES:
            p = chance.choice((1.0, 1.0, 0.9, 0.6))
            other = chance.choice([None, Ship("red"), Stones(("red",)), Pyramid("red", 1)])
            odds[name] = {seen.get(name): p} if other == seen.get(name) else {seen.get(name): p, other: 1 - p}
        verdict = weigh(PACAL, state, reading(seen, **odds), ())
        if isinstance(verdict, Accept):
            assert PACAL.visible(verdict.explanation.state) == seen
