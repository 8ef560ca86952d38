"""The watcher reads the board when it has settled, and never with a hand in the picture."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from companion.errors import BadPicture
from companion.games.pacal.pieces import Pyramid, Ship
from companion.observation import Odds, Reading
from tests.vision.said import Said
from vision.frames import Frame, Picture, read_picture
from vision.noise import noise_of
from vision.simulated.camera import SimulatedCamera
from vision.simulated.choreography import Choreography, Visit, Waypoint
from vision.simulated.light import DAYLIGHT, WARM_LAMP, Light
from vision.simulated.printed import printed_board
from vision.simulated.scene import Renderer, SceneState, Standing
from vision.simulated.setup import corners_px
from vision.simulated.surroundings import Cover
from vision.simulated.view import View
from vision.watching.watcher import (
    AGAIN_SECONDS,
    MEASURES,
    MOST_READINGS,
    REST_SECONDS,
    THING_SECONDS,
    Look,
    Watcher,
)

RECORDINGS = Path(__file__).parents[3] / "shared" / "scenes" / "pacal"
SMALL = (768, 432)
SQUARES = {
    "C4": Standing(Ship("red"), None, ("blue", "green")),
    "F9": Standing(pyramid=Pyramid("yellow", 4)),
    "H3": Standing(stones=("purple",)),
}
TURN = (
    Visit("C4", Standing(stones=("blue", "green")), Ship("red")),
    Visit("G7", Standing(Ship("red"))),
    Visit("H3", Standing(pyramid=Pyramid("blue", 3))),
)


def usable(picture: Picture) -> Reading:
    return Reading("pacal", "reference")


@cache
def renderer(cover: Cover, noise: float) -> Renderer:
    return Renderer(printed_board("pacal", "reference"), cover, noise=noise)


class Table:
    """A simulated table with a watcher, and a clock that goes from frame to frame."""

    def __init__(
        self,
        cover: Cover = "wood",
        light: Light = DAYLIGHT,
        view: View | None = None,
        noise: float = 1.6,
        fps: float = 4.0,
    ) -> None:
        self.t = 0.0
        self.fps = fps
        self.light = light
        view = view or View(size=SMALL)
        self.renderer = renderer(cover, noise)
        self.camera = SimulatedCamera(self.renderer, lambda: self.t, view, SceneState(SQUARES, (), light))
        self.taught: Any = SimpleNamespace(
            board=self.renderer.printed.board,
            corners_px=np.array(corners_px(self.renderer, view)),
            empty=self.renderer.render(SceneState(light=light), view),
        )
        self.watcher = Watcher(self.taught, Said(usable))

    def watch(self, seconds: float, doubted: bool = False) -> Iterator[Look]:
        end = self.t + seconds
        while self.t < end - 1e-6:
            yield self.watcher.process(Frame(self.camera.capture(), self.t), doubted)
            self.t += 1 / self.fps

    def settle(self) -> None:
        assert [look.reading is not None for look in self.watch(0.5)].count(True) == 1


@pytest.fixture
def table() -> Table:
    return Table()


def reads(looks: list[Look]) -> list[float]:
    return [look.t for look in looks if look.reading is not None]


@pytest.mark.parametrize("fps", [4.0, 15.0])
@pytest.mark.parametrize(
    ("cover", "light", "view", "arm", "noise"),
    [
        ("wood", DAYLIGHT, View(size=SMALL), 250.0, 1.6),
        ("cloth", WARM_LAMP, View(size=SMALL, azimuth_deg=80, tilt_deg=25), 90.0, 1.6),
        ("wood", Light(level=0.35, ambient=0.3), View(size=SMALL, azimuth_deg=180, tilt_deg=5), 170.0, 4.0),
    ],
)
def test_a_turn_is_read_once_after_the_hand_has_left(
    cover: Cover, light: Light, view: View, arm: float, noise: float, fps: float
) -> None:
    table = Table(cover, light, view, noise, fps)
    table.settle()
    left = table.camera.reach(TURN, 1.0, arm)
    looks = list(table.watch(left + 1.0 - table.t))
    over_board = [look.sight for look in looks if 1.6 <= look.t <= left - 0.6]
    assert set(over_board) == {"hands"}
    assert len(reads(looks)) == 1
    assert max(look.t for look in looks if look.sight == "hands") < reads(looks)[0] <= left + 0.6


def test_the_first_frame_is_read_when_no_hand_is_in_it(table: Table) -> None:
    assert next(table.watch(1.0)).reading is not None


def test_a_first_frame_with_a_hand_in_it_is_not_read(table: Table) -> None:
    table.camera.switch("hand", True)
    looks = list(table.watch(3.0))
    assert {look.sight for look in looks} == {"hands"}
    table.camera.switch("hand", False)
    assert len(reads(list(table.watch(1.0)))) == 1


def test_nothing_is_read_twice_while_nothing_happens(table: Table) -> None:
    table.settle()
    assert reads(list(table.watch(5.0))) == []


def test_the_board_is_read_once_more_when_what_was_read_counts_no_more(table: Table) -> None:
    table.settle()
    table.watcher.read_anew()
    assert len(reads(list(table.watch(5.0)))) == 1


def wavering(table: Table, *said: Reading) -> None:
    """Has the table's reader say one thing after the other, and then the last for ever."""
    answers = iter(said)
    table.watcher = Watcher(table.taught, Said(lambda picture: next(answers, said[-1])))


