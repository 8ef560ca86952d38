"""What is told of recordings: hands noticed, how soon the board was read, and how exactly."""

from __future__ import annotations

from functools import partial
from itertools import chain, repeat
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from companion.bench import watching
from companion.bench.scenes import FilmFrame, Still
from companion.bench.watching import BUMP_GOAL, Watched, bump, bump_goals, report, watch, watch_goals
from companion.games.pacal.pieces import Ship
from companion.observation import Content, Reading, Seen
from tests.vision.said import Said
from vision.frames import Picture, encode_jpeg
from vision.simulated.hand import HandPose
from vision.simulated.printed import printed_board
from vision.simulated.scene import Renderer, SceneState, Standing
from vision.simulated.setup import corners_px
from vision.simulated.view import View

VIEW = View(size=(768, 432))
BEFORE: Seen = {"C4": Ship("red")}
AFTER: Seen = {"G7": Ship("red")}
HAND = (HandPose((240.0, 240.0)),)


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(printed_board("pacal", "reference"))


@pytest.fixture(scope="module")
def table(renderer: Renderer) -> Any:
    return SimpleNamespace(
        board=renderer.printed.board,
        corners_px=np.array(corners_px(renderer, VIEW)),
        empty=renderer.render(SceneState(), VIEW),
    )


@pytest.fixture(scope="module")
def frames(renderer: Renderer, tmp_path_factory: pytest.TempPathFactory) -> list[FilmFrame]:
    """Two frames of a ship, two with a hand, one after it has left."""
    folder = tmp_path_factory.mktemp("turn-01")
    result = []
    for index, hand in enumerate((False, False, True, True, False)):
        square, seen = ("G7", AFTER) if index == 4 else ("C4", BEFORE)
        scene = SceneState({square: Standing(Ship("red"))}, HAND if hand else ())
        file = folder / f"{index:03}.jpg"
        file.write_bytes(encode_jpeg(renderer.render(scene, VIEW)))
        result.append(FilmFrame(file, index / 4, hand, seen))
    return result


def says(seen: Seen, table: Any, picture: Picture) -> Reading:
    squares: dict[str, dict[Content | None, float]] = {name: {seen.get(name): 1.0} for name in table.board.squares}
    return Reading("pacal", "reference", squares)


def test_a_turn_is_noticed_and_read_when_two_frames_are_still(table: Any, frames: list[FilmFrame]) -> None:
    one = watch("turn", table, Said(partial(says, AFTER, table)), frames)
    assert (one.hand, one.noticed, one.clear, one.alarms, one.unread) == (2, 2, 3, 0, 0)
    assert one.waits == (0.5,)
    assert len(one.reading_seconds) == 1


def test_observations_are_compared_with_what_was_there_then(table: Any, frames: list[FilmFrame]) -> None:
    one = watch("turn", table, Said(partial(says, AFTER, table)), frames)
    assert (one.observations, one.exact) == (2, 1)
    assert sorted(line.split(":")[0] for line in one.wrong) == ["turn/000.jpg, C4", "turn/000.jpg, G7"]


def test_a_hand_that_stays_is_never_read(table: Any, frames: list[FilmFrame]) -> None:
    one = watch("turn", table, Said(partial(says, BEFORE, table)), frames[:4])
    assert (one.unread, one.waits, one.observations, one.exact) == (1, (), 1, 1)
    assert not any(goal.met for goal in watch_goals(one) if "seconds" in goal.what)


@pytest.mark.parametrize(("before", "counts"), [(0.2, 0.0), (0.4, 0.15)])
def test_what_comes_before_a_reading_counts_where_it_takes_longer_than_there_is_time(
    table: Any, frames: list[FilmFrame], monkeypatch: pytest.MonkeyPatch, before: float, counts: float
) -> None:
    clock = SimpleNamespace(now=0.0)

    class Slow(Said):
        def read(self, picture: Picture) -> Reading:
            clock.now += 0.1
            return super().read(picture)

        def expect(self, picture: Picture) -> None:
            clock.now += before

    monkeypatch.setattr(watching, "time", SimpleNamespace(process_time=lambda: clock.now))
    one = watch("turn", table, Slow(partial(says, AFTER, table)), frames)
    assert one.reading_seconds == pytest.approx((0.1 + counts,))


