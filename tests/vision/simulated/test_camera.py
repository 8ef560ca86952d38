"""The simulated camera, its hands and its troubles."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from companion.games.pacal.pieces import COLOURS, Pyramid, Ship, Stones, squares_from_json
from vision.frames import read_picture
from vision.simulated.camera import SimulatedCamera
from vision.simulated.choreography import Choreography, Visit, Waypoint, reach
from vision.simulated.printed import printed_board
from vision.simulated.scene import Renderer, SceneState, Standing
from vision.simulated.setup import write_setup
from vision.simulated.trouble import TROUBLES
from vision.simulated.view import View

VIEW = View(size=(640, 360))
FLIGHT = (
    Visit("C4", Standing(stones=("green",)), Ship("red")),
    Visit("G7", Standing(Ship("red"))),
    Visit("H3", Standing(pyramid=Pyramid("blue", 3))),
)


class Clock:
    def __init__(self) -> None:
        self.t = 0.0

    def __call__(self) -> float:
        return self.t


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(printed_board("pacal", "reference"))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def camera(renderer: Renderer, clock: Clock) -> SimulatedCamera:
    return SimulatedCamera(renderer, clock, VIEW, SceneState({"C4": Standing(Ship("red"), None, ("green",))}))


def test_a_picture_has_the_views_size(camera: SimulatedCamera) -> None:
    picture = camera.capture()
    assert picture.shape == (360, 640, 3)
    assert picture.dtype == np.uint8


def test_pieces_are_put_and_taken_at_once(camera: SimulatedCamera) -> None:
    camera.place("A1", Standing(stones=("red",)))
    camera.remove("C4")
    assert dict(camera.scene().squares) == {"A1": Standing(stones=("red",))}


def test_a_hand_comes_carries_and_leaves(camera: SimulatedCamera, clock: Clock) -> None:
    left = camera.reach(FLIGHT, 1.0)
    carried = []
    while clock.t < left:
        hands = camera.scene().hands
        carried += [hand.carries for hand in hands if hand.carries not in carried]
        clock.t += 0.1
    clock.t = left
    assert carried == [None, Ship("red"), Pyramid("blue", 3)]
    scene = camera.scene()
    assert scene.hands == ()
    assert dict(scene.squares) == {visit.square: visit.leaves for visit in FLIGHT}


def test_a_ship_in_the_air_is_on_no_square(camera: SimulatedCamera, clock: Clock) -> None:
    left = camera.reach(FLIGHT, 0.0)
    seen_in_air = False
    while clock.t < left:
        scene = camera.scene()
        in_hand = any(hand.carries == Ship("red") for hand in scene.hands)
        on_board = any(standing.ship == Ship("red") for standing in scene.squares.values())
        assert in_hand != on_board
        seen_in_air |= in_hand
        clock.t += 0.05
    assert seen_in_air


def test_a_second_hand_waits_for_the_first(camera: SimulatedCamera, clock: Clock) -> None:
    first = camera.reach(FLIGHT[:1], 0.0)
    second = camera.reach(FLIGHT[1:2], 0.2)
    assert second > first
    clock.t = second
    assert camera.scene().squares["G7"] == Standing(Ship("red"))
    assert camera.scene().squares["C4"] == Standing(stones=("green",))


def test_no_part_of_a_hand_is_seen_when_it_has_left(renderer: Renderer) -> None:
    start = SceneState()
    for arm in (0.0, 80.0, 180.0, 250.0, 300.0):
        play = reach(start, [Visit("G7", Standing())], 0.0, renderer.printed.board, VIEW, arm)
        before = renderer.render(start, VIEW, 0.0)
        first = renderer.render(SceneState(hands=play.at(0.0).hands), VIEW, 0.0)
        assert len(play.at(0.0).hands) == 1
        assert np.abs(first.astype(int) - before).max() < 60


def test_a_hand_with_nothing_to_do_is_refused(camera: SimulatedCamera) -> None:
    with pytest.raises(ValueError, match="at least one square"):
        camera.reach([], 0.0)


def test_a_choreography_moves_smoothly_between_waypoints() -> None:
    play = Choreography(SceneState(), (Waypoint(1.0, (0, 0), 40), Waypoint(2.0, (100, 50), 80)))
    assert play.at(0.9).hands == ()
    hand = play.at(1.5).hands[0]
    assert hand.at_mm == pytest.approx((50, 25))
    assert hand.height_mm == pytest.approx(60)
    assert play.at(2.0).hands == ()


@pytest.mark.parametrize("name", sorted(set(TROUBLES) - {"frozen"}))
def test_a_trouble_changes_the_picture_and_goes_away(camera: SimulatedCamera, name: str) -> None:
    before = camera.capture()
    camera.switch(name, True)
    assert np.abs(camera.capture().astype(int) - before).mean() > 1
    camera.switch(name, False)
    assert np.array_equal(camera.capture(), before)


def test_a_frozen_camera_gives_the_same_picture(camera: SimulatedCamera, clock: Clock) -> None:
    before = camera.capture()
    camera.switch("frozen", True)
    camera.place("A1", Standing(Ship("blue")))
    clock.t = 5.0
    assert np.array_equal(camera.capture(), before)
    camera.switch("frozen", False)
    assert not np.array_equal(camera.capture(), before)


def test_an_unknown_trouble_is_refused(camera: SimulatedCamera) -> None:
    with pytest.raises(KeyError, match="no trouble is called 'ghost'"):
        camera.switch("ghost", True)


def test_the_setup_folder_has_all_that_teaching_needs(renderer: Renderer, tmp_path: Path) -> None:
    write_setup(tmp_path, renderer, VIEW)
    setup = json.loads((tmp_path / "setup.json").read_text())
    assert setup["image_size"] == [640, 360]
    assert np.array(setup["board_corners_px"]).shape == (4, 2)
    assert read_picture(tmp_path / "empty.jpg").shape == (360, 640, 3)
    truths = [json.loads((tmp_path / f"palette-{n}.json").read_text())["squares"] for n in (1, 2)]
    pieces = [piece for truth in truths for piece in squares_from_json(truth).values()]
    assert {piece for piece in pieces if isinstance(piece, Pyramid)} == {
        Pyramid(colour, floors) for colour in COLOURS for floors in range(1, 6)
    }
    assert all(pieces.count(Ship(colour)) == 2 for colour in COLOURS)
    assert all(pieces.count(Stones((colour,))) >= 4 for colour in COLOURS)
