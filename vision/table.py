"""A taught table: the board, the camera over it as it was taught, and what the pieces look like there."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import uuid
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from zipfile import BadZipFile

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board, lies_on
from companion.errors import BadPicture, BadTable
from companion.squares import position
from vision.frames import Picture, check_picture, read_picture
from vision.geometry import Floats, Lens, Pose, find_pose
from vision.grid import Canvas, board_corners_mm
from vision.markers import Markers

FORMAT = 3
"""2: before pieces were read by networks. 1: before teaching measured the pieces."""
HEADER = "table.json"
"""The file that makes a folder a table; it names the others, so that replacing it replaces the table at once."""

Learned = Mapping[str, NDArray[np.float32]]
"""What was learned of the pieces: named arrays that the game's reading understands."""


@dataclass(frozen=True, eq=False)
class Table:
    """What teaching made, and all that reading needs.

    corners_px: the printed board's corners in the empty picture (4 x 2): the one at A1, then clockwise from above.
    empty: the board with nothing on it. learned: see ``Learned``. markers: where printed markers lie beside the board,
    in mm on its plane; none for most tables.
    """

    board: Board
    lens: Lens
    corners_px: Floats
    empty: Picture
    learned: Learned = field(default_factory=dict)
    markers: Markers = field(default_factory=dict)

    @property
    def game(self) -> str:
        return self.board.game

    @cached_property
    def pose(self) -> Pose:
        """Where the camera stood when the empty picture was taken. Raises BadTable when the corners fit no camera."""
        fit = find_pose(self.lens, board_corners_mm(self.board), self.corners_px)
        if fit is None:
            raise BadTable("the board's corners of this table fit no camera above a board; teach the table again")
        return fit[0]

    @cached_property
    def canvas(self) -> Canvas:
        return Canvas.of(self.board)

    def save(self, folder: Path) -> None:
        """Write the table into a folder, whole or not at all: until its last step a table that is there stays valid.

        Other files in the folder are left alone. Raises BadTable when it cannot be written.
        """
        folder = Path(folder)
        mark = uuid.uuid4().hex[:12]
        board = self.board
        header = _TableFile(
            format=FORMAT,
            board=_BoardFile(
                board.game, board.name, board.size_mm, board.grid_mm, board.columns, board.rows, sorted(board.squares)
            ),
            picture_size=self.lens.size,
            focal_px=self.lens.focal,
            k1=self.lens.k1,
            board_corners_px=[(float(x), float(y)) for x, y in self.corners_px],
            empty=f"empty-{mark}.png",
            learned=f"learned-{mark}.npz",
            markers={number: corners.tolist() for number, corners in self.markers.items()},
        )
        arrays = io.BytesIO()
        np.savez_compressed(arrays, allow_pickle=False, **dict(self.learned))
        files = {
            # PNG: the very pixels that were taught, or a saved table would read a little differently from a fresh one.
            header.empty: cv2.imencode(".png", self.empty)[1].tobytes(),
            header.learned: arrays.getvalue(),
            f"table-{mark}.json": json.dumps(msgspec.to_builtins(header), indent=1).encode(),
        }
        there = True
        try:
            there = folder.is_dir()
            folder.mkdir(parents=True, exist_ok=True)
            for name, data in files.items():
                _write_whole(folder / name, data)
            (folder / f"table-{mark}.json").replace(folder / HEADER)
        except OSError as error:
            # What cannot be written to may not be cleaned up either.
            with contextlib.suppress(OSError):
                for name in files:
                    (folder / name).unlink(missing_ok=True)
                if not there:
                    folder.rmdir()
            raise BadTable(f"{folder}: the table cannot be written ({error.strerror})") from None
        # What the table before consisted of, or one that a pulled plug left half written.
        for old in folder.iterdir():
            if _OWN.fullmatch(old.name) and old.name not in files:
                old.unlink(missing_ok=True)

    @staticmethod
    def load(folder: Path) -> Table:
        """The table in a folder. Raises BadTable when it is missing, broken, or of a newer version."""
        folder = Path(folder)
        header = _read_header(folder / HEADER)
        try:
            empty = read_picture(folder / Path(header.empty).name)
            check_picture(empty)
        except BadPicture as error:
            raise BadTable(f"{error}; the table is broken, teach it again") from error
        if (empty.shape[1], empty.shape[0]) != header.picture_size:
            raise BadTable(f"{folder}: {header.empty} is not of the size that table.json says; teach the table again")
        try:
            with np.load(io.BytesIO((folder / Path(header.learned).name).read_bytes()), allow_pickle=False) as data:
                learned = {name: np.asarray(data[name], np.float32) for name in data.files}
        except (OSError, ValueError, EOFError, KeyError, RuntimeError, BadZipFile, zlib.error):
            raise BadTable(f"{folder / header.learned}: is missing or broken; teach the table again") from None
        kept = header.board
        board = Board(
            kept.game, kept.name, kept.size_mm, kept.grid_mm, kept.columns, kept.rows, frozenset(kept.squares)
        )
        if not _on_grid(board):
            raise BadTable(f"{folder / HEADER}: is broken (its squares do not lie on its grid); teach the table again")
        lens = Lens(header.picture_size, header.focal_px, header.k1)
        markers = {number: np.array(corners, np.float64) for number, corners in header.markers.items()}
        return Table(board, lens, np.array(header.board_corners_px, np.float64), empty, learned, markers)


_OWN = re.compile(r"(empty-[0-9a-f]{12}\.png|learned-[0-9a-f]{12}\.npz|table-[0-9a-f]{12}\.json)")
"""The names of a table's files, but for the header."""

_Point = tuple[float, float]


class _BoardFile(msgspec.Struct):
    game: str
    name: str
    size_mm: tuple[float, float]
    grid_mm: tuple[float, float, float, float]
    columns: int
    rows: int
    squares: list[str]


class _TableFile(msgspec.Struct):
    format: int
    board: _BoardFile
    picture_size: tuple[int, int]
    focal_px: float
    k1: float
    board_corners_px: list[tuple[float, float]]
    empty: str
    learned: str
    markers: dict[int, tuple[_Point, _Point, _Point, _Point]] = {}


class _AnyTableFile(msgspec.Struct):
    format: int


def _read_header(file: Path) -> _TableFile:
    try:
        data = file.read_bytes()
    except OSError as error:
        raise BadTable(
            f"{file}: cannot be read ({error.strerror}); a folder written by 'companion teach' was expected"
        ) from None
    try:
        version = msgspec.json.decode(data, type=_AnyTableFile).format
        if version < FORMAT:
            raise BadTable(
                f"{file}: the table has format {version}, of an older Companion; "
                f"this version reads format {FORMAT}: teach the table again"
            )
        if version > FORMAT:
            raise BadTable(
                f"{file}: the table has format {version}, this version reads format {FORMAT}; "
                "update Companion or teach the table again"
            )
        return msgspec.json.decode(data, type=_TableFile)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadTable(f"{file}: is broken ({error}); teach the table again") from None


def _on_grid(board: Board) -> bool:
    """Whether a board has squares, each in a row and a column that it has, and the grid lies on the board."""
    try:
        places = [position(name) for name in board.squares]
    except ValueError:
        return False
    within = all(column < board.columns and row < board.rows for column, row in places)
    return bool(places) and within and lies_on(board.size_mm, board.grid_mm)


def _write_whole(file: Path, data: bytes) -> None:
    with file.open("wb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())
