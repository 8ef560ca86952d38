"""Boards for rendered set-ups: the reference layout, or one that nobody prints, with another grid."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from companion.games.pacal.layout import LAKE, NO_SQUARE, SHORE, Layout, load_layout

LAYOUT_FILE = "board.toml"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTU"
_SIDES = ((0, 1), (1, 0), (0, -1), (-1, 0))


@dataclass(frozen=True)
class DrawnBoard:
    """A board to print.

    file: what setup.json calls it. river: row and column of the squares' corners that it runs through.
    """

    layout: Layout
    file: str
    river: tuple[tuple[int, int], ...]

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.layout.districts), len(self.layout.districts[0])


def draw_board(rng: Generator) -> DrawnBoard:
    """The reference board in one of four set-ups, else a board with a grid of its own."""
    if rng.random() < 0.25:
        layout = load_layout("reference")
        # Its art is drawn anew too: the river, which no layout file knows, runs somewhere along its shore.
        return DrawnBoard(layout, "reference", _river(rng, 13, 13))
    rows, columns = (int(n) for n in rng.integers(10, 15, 2))
    districts = _districts(rng, rows, columns)
    river = _river(rng, rows, columns) if rng.random() < 0.8 else ()
    width, height, grid = _geometry(rng, rows, columns)
    letters = sorted({letter for line in districts for letter in line} - {LAKE, NO_SQUARE})
    layout = Layout(
        name=f"drawn-{columns}x{rows}",
        districts=districts,
        shore=_shore(districts, river),
        sacred=districts[rows // 2][columns // 2],
        values=tuple((letter, int(rng.integers(2, 8))) for letter in letters),
        covers=(("2", ()), ("2/3", ()), ("4", ())),
        size_mm=(width, height),
        grid_mm=grid,
    )
    sacred = dict(layout.values) | {layout.sacred: 7}
    return DrawnBoard(replace(layout, values=tuple(sorted(sacred.items()))), LAYOUT_FILE, river)


def to_toml(layout: Layout) -> str:
    """The layout as a layout file."""
    values = ", ".join(f"{letter} = {value}" for letter, value in layout.values)
    return (
        f'# A board that was drawn for rendered pictures.\n\nformat = 1\ngame = "pacal"\nname = "{layout.name}"\n'
        f"board_mm = {list(layout.size_mm)}\ngrid_mm = {list(layout.grid_mm)}\n\n"
        f'districts = """\n{_lines(layout.districts)}"""\n\nshore = """\n{_lines(layout.shore)}"""\n\n'
        f'sacred = "{layout.sacred}"\nvalues = {{ {values} }}\n'
    )


def _lines(rows: tuple[str, ...]) -> str:
    return "".join(f"{row}\n" for row in rows)


def _geometry(rng: Generator, rows: int, columns: int) -> tuple[float, float, tuple[float, float, float, float]]:
    """Width and height of the board and its grid, all in mm."""
    most = 460 / max(rows, columns)
    square = rng.uniform(31.0, min(40.0, max(most, 31.5)))
    across = square * (rng.uniform(0.97, 1.03) if rng.random() < 0.4 else 1.0)
    left, top = rng.uniform(5, 26, 2)
    right, bottom = (left, top) if rng.random() < 0.7 else rng.uniform(5, 26, 2)
    sizes = np.round([left, top, left + columns * across, top + rows * square, right, bottom], 1)
    width, height = sizes[2] + sizes[4], sizes[3] + sizes[5]
    grid = (float(sizes[0]), float(sizes[1]), float(sizes[2]), float(sizes[3]))
    return round(float(width), 1), round(float(height), 1), grid


def _districts(rng: Generator, rows: int, columns: int) -> tuple[str, ...]:
    """Districts grown from seeds, the sacred one of nine squares in the middle, a lake, places without a square."""
    cells = np.full((rows, columns), "", dtype="<U1")
    middle = rows // 2, columns // 2
    cells[middle[0] - 1 : middle[0] + 2, middle[1] - 1 : middle[1] + 2] = _LETTERS[0]
    if rng.random() < 0.85:
        _grow_blob(rng, cells, LAKE, int(rng.integers(3, 10)))
    if rng.random() < 0.3:
        _grow_blob(rng, cells, NO_SQUARE, int(rng.integers(1, 5)))
    letters = _LETTERS[1 : int(rng.integers(9, 19))]
    for letter in letters:
        free = np.argwhere(cells == "")
        cells[tuple(free[rng.integers(len(free))])] = letter
    while (free := np.argwhere(cells == "")).size:
        row, column = free[rng.integers(len(free))]
        step = _SIDES[rng.integers(4)]
        beside = row + step[0], column + step[1]
        if 0 <= beside[0] < rows and 0 <= beside[1] < columns and cells[beside] in [*letters]:
            cells[row, column] = cells[beside]
        elif not _reachable(cells, letters):
            cells[row, column] = letters[0]
    return tuple("".join(line) for line in cells)


def _reachable(cells: np.ndarray[tuple[int, int], np.dtype[np.str_]], letters: str) -> bool:
    """Whether any free cell touches a district that grows."""
    grows = np.pad(np.isin(cells, list(letters)), 1)
    touched = grows[2:, 1:-1] | grows[:-2, 1:-1] | grows[1:-1, 2:] | grows[1:-1, :-2]
    return bool(np.any(touched & (cells == "")))


def _grow_blob(rng: Generator, cells: np.ndarray[tuple[int, int], np.dtype[np.str_]], letter: str, size: int) -> None:
    free = np.argwhere(cells == "")
    blob = [tuple(free[rng.integers(len(free))])]
    for _ in range(20 * size):
        if len(blob) == size:
            break
        row, column = blob[rng.integers(len(blob))]
        step = _SIDES[rng.integers(4)]
        beside = row + step[0], column + step[1]
        inside = 0 <= beside[0] < cells.shape[0] and 0 <= beside[1] < cells.shape[1]
        if inside and beside not in blob and cells[beside] == "":
            blob.append(beside)
    for cell in blob:
        cells[cell] = letter


def _river(rng: Generator, rows: int, columns: int) -> tuple[tuple[int, int], ...]:
    """Corners of squares from one side of the board towards the other, along the grid."""
    row, column = 0, int(rng.integers(2, columns - 1))
    path = [(row, column)]
    length = int(rng.integers(rows // 2, rows + 1))
    while row < length:
        if rng.random() < 0.25 and 1 < column < columns - 1:
            column += int(rng.choice([-1, 1]))
            path.append((row, column))
        row += 1
        path.append((row, column))
    return tuple(path)


def _shore(districts: tuple[str, ...], river: tuple[tuple[int, int], ...]) -> tuple[str, ...]:
    rows, columns = len(districts), len(districts[0])
    marks = np.full((rows, columns), NO_SQUARE)
    for row in range(rows):
        for column in range(columns):
            lake = any(
                0 <= row + y < rows and 0 <= column + x < columns and districts[row + y][column + x] == LAKE
                for y, x in _SIDES
            )
            if lake or any((row + y, column + x) in river for y in (0, 1) for x in (0, 1)):
                marks[row, column] = SHORE
            if districts[row][column] in (LAKE, NO_SQUARE):
                marks[row, column] = NO_SQUARE
    return tuple("".join(line) for line in marks)
