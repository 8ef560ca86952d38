"""The printed board as geometry: where its squares lie, in millimetres.

Board coordinates are millimetres on the board's upper face: (0, 0) is its top left corner, the one next to square A1,
x grows along row 1, y down column A. Every game with a board has one; what else its layout file says (districts,
values…) is the game's own.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from companion.errors import BadLayout
from companion.squares import Square, position

FORMAT = 1
MAX_FILE_BYTES = 1_000_000

LAYOUT_FILE = "layout.toml"
"""The name by which a table's folder keeps a layout of its own."""


@dataclass(frozen=True)
class Board:
    """A grid of equal squares on a printed board.

    size_mm: width and height of the printed board.
    grid_mm: left, top, right and bottom of the grid on it.
    squares: those on which a piece can stand, of the ``columns`` × ``rows`` places of the grid.
    """

    game: str
    name: str
    size_mm: tuple[float, float]
    grid_mm: tuple[float, float, float, float]
    columns: int
    rows: int
    squares: frozenset[Square]

    @property
    def square_mm(self) -> tuple[float, float]:
        """Width and height of one square, in mm."""
        left, top, right, bottom = self.grid_mm
        return (right - left) / self.columns, (bottom - top) / self.rows

    def centre_mm(self, name: Square) -> tuple[float, float]:
        """The middle of a square, in mm on the board."""
        column, row = position(name)
        width, height = self.square_mm
        return self.grid_mm[0] + (column + 0.5) * width, self.grid_mm[1] + (row + 0.5) * height


def lies_on(size_mm: tuple[float, float], grid_mm: tuple[float, float, float, float]) -> bool:
    """Whether a grid has an area, and all of it lies on a board of that size."""
    left, top, right, bottom = grid_mm
    return 0 <= left < right <= size_mm[0] and 0 <= top < bottom <= size_mm[1]


def check_geometry(
    where: str, data: Mapping[str, Any]
) -> tuple[tuple[float, float], tuple[float, float, float, float]]:
    """``board_mm`` and ``grid_mm`` of a layout file.

    where: how messages name the layout. Raises BadLayout when the grid does not lie on the board.
    """
    size = _numbers(where, data, "board_mm", 2)
    left, top, right, bottom = _numbers(where, data, "grid_mm", 4)
    if min(size) <= 0:
        raise BadLayout(f"{where}: board_mm must be a positive width and height, not {list(size)}")
    if not lies_on((size[0], size[1]), (left, top, right, bottom)):
        raise BadLayout(
            f"{where}: grid_mm {[left, top, right, bottom]} must be left, top, right, bottom within "
            f"the board of {size[0]:g} x {size[1]:g} mm"
        )
    return (size[0], size[1]), (left, top, right, bottom)


def read_layout(game: str, board: str) -> tuple[str, dict[str, Any]]:
    """The layout file of a board, as data.

    board: the name of a built-in layout (``"reference"``), the path of a layout file, or what such a file says.
    Returns how messages should name it, and its content. Raises BadLayout when it cannot be read, is no TOML, or is of
    another game or format.
    """
    return _read("layout", game, board)


def read_deck(game: str, deck: str) -> tuple[str, dict[str, Any]]:
    """The deck file of a game of cards, as data; in all else like ``read_layout``."""
    return _read("deck", game, deck)


def is_path(board: str) -> bool:
    """Whether a board is named by a path: neither by a built-in name, nor is it what a layout file says."""
    return not (board.isidentifier() or _is_text(board))


def to_keep(board: str) -> str:
    """The board in a form that stays true when files are moved or changed: a built-in name, or what its file says.

    Raises BadLayout when that cannot be read.
    """
    if not is_path(board):
        return board
    path = Path(board)
    try:
        return f"{_file_text(path).rstrip()}\n"
    except (OSError, ValueError) as error:
        raise BadLayout(f"layout {path.name}: cannot be read ({_reason(error)})") from None


@lru_cache(maxsize=8)
def name_of(board: str) -> str:
    """What people call a board, from any form of it that can be played on."""
    return str(tomllib.loads(board)["name"]) if _is_text(board) else Path(board).stem


def _is_text(board: str) -> bool:
    return "\n" in board


def _read(kind: str, game: str, name: str) -> tuple[str, dict[str, Any]]:
    where, text = _text(kind, game, name)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadLayout(f"{where}: not a TOML file: {error}") from None
    except RecursionError:
        raise BadLayout(f"{where}: not a {kind}: its lists are nested too deeply") from None
    if data.get("format") != FORMAT:
        raise BadLayout(f"{where}: format is {data.get('format')!r}, this version reads format {FORMAT}")
    if data.get("game") != game:
        raise BadLayout(f"{where}: is a {kind} of game {data.get('game')!r}, one of {game!r} was expected")
    if not isinstance(data.get("name"), str) or not data["name"]:
        raise BadLayout(f"{where}: name must be a word, not {data.get('name')!r}")
    return where, data


def _text(kind: str, game: str, name: str) -> tuple[str, str]:
    """How messages name a layout or a deck, and the text of its file. Built-in ones lie in ``companion/<kind>s``."""
    if _is_text(name):
        return f"the {kind}", name
    path = Path(name)
    try:
        if name.isidentifier():
            built_in = resources.files("companion") / f"{kind}s" / f"{game}-{name}.toml"
            if built_in.is_file():
                return f"{kind} {name!r}", built_in.read_text(encoding="utf-8")
        return f"{kind} {path.name}", _file_text(path)
    except (OSError, ValueError) as error:
        raise BadLayout(
            f"{kind} {name!r}: neither a built-in {kind} of {game} nor a file that can be read ({_reason(error)})"
        ) from None


def _file_text(path: Path) -> str:
    # Only a plain file of a sensible size: a device or a pipe would be read for ever.
    if path.exists() and (not path.is_file() or path.stat().st_size > MAX_FILE_BYTES):
        raise ValueError
    return path.read_text(encoding="utf-8-sig")


def _reason(error: Exception) -> str:
    return str(error.strerror) if isinstance(error, OSError) else "it is not a text file"


def _numbers(where: str, data: Mapping[str, Any], key: str, count: int) -> tuple[float, ...]:
    value = data.get(key)
    if (
        not isinstance(value, list)
        or len(value) != count
        or any(isinstance(n, bool) or not isinstance(n, int | float) for n in value)
    ):
        raise BadLayout(f"{where}: {key} must be {count} numbers in mm, not {value!r}")
    return tuple(float(n) for n in value)
