"""Ships' colours by the tint of the board beside them: of drawn tints, and on the reference scenes where they are."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.cli.teach import board_of
from companion.games.pacal.pieces import COLOURS, Ship, squares_from_json
from vision.frames import Picture, read_picture
from vision.light.appearance import Looks
from vision.reading.evidence import Scene
from vision.reading.learning import MATERIALS
from vision.reading.ships import colour_bleeding as colour_bleeding
from vision.reading.ships.colour_bleeding import ColourBleeding
from vision.table import Table
from vision.teaching.setup_folder import read_setup
from vision.teaching.teach import teach

SHARED = Path(__file__).parents[4] / "shared" / "scenes" / "pacal"


@pytest.fixture(scope="module")
def bleeding(table: Table) -> ColourBleeding:
    return ColourBleeding(Looks.from_arrays(MATERIALS, table.learned))


def with_tint(scene: Scene, blue: float, red: float, darker: float = 0.0) -> Scene:
    """A bare board seen from right above G7 on which a ship tints the board so much at its foot (opponent
    logarithms), the board being so much darker or brighter than it was."""
    eye = np.array([*scene.board.centre_mm("G7"), 800.0])
    x, y = scene.places.middles[scene.places.names.index("G7")].round().astype(int)
    side = colour_bleeding.SIDE_PX
    rows, columns = (slice(middle - side // 2, middle + side // 2) for middle in (y, x))
    difference = np.zeros_like(scene.difference)
    strength = np.exp(-colour_bleeding._away(np.array([0.0, 0.0, 800.0])) / colour_bleeding.NEAR_MM)
    difference[rows, columns] = strength[..., None] * np.array([blue, red, 0.0])
    difference[..., 2] += darker
    bare, blind = np.zeros_like(scene.bare), np.zeros_like(scene.blind)
    fits = np.full_like(scene.fits, -9.0)
    burnt = np.zeros_like(scene.burnt)
    return replace(scene, eye=eye, fits=fits, bare=bare, blind=blind, difference=difference, burnt=burnt)


def tints(bleeding: ColourBleeding) -> dict[str, tuple[float, float]]:
    return {colour: (blue, red) for colour, (blue, red) in zip(COLOURS, bleeding._tints.tolist(), strict=True)}


@pytest.mark.parametrize("colour", COLOURS)
def test_the_board_beside_a_ship_tells_its_colour(scene: Scene, bleeding: ColourBleeding, colour: str) -> None:
    told = bleeding.told(with_tint(scene, *tints(bleeding)[colour]), "G7")
    assert COLOURS[int(told.argmax())] == colour
    assert told.max() == 0
    assert np.sort(told)[-2] < -0.5


def test_the_light_of_the_whole_board_tells_nothing_of_a_ship(scene: Scene, bleeding: ColourBleeding) -> None:
    blue, red = tints(bleeding)["yellow"]
    seen = with_tint(scene, blue, red)
    warmer = replace(seen, difference=seen.difference + np.array([-0.1, 0.1, 0.2], np.float32))
    assert bleeding.told(warmer, "G7") == pytest.approx(bleeding.told(seen, "G7"), abs=1e-3)


@pytest.mark.parametrize(("layer", "value"), [("bare", -20), ("blind", 1), ("burnt", 1)])
def test_pieces_and_glare_beside_a_ship_are_not_taken_for_the_board(
    scene: Scene, bleeding: ColourBleeding, layer: str, value: int
) -> None:
    seen = with_tint(scene, *tints(bleeding)["blue"])
    x, y = scene.places.middles[scene.places.names.index("G7")].round().astype(int)
    other, hidden = seen.difference.copy(), getattr(seen, layer).copy()
    other[y + 9 : y + 30, x - 30 : x + 30, :2] = 0.5
    hidden[y + 9 : y + 30, x - 30 : x + 30] = value
    told = bleeding.told(replace(seen, difference=other, **{layer: hidden}), "G7")
    assert COLOURS[int(told.argmax())] == "blue"


def test_nothing_is_told_where_no_board_is_seen_beside_a_ship_or_its_wall_is(
    scene: Scene, bleeding: ColourBleeding
) -> None:
    seen = with_tint(scene, *tints(bleeding)["red"])
    in_shadow = with_tint(scene, *tints(bleeding)["red"], darker=-0.5)
    covered = replace(seen, bare=np.full_like(seen.bare, -20.0))
    aside = replace(seen, eye=seen.eye + np.array([400.0, 0.0, 0.0]))
    for other in (in_shadow, covered, aside):
        assert not bleeding.told(other, "G7").any()


if SHARED.is_dir():  # the rendered scenes lie beside the project, if at all

    def test_ships_right_below_the_camera_are_told(
        looking: Callable[[Table], Callable[[Picture], Scene]], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # Also those that are seen a little further aside, so that there are enough of them.
        monkeypatch.setattr(colour_bleeding, "ASIDE", 15.0)
        told = []
        for setup in ("01", "04", "05"):
            table = teach(read_setup(SHARED / f"setup-{setup}", board_of))
            look, bleeding = looking(table), ColourBleeding(Looks.from_arrays(MATERIALS, table.learned))
            for file in sorted((SHARED / f"setup-{setup}").glob("still-*.json")):
                pieces = squares_from_json(json.loads(file.read_text(encoding="utf-8"))["squares"])
                scene = look(read_picture(file.with_suffix(".jpg")))
                for name, piece in pieces.items():
                    odds = bleeding.told(scene, name)
                    if isinstance(piece, Ship) and odds.any():
                        told.append(odds[COLOURS.index(piece.colour)] - np.log(np.exp(odds).sum()))
        assert len(told) >= 20
        # Guessing tells -1.6.
        assert np.mean(told) > -1.1
