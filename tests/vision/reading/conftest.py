from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from companion.games.pacal.pieces import COLOURS, Stones, squares_from_json
from companion.observation import Odds, likeliest
from companion.squares import Square
from vision.frames import Picture
from vision.grid import SHRINK, Canvas, shrink
from vision.light.appearance import Looks
from vision.reading.candidates import candidates
from vision.reading.crops import Asked, Cutter
from vision.reading.evidence import EmptyBoard, Photo, Scene, Shown, usual_shades
from vision.reading.learning import MATERIALS
from vision.table import Table
from vision.teaching.setup_folder import Setup


@pytest.fixture(scope="session")
def looking() -> Callable[[Table], Callable[[Picture], Scene]]:
    """For a table the maps of a picture that was taken from where the table was taught."""

    def of(table: Table) -> Callable[[Picture], Scene]:
        canvas = Canvas.to_read(table.board)
        board = EmptyBoard(table.board, canvas, canvas.straighten(table.empty, table.lens, table.pose))
        reached = canvas.reached(table.lens, table.pose)[::SHRINK, ::SHRINK]
        looks = Looks.from_arrays(MATERIALS, table.learned)

        def at(picture: Picture) -> Scene:
            straight = canvas.straighten(picture, table.lens, table.pose)
            photo = Photo(picture, table.lens, table.pose)
            return board.look(photo, straight, shrink(straight), looks, reached)

        return at

    return of


@pytest.fixture(scope="session")
def look(looking: Callable[[Table], Callable[[Picture], Scene]], table: Table) -> Callable[[Picture], Scene]:
    return looking(table)


@pytest.fixture(scope="session")
def looks(table: Table) -> Looks:
    return Looks.from_arrays(MATERIALS, table.learned)


@pytest.fixture(scope="session")
def shown(setup: Setup, look: Callable[[Picture], Scene]) -> list[Shown]:
    """The palettes."""
    return [(look(palette.picture), squares_from_json(palette.squares)) for palette in setup.palettes]


@pytest.fixture(scope="session")
def scene(look: Callable[[Picture], Scene], still: Picture) -> Scene:
    return look(still)


@pytest.fixture
def cutter(scene: Scene, looks: Looks) -> Cutter:
    return Cutter(scene, usual_shades(looks))


@pytest.fixture
def wanted(scene: Scene) -> list[Asked]:
    """All that is asked after in the scene."""
    return [(name, colour) for name, colours in candidates(scene).items() for colour in colours]


Weigh: TypeAlias = Callable[[Scene, Square, Odds], Odds]
ToldApart: TypeAlias = Callable[[Weigh, tuple[float, float, float, float]], tuple[int, int]]


@pytest.fixture(scope="session")
def told_apart(shown: list[Shown]) -> ToldApart:
    """Of the palettes' single stones, each beside each other colour: how many ``weigh`` tells rightly, and of how many.

    Before, the stone, the other one, both and none are as likely as the second argument says; what is not, is left out.
    """

    def of(weigh: Weigh, before: tuple[float, float, float, float]) -> tuple[int, int]:
        right = many = 0
        for scene, pieces in shown:
            for name, piece in pieces.items():
                if isinstance(piece, Stones) and len(piece.colours) == 1:
                    for other in set(COLOURS) - set(piece.colours):
                        both = Stones(tuple(sorted({*piece.colours, other})))
                        contents = (piece, Stones((other,)), both, None)
                        odds = weigh(scene, name, {one: p for one, p in zip(contents, before, strict=True) if p})
                        many, right = many + 1, right + (likeliest(odds) == piece)
        return right, many

    return of
