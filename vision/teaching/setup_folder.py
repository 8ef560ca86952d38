"""A folder of pictures to teach a table from: ``setup.json``, ``empty.jpg``, ``palette-*.jpg`` with their ``.json``.

Everything else in the folder is ignored.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np

from companion.boards import Board
from companion.errors import BadCommand, BadLayout, BadPicture, BadSetup
from companion.squares import Square
from vision.frames import Picture, read_picture
from vision.geometry import Floats
from vision.quality import light_trouble
from vision.teaching.corners.finding import find_corners
from vision.teaching.corners.turning import Shown
from vision.teaching.progress import Progress, unheard

FORMAT = 1


@dataclass(frozen=True)
class Palette:
    """A picture of known pieces.

    squares: what is on each square that holds something, as the JSON of the game's own form. left_out: squares of which
    that is not certain: nothing is learned from them, neither of pieces nor of bare board.
    """

    name: str
    picture: Picture
    squares: dict[str, Any]
    left_out: frozenset[Square] = frozenset()


@dataclass(frozen=True)
class Setup:
    """What an owner photographs once.

    layout: a built-in layout's name or the path of the board's layout file. corners_px: the printed board's corners in
    the empty picture (4 x 2): the one at A1, then clockwise from above. corners_said: whether setup.json says where
    they are; else they were found.
    """

    game: str
    layout: str
    board: Board
    corners_px: Floats
    empty: Picture
    palettes: tuple[Palette, ...]
    corners_said: bool = True


class _SetupFile(msgspec.Struct):
    format: int
    game: str
    board: str
    board_corners_px: list[tuple[float, float]] | None = None
    image_size: tuple[int, int] | None = None


class _PaletteFile(msgspec.Struct):
    format: int
    squares: dict[str, Any]


File = TypeVar("File", _SetupFile, _PaletteFile)


def read_setup(path: Path, board_of: Callable[[str, str], Board], progress: Progress = unheard) -> Setup:
    """The set-up in a folder.

    board_of: makes the board of a game (its name) from a built-in layout's name or a layout file's path; may raise
    BadCommand, BadLayout or BadSetup. progress: is told when the board's corners are looked for, and where they are
    found; they are where setup.json does not say. Raises BadSetup that names the file and what is missing or wrong in
    it.
    """
    if not path.is_dir():
        raise BadSetup(f"{path}: is no folder; a folder with setup.json, empty.jpg and palette-*.jpg was expected")
    header = _read_json(path / "setup.json", _SetupFile)
    layout = header.board
    if (path / header.board).is_file():
        layout = str(path / header.board)
    try:
        board = board_of(header.game, layout)
    except (BadLayout, BadCommand, BadSetup) as error:
        raise BadSetup(f"{path / 'setup.json'}: {error}") from error
    empty = _read_picture(path / "empty.jpg")
    size = (empty.shape[1], empty.shape[0])
    if header.image_size is not None and header.image_size != size:
        raise BadSetup(
            f"{path / 'setup.json'}: image_size is {list(header.image_size)}, but empty.jpg is {size[0]} x {size[1]}"
        )
    palettes = _read_palettes(path, board, size)
    said = header.board_corners_px
    if said is None:
        corners = _find_corners(path / "empty.jpg", board, empty, palettes, progress)
    else:
        corners = _checked(path / "setup.json", said, size)
    return Setup(header.game, layout, board, corners, empty, palettes, said is not None)


def shown(palettes: Sequence[Palette]) -> list[Shown]:
    """What tells which corner of a board is at A1 (``corners.turning``)."""
    return [(palette.picture, palette.squares) for palette in palettes]


def _find_corners(where: Path, board: Board, empty: Picture, palettes: Sequence[Palette], progress: Progress) -> Floats:
    progress("finding the board's corners in empty.jpg")
    if (trouble := light_trouble(empty)) is not None:
        raise BadSetup(f"{where}: {trouble}")
    try:
        corners = find_corners(board, empty, shown(palettes))
    except BadSetup as error:
        raise BadSetup(
            f"{where}: the board's corners are not found, as {error}; all of it must be seen, with nothing on it, and "
            "board_mm and grid_mm of its layout must be right to a millimetre. Where the corners are setup.json can "
            "say too (board_corners_px)"
        ) from error
    if not _in_picture(corners, (empty.shape[1], empty.shape[0])):
        raise BadSetup(f"{where}: the board reaches beyond the picture")
    places = ", ".join(f"[{x:.1f}, {y:.1f}]" for x, y in corners)
    progress(f'found them, from A1 on: "board_corners_px": [{places}]')
    return corners


def _read_palettes(path: Path, board: Board, size: tuple[int, int]) -> tuple[Palette, ...]:
    palettes = []
    for file in sorted(path.glob("palette-*.jpg")):
        truth = _read_json(file.with_suffix(".json"), _PaletteFile)
        for name in truth.squares:
            if name not in board.squares:
                raise BadSetup(f"{file.with_suffix('.json')}: {name!r} is no square of board {board.name!r}")
        picture = _read_picture(file)
        if (picture.shape[1], picture.shape[0]) != size:
            raise BadSetup(
                f"{file}: is {picture.shape[1]} x {picture.shape[0]}, but empty.jpg is {size[0]} x {size[1]}; "
                "all pictures of a set-up must be taken by the same camera"
            )
        palettes.append(Palette(file.name, picture, truth.squares))
    if not palettes:
        raise BadSetup(f"{path}: has no palette-*.jpg; at least one picture of known pieces is needed")
    return tuple(palettes)


def _checked(where: Path, points: Sequence[tuple[float, float]], size: tuple[int, int]) -> Floats:
    if len(points) != 4:
        raise BadSetup(f"{where}: board_corners_px must be 4 points, not {len(points)}")
    corners = np.array(points, np.float64)
    sides = np.roll(corners, -1, axis=0) - corners
    after = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
    if not np.all(np.isfinite(corners)) or np.any(turns <= 0):
        raise BadSetup(
            f"{where}: board_corners_px must go round the board clockwise as seen in the picture, from the corner at A1"
        )
    if not _in_picture(corners, size):
        raise BadSetup(f"{where}: board_corners_px must lie in the picture of {size[0]} x {size[1]}")
    return corners


def _in_picture(points: Floats, size: tuple[int, int]) -> bool:
    return bool(np.all(points >= -0.5) and np.all(points <= np.array(size) - 0.5))


def _read_picture(file: Path) -> Picture:
    try:
        return read_picture(file)
    except BadPicture as error:
        raise BadSetup(str(error)) from error


def _read_json(file: Path, kind: type[File]) -> File:
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        raise BadSetup(
            f"{file}: is missing; companion palettes writes setup.json and, for what it says to lay, palette-1.json "
            "and palette-2.json"
        ) from None
    except OSError as error:
        raise BadSetup(f"{file}: cannot be read ({error.strerror})") from None
    try:
        # Some editors begin every file with a mark of its encoding.
        found = msgspec.json.decode(data.removeprefix(codecs.BOM_UTF8), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadSetup(f"{file}: {error}") from None
    if found.format != FORMAT:
        raise BadSetup(f"{file}: format is {found.format}, this version reads format {FORMAT}")
    return found
