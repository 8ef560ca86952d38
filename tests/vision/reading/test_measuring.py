from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple

import numpy as np
import pytest

from companion.games.pacal.pieces import COLOURS, Piece, Pyramid, Ship
from companion.observation import Seen
from vision.reader import Reader
from vision.reading.measuring import USUAL
from vision.reading.shapes import Sizes
from vision.setup_folder import read_setup
from vision.simulated import shapes
from vision.simulated.printed import printed_board
from vision.simulated.scene import Renderer, SceneState
from vision.simulated.setup import standing, write_setup
from vision.simulated.view import View
from vision.table import Table
from vision.teaching import teach

VIEW = View(size=(1280, 720))


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(printed_board("pacal", "reference"), seed=2)


@pytest.fixture(scope="module")
def simulated(renderer: Renderer, tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A table whose pyramids and ships differ from the reference pieces."""
    folder = tmp_path_factory.mktemp("setup")
    write_setup(folder, renderer, VIEW)
    return teach(read_setup(folder, lambda game, layout: renderer.printed.board))


def test_pieces_of_another_set_are_measured(simulated: Table) -> None:
    sizes = Sizes.from_arrays(simulated.learned)
    assert sizes.base == pytest.approx(shapes.PYRAMID_BASE_MM, abs=1.0)
    assert sizes.step == pytest.approx(shapes.PYRAMID_BASE_MM * 0.155, abs=0.4)
    assert sizes.floor == pytest.approx(shapes.FLOOR_MM, abs=0.4)
    assert sizes.ship_radius == pytest.approx(shapes.SHIP_RADIUS_MM, abs=0.6)
    assert sizes.ship_height == pytest.approx(shapes.SHIP_HEIGHT_MM, abs=3.0)
    assert sizes.ship_wall == pytest.approx(shapes.SHIP_RADIUS_MM * 0.26, abs=0.6)


def test_the_reference_pieces_stay_about_as_they_are(table: Table) -> None:
    sizes = Sizes.from_arrays(table.learned)
    assert sizes.base == pytest.approx(USUAL.base, abs=0.5)
    assert sizes.step == pytest.approx(USUAL.step, abs=0.2)
    assert sizes.floor == pytest.approx(USUAL.floor, abs=0.3)
    assert sizes.ship_radius == pytest.approx(USUAL.ship_radius, abs=1.0)
    assert sizes.ship_height == pytest.approx(USUAL.ship_height, abs=4.0)


def test_floors_of_another_set_are_counted(simulated: Table, renderer: Renderer) -> None:
    squares = [name for name in sorted(simulated.board.squares) if (ord(name[0]) + int(name[1:])) % 4 == 0]
    pieces: list[Piece] = [Ship(colour) for colour in COLOURS]
    pieces += [Pyramid(colour, floors) for floors in range(1, 6) for colour in COLOURS]
    truth: Mapping[str, Piece] = dict(zip(squares, pieces, strict=False))
    picture = renderer.render(SceneState({name: standing(piece) for name, piece in truth.items()}), VIEW, 7.0)
    seen: Seen = Reader(simulated).read(picture).seen()
    wrong = {name for name in {*seen, *truth} if seen.get(name) != truth.get(name)}
    assert len(truth) == 30
    assert len(wrong) <= 1


def test_sizes_come_back_from_their_array() -> None:
    sizes = Sizes(27.0, 4.0, 6.0, 12.0, 30.0, 2.0)
    assert astuple(Sizes.from_arrays(sizes.to_arrays())) == pytest.approx(astuple(sizes))


@pytest.mark.parametrize("array", [np.zeros(5, np.float32), np.zeros((2, 4), np.float32)])
def test_an_array_of_another_length_is_refused(array: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> None:
    with pytest.raises(ValueError, match="reshape"):
        Sizes.from_arrays({"sizes": array})
