"""Names of squares: ``A1`` is the top left one, letters are columns, numbers are rows."""

from __future__ import annotations

import re
from functools import cache
from typing import TypeAlias

Square: TypeAlias = str
"""A column letter and a row number from 1: ``"A1"``."""

_NAME = re.compile(r"([A-Z])([1-9][0-9]?)")


def square(column: int, row: int) -> Square:
    """The name of the square in a column and a row, both counted from 0."""
    if not 0 <= column < 26 or not 0 <= row < 99:
        raise ValueError(f"no square has column {column} and row {row}: columns are 0 to 25, rows 0 to 98")
    return f"{chr(65 + column)}{row + 1}"


@cache
def position(name: Square) -> tuple[int, int]:
    """Column and row, both counted from 0, of a square.

    Raises ValueError for what is not a square's name.
    """
    match = _NAME.fullmatch(name)
    if match is None:
        raise ValueError(f"{name!r} is not a square: a letter and a number such as C4 were expected")
    return ord(match[1]) - 65, int(match[2]) - 1


def reading_order(name: Square) -> tuple[int, int]:
    """Sort key: row by row, from left to right."""
    column, row = position(name)
    return row, column


def distance(one: Square, other: Square) -> int:
    """How many squares one is from another, diagonals as one."""
    (column, row), (other_column, other_row) = position(one), position(other)
    return max(abs(column - other_column), abs(row - other_row))