def shows(odds: Odds) -> Reading:
    return Reading("pacal", "reference", {"C4": odds})


def test_what_is_doubted_is_read_again_from_fresh_pictures_and_averaged(table: Table) -> None:
    nothing, ship = shows({None: 1.0}), shows({Ship("red"): 1.0})
    wavering(table, nothing, ship, ship)
    first, *again = (look for look in table.watch(4.0, doubted=True) if look.reading is not None)
    assert first.reading == nothing
    assert not first.again
    assert [look.t - first.t for look in again] == [AGAIN_SECONDS, 2 * AGAIN_SECONDS]
    assert [look.reading and look.reading.squares["C4"].get(Ship("red")) for look in again] == [1 / 2, 2 / 3]
    assert all(look.again and look.sight == "still" for look in again)


def test_what_is_doubted_for_ever_is_read_so_often_and_then_no_more(table: Table) -> None:
    wavering(table, shows({None: 0.5}))
    assert len(reads(list(table.watch((MOST_READINGS + 3) * AGAIN_SECONDS, doubted=True)))) == MOST_READINGS


def test_what_is_doubted_no_more_is_not_read_again(table: Table) -> None:
    wavering(table, shows({None: 0.5}))
    list(table.watch(1.0, doubted=True))
    assert reads(list(table.watch(5.0))) == []


def test_what_was_read_before_something_changed_does_not_count_for_what_is_read_then(table: Table) -> None:
    nothing, ship = shows({None: 1.0}), shows({Ship("red"): 1.0})
    wavering(table, nothing, nothing, ship)
    assert len(reads(list(table.watch(2.0, doubted=True)))) == 2
    table.camera.place("D8", Standing(pyramid=Pyramid("red", 2)))
    (look,) = (look for look in table.watch(1.25, doubted=True) if look.reading is not None)
    assert look.reading == ship
    assert not look.again


def test_a_doubted_reading_stays_when_the_next_picture_cannot_be_read(table: Table) -> None:
    refused = Reading("pacal", "reference", usable=False, reason="blurred")
    wavering(table, shows({None: 1.0}), refused, shows({Ship("red"): 1.0}))
    looks = list(table.watch(2 * AGAIN_SECONDS + 0.5, doubted=True))
    assert {look.sight for look in looks} == {"still"}
    assert [look.reading.squares["C4"] for look in looks if look.reading] == [
        {None: 1.0},
        {None: 0.5, Ship("red"): 0.5},
    ]


def covered(picture: Picture) -> Reading:
    return Reading("pacal", "reference", usable=False, reason="something lies over the board on F6, F7, G7")


def test_a_hand_that_rests_for_minutes_stays_a_hand(table: Table) -> None:
    table.watcher = Watcher(table.taught, Said(lambda picture: usable(picture) if table.t < 1 else covered(picture)))
    table.settle()
    table.camera.switch("hand", True)
    table.fps = 0.5
    looks = list(table.watch(150.0))
    assert {look.sight for look in looks} == {"hands"}
    assert {look.reason for look in looks} == {None}


