"""The printed board of the simulated table: a drawing of our own, made from a layout."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from companion.boards import Board, check_geometry, read_layout
from companion.squares import Square, square
from vision.frames import Picture

PX_PER_MM = 3
"""Of the drawing."""

GROUNDS = (
    (150, 190, 214), (112, 168, 118), (156, 128, 184), (134, 196, 206), (172, 150, 108), (128, 142, 198),
    (104, 178, 158), (70, 172, 224), (206, 170, 134), (120, 160, 92), (172, 166, 214), (196, 190, 112),
    (190, 134, 156), (148, 184, 140), (140, 204, 188), (138, 160, 182),
)  # fmt: skip
"""BGR of the districts, in the order of their letters."""

PAPER = (196, 222, 234)
LAKE = (168, 118, 62)
RIVER = (204, 160, 92)
INK = (52, 62, 74)


@dataclass(frozen=True)
class PrintedBoard:
    """What is printed on a board, as plain data from its layout file.

    districts: one line a row, a letter a square, ``~`` lake, ``.`` nothing. shore: the same form, ``#`` where water
    passes. values: of the districts, by letter.
    """

    board: Board
    districts: tuple[str, ...]
    shore: tuple[str, ...]
    values: Mapping[str, int]


def printed_board(game: str, name: str) -> PrintedBoard:
    """The printed board of a layout (a built-in name or a file). Raises BadLayout."""
    where, data = read_layout(game, name)
    size, grid = check_geometry(where, data)
    rows = tuple(str(data["districts"]).split())
    squares = frozenset(square(c, r) for r, row in enumerate(rows) for c, kind in enumerate(row) if kind.isalpha())
    board = Board(game, str(data["name"]), size, grid, len(rows[0]), len(rows), squares)
    return PrintedBoard(board, rows, tuple(str(data["shore"]).split()), dict(data["values"]))


def draw_board(printed: PrintedBoard, seed: int = 0) -> Picture:
    """The board from above, ``PX_PER_MM`` px to a millimetre."""
    width, height = (round(mm * PX_PER_MM) for mm in printed.board.size_mm)
    art = np.full((height, width, 3), PAPER, np.uint8)
    _draw_track(art, printed.board)
    letters = sorted({kind for row in printed.districts for kind in row if kind.isalpha()})
    for row, line in enumerate(printed.districts):
        for column, kind in enumerate(line):
            if kind == "~":
                _fill(art, printed.board, column, row, LAKE)
            elif kind.isalpha():
                which = letters.index(kind)
                _fill(art, printed.board, column, row, GROUNDS[which % len(GROUNDS)])
                _draw_pattern(art, printed.board, column, row, which)
    _draw_lines(art, printed)
    _draw_river(art, printed)
    for kind in letters:
        _draw_value(art, printed, kind)
    return _grained(art, seed)


def district_heart(printed: PrintedBoard, kind: str) -> Square:
    """The square of a district that is nearest to its middle; its value is printed there."""
    places = [(c, r) for r, row in enumerate(printed.districts) for c, k in enumerate(row) if k == kind]
    middle = np.mean(places, axis=0)
    return square(*min(places, key=lambda place: float(np.hypot(*(np.array(place) - middle)))))


def _corner(board: Board, column: float, row: float) -> tuple[int, int]:
    """Px of a corner of the grid."""
    wide, high = board.square_mm
    x, y = board.grid_mm[0] + column * wide, board.grid_mm[1] + row * high
    return round(x * PX_PER_MM), round(y * PX_PER_MM)


def _fill(art: Picture, board: Board, column: int, row: int, colour: tuple[int, int, int]) -> None:
    cv2.rectangle(art, _corner(board, column, row), _corner(board, column + 1, row + 1), colour, cv2.FILLED)


def _shade(colour: tuple[int, int, int], by: float) -> tuple[int, int, int]:
    b, g, r = (int(np.clip(c * by, 0, 255)) for c in colour)
    return b, g, r


def _draw_pattern(art: Picture, board: Board, column: int, row: int, which: int) -> None:
    """The texture of a district's square: each district has one of five, a little darker than its ground."""
    left, top = _corner(board, column, row)
    right, bottom = _corner(board, column + 1, row + 1)
    tile = art[top:bottom, left:right]
    ink = _shade(GROUNDS[which % len(GROUNDS)], 0.86)
    PATTERNS[which % len(PATTERNS)](tile, ink)


def _waves(tile: Picture, ink: tuple[int, int, int]) -> None:
    x = np.arange(tile.shape[1] + 1)
    for y in range(10, tile.shape[0], 19):
        line = np.column_stack([x, y + 4 * np.sin(x * 2 * np.pi / tile.shape[1] * 2)])
        cv2.polylines(tile, [np.round(line).astype(np.int32)], False, ink, 2, cv2.LINE_AA)


