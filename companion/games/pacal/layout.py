"""Layouts of Pacal's Rocket: districts, values, lake, shore and covers, read from a layout file (SETUP-1, SETUP-3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.boards import Board, check_geometry, read_layout
from companion.errors import BadLayout
from companion.squares import Square, square

GAME = "pacal"
LAKE = "~"
NO_SQUARE = "."
SHORE = "#"

COVERS: Mapping[int, tuple[str, ...]] = {2: ("2", "2/3"), 3: ("2/3",), 4: ("4",), 5: ()}
"""The covers that lie on the board, by the number of players (SETUP-3)."""

COVER_NAMES = ("2", "2/3", "4")
MAX_COLUMNS, MAX_ROWS = 26, 99


@dataclass(frozen=True)
class Layout:
    """A printed board: one character a square, in lines from the top.

    districts: a letter of a district, ``~`` for the lake, ``.`` for no square. shore: ``#`` on a bank.
    values: what each district is worth, sorted by letter. covers: the districts under each cover.
    """

    name: str
    districts: tuple[str, ...]
    shore: tuple[str, ...]
    sacred: str
    values: tuple[tuple[str, int], ...]
    covers: tuple[tuple[str, tuple[str, ...]], ...]
    size_mm: tuple[float, float]
    grid_mm: tuple[float, float, float, float]

    def places(self) -> Iterator[tuple[Square, str, bool]]:
        """Each place of the grid with its character in the map and whether it lies on the shore."""
        for row, (line, bank) in enumerate(zip(self.districts, self.shore, strict=True)):
            for column, (letter, mark) in enumerate(zip(line, bank, strict=True)):
                yield square(column, row), letter, mark == SHORE

    def board(self) -> Board:
        """The layout as geometry; squares that a cover may hide are squares of the board too."""
        return Board(
            game=GAME,
            name=self.name,
            size_mm=self.size_mm,
            grid_mm=self.grid_mm,
            columns=len(self.districts[0]),
            rows=len(self.districts),
            squares=frozenset(name for name, letter, _ in self.places() if letter not in (LAKE, NO_SQUARE)),
        )

    def covered(self, players: int) -> frozenset[str]:
        """The districts under covers. Raises BadLayout when the layout lacks a cover that so many players need."""
        covers = dict(self.covers)
        missing = [name for name in COVERS[players] if name not in covers]
        if missing:
            raise BadLayout(
                f'layout {self.name!r}: {players} players need the cover "{missing[0]}", which has no districts'
            )
        return frozenset(letter for name in COVERS[players] for letter in covers[name])


def load_layout(board: str) -> Layout:
    """A layout by its built-in name or the path of its file. Raises BadLayout that says what is wrong and where."""
    where, data = read_layout(GAME, board)
    size, grid = check_geometry(where, data)
    districts = _map(where, data, "districts")
    shore = _map(where, data, "shore")
    _check_districts(where, districts)
    letters = sorted({letter for line in districts for letter in line} - {LAKE, NO_SQUARE})
    _check_shore(where, districts, shore)
    values = _values(where, data, letters)
    sacred = data.get("sacred")
    if not isinstance(sacred, str) or sacred not in letters:
        raise BadLayout(f"{where}: sacred is {sacred!r}, which is no district of the map ({', '.join(letters)})")
    covers = _covers(where, data, letters, sacred)
    return Layout(data["name"], districts, shore, sacred, values, covers, size, grid)


def _map(where: str, data: Mapping[str, Any], key: str) -> tuple[str, ...]:
    text = data.get(key)
    if not isinstance(text, str):
        raise BadLayout(f"{where}: {key} must be a map, one line a row, not {text!r}")
    lines = tuple(text.strip("\n").split("\n"))
    width = len(lines[0])
    if not width:
        raise BadLayout(f"{where}: the map of {key} is empty")
    for row, line in enumerate(lines, 1):
        if len(line) != width:
            raise BadLayout(f"{where}: {key}, row {row}: {len(line)} characters, the rows above have {width}")
    if width > MAX_COLUMNS or len(lines) > MAX_ROWS:
        raise BadLayout(
            f"{where}: {key} has {width} columns and {len(lines)} rows; a board has at most "
            f"{MAX_COLUMNS} columns and {MAX_ROWS} rows"
        )
    return lines


def _check_districts(where: str, districts: tuple[str, ...]) -> None:
    for row, line in enumerate(districts):
        for column, letter in enumerate(line):
            if letter not in (LAKE, NO_SQUARE) and not (letter.isascii() and letter.isalpha()):
                here = f"square {square(column, row)} (row {row + 1}, column {column + 1})"
                raise BadLayout(
                    f"{where}: districts, {here}: {letter!r} is neither the letter of a district nor '~' for the lake "
                    "nor '.' for no square"
                )


def _check_shore(where: str, districts: tuple[str, ...], shore: tuple[str, ...]) -> None:
    if len(shore) != len(districts) or len(shore[0]) != len(districts[0]):
        raise BadLayout(
            f"{where}: shore has {len(shore)} rows of {len(shore[0])}, districts has {len(districts)} rows of "
            f"{len(districts[0])}; both maps must be of the same size"
        )
    for row, line in enumerate(shore):
        for column, mark in enumerate(line):
            here = f"{where}: shore, square {square(column, row)} (row {row + 1}, column {column + 1})"
            if mark not in (SHORE, NO_SQUARE):
                raise BadLayout(f"{here}: {mark!r} is neither '#' for the shore nor '.'")
            if mark == SHORE and districts[row][column] in (LAKE, NO_SQUARE):
                raise BadLayout(f"{here}: the shore needs a square, and the map of districts has none there")


def _values(where: str, data: Mapping[str, Any], letters: list[str]) -> tuple[tuple[str, int], ...]:
    values = data.get("values")
    if not isinstance(values, dict):
        raise BadLayout(f"{where}: values must give each district's value, not {values!r}")
    if not letters:
        raise BadLayout(f"{where}: the map of districts has no district")
    for letter in letters:
        if letter not in values:
            raise BadLayout(f"{where}: district {letter} has no value")
    for letter, value in values.items():
        if letter not in letters:
            raise BadLayout(f"{where}: values names district {letter!r}, which is not in the map")
        if type(value) is not int or not 1 <= value <= 9:
            raise BadLayout(f"{where}: district {letter} has value {value!r}; a whole number from 1 to 9 was expected")
    return tuple((letter, values[letter]) for letter in letters)


def _covers(
    where: str, data: Mapping[str, Any], letters: list[str], sacred: str
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if "covers" not in data:
        # A board for which there are no covers; but not one whose table of covers is misspelt.
        for key, value in data.items():
            if isinstance(value, dict) and key != "values":
                raise BadLayout(f"{where}: there is nothing called {key!r} in a layout; covers is the table of covers")
        return tuple((name, ()) for name in COVER_NAMES)
    covers = data["covers"]
    if not isinstance(covers, dict):
        raise BadLayout(f"{where}: covers must list the districts under each cover, not {covers!r}")
    for name, districts in covers.items():
        if name not in COVER_NAMES:
            raise BadLayout(f'{where}: there is no cover {name!r}; covers are "2", "2/3" and "4"')
        if not isinstance(districts, list):
            raise BadLayout(f'{where}: cover "{name}" must be a list of districts, not {districts!r}')
        for letter in districts:
            if letter not in letters:
                raise BadLayout(f'{where}: cover "{name}" names district {letter!r}, which is not in the map')
            if letter == sacred:
                raise BadLayout(f'{where}: cover "{name}" lies on the sacred district {sacred}, where the ships start')
    return tuple((name, tuple(covers[name])) for name in sorted(covers))