def test_the_reader_is_asked_now_and_then_whether_what_looks_like_a_hand_is_one(table: Table) -> None:
    asked: list[float] = []

    def say(picture: Picture) -> Reading:
        asked.append(table.t)
        return covered(picture) if len(asked) in (2, 3) else usable(picture)

    table.watcher = Watcher(table.taught, Said(say))
    table.settle()
    table.camera.switch("hand", True)
    (read,) = reads(list(table.watch(45.0)))
    assert np.diff(asked) == pytest.approx([REST_SECONDS] * 3, abs=1.0)
    assert read == asked[-1]


def test_the_reader_is_asked_sooner_about_what_looks_like_a_hand_in_the_first_picture(table: Table) -> None:
    table.camera.switch("hand", True)
    assert reads(list(table.watch(5.0))) == pytest.approx([THING_SECONDS], abs=0.3)


def test_a_hand_that_leaves_just_after_the_reader_was_asked_is_not_waited_for(table: Table) -> None:
    table.watcher = Watcher(
        table.taught, Said(lambda picture: usable(picture) if not 1 < table.t < 11 else covered(picture))
    )
    table.settle()
    table.camera.switch("hand", True)
    assert {look.sight for look in list(table.watch(10.5))[1:]} == {"hands"}
    table.camera.switch("hand", False)
    assert len(reads(list(table.watch(0.75)))) == 1


def test_pieces_in_place_of_what_looked_like_a_hand_are_read_at_once(table: Table) -> None:
    table.settle()
    table.camera.switch("hand", True)
    assert len(reads(list(table.watch(REST_SECONDS + 1)))) == 1
    table.camera.switch("hand", False)
    assert len(reads(list(table.watch(0.75)))) == 1
    table.camera.switch("hand", True)
    assert {look.sight for look in table.watch(2.0)} == {"hands"}


def test_when_a_resting_hand_leaves_the_board_is_read(table: Table) -> None:
    table.settle()
    table.camera.switch("hand", True)
    list(table.watch(10.0))
    table.camera.switch("hand", False)
    assert len(reads(list(table.watch(0.6)))) == 1


def show_fingers(table: Table, begin: float, end: float) -> None:
    """Fingers that only show at the picture's edge."""
    edge = table.camera.view.on_plane([(0.3 * SMALL[0], SMALL[1] - 14)], 60.0)[0]
    tips = (float(edge[0]), float(edge[1]))
    table.camera.perform(Choreography(table.camera.scene(), (Waypoint(begin, tips, 60), Waypoint(end, tips, 60))))


def test_fingers_that_only_show_at_the_edge_are_a_hand(table: Table) -> None:
    table.settle()
    show_fingers(table, 0.5, 2.0)
    assert {look.sight for look in table.watch(1.5)} == {"hands"}
    assert len(reads(list(table.watch(0.6)))) == 1


@pytest.mark.parametrize("trouble", ["lamp", "shadow", "glare", "bump"])
def test_light_and_bumps_are_not_taken_for_a_hand_for_ever(table: Table, trouble: str) -> None:
    table.settle()
    table.camera.switch(trouble, True)
    looks = list(table.watch(4.0))
    assert len(reads(looks)) == 1
    assert {look.sight for look in looks[-4:]} == {"still"}


@pytest.mark.parametrize("trouble", ["bump", "lamp"])
def test_hands_are_seen_after_the_camera_was_knocked_and_in_the_light_of_another_lamp(
    table: Table, trouble: str
) -> None:
    table.settle()
    table.camera.switch(trouble, True)
    list(table.watch(4.0))
    table.camera.switch("hand", True)
    assert {look.sight for look in table.watch(2.0)} == {"hands"}


def knock(table: Table, reader: Said, shift_mm: tuple[float, float], turn_deg: float) -> None:
    """Move the camera; the reader finds the board."""
    view = table.camera.view.bumped(shift_mm, turn_deg)
    table.camera = SimulatedCamera(table.renderer, lambda: table.t, view, table.camera.scene())
    reader.corners = np.array(corners_px(table.renderer, view))


@pytest.fixture
def reader(table: Table) -> Said:
    """What the table's watcher asks; the table has settled."""
    reader = Said(usable, corners=table.taught.corners_px)
    table.watcher = Watcher(table.taught, reader)
    table.settle()
    return reader


BUMPS = [((2.0, -1.0), 0.2), ((-4.0, 3.0), 0.7), ((14.0, -9.0), 1.6)]