def _dots(tile: Picture, ink: tuple[int, int, int]) -> None:
    for y in range(12, tile.shape[0], 24):
        for x in range(12 + (y // 24 % 2) * 12, tile.shape[1], 24):
            cv2.circle(tile, (x, y), 4, ink, cv2.FILLED, cv2.LINE_AA)


def _slant(tile: Picture, ink: tuple[int, int, int]) -> None:
    for start in range(-tile.shape[0], tile.shape[1], 16):
        cv2.line(tile, (start, tile.shape[0]), (start + tile.shape[0], 0), ink, 2, cv2.LINE_AA)


def _sun(tile: Picture, ink: tuple[int, int, int]) -> None:
    middle = tile.shape[1] // 2, tile.shape[0] // 2
    for radius in (12, 24, 36):
        cv2.circle(tile, middle, radius, ink, 2, cv2.LINE_AA)


def _steps(tile: Picture, ink: tuple[int, int, int]) -> None:
    for inset in (12, 24, 36):
        cv2.rectangle(tile, (inset, inset), (tile.shape[1] - inset, tile.shape[0] - inset), ink, 2, cv2.LINE_AA)


PATTERNS: tuple[Callable[[Picture, tuple[int, int, int]], None], ...] = (_waves, _dots, _slant, _sun, _steps)


def _draw_lines(art: Picture, printed: PrintedBoard) -> None:
    """Thin lines between squares, thick ones between districts."""
    board, rows = printed.board, printed.districts

    def kind(column: int, row: int) -> str:
        inside = 0 <= row < board.rows and 0 <= column < board.columns
        return rows[row][column] if inside else "."

    for row in range(board.rows + 1):
        for column in range(board.columns + 1):
            here = kind(column, row)
            for other, end in ((kind(column - 1, row), (column, row + 1)), (kind(column, row - 1), (column + 1, row))):
                if here == other and here in "~.":
                    continue
                border = here != other
                cv2.line(
                    art, _corner(board, column, row), _corner(board, *end), INK if border else (118, 130, 138),
                    5 if border else 2, cv2.LINE_AA,
                )  # fmt: skip


def _draw_river(art: Picture, printed: PrintedBoard) -> None:
    """Along the squares of the shore, row by row, down to the lake."""
    points: list[tuple[float, float]] = []
    for row, line in enumerate(printed.shore):
        bank = [column for column, mark in enumerate(line) if mark == "#"]
        if not bank or "~" in printed.districts[row]:
            break
        x = float(int(np.mean(bank) + 1))
        points += [(x, row), (x, row + 1)]
    if not points:
        return
    path = np.array([_corner(printed.board, *point) for point in points], np.float64)
    steps = np.concatenate([np.linspace(a, b, 24, endpoint=False) for a, b in pairwise(path)])
    steps[:, 0] += 5 * np.sin(np.arange(len(steps)) * 0.5)
    curve = np.round(steps).astype(np.int32)
    cv2.polylines(art, [curve], False, _shade(RIVER, 0.6), 24, cv2.LINE_AA)
    cv2.polylines(art, [curve], False, RIVER, 18, cv2.LINE_AA)


def _draw_value(art: Picture, printed: PrintedBoard, kind: str) -> None:
    x, y = (round(mm * PX_PER_MM) for mm in printed.board.centre_mm(district_heart(printed, kind)))
    cv2.circle(art, (x, y), 27, PAPER, cv2.FILLED, cv2.LINE_AA)
    cv2.circle(art, (x, y), 27, INK, 3, cv2.LINE_AA)
    _write(art, str(printed.values.get(kind, "")), (x, y), 1.2)


def _draw_track(art: Picture, board: Board) -> None:
    """The score track: numbered fields round the edge."""
    width, height = board.size_mm
    across, half = 20, 9.0
    places = [(15 + i * (width - 30) / across, 14.0) for i in range(across + 1)]
    places += [(width - 14, 15 + i * (height - 30) / across) for i in range(1, across + 1)]
    places += [(width - 15 - i * (width - 30) / across, height - 14) for i in range(1, across + 1)]
    places += [(14.0, height - 15 - i * (height - 30) / across) for i in range(1, across)]
    for number, (x, y) in enumerate(places):
        box = [(round((x + dx) * PX_PER_MM), round((y + dy) * PX_PER_MM)) for dx, dy in ((-half, -half), (half, half))]
        ground = (122, 158, 190) if number % 10 == 0 else (214, 234, 242)
        cv2.rectangle(art, box[0], box[1], ground, cv2.FILLED)
        cv2.rectangle(art, box[0], box[1], (110, 128, 140), 2)
        _write(art, str(number), (round(x * PX_PER_MM), round(y * PX_PER_MM)), 0.72)
    cv2.rectangle(art, (0, 0), (art.shape[1] - 1, art.shape[0] - 1), (96, 116, 130), 6)


def _write(art: Picture, text: str, middle: tuple[int, int], scale: float) -> None:
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 2)
    at = (middle[0] - wide // 2, middle[1] + high // 2)
    cv2.putText(art, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, INK, 2, cv2.LINE_AA)


def _grained(art: Picture, seed: int) -> Picture:
    """The drawing with the grain of printed cardboard."""
    chance = np.random.default_rng(seed)
    cloud = cv2.resize(
        chance.normal(0, 3, (60, 60)).astype(np.float32), art.shape[1::-1], interpolation=cv2.INTER_CUBIC
    )
    fine = chance.normal(0, 2.5, art.shape[:2]).astype(np.float32)
    grain = np.round(cloud + fine).astype(np.int16)
    return np.asarray(cv2.add(art, cv2.merge([grain] * 3), dtype=cv2.CV_8U), np.uint8)
