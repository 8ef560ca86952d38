"""Pyramids that bright or warm light burns out: their floors are counted closer, and by their blue if only that is
left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray

import vision.reading.pyramids.floors
from companion.games.pacal.pieces import COLOURS, MAX_FLOORS, Pyramid, squares_from_json
from companion.squares import Square
from vision.frames import Picture
from vision.light.appearance import Looks
from vision.logarithms import BURNT
from vision.measuring import changes
from vision.reading.crops import Asked, Cutter
from vision.reading.evidence import Scene, usual_shades
from vision.reading.pyramids.burnt_out import by_blue, is_burnt_out, only_blue_is_left
from vision.reading.pyramids.close_look import CloseLook
from vision.reading.pyramids.floors import FloorCounter
from vision.teaching.setup_folder import Setup

BRIGHT, WARM = 1.8, (0.8, 1.0, 1.8)
Yellow: TypeAlias = list[tuple[Scene, dict[Square, Pyramid]]]
"""Pictures, and the yellow pyramids on them."""
YELLOW = COLOURS.index("yellow")


def yellow_in(change: Callable[[Picture], Picture], setup: Setup, look: Callable[[Picture], Scene]) -> Yellow:
    """The palettes in another light."""
    found = []
    for palette in setup.palettes:
        pieces = squares_from_json(palette.squares)
        yellow = {
            name: piece for name, piece in pieces.items() if isinstance(piece, Pyramid) and piece.colour == "yellow"
        }
        found.append((look(change(palette.picture)), yellow))
    return found


@pytest.fixture
def bright(setup: Setup, look: Callable[[Picture], Scene]) -> Yellow:
    return yellow_in(partial(changes.brightness, factor=BRIGHT), setup, look)


@pytest.fixture
def warm(setup: Setup, look: Callable[[Picture], Scene]) -> Yellow:
    return yellow_in(partial(changes.cast, gains=WARM), setup, look)


def counted(scene: Scene, looks: Looks, pyramids: dict[Square, Pyramid]) -> tuple[int, int]:
    """How many yellow pyramids' floors are counted rightly, and how many wrongly though surely."""
    asked = [(name, YELLOW) for name in pyramids]
    said = FloorCounter([CloseLook(looks)]).count(
        Cutter(scene, usual_shades(looks)), asked, np.ones(len(asked), np.bool_)
    )
    right = said.argmax(axis=1) == [piece.floors - 1 for piece in pyramids.values()]
    return int(right.sum()), int((~right & (said.max(axis=1) > np.log(0.9))).sum())


def test_floors_of_what_is_burnt_out_are_counted_by_its_blue(
    bright: Yellow, looks: Looks, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sum(only_blue_is_left(scene, name) for scene, pyramids in bright for name in pyramids) >= 5
    right, sure = np.sum([counted(scene, looks, pyramids) for scene, pyramids in bright], axis=0)
    monkeypatch.setattr(vision.reading.pyramids.floors, "only_blue_is_left", lambda scene, name: False)
    before, _ = np.sum([counted(scene, looks, pyramids) for scene, pyramids in bright], axis=0)
    assert right >= before + 2
    assert sure == 0


class Sure:
    """A closer look that is sure of a number of floors, of any pyramid."""

    def __init__(self, floors: int) -> None:
        self._told = np.full(MAX_FLOORS, -20.0)
        self._told[floors - 1] = 0.0

    def count(self, scene: Scene, wanted: Sequence[Asked], likely: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.tile(self._told, (len(wanted), 1))


@pytest.mark.parametrize("light", ["bright", "warm"])
def test_networks_are_not_believed_alone_of_what_is_burnt_out(
    light: str, looks: Looks, request: pytest.FixtureRequest
) -> None:
    yellow: Yellow = request.getfixturevalue(light)
    assert sum(is_burnt_out(scene, name) for scene, pyramids in yellow for name in pyramids) >= 5
    for scene, pyramids in yellow:
        asked = [(name, YELLOW) for name in pyramids if is_burnt_out(scene, name)]
        cutter, likely = Cutter(scene, usual_shades(looks)), np.ones(len(asked), np.bool_)
        alone = FloorCounter().count(cutter, asked, likely).argmax(axis=1)
        for floors in range(1, MAX_FLOORS + 1):
            said = FloorCounter([Sure(floors)]).count(cutter, asked, likely)[np.arange(len(asked)), alone]
            agreed = alone == floors - 1
            assert (said[agreed] > np.log(0.9)).all()
            assert (said[~agreed] < np.log(0.9)).all()


def test_in_warm_light_more_than_blue_is_left(warm: Yellow) -> None:
    for scene, pyramids in warm:
        assert not any(only_blue_is_left(scene, name) for name in pyramids)


def test_what_is_not_burnt_out_is_told_as_before(scene: Scene) -> None:
    assert not any(is_burnt_out(scene, name) for name in scene.places.names)
    assert (scene.straight[..., 1:] < BURNT).any(axis=2).all()
    told = by_blue(scene)
    assert np.array_equal(told.details, scene.details)
    assert np.array_equal(told.shade, scene.shade)


def test_blue_tells_terraces_apart_that_are_burnt_out(bright: Yellow) -> None:
    for scene, pyramids in bright:
        told = by_blue(scene)
        for name in pyramids:
            if only_blue_is_left(scene, name):
                x, y = scene.about(name)[0].round().astype(int).tolist()
                near = slice(y - 6, y + 6), slice(x - 6, x + 6)
                assert told.shade[near].std() > scene.shade[near].std()
                after, before = (np.abs(one.details[(slice(None), *near)]).mean() for one in (told, scene))
                assert after > before