@pytest.mark.parametrize(("shift_mm", "turn_deg"), BUMPS)
@pytest.mark.parametrize("fps", [4.0, 15.0])
def test_a_board_that_is_found_elsewhere_is_read_soon_after_the_bump(
    table: Table, reader: Said, shift_mm: tuple[float, float], turn_deg: float, fps: float
) -> None:
    table.fps, begin = fps, table.t
    knock(table, reader, shift_mm, turn_deg)
    looks = list(table.watch(3.0))
    assert len(reads(looks)) == 1
    assert reads(looks)[0] - begin < 0.6
    assert {look.sight for look in looks[-4:]} == {"still"}


@pytest.mark.parametrize(("shift_mm", "turn_deg"), BUMPS)
def test_a_hand_that_rests_on_the_board_while_that_is_bumped_stays_a_hand(
    table: Table, reader: Said, shift_mm: tuple[float, float], turn_deg: float
) -> None:
    knock(table, reader, shift_mm, turn_deg)
    table.camera.switch("hand", True)
    assert {look.sight for look in list(table.watch(5.0))[1:]} == {"hands"}
    table.camera.switch("hand", False)
    assert len(reads(list(table.watch(0.8)))) == 1


def test_what_may_be_fingers_at_the_edge_is_not_waited_for_after_a_bump(table: Table, reader: Said) -> None:
    begin = table.t
    knock(table, reader, *BUMPS[0])
    show_fingers(table, begin, begin + 5.0)
    (read,) = reads(list(table.watch(3.0)))
    assert read - begin < 0.6


@pytest.mark.parametrize("found", [False, True])
def test_what_changes_everything_but_the_boards_place_is_waited_for_longer(
    table: Table, reader: Said, found: bool
) -> None:
    begin = table.t
    knock(table, reader, *BUMPS[-1])
    reader.corners = table.taught.corners_px if found else None
    (read,) = reads(list(table.watch(3.0)))
    assert read - begin >= 1.5


def test_the_board_is_sought_once_while_nothing_moves(table: Table, reader: Said) -> None:
    table.camera.switch("hand", True)
    list(table.watch(5.0))
    assert reader.sought == 1
    table.camera.switch("hand", False)
    list(table.watch(3.0))
    assert reader.sought == 1


def test_a_black_picture_is_unusable_and_then_read_again(table: Table) -> None:
    table.settle()
    table.camera.switch("black", True)
    looks = list(table.watch(1.0))
    assert {look.sight for look in looks} == {"unusable"}
    assert "black" in str(looks[0].reason)
    table.camera.switch("black", False)
    assert len(reads(list(table.watch(1.0)))) == 1


def test_a_frozen_camera_is_noticed(table: Table) -> None:
    table.settle()
    table.camera.switch("frozen", True)
    last = list(table.watch(7.0))[-1]
    assert last.sight == "unusable"
    assert "same picture" in str(last.reason)


def test_noise_alone_moves_nothing() -> None:
    table = Table(noise=6.0)
    table.settle()
    assert {look.sight for look in table.watch(3.0)} == {"still"}


def given_to_the_reader(table: Table) -> list[Picture]:
    """The pictures that the table's watcher will read, in the order in which it reads them."""
    given: list[Picture] = []

    def read(picture: Picture) -> Reading:
        given.append(picture)
        return usable(picture)

    table.watcher = Watcher(table.taught, Said(read))
    return given


def test_a_settled_board_is_read_with_less_noise_than_any_picture_of_it_has() -> None:
    table = Table(noise=8.0, fps=15.0)
    given = given_to_the_reader(table)
    table.settle()
    table.camera.place("D5", Standing(stones=("red",)))
    table.settle()
    first, settled = (noise_of(picture) for picture in given)
    assert first > 6.0
    assert settled < 0.6 * first


def test_nothing_of_what_was_there_before_is_in_the_picture_that_is_read() -> None:
    table = Table(noise=0.5)
    given = given_to_the_reader(table)
    table.settle()
    left = table.camera.reach(TURN, 1.0, 250.0)
    list(table.watch(left + 1.0 - table.t))
    now = table.camera.capture()
    assert np.abs(given[-1].astype(int) - now).max() <= 4
    assert np.abs(given[0].astype(int) - now).max() > 40