@pytest.fixture(scope="module")
def knocked(renderer: Renderer, tmp_path_factory: pytest.TempPathFactory) -> tuple[Still, Still, Any]:
    """Two stills, another ship in the second, for which the camera was bumped; and the board's corners in that."""
    folder, stills = tmp_path_factory.mktemp("setup-07"), []
    for name, view, square, seen in (("a", VIEW, "C4", BEFORE), ("b", VIEW.bumped((9.0, 4.0), 1.2), "G7", AFTER)):
        file = folder / f"{name}.jpg"
        file.write_bytes(encode_jpeg(renderer.render(SceneState({square: Standing(Ship("red"))}), view)))
        corners = corners_px(renderer, view)
        stills.append(Still(name, file, seen, frozenset(), None, False, tuple((x, y) for x, y in corners)))
    return stills[0], stills[1], np.array(corners)


def test_a_bump_is_read_within_a_second_where_the_board_is_found(table: Any, knocked: tuple[Still, Still, Any]) -> None:
    before, after, corners = knocked
    one = bump(table, Said(partial(says, AFTER, table), corners=corners), before, after)
    assert (one.waits, one.observations, one.exact, one.unread) == ((0.75,), 1, 1, 0)
    assert all(goal.met for goal in bump_goals(one))
    lost = bump(table, Said(partial(says, BEFORE, table)), before, after)
    assert lost.waits[0] > BUMP_GOAL
    assert [goal.met for goal in bump_goals(lost)] == [False, False]
    assert sorted(line.split(":")[0] for line in lost.wrong) == ["b, C4", "b, G7"]


def test_a_bump_after_which_nothing_can_be_read_is_counted(table: Any, knocked: tuple[Still, Still, Any]) -> None:
    before, after, _ = knocked
    answers = chain([says(BEFORE, table, np.zeros(0, np.uint8))], repeat(Reading("pacal", "reference", usable=False)))
    one = bump(table, Said(lambda picture: next(answers)), before, after)
    assert (one.unread, one.waits, one.observations) == (1, (), 0)
    assert not bump_goals(one)[0].met


def test_goals_are_those_of_the_slowest_recording() -> None:
    fast, slow = (Watched(3, 3, 2, 0, (wait,), (0.05,), observations=2, exact=2) for wait in (0.5, 0.58))
    assert all(goal.met for goal in watch_goals(fast))
    both = {goal.what: goal.met for goal in watch_goals(fast + slow)}
    assert list(both.values()) == [True, True, True, False, True]


def test_a_missed_hand_a_false_alarm_and_a_wrong_square_miss_their_goals() -> None:
    one = Watched(3, 2, 2, 1, (0.5,), (0.05,), observations=2, exact=1)
    assert [goal.met for goal in watch_goals(one)] == [False, False, True, True, False]


def test_the_report_has_a_line_for_each_recording_and_what_was_wrong() -> None:
    one = Watched(12, 11, 2, 0, (0.5,), (0.04,), observations=2, exact=1, wrong=("turn/013.jpg, C4: …",))
    lines = list(report({"setup-01/turn-01": one, "setup-02/turn-01": one}, {}))
    assert lines[1].split() == ["setup-01/turn-01", "11/12", "0/2", "0.50", "s", "0.04", "s", "1/2"]
    assert lines[3] == "turn/013.jpg, C4: …"
    assert "22/24" in next(line for line in lines if line.startswith("frames with a hand"))


def test_the_report_has_a_line_for_each_bump_and_their_goals() -> None:
    lost = Watched(waits=(1.75,), reading_seconds=(0.25,), observations=1, wrong=("setup-01/still-006.jpg, C4: …",))
    lines = list(report({}, {"setup-01/still-006.jpg": lost}))
    assert lines[1].split() == ["setup-01/still-006.jpg,", "bumped", "1.75", "s", "0.25", "s", "0/1"]
    assert lines[2] == "setup-01/still-006.jpg, C4: …"
    assert "2.00 s" in next(line for line in lines if line.startswith("seconds from a bump"))