def test_a_camera_that_gives_larger_pictures_than_before_is_read_on(table: Table) -> None:
    given = given_to_the_reader(table)
    table.settle()
    table.camera.place("D5", Standing(stones=("red",)))
    small = table.camera.capture()
    large = np.repeat(np.repeat(small, 2, axis=0), 2, axis=1)
    for index, picture in enumerate((small, small, large, large)):
        table.watcher.process(Frame(picture, table.t + 0.1 * index))
    assert [picture.shape for picture in given] == [small.shape, large.shape]


def test_the_reader_is_shown_what_may_have_settled_before_it_is_known_to_have() -> None:
    table, reader = Table(noise=0.0), Said(usable)
    table.watcher = Watcher(table.taught, reader)
    table.settle()
    table.camera.switch("hand", True)
    list(table.watch(1.0))
    assert reader.expected == []
    table.camera.switch("hand", False)
    assert [look.reading is not None for look in table.watch(0.75)] == [False, True, False]
    (shown,) = reader.expected
    assert np.array_equal(shown, table.camera.capture())


def test_pieces_that_appear_without_a_hand_are_read(table: Table) -> None:
    table.settle()
    table.camera.place("D5", Standing(stones=("red",)))
    looks = list(table.watch(1.0))
    assert [look.sight for look in looks[:1]] == ["moving"]
    assert len(reads(looks)) == 1


def test_a_picture_that_the_reader_refuses_is_told_and_tried_again(table: Table) -> None:
    answers = iter([Reading("pacal", "reference", usable=False, reason="blurred"), usable(table.taught.empty)])
    table.watcher = Watcher(table.taught, Said(lambda picture: next(answers)))
    looks = list(table.watch(2.0))
    assert looks[0].sight == "unusable"
    assert looks[0].reason == "blurred"
    assert len(reads(looks)) == 1


def test_at_the_end_of_a_recording_the_last_clean_frame_has_settled(table: Table) -> None:
    table.settle()
    table.camera.place("D5", Standing(Ship("green")))
    last = list(table.watch(0.25))[-1]
    assert last.reading is None
    end = table.watcher.finish()
    assert end is not None
    assert end.reading is not None
    assert end.t == last.t
    assert table.watcher.finish() is None


def test_a_recording_that_ends_with_a_hand_is_not_read(table: Table) -> None:
    table.settle()
    table.camera.switch("hand", True)
    list(table.watch(0.5))
    assert table.watcher.finish() is None


def test_without_frames_there_is_nothing_to_finish(table: Table) -> None:
    assert table.watcher.finish() is None


def test_every_look_has_its_measures(table: Table) -> None:
    assert all(tuple(look.measures) == MEASURES for look in table.watch(1.0))


def test_a_picture_of_another_camera_is_unusable(table: Table) -> None:
    look = table.watcher.process(Frame(np.zeros((800, 800, 3), np.uint8), 0.0))
    assert look.sight == "unusable"


def test_an_array_that_is_no_picture_is_refused(table: Table) -> None:
    with pytest.raises(BadPicture):
        table.watcher.process(Frame(np.zeros((800, 800), np.uint8), 0.0))


def recordings() -> Iterator[tuple[Path, dict[str, Any]]]:
    for truth in sorted(RECORDINGS.glob("setup-*/turn-*/turn.json")):
        yield truth.parent, json.loads(truth.read_text(encoding="utf-8"))


def looks_at(folder: Path, truth: dict[str, Any], read: Callable[[Picture], Reading]) -> list[Look]:
    setup = folder.parent
    corners = json.loads((setup / "setup.json").read_text(encoding="utf-8"))["board_corners_px"]
    board = printed_board("pacal", "reference").board
    taught: Any = SimpleNamespace(board=board, corners_px=np.array(corners), empty=read_picture(setup / "empty.jpg"))
    watcher = Watcher(taught, Said(read))
    frames = truth["frames"]
    looks = [watcher.process(Frame(read_picture(folder / f["file"]), f["t"], f["file"])) for f in frames]
    end = watcher.finish()
    return looks if end is None else [*looks[:-1], end]


def test_the_recordings_are_read_first_and_last_and_every_hand_in_them_is_found() -> None:
    for folder, truth in recordings():
        frames = truth["frames"]
        looks = looks_at(folder, truth, usable)
        assert [look.sight == "hands" for look in looks] == [frame["hand"] for frame in frames], folder
        assert reads(looks) == [frames[0]["t"], frames[-1]["t"]], folder
